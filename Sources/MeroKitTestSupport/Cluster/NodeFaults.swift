import Foundation
import MeroHTTP
import MeroSealed
import MeroWire

/// What a node does wrong on purpose at its door and before its operations. What it does wrong inside the sealed
/// channel is with `SealedResponder`.
struct NodeFaults: Sendable {
  enum Reach: Sendable { case up, down, refusing, silent, blackHole }

  struct InnerAnswer: Sendable {
    let refusal: Refusal
    let operation: String?
    var times: Int
  }

  struct ProxyAnswer: Sendable {
    let status: Int
    let door: FakeCloudNode.Door
    var times: Int
  }

  struct Lost: Sendable {
    let operation: String?
    var times: Int
  }

  /// Makes an answer in place of the node's own.
  var replacement: (@Sendable (String?) -> HTTPResponse?)?
  var reach = Reach.up
  /// Whether there is a process that serves the node.
  var isRunning = true
  /// Whether peers reach it.
  var isReachable: Bool { reach == .up && isRunning }
  var delay: TimeInterval = 0
  var quote: FakeCloudNode.BadQuote?
  var presented = FakeCloudNode.Attestation.good
  private(set) var answers: [InnerAnswer] = []
  private(set) var proxies: [ProxyAnswer] = []
  private(set) var losses: [Lost] = []

  mutating func add(_ answer: InnerAnswer) { answers.append(answer) }
  mutating func add(_ proxy: ProxyAnswer) { proxies.append(proxy) }
  mutating func add(_ loss: Lost) { losses.append(loss) }

  /// The refusal that this operation gets instead of being run.
  mutating func takeAnswer(for operation: String?) -> Refusal? {
    guard let index = answers.firstIndex(where: { $0.operation == nil || $0.operation == operation }) else {
      return nil
    }
    let refusal = answers[index].refusal
    answers[index].times -= 1
    if answers[index].times <= 0 { answers.remove(at: index) }
    return refusal
  }

  /// The status a proxy in front of the node answers with.
  mutating func takeProxy(at door: FakeCloudNode.Door) -> Int? {
    guard let index = proxies.firstIndex(where: { $0.door == door }) else { return nil }
    let status = proxies[index].status
    proxies[index].times -= 1
    if proxies[index].times <= 0 { proxies.remove(at: index) }
    return status
  }

  /// Whether the answer of this operation is lost.
  mutating func takeLoss(for operation: String?) -> Bool {
    guard let index = losses.firstIndex(where: { $0.operation == nil || $0.operation == operation }) else {
      return false
    }
    losses[index].times -= 1
    if losses[index].times <= 0 { losses.remove(at: index) }
    return true
  }
}

extension FakeCloudNode {
  /// A place requests arrive at.
  public enum Door: Sendable, Hashable {
    /// `POST /tee/attest`
    case attestation
    /// `POST /sealed/v2/handshake`
    case handshake
    /// `POST /sealed/v2`
    case exchange
  }

  /// How a quote is wrong.
  public enum BadQuote: Sendable, Hashable {
    /// It commits to another nonce than the client's.
    case wrongNonce
    /// It commits to another transport key than the answer names.
    case wrongKey
    /// It is right in itself and commits to another cluster, which the answer names too.
    case wrongCluster
    /// It has the form of a real quote, with a signature nobody made.
    case unsigned
    /// It is not a quote at all.
    case malformed
  }

  /// No way leads to the node any more: connecting fails, and open streams are cut.
  public func down() { unreachable(.down) }

  /// The node's port refuses connections, and open streams are cut.
  public func refuse() { unreachable(.refusing) }

  /// The node takes requests and never answers. A request ends when its timeout does, on the cluster's clock.
  public func silent() {
    faults.withLock { $0.reach = .silent }
    tellPeers()
  }

  /// What is sent to the node's address is lost, so that no connection is ever made. A request ends when its time for that
  /// does, on the cluster's clock. Open streams are cut.
  public func blackHole() { unreachable(.blackHole) }

  /// The node answers again, after ``down()``, ``refuse()``, ``silent()`` or ``blackHole()``.
  public func up() {
    faults.withLock { $0.reach = .up }
    tellPeers()
  }

  /// The process that serves the node ended: sealed sessions and streams are gone, and its peers do not reach it. For a host
  /// that has closed the node's port.
  package func ended() async {
    await restart()
    faults.withLock { $0.isRunning = false }
    tellPeers()
  }

  /// A process serves the node again, after ``ended()``.
  package func began() {
    faults.withLock { $0.isRunning = true }
    tellPeers()
  }

