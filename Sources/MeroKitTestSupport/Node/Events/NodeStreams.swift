import Foundation
import MeroWire

/// A session of `/sse`: what its owner subscribed to, and the stream that is open for it, if one is.
struct StreamSession {
  /// A random u64 in decimal.
  let id: String
  let owner: NodeCaller
  /// What is sent, in the order it was subscribed.
  var contexts: [String] = []
  var groups: [String] = []
  /// The number of the last event that was delivered.
  var counter: UInt64 = 0
  /// When it was used last.
  var usedAt: Date
  var follower: NodeFollower?

  func wants(_ subject: NodeEvent.Subject) -> Bool {
    switch subject {
    case .context(let id): contexts.contains(id)
    case .group(let id): groups.contains(id)
    }
  }
}

/// An event that was sent, and who got it: a node keeps nothing for a stream that is down.
public struct SentNodeEvent: Sendable, Hashable {
  /// The context, of a context's event.
  public let contextId: String?
  /// The group, of a group's event.
  public let groupId: String?
  /// `StateMutation`, `Ephemeral` and so on.
  public let kind: String
  /// The event's data.
  public let data: JSONValue
  /// Sessions that were sent it.
  public internal(set) var delivered: [String] = []
  /// Sessions that subscribed to it and lost it, being disconnected or too slow.
  public internal(set) var missed: [String] = []
}

struct NodeStreams {
  private static let keptSeconds: TimeInterval = 24 * 3_600
  private static let longestLog = 10_000
  private(set) var sessions: [String: StreamSession] = [:]
  private(set) var log: [SentNodeEvent] = []
  /// How many frames wait for a slow reader before further ones are lost. A node keeps 32; a test that is not about
  /// slow readers must not depend on who is scheduled when.
  var queueLimit = Int.max

  subscript(id: String) -> StreamSession? {
    get { sessions[id] }
    set { sessions[id] = newValue }
  }

  /// Whether a session is too old to be used again.
  func isExpired(_ session: StreamSession, at now: Date) -> Bool {
    session.follower == nil && now.timeIntervalSince(session.usedAt) > Self.keptSeconds
  }

  mutating func record(_ event: SentNodeEvent) {
    if log.count >= Self.longestLog { log.removeFirst(Self.longestLog / 2) }
    log.append(event)
  }

  mutating func clearLog() { log = [] }

  mutating func forgetSessions() { sessions = [:] }

  /// Open streams, oldest session first.
  var open: [NodeFollower] { sessions.values.compactMap(\.follower) }
}

extension NodeState {
  /// Sends an event to every open stream that subscribed to its subject.
  mutating func send(_ event: NodeEvent, at now: Date) {
    var sent: SentNodeEvent
    switch event.subject {
    case .context(let id):
      sent = SentNodeEvent(contextId: id, groupId: nil, kind: event.kind, data: event.data)
    case .group(let id): sent = SentNodeEvent(contextId: nil, groupId: id, kind: event.kind, data: event.data)
    }
    let payload = event.json.data()
    for session in streams.sessions.values.sorted(by: { $0.id < $1.id })
    where session.wants(event.subject) && mayObserve(event, session.owner) {
      if let follower = session.follower, follower.append(.event(payload), limit: streams.queueLimit) {
        sent.delivered.append(session.id)
        afterwards { follower.wake() }
      } else {
        sent.missed.append(session.id)
      }
    }
    streams.record(sent)
  }

  private func mayObserve(_ event: NodeEvent, _ owner: NodeCaller) -> Bool {
    guard event.isForAdmins, case .group(let id) = event.subject else { return true }
    return governance.isAdmin(account(of: owner), of: id)
  }

  /// Whether a caller may subscribe to this.
  func mayObserve(_ subject: NodeEvent.Subject, _ caller: NodeCaller) -> Bool {
    switch subject {
    case .context(let id):
      guard let context = contexts[id], caller.mayUse(context: id) else { return false }
      return governance.role(of: account(of: caller), in: context.groupId) != nil
    case .group(let id):
      if let bound = caller.boundContext, contexts[bound]?.groupId != id { return false }
      return governance.role(of: account(of: caller), in: id) != nil
    }
  }
}
