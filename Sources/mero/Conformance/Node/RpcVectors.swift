import Foundation
import MeroHTTP
import MeroKit
import MeroKitTestSupport
import MeroWire

extension NodeGroup {
  /// JSON-RPC: what is sent, what comes of an output, and what an error says.
  static let rpc = NodeGroup(name: "rpc") { file, run in
    await NodeCases(["3": RpcVector.names]).check("rpc", in: file, &run) { name, object in
      let vector = try RpcVector(name, object)
      let expect = try object.object("expect")
      try await vector.check(expect)
      try expect.finish()
    }
  }
}

/// One answer to a call.
private struct RpcVector: Sendable {
  static let names = [
    "rpc-output", "rpc-output-null", "rpc-exact-u64", "rpc-function-call-error", "rpc-parse-error",
    "rpc-internal-server", "rpc-internal-kind", "rpc-uninitialized", "rpc-group-key-pending", "rpc-read-only",
    "rpc-code-message", "rpc-set-ephemeral-ok", "rpc-slice-too-large", "rpc-ephemeral-unauthorized",
  ]

  private let name: String
  private let body: String
  private let request: JSONValue?

  init(_ name: String, _ object: VectorObject) throws(Mismatch) {
    self.name = name
    body = try object.text("responseBody")
    request = try object.valueIfThere("requestBody")
  }

  func check(_ expect: VectorObject) async throws {
    if expect.has("error") {
      try require("the error", try expect.text("error"), is: "rpc")
      return try await RpcRefusal(expect, name).check(body: body) { try await call() }
    }
    switch name {
    case "rpc-output-null":
      try require("whether the output is null", try expect.flag("outputIsNull"), is: true)
      try await checkNull()
    case "rpc-exact-u64": try await checkDigits(expect)
    case "rpc-set-ephemeral-ok":
      try require("what is expected", try expect.flag("ok"), is: true)
      try requireBody(result: [:])
      try await call()
    default:
      let output = try expect.value("output")
      try requireBody(result: ["output": output])
      let (actual, _): (JSONValue, JSONValue) = try await execute()
      try require("the output", actual, is: output)
      try await call()
    }
  }

  private func requireBody(result: JSONValue) throws {
    let usual: JSONValue = ["jsonrpc": "2.0", "id": 1, "result": result]
    try require("a node's answer", try JSONValue(parsing: body), is: usual)
  }

  // MARK: Outputs

  private func checkNull() async throws {
    try requireBody(result: ["output": nil])
    let (optional, _): (String?, JSONValue) = try await execute()
    try require("the optional", optional, is: nil)
    let (json, _): (JSONValue, JSONValue) = try await execute()
    try require("the JSON", json, is: .null)
    let (_, _): (Empty, JSONValue) = try await execute()
    do {
      let (text, _): (String, JSONValue) = try await execute()
      throw Mismatch("null was read as \(text)")
    } catch MeroError.emptyResponse {}
  }

  private struct Digits: Codable, Sendable {
    let big: UInt64
    let mid: Int64
    let neg: Int64
  }

  private func checkDigits(_ expect: VectorObject) async throws {
    let digits = [try expect.text("big"), try expect.text("mid"), try expect.text("neg")]
    let numbers = digits.map { JSONNumber($0).map { JSONValue.number($0) } ?? .null }
    let output = JSONValue.object(JSONObject(zip(["big", "mid", "neg"], numbers)))
    try requireBody(result: ["output": output])
    let (typed, _): (Digits, JSONValue) = try await execute()
    try require("the typed numbers", ["\(typed.big)", "\(typed.mid)", "\(typed.neg)"], is: digits)
    let (json, _): (JSONValue, JSONValue) = try await execute()
    try require("the output written again", json.text, is: output.text)
    let encoded = try MeroJSON.encode(typed)
    try require("the typed numbers written again", try JSONValue(parsing: encoded), is: output)
  }

  // MARK: Calls