  /// The node behaves again: every fault set before is gone.
  public func clearFaults() async {
    faults.withLock { faults in
      let isRunning = faults.isRunning
      faults = NodeFaults()
      faults.isRunning = isRunning
    }
    up()
    lag(changes: 0)
    await responder.inject { $0 = SealedFaults() }
  }

  /// The node refuses the next `times` inner requests, or those of one operation, before running anything.
  ///
  /// `code` may be any text, so that a client can be shown a code it does not know.
  public func answer(
    _ status: Int, _ code: String, times: Int = 1, operation: String? = nil,
    message: String = "refused by a fault",
    details: JSONValue? = nil, retryAfterMs: Int64? = nil
  ) {
    let waits = status == 429 || status == 503
    let refusal = Refusal(
      status, code, message, details: details, retryAfterMs: retryAfterMs ?? (waits ? 250 : nil))
    faults.withLock { $0.add(NodeFaults.InnerAnswer(refusal: refusal, operation: operation, times: times)) }
  }

  /// A proxy in front of the node answers the next `times` requests with a page of its own, unsealed.
  public func proxyAnswer(_ status: Int, times: Int = 1, at door: Door = .exchange) {
    faults.withLock { $0.add(NodeFaults.ProxyAnswer(status: status, door: door, times: times)) }
  }

  /// The node runs the next `times` requests, or those of one operation, and loses the connection before it answers.
  public func loseAnswer(times: Int = 1, operation: String? = nil) {
    faults.withLock { $0.add(NodeFaults.Lost(operation: operation, times: times)) }
  }

  /// The node ends the next `times` sealed responses after so many frames, without an end frame.
  public func cut(afterFrames frames: Int, times: Int = 1) async {
    await responder.inject {
      $0.cutAfterFrames = frames
      $0.cutTimes = times
    }
  }

  /// The node flips a bit in the frame of this index, from 0, in the next `times` sealed responses.
  public func tamper(frame: Int, times: Int = 1) async {
    await responder.inject {
      $0.tamperFrame = frame
      $0.tamperTimes = times
    }
  }

  /// The node starts again: a new transport key, no sealed sessions, open streams cut.
  public func restart() async {
    await responder.restart()
    endStreams(.cut)
  }

  /// The node forgets its sealed sessions and keeps its key.
  public func forgetSessions() async {
    await responder.forgetSessions()
  }

  /// The node answers the next `times` handshakes with 503 `busy`. `retryAfter` is in seconds.
  public func busy(times: Int = 1, retryAfter: Int? = 1) async {
    await responder.inject {
      $0.busyTimes = times
      $0.busyRetryAfter = retryAfter
    }
  }

  /// The node stays this many of the cluster's changes behind; 0 lets it catch up. An app is a change, and so is each
  /// call: views that ask for more are `BEHIND`, apps it has not heard of `SYNCING`.
  public func lag(changes: UInt64) {
    store.withState { state in
      state.nodes[index].lag = changes
      state.announceAll()
    }
  }

  /// The node answers with a quote that is wrong in this way; `nil` for a right one again.
  public func badQuote(_ kind: BadQuote?) { faults.withLock { $0.quote = kind } }

  /// Every request waits this long, on the cluster's clock, before the node looks at it.
  public func delay(milliseconds: Int) { faults.withLock { $0.delay = Double(milliseconds) / 1000 } }

  /// The node runs what it is asked and answers with what `make` gives for the operation; nil for its own answer, and for
  /// `make` itself to behave again.
  package func replaceAnswers(_ make: (@Sendable (_ operation: String?) -> HTTPResponse?)?) {
    faults.withLock { $0.replacement = make }
  }

  /// How ``dropStreams(_:)`` ends them.
  public enum StreamEnd: Sendable, Hashable {
    /// The node ends the response properly.
    case ended
    /// The connection is lost.
    case cut
    /// Nothing comes any more, not even comments, until the client gives up.
    case frozen
  }

  /// Ends the node's open event streams.
  public func dropStreams(_ end: StreamEnd = .ended) {
    switch end {
    case .ended: endStreams(.ended)
    case .cut: endStreams(.cut)
    case .frozen: endStreams(.frozen)
    }
  }

  private func unreachable(_ reach: NodeFaults.Reach) {
    faults.withLock { $0.reach = reach }
    tellPeers()
    endStreams(.cut)
  }

  private func tellPeers() {
    // Under the store's lock, so that of two that change it at once the last one is told last.
    store.withState { state in state.nodes[index].isReachable = faults.withLock { $0.isReachable } }
  }

  private func endStreams(_ ending: EventFollower.Ending) {
    store.withState { $0.endStreams(ending) { $0.node == index } }
  }
}
