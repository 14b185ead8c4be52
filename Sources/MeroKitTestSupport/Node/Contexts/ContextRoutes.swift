import Foundation
import MeroCrypto
import MeroHTTP
import MeroWire

/// Making, changing and leaving contexts (20 §5.3).
enum ContextRoutes {
  static let rows: [NodeRoute] = [
    NodeRoute(
      .post, "/admin-api/contexts", "token:context:create",
      body: .strict([
        "applicationId", "groupId", "serviceName", "contextSeed", "initializationParams", "identitySecret",
        "name",
      ]), create),
    NodeRoute(
      .delete, "/admin-api/contexts/{context_id}", "token:context:delete[{context_id}]", body: .ignored,
      delete),
    NodeRoute(
      .post, "/admin-api/contexts/{context_id}/application", "token:context:application:update[{context_id}]",
      body: .strict(["applicationId", "executorPublicKey"]), updateApplication),
    NodeRoute(.post, "/admin-api/contexts/{context_id}/join", "token:context:execute[{context_id}]", join),
    NodeRoute(.post, "/admin-api/contexts/{context_id}/leave", "token:context:execute[{context_id}]", leave),
    NodeRoute(
      .post, "/admin-api/contexts/{context_id}/resync", "token:context:execute[{context_id}]",
      body: .strict(["force"]), resync),
    NodeRoute(.post, "/admin-api/contexts/sync", "token:context:execute", syncAll),
    NodeRoute(.post, "/admin-api/contexts/sync/{context_id}", "token:context:execute[{context_id}]", sync),
    NodeRoute(
      .post, "/admin-api/contexts/{context_id}/query", "account:context:query",
      body: .plain(["method", "argsJson"]), query),
    NodeRoute(.post, "/admin-api/identity/context", "token:context:execute") { state, _ in
      .data(["publicKey": .string(try signingKey(state.random.bytes(32)))])
    },
  ]

  private static let create: NodeHandler = { state, exchange in
    let fields = exchange.fields
    let applicationId = try fields.id("applicationId")
    let group = try fields.id("groupId")
    let arguments = try fields.bytes("initializationParams")
    let service = try fields.optionalString("serviceName", 1...64)
    let name = try fields.optionalString("name", 1...64)
    let identity = try fields.optionalId("identitySecret").map { try signingKey(Hex.decode($0)) }
    let id = try fields.optionalId("contextSeed").map {
      Hex.encode(SHA256.hash(Array("context\n\($0)".utf8)))
    }
    guard arguments.count <= 1 << 20 else {
      throw NodeRefusal.invalid("initializationParams", "must have at most 1048576 bytes")
    }
    let account = state.account(of: exchange.caller)
    try state.governance.checkCreation(ofContextIn: group, by: account)
    guard let build = state.build(of: applicationId, in: group) else {
      throw NodeRefusal.notFound("Application")
    }
    if let id, state.contexts[id] != nil { throw NodeRefusal(409, "a context of this seed exists") }
    let context = id ?? state.makeId()
    do {
      try state.createContext(
        context, in: group, running: build, arguments: try parse(arguments), serviceName: service,
        identity: identity, name: name, by: account, at: exchange.now)
    } catch let failure as ExecutionFailure {
      throw NodeRefusal(400, failure.data?.stringValue ?? failure.type)
    }
    return .data([
      "contextId": .string(context), "memberPublicKey": .string(identity ?? state.governance.identity.key),
      "groupId": .string(group), "groupCreated": false,
    ])
  }

  /// The arguments of `init`: nothing, or JSON in UTF-8.
  private static func parse(_ bytes: [UInt8]) throws(NodeRefusal) -> JSONValue {
    guard !bytes.isEmpty else { return [:] }
    guard let json = try? JSONValue(parsing: Data(bytes)) else {
      throw NodeRefusal(400, "failed to deserialize input: not JSON")
    }
    return json
  }

  /// The public key of a signing secret.
  private static func signingKey(_ seed: [UInt8]) throws -> String {
    Hex.encode(try Ed25519.PrivateKey(seed: seed).publicKey.bytes)
  }

  private static let delete: NodeHandler = { state, exchange in
    let id = exchange["context_id"]
    guard let context = state.contexts[id] else { return .data(["isDeleted": false]) }
    guard state.governance.isAdmin(state.account(of: exchange.caller), of: context.groupId) else {
      throw NodeRefusal(403, "only an admin of the group may delete its contexts")
    }
    state.forgetPresence(in: id, at: exchange.now)
    state.contexts[id] = nil
    state.governance.contextWasDeleted(id)
    return .data(["isDeleted": true])
  }