  /// Runs a method, and answers what it returned and what was sent.
  private func execute<T: Decodable & Sendable>() async throws -> (T, JSONValue) {
    let node = node()
    let value: T = try await Mero.of(node).rpc.execute(
      contextId: VectorName.context, method: "get_value", argsJson: ["key": "demo"])
    return (value, node.requests.first?.json ?? .null)
  }

  /// Makes the call that the answer is about, and compares what was sent if the vector says what that is.
  private func call() async throws {
    let node = node()
    let mero = Mero.of(node)
    if ["rpc-set-ephemeral-ok", "rpc-slice-too-large", "rpc-ephemeral-unauthorized"].contains(name) {
      try await mero.ephemeral.set(contextId: VectorName.context, state: ["typing": true])
    } else {
      let _: JSONValue = try await mero.rpc.execute(
        contextId: VectorName.context, method: "get_value", argsJson: ["key": "demo"])
    }
    let sent = node.requests.map(\.json)
    try require("what was sent", sent, is: [request ?? sent.first ?? .null])
  }

  private func node() -> ScriptedNode {
    ScriptedNode { [body] _ in
      HTTPResponse(
        status: 200, headers: ["content-type": "application/json"], body: HTTPBody(Data(body.utf8)))
    }
  }
}

/// A refusal that has to come of an answer.
private struct RpcRefusal {
  private let expect: VectorObject
  private let name: String

  init(_ expect: VectorObject, _ name: String) {
    self.expect = expect
    self.name = name
  }

  func check(body: String, _ call: () async throws -> Void) async throws {
    let code = expect.has("code") ? try expect.number("code") : -1
    let type = try expect.textOrNull("type")
    let data = try data()
    let message = expect.has("message") ? try expect.text("message") : nil
    try require("a node's answer", try JSONValue(parsing: body), is: answer(code, type, data, message))
    do {
      try await call()
      throw Mismatch("nothing was refused")
    } catch MeroError.rpc(let error) {
      try require("the code", error.code, is: code)
      try require("the type", error.type, is: type)
      try require("the data", error.data, is: data)
      try require("the message", error.message, is: message ?? usualMessage(type, data))
      try checkMeaning(error)
    }
  }

  private func checkMeaning(_ error: RpcError) throws {
    if expect.has("transient") {
      try require("whether it passes", error.isTransient, is: try expect.flag("transient"))
    }
    let isReadOnly = expect.has("isReadOnlyWriteRefused") ? try expect.flag("isReadOnlyWriteRefused") : false
    try require("whether the node only reads", error.isReadOnlyWriteRefused, is: isReadOnly)
    let context = expect.has("refusedContextId") ? try expect.text("refusedContextId") : nil
    try require("the context", error.refusedContextId, is: context)
  }

  /// The data that a node sends for what is expected; nil when it sends none.
  private func data() throws -> JSONValue? {
    if expect.has("data") { return try expect.valueIfThere("data") }
    if expect.has("kind") { return try expect.textOrNull("kind").map { ["kind": .string($0)] } ?? [:] }
    for key in ["contextId", "refusedContextId"] where expect.has(key) {
      return ["context_id": .string(try expect.text(key))]
    }
    if expect.has("size") {
      return ["size": JSONValue(try expect.number("size")), "max": JSONValue(try expect.number("max"))]
    }
    return name == "rpc-parse-error" ? .string("missing field `contextId`") : .none
  }

  /// A node names a type; other servers send a code and a message.
  private func answer(_ code: Int, _ type: String?, _ data: JSONValue?, _ message: String?) -> JSONValue {
    var error = JSONObject()
    if let type {
      error["type"] = .string(type)
      if let data { error["data"] = data }
    } else {
      error["code"] = JSONValue(code)
      error["message"] = .string(message ?? "")
    }
    return ["jsonrpc": "2.0", "id": 1, "error": .object(error)]
  }

  private func usualMessage(_ type: String?, _ data: JSONValue?) -> String {
    [type, data?.stringValue].compactMap { $0 }.joined(separator: ": ")
  }
}
