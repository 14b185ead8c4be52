import Foundation
import MeroWire

/// Event streams, as a test sees and feeds them.
extension FakeNode {
  /// An event to send (10 §4.4).
  public struct Event: Sendable {
    let event: NodeEvent

    /// Any event of a context.
    public static func ofContext(_ id: String, _ kind: String, _ data: JSONValue) -> Event {
      Event(event: NodeEvent(subject: .context(id), kind: kind, data: data))
    }

    /// Any event of a group.
    public static func ofGroup(_ id: String, _ kind: String, _ data: JSONValue) -> Event {
      Event(event: NodeEvent(subject: .group(id), kind: kind, data: data))
    }

    /// A contract changed its state and emitted these; nil is a change that came by sync.
    public static func stateMutation(
      _ context: String, root: String, events: [(kind: String, data: JSONValue)]?
    ) -> Event {
      Event(event: .stateMutation(in: context, root: root, events: events))
    }

    /// A context executes another version.
    public static func appVersionChanged(_ context: String, from: String?, to: String?) -> Event {
      Event(event: .appVersionChanged(in: context, from: from, to: to))
    }

    /// A contract called another one; `detail` says why that failed (`{"reason": …}`, `{"message": …}`).
    public static func xCall(
      _ context: String, target: String, function: String, status: String, detail: JSONValue? = nil
    ) -> Event {
      var outcome: JSONObject = ["status": .string(status)]
      outcome["detail"] = detail
      return ofContext(
        context, "XCall",
        ["targetContextId": .string(target), "function": .string(function), "outcome": .object(outcome)])
    }

    /// `MemberJoined`, `MemberAdded` or `MemberRemoved`; the role is left out where it is nil.
    public static func member(_ kind: String, _ group: String, account: String, role: String? = nil) -> Event
    {
      var data: JSONObject = ["memberAccount": .string(account)]
      data["role"] = role.map { .string($0) }
      return ofGroup(group, kind, .object(data))
    }

    /// A migration began.
    public static func migrationStarted(
      _ namespace: String, from: String, to: String, stateVersion: Int, contexts: Int
    ) -> Event {
      ofGroup(
        namespace, "MigrationStarted",
        [
          "fromVersion": .string(from), "toVersion": .string(to), "toStateVersion": JSONValue(stateVersion),
          "localContextsTotal": JSONValue(contexts),
        ])
    }

    /// How far the fleet is.
    public static func migrationProgress(
      _ namespace: String, migrated: Int, inProgress: Int, unknown: Int, failed: Int
    ) -> Event {
      ofGroup(
        namespace, "MigrationProgress",
        [
          "migrated": JSONValue(migrated), "inProgress": JSONValue(inProgress), "unknown": JSONValue(unknown),
          "failed": JSONValue(failed), "total": JSONValue(migrated + inProgress + unknown + failed),
        ])
    }

    /// How far this node is in one subgroup; only admins of the namespace are told.
    public static func cascadeProgress(
      _ namespace: String, subgroup: String, swapped: Int, total: Int
    ) -> Event {
      Event(
        event: NodeEvent(
          subject: .group(namespace), kind: "CascadeProgress",
          data: [
            "subgroupId": .string(subgroup), "localContextsSwapped": JSONValue(swapped),
            "localContextsTotal": JSONValue(total),
          ], isForAdmins: true))
    }

    /// The whole fleet runs the new version.
    public static func migrationCompleted(_ namespace: String, to: String, at seconds: Int64) -> Event {
      ofGroup(
        namespace, "MigrationCompleted", ["toVersion": .string(to), "completedAt": JSONValue(seconds)])
    }
  }

  /// Sends an event to whoever subscribed to its context or group.
  public func push(_ event: Event) {
    store.withState { $0.send(event.event, at: store.clock.now()) }
  }

  /// Sends these bytes to every open stream, as they are.
  public func pushRaw(_ text: String) {
    store.withState { state in
      for follower in state.streams.open where follower.append(.raw(Data(text.utf8))) {
        state.afterwards { follower.wake() }
      }
    }
  }

  /// What was sent, and which sessions got it or missed it. Presence that is replayed to one stream is not in it.
  public var sentEvents: [SentNodeEvent] { store.withState { $0.streams.log } }

  /// Forgets ``sentEvents``.
  public func clearSentEvents() { store.withState { $0.streams.clearLog() } }

  /// How many streams are open.
  public var openStreams: Int { store.withState { $0.streams.open.count } }

  /// How many streams were opened so far.
  public var streamCalls: Int { store.withState { $0.counters.streams } }

  /// The contexts and groups open streams are subscribed to.
  public var subscriptions: Set<String> {
    store.withState { state in
      Set(state.streams.sessions.values.filter { $0.follower != nil }.flatMap { $0.contexts + $0.groups })
    }
  }

  /// How many frames wait for a slow reader before further ones are lost; a real node keeps 32. Without a limit unless
  /// told otherwise.
  public func setStreamQueue(_ limit: Int?) { store.withState { $0.streams.queueLimit = limit ?? .max } }

  /// How ``dropStreams(_:)`` ends them.
  public typealias StreamEnd = FakeCloudNode.StreamEnd

  /// Ends the open event streams, after what they were sent.
  public func dropStreams(_ end: StreamEnd = .ended) {
    let ending: EventFollower.Ending =
      switch end {
      case .ended: .ended
      case .cut: .cut
      case .frozen: .frozen
      }
    endStreams(ending)
  }

  /// Ends the open event streams with a `close` frame.
  public func closeStreams(reason: String) {
    let payload: JSONValue = ["type": "close", "reason": .string(reason)]
    store.withState { state in
      for follower in state.streams.open { _ = follower.append(.event(payload.data())) }
    }
    endStreams(.ended)
  }

  /// Forgets every event session, as a node does that starts again: subscribing to one is 404.
  public func forgetStreamSessions() {
    store.withState { state in
      let followers = state.streams.open
      state.streams.forgetSessions()
      state.afterwards { followers.forEach { $0.end(.cut) } }
    }
  }

  private func endStreams(_ ending: EventFollower.Ending) {
    store.withState { state in
      let followers = state.streams.open
      state.afterwards { followers.forEach { $0.end(ending) } }
    }
  }

  // MARK: Presence

  /// A peer says where it is. The same slice again only keeps it from expiring.
  public func setPresence(in context: String, author: String, account: String? = nil, state slice: [UInt8]) {
    let now = store.clock.now()
    store.withState {
      $0.setPresence(in: context, author: author, account: account, slice: slice, isOwn: false, at: now)
    }
  }

  /// A peer is not tracked any more.
  public func removePresence(in context: String, author: String) {
    let now = store.clock.now()
    store.withState { $0.removePresence(in: context, at: now) { $0.author == author } }
  }

  /// Who is present in a context now: slices by author.
  public func presence(in context: String) -> [String: [UInt8]] {
    let now = store.clock.now()
    return store.withState { state in
      state.expirePresence(at: now)
      let entries = state.presence.slots[context] ?? []
      return Dictionary(entries.map { ($0.author, $0.slice) }, uniquingKeysWith: { $1 })
    }
  }
}
