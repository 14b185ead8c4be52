import Foundation
import MeroWire

/// The shared event stream of a node without its connections: what is wanted and how often, what the node was told, when to
/// connect and when to give up (10 §4.5, §4.6). Pure: times, frames and answers come in, what to do comes out.
struct SseMachine: Sendable {
  enum Timer: Sendable, Hashable, CaseIterable {
    /// The next connection.
    case reconnect
    /// The connection is dead when nothing came by then.
    case silence
    /// Being back is reported now, whatever came of subscribing again.
    case report
    /// A subscription that failed is tried once more.
    case retry
  }

  enum Input: Sendable {
    /// A consumer wants these, and the stream with them.
    case want([SseTopic])
    /// One that wanted these does not any more.
    case unwant([SseTopic])
    /// The stream is asked for; a wait is not waited for.
    case connect
    /// There are new tokens.
    case newTokens
    /// The node has ended the session elsewhere.
    case sessionEnded(MeroError)
    case frame(SseFrame, attempt: Int)
    /// A stream ended, or could not be opened.
    case ended(MeroError, attempt: Int)
    case answered(Result<Set<SseTopic>, MeroError>, SseRequest)
    case elapsed(Timer)
    case close
  }

  enum Effect: Sendable, Hashable {
    /// Open the stream, in place of the one before.
    case open(attempt: Int)
    /// Leave the stream and whatever is being posted.
    case drop
    case post(SseRequest)
    /// Start a timer, anew if it runs.
    case start(Timer, TimeInterval)
    case stop(Timer)
    case announce(SseState)
    case deliver(ContextEvent)
    /// Whoever waits for an answer may find one.
    case settled
    /// End the consumers' streams, with this error or in peace.
    case end(MeroError?)
  }

  static let reconnectDelay: TimeInterval = 3
  static let reportDelay: TimeInterval = 10
  static let silenceLimit: TimeInterval = 60

  private enum Phase: Sendable, Hashable {
    case idle, waiting, connecting, open
    case stopped(MeroError)
  }

  private var phase = Phase.idle
  /// Tells a stream from those before it.
  private var attempt = 0
  private var heardAt: TimeInterval = 0
  private var session: String?
  private var wasOnline = false
  /// Back, and not reported yet.
  private var owesReport = false
  /// Reported as offline because of a subscription, though the stream is there.
  private var isUnwell = false
  /// The node had forgotten the session, and nothing was subscribed since.
  private var rejoined = false
  private var subscriptions = SseSubscriptions()
  private var presence = KeptPresence()

  mutating func handle(_ input: Input, at now: TimeInterval) -> [Effect] {
    switch input {
    case .want(let topics):
      subscriptions.want(topics)
      if phase == .idle || isStopped { return open(at: now) }
      return flush()
    case .unwant(let topics):
      for case .context(let id) in subscriptions.unwant(topics) { presence.forget(id) }
      return flush()
    case .connect: return connect(at: now)
    // Also in place of a stream that is open: it was given to whoever had the tokens before.
    case .newTokens: return phase == .idle ? [] : open(at: now)
    case .sessionEnded(let error): return phase == .idle ? [] : stop(error)
    case .frame(let frame, let attempt):
      return attempt == self.attempt && isConnected ? receive(frame, at: now) : []
    case .ended(let error, let attempt):
      return attempt == self.attempt && isConnected ? lost(error) : []
    case .answered(let answer, let request):
      guard subscriptions.take(request) else { return [] }
      switch answer {
      case .success(let granted): return answered(granted, to: request)
      case .failure(let error): return failed(error, request, at: now)
      }
    case .elapsed(let timer): return elapsed(timer, at: now)
    case .close: return close()
    }
  }

  // MARK: What can be asked

  /// Bytes of a stream came, of a comment for example. Answers whether it is the one that is read.
  mutating func hears(_ attempt: Int, at now: TimeInterval) -> Bool {
    guard attempt == self.attempt, isConnected else { return false }
    heardAt = now
    return true
  }

  /// What the node made of a subscription; nil when it is not known yet.
  func answer(to topics: [SseTopic]) -> Result<SseSubscription, MeroError>? {
    if case .stopped(let error) = phase { return .failure(error) }
    return subscriptions.answer(to: topics)
  }

  /// What was kept of a context's presence, as old as it is now.
  func presenceSeed(_ contextId: String, at now: TimeInterval) -> [ContextEvent] {
    presence.seed(contextId, at: now)
  }

  private var isConnected: Bool { phase == .connecting || phase == .open }

  private var isStopped: Bool { if case .stopped = phase { true } else { false } }

  // MARK: Connecting

  private mutating func connect(at now: TimeInterval) -> [Effect] {
    // An app that was suspended finds its stream dead before the timer does.
    let isDead = isConnected && now - heardAt >= Self.silenceLimit
    return isConnected && !isDead ? [] : open(at: now)
  }

  private mutating func open(at now: TimeInterval) -> [Effect] {
    let effects = leave()
    phase = .connecting
    attempt += 1
    heardAt = now
    return effects + [
      .announce(.connecting), .open(attempt: attempt), .start(.silence, Self.silenceLimit),
    ]
  }

