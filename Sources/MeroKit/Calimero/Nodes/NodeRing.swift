import Foundation

/// Which nodes there are, how each of them stands, and which is next: the decisions of 70 §2.6 without any I/O.
///
/// Time enters as `now`, seconds of a monotonic clock. The ring is the base URL, the further nodes in order, then
/// discovered ones; it never shrinks.
///
/// ```swift
/// var walk = RingWalk()
/// while case .go(let node) = ring.choose(walk, at: now) { walk.visit(node); ... }
/// ```
struct NodeRing: Sendable {
  /// What is known of a node's attestation.
  enum Trust: Sendable, Hashable {
    case unknown
    case trusted(AttestedNode, since: TimeInterval)
    case refused(until: TimeInterval, CalimeroError)
  }

  struct Node: Sendable, Hashable {
    let url: URL
    let isDiscovered: Bool
    /// The node's own id, once an answer or the cluster's list named it.
    var id: String?
    var trust = Trust.unknown
    var coolUntil: TimeInterval = -.infinity
    /// Failures in a row.
    var failures = 0

    func isRefused(at now: TimeInterval) -> Bool {
      if case .refused(let until, _) = trust { now < until } else { false }
    }

    func isCooling(at now: TimeInterval) -> Bool { now < coolUntil }
  }

  /// What to do next for a walk.
  enum Choice: Sendable, Hashable {
    case go(URL)
    /// Every usable node had its turn.
    case newRound
    /// There is no node left that may be used; why.
    case nobody(CalimeroError)
  }

  /// Seconds (70 §2.28).
  enum Span {
    static let trust: TimeInterval = 24 * 3600
    static let refusal: TimeInterval = 300
    static let cooling: ClosedRange<TimeInterval> = 1...30
    static let longestRetryAfter: TimeInterval = 10
    static let draining: TimeInterval = 60
  }

  /// More than any cluster has; a list from outside must not grow the ring without end.
  static let capacity = 64

  private(set) var nodes: [Node]
  /// Where the last request ended well.
  private(set) var current: URL

  /// A ring of at least one node; the first is the base URL.
  init(_ urls: [URL]) {
    precondition(!urls.isEmpty, "a ring has at least its base node")
    nodes = urls.map { Node(url: $0, isDiscovered: false) }
    current = urls[0]
  }

  subscript(url: URL) -> Node? { nodes.first { $0.url == url } }

  /// The node a hint of another node means, by id or address; nil for strangers, who are nobody's business.
  func member(named name: String) -> URL? {
    if let byId = nodes.first(where: { $0.id == name }) { return byId.url }
    guard let url = try? ClientConfiguration.nodeURL(name) else { return nil }
    return self[url]?.url
  }

  // MARK: Choosing

  /// The next node for a request that has walked this far.
  func choose(_ walk: RingWalk, at now: TimeInterval) -> Choice {
    let usable = nodes.filter { !$0.isRefused(at: now) }
    guard !usable.isEmpty else { return .nobody(refusal(at: now) ?? .unreachable(Unreachable(failures: []))) }
    if let hint = walk.hint, !walk.wasVisited(hint), usable.contains(where: { $0.url == hint }) {
      return .go(hint)
    }
    let candidates = inOrder(for: walk).filter { !$0.isRefused(at: now) && !walk.wasVisited($0.url) }
    guard let first = candidates.first else { return .newRound }
    if let rested = candidates.first(where: { !$0.isCooling(at: now) }) { return .go(rested.url) }
    // All are cooling, which never stops a node from being used when nothing else is left. A request that begins
    // has no reason to prefer another node to the one that answered last.
    if walk.isAtStart { return .go(first.url) }
    return .go(candidates.min { $0.coolUntil < $1.coolUntil }?.url ?? first.url)
  }

  /// The ring seen from a walk: after the node that failed, or beginning with the one to start at.
  private func inOrder(for walk: RingWalk) -> [Node] {
    let start: Int
    if let last = walk.last, let index = nodes.firstIndex(where: { $0.url == last }) {
      start = index + 1
    } else {
      start = nodes.firstIndex { $0.url == walk.preferred ?? current } ?? 0
    }
    return (0..<nodes.count).map { nodes[(start + $0) % nodes.count] }
  }

  // MARK: What happened

  /// A node failed in a way that suggests leaving it alone for a moment.
  mutating func cool(_ url: URL, for pause: Cooling = Cooling(), at now: TimeInterval) {
    update(url) { node in
      node.failures += 1
      let doubled = Span.cooling.lowerBound * pow(2, Double(min(node.failures, 16) - 1))
      var span = min(doubled, Span.cooling.upperBound)
      span = max(span, min(pause.atLeast ?? 0, Span.longestRetryAfter))
      if pause.isDraining { span = max(span, Span.draining) }
      node.coolUntil = max(node.coolUntil, now + span)
    }
  }

  /// A node answered. Below 500 it is well again, and requests stay with it unless the answer was a stream's.
  mutating func answered(_ url: URL, status: Int, movesCurrent: Bool) {
    guard status < 500 else { return }
    update(url) { node in
      node.failures = 0
      node.coolUntil = -.infinity
    }
    if movesCurrent, self[url] != nil { current = url }
  }

  /// A node's attestation was accepted.
  mutating func trust(_ url: URL, _ attested: AttestedNode, at now: TimeInterval) {
    update(url) { $0.trust = .trusted(attested, since: now) }
  }

  /// A node's attestation was not accepted: it is skipped for five minutes.
  mutating func refuse(_ url: URL, _ failure: CalimeroError, at now: TimeInterval) {
    update(url) { $0.trust = .refused(until: now + Span.refusal, failure) }
  }

  /// Every node is attested again before its next use, refused ones too.
  mutating func forgetAttestations() {
    for index in nodes.indices { nodes[index].trust = .unknown }
  }

  /// The node's id became known.
  mutating func identify(_ url: URL, as id: String) {
    update(url) { $0.id = id }
  }

  /// Adds a node that the cluster listed; answers whether it is new.
  mutating func add(discovered url: URL, id: String) -> Bool {
    if self[url] != nil {
      identify(url, as: id)
      return false
    }
    guard nodes.count < Self.capacity else { return false }
    nodes.append(Node(url: url, isDiscovered: true, id: id))
    return true
  }

  // MARK: What it knows

  /// The accepted attestation of a node, as long as it holds.
  func trusted(_ url: URL, at now: TimeInterval) -> AttestedNode? {
    guard case .trusted(let attested, let since) = self[url]?.trust, now - since < Span.trust else {
      return nil
    }
    return attested
  }

  /// The refusal to report when no node is left: the base URL's if it has one. An operator who swapped an image must
  /// not look like an outage.
  func refusal(at now: TimeInterval) -> CalimeroError? {
    for node in nodes {
      if case .refused(let until, let failure) = node.trust, now < until { return failure }
    }
    return nil
  }

  private mutating func update(_ url: URL, _ change: (inout Node) -> Void) {
    guard let index = nodes.firstIndex(where: { $0.url == url }) else { return }
    change(&nodes[index])
  }
}

/// How long a node is left alone after a failure.
struct Cooling: Sendable, Hashable {
  /// What the node itself asked for, in seconds.
  var atLeast: TimeInterval?
  /// The node is leaving service.
  var isDraining = false
}

/// A node whose attestation was accepted.
struct AttestedNode: Sendable, Hashable {
  /// The X25519 key sealed sessions are opened to.
  let transportKey: [UInt8]
  /// Lower-case hex.
  let clusterId: String
  /// The mero-tee release the measurements belong to.
  let release: String?
  let isMock: Bool
  let at: Date
}
