import Foundation
import MeroWire

// Events as pages and as a stream (70 §2.16).

extension ClusterState {
  static let eventHandlers: [String: Handler] = [
    "app_event_list": { state, _, x in try state.listEvents(x) },
    "app_event_stream": { state, store, x in try state.streamEvents(x, store) },
  ]

  private static let batchBytes = 256 << 10

  private func listEvents(_ x: Exchange) throws -> Outcome {
    let app = try usableApp(x, for: caller(x), as: .reader)
    _ = try x.fields()
    try requireReady(app, forView: true)
    app.events.forget(before: x.now - EventLog.retention)
    let place = try x.query["cursor"].map { try self.place(of: $0, in: app) } ?? app.events.forgotten
    let kinds = kinds(x)
    let limit = x.limit(100)
    let known = applied(by: x.node)
    var found: [StoredEvent] = []
    for event in app.events.events(after: place) {
      guard event.change <= known, found.count <= limit else { break }
      if kinds?.contains(event.kind) ?? true { found.append(event) }
    }
    let waitMs = x.query["waitMs"].flatMap { Int64($0) } ?? 0
    if found.isEmpty, waitMs > 0, !x.isTimeUp {
      return .waitForChange(wait(for: app), seconds: Double(waitMs) / 1000)
    }
    let page = found.prefix(limit)
    let cursor = app.events.cursor(at: page.last?.place ?? place)
    return .answer(
      200,
      [
        "events": .array(page.map(\.json)), "cursor": .string(cursor), "more": .bool(found.count > limit),
      ])
  }

  private func streamEvents(_ x: Exchange, _ store: ClusterStore) throws -> Outcome {
    let caller = try caller(x)
    let app = try usableApp(x, for: caller, as: .reader)
    _ = try x.fields()
    try requireReady(app, forView: true)
    app.events.forget(before: x.now - EventLog.retention)
    let place =
      try x.query["cursor"].map { try self.place(of: $0, in: app) }
      ?? newestPlace(of: app, at: x.node)
    let seq = app.position(at: applied(by: x.node))?.seq ?? 0
    var first = app.events.passing("calimero.ready", at: place, time: x.now, data: ["seq": JSONValue(seq)])
    let wantsPresence = x.query["presence"] == "true"
    if wantsPresence {
      let everyone = app.presence.list(at: x.now)
      first.append(app.events.passing("calimero.presence.all", at: place, time: x.now, data: everyone))
    }
    let follower = EventFollower(
      store: store, appId: app.id, node: x.node, credential: caller.credential, kinds: kinds(x),
      wantsPresence: wantsPresence, place: place, first: first, idleTimeout: x.idleTimeout)
    app.followers[ObjectIdentifier(follower)] = follower
    return .stream(follower)
  }

  /// What a follower has not seen yet, as far as its node knows: events of the app's order, then who came and went.
  func batch(
    for follower: EventFollower, after place: EventPlace, presence: [JSONValue], at now: Int64
  ) -> EventFollower.Batch {
    var batch = EventFollower.Batch(place: place)
    guard let app = apps[follower.appId] ?? departed[follower.appId] else {
      batch.isLast = true
      return batch
    }
    app.events.forget(before: now - EventLog.retention)
    if place < app.events.forgotten {
      batch.place = app.events.forgotten
      let (oldest, latest) = (app.events.forgotten, app.events.last)
      batch.frames.append(
        app.events.passing(
          "calimero.reset", at: oldest, time: now,
          data: [
            "oldest": .string(app.events.cursor(at: oldest)),
            "latest": .string(app.events.cursor(at: latest)),
          ]))
    }
    // An app that is gone is gone at every node.
    let isGone = departed[follower.appId] != nil
    let known = isGone ? changes : applied(by: follower.node)
    for event in app.events.events(after: batch.place) {
      guard event.change <= known, batch.frames.count < Self.batchBytes else { break }
      batch.place = event.place
      if follower.wants(event.kind) { batch.frames.append(event.frame) }
    }
    batch.isLast = isGone && batch.place == app.events.last
    // The cursor is that of the last event, so presence takes nobody further.
    for entry in presence {
      batch.frames.append(app.events.passing("calimero.presence", at: batch.place, time: now, data: entry))
    }
    return batch
  }

  private func place(of cursor: String, in app: AppRecord) throws -> EventPlace {
    cursor == "oldest" ? app.events.forgotten : try app.events.place(of: cursor)
  }

  /// Where a stream begins that asks for what comes from now on: after everything this node knows.
  private func newestPlace(of app: AppRecord, at node: Int) -> EventPlace {
    let known = applied(by: node)
    return app.events.events.last { $0.change <= known }?.place ?? app.events.forgotten
  }

  private func kinds(_ x: Exchange) -> Set<String>? {
    x.query["kinds"].map { Set($0.split(separator: ",").map(String.init)) }
  }
}
