import Foundation
import MeroHTTP
import MeroWire

/// Event streams (10 §4.1, §4.3).
enum StreamRoutes {
  static let rows: [NodeRoute] = [
    NodeRoute(.get, "/sse", "token:context:subscribe", connect),
    NodeRoute(.post, "/sse/subscription", "token:context:subscribe", body: .raw, subscription),
    NodeRoute(.get, "/sse/session/{session_id}", "token:context:subscribe", session),
  ]

  // MARK: Connecting

  private static let connect: NodeHandler = { state, exchange in
    guard let store = state.store else { throw NodeRefusal(503, "the node is shutting down") }
    let old = resumable(exchange, state)
    let id = old?.id ?? String(state.random.word())
    let first: JSONValue = ["reconnect": .bool(old != nil), "session_id": .string(id), "type": "connect"]
    let frame =
      Data("event: message\nid: \(id)-0\nretry: 3000\ndata: ".utf8) + first.data() + Data("\n\n".utf8)
    let follower = NodeFollower(
      store: store, session: id, connect: frame, counter: old?.counter ?? 0, idleTimeout: exchange.idleTimeout
    )
    var session = old ?? StreamSession(id: id, owner: exchange.caller, usedAt: exchange.now)
    if let former = session.follower { state.afterwards { former.end(.ended) } }
    session.follower = follower
    session.usedAt = exchange.now
    state.streams[id] = session
    state.counters.streams += 1
    return .response(
      HTTPResponse(
        status: 200,
        headers: [
          "content-type": "text/event-stream", "cache-control": "no-cache", "x-sse-session-id": id,
          "x-sse-reconnect": old == nil ? "false" : "true",
        ], body: follower.body()))
  }

  /// The session `Last-Event-ID` names. One that is foreign, too old or unknown silently becomes a new one.
  private static func resumable(_ exchange: NodeExchange, _ state: NodeState) -> StreamSession? {
    guard let last = exchange.headers["last-event-id"], let id = last.split(separator: "-").first,
      let session = state.streams[String(id)], session.owner.isSame(as: exchange.caller),
      !state.streams.isExpired(session, at: exchange.now)
    else { return nil }
    return session
  }

  // MARK: Subscribing

  private static let subscription: NodeHandler = { state, exchange in
    guard NodeBodyReader.isJSON(exchange.headers) else {
      throw NodeRefusal(415, "Expected request with `Content-Type: application/json`", .text)
    }
    guard let json = try? JSONValue(parsing: exchange.body), json.objectValue != nil else {
      throw parseError("the request is not a JSON object")
    }
    guard let id = json["id"]?.stringValue, UInt64(id) != nil else {
      throw NodeRefusal(400, "Invalid Session Id")
    }
    let asked = try read(json["params"] ?? [:])
    guard let session = state.streams[id], !state.streams.isExpired(session, at: exchange.now) else {
      throw NodeRefusal(404, "Session not found. Please reconnect to SSE endpoint first.")
    }
    guard session.owner.isSame(as: exchange.caller) else {
      throw NodeRefusal(403, "Forbidden: not the session owner")
    }
    guard asked.isWithin(exchange.caller, state) else { throw NodeRefusal.guarding(403, "permission_denied") }
    switch json["method"]?.stringValue {
    case "subscribe": return subscribe(id, asked, &state, exchange)
    case "unsubscribe": return unsubscribe(id, asked, &state)
    default: throw parseError("method must be subscribe or unsubscribe")
    }
  }

  private struct Asked {
    var contexts: [String] = []
    var groups: [String] = []

    /// A client key that is bound to a context is refused elsewhere, where others' ids are silently dropped (10 §2.4).
    func isWithin(_ caller: NodeCaller, _ state: NodeState) -> Bool {
      guard let bound = caller.boundContext else { return true }
      return contexts.allSatisfy { $0 == bound } && groups.allSatisfy { $0 == state.contexts[bound]?.groupId }
    }
  }

  private static func read(_ params: JSONValue) throws(NodeRefusal) -> Asked {
    func list(_ name: String) throws(NodeRefusal) -> [String] {
      guard let value = params[name] else { return [] }
      guard let ids = value.arrayValue?.map({ $0.stringValue.flatMap(NodeId.read) }), !ids.contains(nil)
      else {
        throw parseError("\(name) must be a list of ids")
      }
      return ids.compactMap { $0 }
    }
    return Asked(contexts: try list("contextIds"), groups: try list("groupIds"))
  }

  private static func subscribe(
    _ id: String, _ asked: Asked, _ state: inout NodeState, _ exchange: NodeExchange
  ) -> NodeAnswer {
    let contexts = asked.contexts.filter { state.mayObserve(.context($0), exchange.caller) }
    let groups = asked.groups.filter { state.mayObserve(.group($0), exchange.caller) }
    for context in contexts where state.streams[id]?.contexts.contains(context) == false {
      state.streams[id]?.contexts.append(context)
    }
    for group in groups where state.streams[id]?.groups.contains(group) == false {
      state.streams[id]?.groups.append(group)
    }
    state.replayPresence(of: contexts, to: id, at: exchange.now)
    return .flat(["result": ["status": "subscribed", "contexts": list(contexts), "groups": list(groups)]])
  }

  private static func unsubscribe(_ id: String, _ asked: Asked, _ state: inout NodeState) -> NodeAnswer {
    let requested = asked.contexts + asked.groups
    let had = (state.streams[id]?.contexts ?? []) + (state.streams[id]?.groups ?? [])
    state.streams[id]?.contexts.removeAll { asked.contexts.contains($0) }
    state.streams[id]?.groups.removeAll { asked.groups.contains($0) }
    return .flat([
      "result": [
        "status": "unsubscribed", "unsubscribed": list(requested.filter(had.contains)),
        "requested": list(requested),
      ]
    ])
  }

  // MARK: Looking

  private static let session: NodeHandler = { state, exchange in
    guard let number = UInt64(exchange["session_id"]), let session = state.streams[String(number)] else {
      throw NodeRefusal.notFound("Session")
    }
    guard session.owner.isSame(as: exchange.caller) else {
      throw NodeRefusal(403, "Forbidden: not the session owner")
    }
    guard !state.streams.isExpired(session, at: exchange.now) else {
      throw NodeRefusal(410, "Session expired")
    }
    return .flat([
      "result": [
        "session_id": JSONValue(number), "subscriptions": list(session.contexts + session.groups),
        "event_counter": JSONValue(session.follower?.counter ?? session.counter),
        "status": session.follower == nil ? "persisted" : "active",
      ]
    ])
  }

  private static func list(_ ids: [String]) -> JSONValue { .array(ids.map { .string($0) }) }

  private static func parseError(_ text: String) -> NodeRefusal {
    NodeRefusal(400, text, .json(["error": ["type": "ParseError", "data": .string(text)]]))
  }
}