  /// Forgets the stream there is. Presence is kept until the next one brings it anew.
  private mutating func leave() -> [Effect] {
    session = nil
    owesReport = false
    isUnwell = false
    subscriptions.leaveSession()
    return [.drop] + Timer.allCases.map { .stop($0) }
  }

  private mutating func elapsed(_ timer: Timer, at now: TimeInterval) -> [Effect] {
    switch timer {
    case .reconnect: return phase == .waiting ? open(at: now) : []
    case .silence:
      guard isConnected else { return [] }
      let left = heardAt + Self.silenceLimit - now
      // Less than a microsecond is rounding: a clock may never come nearer.
      guard left <= 0.000_001 else { return [.start(.silence, left)] }
      return lost(.network("the node has sent nothing for \(Int(Self.silenceLimit)) seconds"))
    case .report:
      guard owesReport else { return [] }
      return report()
        + unwell(.network("the node has not answered the subscription in \(Int(Self.reportDelay)) seconds"))
    case .retry:
      subscriptions.releaseHold()
      return flush()
    }
  }

  // MARK: The stream

  private mutating func receive(_ frame: SseFrame, at now: TimeInterval) -> [Effect] {
    switch frame {
    case .connect(let session): return connected(session)
    case .close(let reason):
      let why = reason.map { ": " + Excerpt.of($0) } ?? ""
      return lost(.network("the node has closed the event stream\(why)"))
    case .event(let event):
      if event.kind == .ephemeral, subscriptions.wants(.context(event.contextId)) {
        presence.note(event, at: now)
      }
      return [.deliver(event)]
    }
  }

  private mutating func connected(_ session: String) -> [Effect] {
    phase = .open
    self.session = session
    presence.forgetAll()
    subscriptions.leaveSession()
    // Listeners that read state anew when they are back must not do so before they can miss nothing.
    owesReport = true
    let subscribing = flush()
    guard wasOnline, !subscribing.isEmpty else { return [.stop(.retry)] + report() + subscribing }
    return [.stop(.retry)] + subscribing + [.start(.report, Self.reportDelay)]
  }

  private mutating func report() -> [Effect] {
    guard owesReport, let session else { return [] }
    owesReport = false
    wasOnline = true
    return [.stop(.report), .announce(.online(sessionId: session))]
  }

  /// The stream is gone; what can be mended by waiting is.
  private mutating func lost(_ error: MeroError) -> [Effect] {
    error.endsStream ? stop(error) : wait(error)
  }

  private mutating func wait(_ error: MeroError) -> [Effect] {
    let effects = leave()
    phase = .waiting
    return effects + [.announce(.offline(error)), .start(.reconnect, Self.reconnectDelay)]
  }

  private mutating func stop(_ error: MeroError) -> [Effect] {
    guard !isStopped else { return [] }
    let effects = leave()
    phase = .stopped(error)
    presence.forgetAll()
    return effects + [.announce(.stopped(error)), .settled, .end(error)]
  }

  private mutating func close() -> [Effect] {
    let effects = leave()
    // A stream that is on its way in must not be taken for the next one.
    let attempt = attempt
    self = SseMachine()
    self.attempt = attempt
    return effects + [.settled, .end(nil)]
  }

  // MARK: Subscriptions

  /// Tells the node what has changed. One request at a time, so that they arrive in order.
  private mutating func flush() -> [Effect] {
    guard phase == .open, let session else { return [] }
    return subscriptions.next(session).map { [.post($0)] } ?? []
  }

  private mutating func answered(_ granted: Set<SseTopic>, to request: SseRequest) -> [Effect] {
    rejoined = false
    subscriptions.answered(granted, to: request)
    let next = flush()
    guard next.isEmpty else { return [.settled] + next }
    // What was reported as being offline is over.
    owesReport = owesReport || isUnwell
    isUnwell = false
    return [.settled] + report()
  }

  private mutating func failed(_ error: MeroError, _ request: SseRequest, at now: TimeInterval) -> [Effect] {
    if error.meansSessionIsGone {
      // At once, but not again and again: a node that never knows its sessions is a node in trouble.
      guard !rejoined else { return wait(error) }
      rejoined = true
      return open(at: now)
    }
    if error.endsStream || error.httpStatus == 401 { return lost(error) }
    if subscriptions.failed(request, error) {
      return report() + unwell(error) + [.start(.retry, Self.reconnectDelay)]
    }
    // What was asked for meanwhile is not to suffer from it.
    return report() + unwell(error) + [.settled] + (request.method == .subscribe ? flush() : [])
  }

  private mutating func unwell(_ error: MeroError) -> [Effect] {
    isUnwell = true
    return [.announce(.offline(error))]
  }
}

extension MeroError {
  /// Whether another try would get the same answer: the session is over, or may not listen.
  fileprivate var endsStream: Bool {
    switch self {
    case .authRevoked: true
    case .http(let error): error.status == 403
    default: false
    }
  }

  /// Whether the node does not know the stream's session, or not as ours.
  fileprivate var meansSessionIsGone: Bool {
    guard case .http(let error) = self else { return false }
    if error.status == 404 { return true }
    return error.status == 403 && error.authError == nil
      && error.refusal?.message?.lowercased().contains("session owner") == true
  }
}