  private static let updateApplication: NodeHandler = { state, exchange in
    let application = try exchange.fields.id("applicationId")
    _ = try exchange.fields.id("executorPublicKey")
    _ = try find(exchange, state)
    guard let build = state.applications[application]?.latest else {
      throw NodeRefusal.notFound("Application")
    }
    do {
      try state.switchBuild(of: exchange["context_id"], to: build, migrating: false, at: exchange.now)
    } catch let failure as ExecutionFailure {
      throw failure.refusal
    }
    return .data(.null)
  }

  // MARK: Taking part

  private static let join: NodeHandler = { state, exchange in
    try join(&state, exchange, until: exchange.now.addingTimeInterval(30))
  }

  /// Waits for a context whose registration is on its way from another node.
  private static func join(
    _ state: inout NodeState, _ exchange: NodeExchange, until deadline: Date
  ) throws -> NodeAnswer {
    if state.contexts[exchange["context_id"]] == nil, let wait = state.links.nextArrival,
      exchange.now.addingTimeInterval(wait) <= deadline
    {
      return .pause(wait) { try join(&$0, $1, until: deadline) }
    }
    let context = try find(exchange, state)
    let identity = state.governance.identity
    guard state.governance.role(of: identity.account, in: context.groupId) != nil else {
      throw NodeRefusal(403, "the node is not a member of the context's group")
    }
    state.joinContext(context.id, at: exchange.now)
    return member(of: context.id, state)
  }

  private static let leave: NodeHandler = { state, exchange in
    let context = try find(exchange, state)
    let answer = member(of: context.id, state)
    state.forgetOwnPresence(in: context.id, at: exchange.now)
    state.contexts.update(context.id) { $0.isJoined = false }
    return answer
  }

  private static func member(of id: String, _ state: NodeState) -> NodeAnswer {
    let key = state.contexts[id]?.identities.first ?? state.governance.identity.key
    return .data(["contextId": .string(id), "memberPublicKey": .string(key)])
  }

  // MARK: Syncing

  private static let syncAll: NodeHandler = { state, exchange in
    for id in state.contexts.ids { state.syncContext(id, at: exchange.now) }
    return .data(.null)
  }

  private static let sync: NodeHandler = { state, exchange in
    _ = try find(exchange, state)
    state.syncContext(exchange["context_id"], at: exchange.now)
    return .data(.null)
  }

  private static let resync: NodeHandler = { state, exchange in
    let context = try find(exchange, state)
    let isForced = try exchange.fields.optionalBool("force") ?? false
    // The heads say that there is something to lose.
    guard isForced || context.stateHash == NodeContext.noState else {
      throw NodeRefusal(409, "the context has local heads; resync it with force")
    }
    state.syncContext(context.id, at: exchange.now)
    return .flat(["contextId": .string(context.id), "resyncStarted": true])
  }

  static func find(_ exchange: NodeExchange, _ state: NodeState) throws(NodeRefusal) -> NodeContext {
    guard let context = state.contexts[exchange["context_id"]] else { throw .notFound("Context") }
    return context
  }

  // MARK: Reading as an account

  private static let query: NodeHandler = { state, exchange in
    guard let account = exchange.caller.account else { throw NodeRefusal.guarding(401, nil) }
    guard let method = exchange.fields["method"]?.stringValue,
      let arguments = exchange.fields.object["argsJson"]
    else { throw NodeRefusal(422, "Failed to deserialize the JSON body into the target type", .text) }
    guard !method.isEmpty else { throw NodeRefusal.invalid("method", "must not be empty") }
    let context = try find(exchange, state)
    guard state.governance.role(of: account, in: context.groupId) != nil else {
      throw NodeRefusal(403, "the account is not a member of the context's group")
    }
    do {
      guard try state.isView(method, in: context.id) ?? true else {
        throw NodeRefusal(409, "the method \(method) is not read-only: send a warrant")
      }
      let run = try state.execute(method, arguments, in: context.id, as: account, at: exchange.now)
      return .data(["returns": run.output])
    } catch let failure as ExecutionFailure {
      throw failure.refusal
    }
  }
}

extension NodeState {
  /// What a new context of an application runs: the build its group targets where it is installed, else the latest.
  func build(of application: String, in group: String) -> NodeBuild? {
    let targeted = governance.targetBuild(of: group).flatMap { applications.build($0) }
    if let targeted, targeted.applicationId == application { return targeted }
    return applications[application]?.latest
  }
}
