import MeroHTTP
import MeroWire

/// Looking at contexts (20 §5.3).
enum ContextListRoutes {
  static let rows: [NodeRoute] = [
    NodeRoute(.get, "/admin-api/contexts", "account:context:list", list),
    NodeRoute(.get, "/admin-api/contexts/{context_id}", "token:context:list[{context_id}]", get),
    NodeRoute(
      .get, "/admin-api/contexts/for-application/{application_id}", "token:context:list[{application_id}]",
      ofApplication),
    NodeRoute(
      .get, "/admin-api/contexts/with-executors/for-application/{application_id}",
      "token:context:list[{application_id}]", withExecutors),
    NodeRoute(
      .get, "/admin-api/contexts/{context_id}/storage", "token:context:list[{context_id}]", storage),
    NodeRoute(
      .get, "/admin-api/contexts/{context_id}/identities", "token:context:list[{context_id}]", identities),
    // The endpoint list gives these two a session's permission; account sessions are served too (20 §1.5).
    NodeRoute(
      .get, "/admin-api/contexts/{context_id}/identities-owned", "account:context:list[{context_id}]", owned),
    NodeRoute(.get, "/admin-api/contexts/{context_id}/group", "account:context:list[{context_id}]", group),
  ]

  private static let list: NodeHandler = { state, exchange in
    let seen = visible(state.contexts.all, to: exchange.caller, state)
    return .data(["contexts": .array(try exchange.page(of: seen).map { json($0, state, withGroup: true) })])
  }

  private static let get: NodeHandler = { state, exchange in
    .data(json(try ContextRoutes.find(exchange, state), state, withGroup: false))
  }

  private static let ofApplication: NodeHandler = { state, exchange in
    let found = state.contexts.all.filter { $0.applicationId == exchange["application_id"] }
    return .data(["contexts": .array(found.map { json($0, state, withGroup: true) })])
  }

  private static let withExecutors: NodeHandler = { state, exchange in
    let found = state.contexts.all.filter { $0.applicationId == exchange["application_id"] && $0.isJoined }
    let contexts: JSONValue = .array(
      found.map { context in
        [
          "id": .string(context.id), "application_id": .string(context.applicationId),
          "contextStateHash": .string(context.stateHash),
          "executors": .array(context.identities.map { .string($0) }),
        ]
      })
    return state.isOld ? .data(["contexts": contexts]) : .flat(["contexts": contexts])
  }

  private static let storage: NodeHandler = { state, exchange in
    .data(["sizeInBytes": JSONValue(state.contexts[exchange["context_id"]]?.size ?? 0)])
  }

  private static let identities: NodeHandler = { state, exchange in
    let context = try ContextRoutes.find(exchange, state)
    var keys = state.governance.signingKeys(ofMembersOf: context.groupId)
    for key in context.identities where context.isJoined && !keys.contains(key) { keys.append(key) }
    return answer(keys, of: "members")
  }

  private static let owned: NodeHandler = { state, exchange in
    let context = try find(exchange, state)
    guard let account = exchange.caller.account else {
      return answer(context.isJoined ? context.identities : [], of: "node")
    }
    return answer(state.governance.signingKeys(of: account), of: "caller")
  }

  private static let group: NodeHandler = { state, exchange in
    .data(.string(try find(exchange, state).groupId))
  }

  private static func answer(_ keys: [String], of whom: String) -> NodeAnswer {
    .data(["identities": .array(keys.map { .string($0) }), "identitiesOf": .string(whom)])
  }

  /// A context the caller may see; to an account, others do not exist.
  private static func find(_ exchange: NodeExchange, _ state: NodeState) throws(NodeRefusal) -> NodeContext {
    let context = try ContextRoutes.find(exchange, state)
    guard !visible([context], to: exchange.caller, state).isEmpty else { throw .notFound("Context") }
    return context
  }

  private static func visible(
    _ contexts: [NodeContext], to caller: NodeCaller, _ state: NodeState
  ) -> [NodeContext] {
    guard let account = caller.account else { return contexts.filter { caller.mayUse(context: $0.id) } }
    let groups = state.governance.groups(of: account)
    return contexts.filter { groups.contains($0.groupId) }
  }

  private static func json(_ context: NodeContext, _ state: NodeState, withGroup: Bool) -> JSONValue {
    let hash = context.isInitialised ? context.stateHash : NodeContext.noState
    var object: JSONObject = ["id": .string(context.id), "applicationId": .string(context.applicationId)]
    object["serviceName"] = context.serviceName.map { .string($0) }
    object["contextStateHash"] = .string(hash)
    if hash != NodeContext.noState, let head = try? Hex.decode(hash) {
      object["dagHeads"] = [.byteArray(head)]
    }
    object["applicationVersion"] = state.applications.build(context.blobId).map { .string($0.version) }
    object["name"] = state.governance.name(ofContext: context.id).map { .string($0) }
    if withGroup { object["groupId"] = .string(context.groupId) }
    return .object(object)
  }
}

extension NodeContext {
  /// An estimate of the bytes the state takes.
  var size: Int {
    isInitialised ? data.document.data().count + data.lists.values.reduce(0) { $0 + $1.count * 64 } : 0
  }
}
