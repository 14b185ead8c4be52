import Foundation
import MeroHTTP
import MeroWire

/// JSON-RPC (10 §3). Whatever the answer says, its status is 200.
enum RpcRoutes {
  static let rows: [NodeRoute] = [
    NodeRoute(.post, "/jsonrpc", "token:context:execute", body: .raw, answer)
  ]

  private static let answer: NodeHandler = { state, exchange in
    state.counters.rpcCalls += 1
    guard NodeBodyReader.isJSON(exchange.headers) else {
      throw NodeRefusal(415, "Expected request with `Content-Type: application/json`", .text)
    }
    var id = JSONValue.null
    do {
      let call = try read(exchange.body, &id)
      return reply(id, "result", try run(call, &state, exchange))
    } catch let failure as ExecutionFailure {
      var error: JSONObject = ["type": .string(failure.type)]
      error["data"] = failure.data
      return reply(id, "error", .object(error))
    }
  }

  private static func reply(_ id: JSONValue, _ name: String, _ value: JSONValue) -> NodeAnswer {
    .flat(.object(JSONObject([("jsonrpc", "2.0"), ("id", id), (name, value)])))
  }

  private struct Call {
    let method: String
    let params: JSONValue
    let contextId: String
  }

  private static func read(_ body: Data, _ id: inout JSONValue) throws(ExecutionFailure) -> Call {
    guard let json = try? JSONValue(parsing: body), json.objectValue != nil else {
      throw parseError("the request is not a JSON object")
    }
    let asked = json["id"] ?? .null
    guard asked.isNull || asked.stringValue != nil || asked.uint64 != nil else {
      throw parseError("id must be a string, an unsigned integer or null")
    }
    id = asked
    guard json["jsonrpc"]?.stringValue == "2.0" else { throw parseError("jsonrpc must be \"2.0\"") }
    guard let method = json["method"]?.stringValue else { throw parseError("missing field `method`") }
    guard let params = json["params"], let context = params["contextId"]?.stringValue else {
      throw parseError("missing field `contextId`")
    }
    guard let contextId = NodeId.read(context) else {
      throw parseError("contextId must be 64 hex characters")
    }
    return Call(method: method, params: params, contextId: contextId)
  }

  private static func run(
    _ call: Call, _ state: inout NodeState, _ exchange: NodeExchange
  ) throws -> JSONValue {
    guard exchange.caller.mayUse(context: call.contextId) else {
      throw NodeRefusal.guarding(403, "permission_denied")
    }
    switch call.method {
    case "execute": return try execute(call, &state, exchange)
    case "set_ephemeral": return try setEphemeral(call, &state, exchange)
    case "sync_status": return try syncStatus(call, state)
    default: throw parseError("unknown method `\(call.method)`")
    }
  }

  private static func execute(
    _ call: Call, _ state: inout NodeState, _ exchange: NodeExchange
  ) throws(ExecutionFailure) -> JSONValue {
    guard let method = call.params["method"]?.stringValue else { throw parseError("missing field `method`") }
    guard (1...256).contains(method.utf8.count),
      !method.unicodeScalars.contains(where: { $0.value < 0x20 || $0.value == 0x7F })
    else { throw parseError("method must have 1 to 256 bytes and no control characters") }
    guard let arguments = call.params["argsJson"] else { throw parseError("missing field `argsJson`") }
    if let output = state.rpcOutputs[method] { return ["output": output] }
    let identity = state.governance.identity
    if let context = state.contexts[call.contextId] {
      guard state.governance.role(of: identity.account, in: context.groupId) != nil else {
        throw ExecutionFailure.call("the caller is not a member of the context")
      }
      guard context.isJoined else { throw ExecutionFailure.call("the node has no identity in the context") }
    }
    let run = try state.execute(
      method, arguments, in: call.contextId, as: state.account(of: exchange.caller), at: exchange.now)
    return ["output": run.output]
  }

  private static func setEphemeral(
    _ call: Call, _ state: inout NodeState, _ exchange: NodeExchange
  ) throws(ExecutionFailure) -> JSONValue {
    let identity = state.governance.identity
    guard let context = state.contexts[call.contextId],
      state.governance.role(of: identity.account, in: context.groupId) != nil
    else { throw ExecutionFailure("Unauthorized") }
    guard let slice = call.params["state"]?.byteArray else {
      throw parseError("state must be an array of byte values")
    }
    guard slice.count <= NodePresence.largestSlice else {
      throw ExecutionFailure(
        "SliceTooLarge", ["size": JSONValue(slice.count), "max": JSONValue(NodePresence.largestSlice)])
    }
    guard context.isJoined, let author = context.identities.first else {
      throw ExecutionFailure("NoOwnedIdentity")
    }
    state.setPresence(
      in: context.id, author: author, account: nil, slice: slice, isOwn: true, at: exchange.now)
    return [:]
  }

  private static func syncStatus(_ call: Call, _ state: NodeState) throws(ExecutionFailure) -> JSONValue {
    guard let context = state.contexts[call.contextId] else { throw ExecutionFailure("ContextNotFound") }
    var object: JSONObject = [
      "contextId": .string(context.id), "isInitialized": .bool(context.isInitialised),
    ]
    for (name, value) in context.sync.json { object[name] = value }
    return .object(object)
  }

  private static func parseError(_ text: String) -> ExecutionFailure {
    ExecutionFailure("ParseError", .string(text))
  }
}
