/// Who wants what, what the node was told of it, and what it said.
struct SseSubscriptions: Sendable {
  private enum Standing: Sendable {
    case granted
    case refused
    /// It was asked for twice, and the node did not answer properly.
    case failed(MeroError)
  }

  private struct Want: Sendable {
    var count: Int
    let order: Int
  }

  private var wanted: [SseTopic: Want] = [:]
  private var order = 0
  /// What the session's node said.
  private var standings: [SseTopic: Standing] = [:]
  /// What the node sends and nobody wants any more, or wants anew and from the beginning.
  private var leaving: [SseTopic] = []
  /// The node did not take it that they are left, twice: whoever wants something new is not to wait for that.
  private var cannotLeave = false
  private var inFlight: SseRequest?
  private var number = 0
  /// What failed is tried again in a moment, and until then nothing else is tried.
  private var isHeld = false
  private var isRetry = false

  // MARK: The consumers' side

  mutating func want(_ topics: [SseTopic]) {
    for topic in topics {
      if let want = wanted[topic] {
        wanted[topic]?.count = want.count + 1
      } else {
        order += 1
        wanted[topic] = Want(count: 1, order: order)
      }
      // Membership is looked at when one subscribes; it may have changed.
      switch standings[topic] {
      case .refused, .failed: standings[topic] = nil
      case .granted, nil: break
      }
    }
  }

  /// Answers the topics that nobody wants any more.
  mutating func unwant(_ topics: [SseTopic]) -> [SseTopic] {
    var gone: [SseTopic] = []
    for topic in topics {
      guard let want = wanted[topic] else { continue }
      guard want.count == 1 else {
        wanted[topic]?.count = want.count - 1
        continue
      }
      wanted[topic] = nil
      gone.append(topic)
      let isAsked = inFlight.map { $0.method == .subscribe && $0.topics.contains(topic) } ?? false
      let isGranted = if case .granted = standings[topic] { true } else { false }
      standings[topic] = nil
      // Even if somebody wants it again before the node knows: only a new subscription brings its presence again.
      if (isAsked || isGranted) && !leaving.contains(topic) { leaving.append(topic) }
    }
    return gone
  }

  func wants(_ topic: SseTopic) -> Bool { wanted[topic] != nil }

  /// What the node made of these; nil as long as something is open.
  func answer(to topics: [SseTopic]) -> Result<SseSubscription, MeroError>? {
    var subscribed: [String] = []
    var refused: [String] = []
    for topic in topics {
      switch standings[topic] {
      case .granted: subscribed.append(topic.id)
      case .refused: refused.append(topic.id)
      case .failed(let error): return .failure(error)
      case nil: return nil
      }
    }
    return .success(SseSubscription(subscribed: subscribed, refused: refused))
  }

  // MARK: The node's side

  /// There is another session, or none, and it knows nothing.
  mutating func leaveSession() {
    standings = [:]
    leaving = []
    cannotLeave = false
    inFlight = nil
    isHeld = false
    isRetry = false
  }

  /// The next thing to tell the node; nil when there is none, or when it is being told something.
  mutating func next(_ session: String) -> SseRequest? {
    guard inFlight == nil, !isHeld else { return nil }
    let subscribes = leaving.isEmpty || (cannotLeave && !unasked.isEmpty)
    let topics = subscribes ? unasked : leaving
    guard !topics.isEmpty else { return nil }
    let method: SseRequest.Method = subscribes ? .subscribe : .unsubscribe
    if !subscribes { leaving = [] }
    number += 1
    inFlight = SseRequest(number: number, session: session, method: method, topics: topics)
    return inFlight
  }

  private var unasked: [SseTopic] {
    wanted.filter { standings[$0.key] == nil }.sorted { $0.value.order < $1.value.order }.map(\.key)
  }

  /// Whether the request is the one that is being answered; it is no longer.
  mutating func take(_ request: SseRequest) -> Bool {
    guard inFlight == request else { return false }
    inFlight = nil
    return true
  }

  /// The node has said what it grants.
  mutating func answered(_ granted: Set<SseTopic>, to request: SseRequest) {
    isRetry = false
    cannotLeave = false
    guard request.method == .subscribe else { return }
    for topic in request.topics where wanted[topic] != nil && !leaving.contains(topic) {
      standings[topic] = granted.contains(topic) ? .granted : .refused
    }
  }

  /// Answers whether it is to be tried once more.
  mutating func failed(_ request: SseRequest, _ error: MeroError) -> Bool {
    if request.method == .unsubscribe {
      leaving = request.topics + leaving.filter { !request.topics.contains($0) }
    }
    guard isRetry else {
      isRetry = true
      isHeld = true
      return true
    }
    isRetry = false
    guard request.method == .subscribe else {
      cannotLeave = true
      return false
    }
    for topic in request.topics where wanted[topic] != nil { standings[topic] = .failed(error) }
    return false
  }

  mutating func releaseHold() { isHeld = false }
}
