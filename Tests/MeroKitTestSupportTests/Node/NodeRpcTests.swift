import Foundation
import MeroHTTP
import MeroKitTestSupport
import MeroWire
import Testing

@Suite("JSON-RPC of a fake node")
struct NodeRpcTests {
  @Test("a contract runs, keeps its state, and a method without a result answers null")
  func execute() async throws {
    let rig = NodeRig()
    let context = rig.node.makeContext(of: .keyValue)
    let set = try await rig.execute("set_value", ["key": "a", "value": "1"], in: context)
    #expect(set == ["jsonrpc": "2.0", "id": 1, "result": ["output": .null]])
    #expect(try await rig.execute("get_value", ["key": "a"], in: context)["result"]?["output"] == "1")
    #expect(try await rig.execute("len", in: context)["result"]?["output"] == 1)
    #expect(rig.node.rpcCalls == 3)
  }

  @Test("integers beyond a float come back with all their digits")
  func largeNumbers() async throws {
    let rig = NodeRig()
    let context = rig.node.makeContext()
    let sent = try await rig.execute("send_message", ["message": "hi"], in: context)
    #expect(sent["result"]?["output"]?["id"]?.uint64 == 9_007_199_254_740_993)
    let all = try await rig.execute("get_messages", in: context)
    #expect(all["result"]?["output"]?["messages"]?[0]?["author"] == .string(rig.node.account))
  }

  @Test("the id is echoed: text, an unsigned integer or null")
  func ids() async throws {
    let rig = NodeRig()
    for id in ["seven", 18_446_744_073_709_551_615 as UInt64, nil] as [Any?] {
      let id = (id as? String).map { .string($0) } ?? (id as? UInt64).map { JSONValue($0) } ?? JSONValue.null
      let answer = try await rig.rpc("sync_status", ["contextId": .string(NodeRig.anId)], id: id)
      #expect(answer.json["id"] == id)
    }
    let negative = try await rig.rpc("sync_status", ["contextId": .string(NodeRig.anId)], id: -1)
    #expect(negative.json["error"]?["type"] == "ParseError")
    #expect(negative.json["id"] == .null)
  }

  static let malformed: [JSONValue] = [
    ["jsonrpc": "1.0", "id": 1, "method": "execute", "params": [:]],
    ["jsonrpc": "2.0", "id": 1, "method": "execute", "params": [:]],
    ["jsonrpc": "2.0", "id": 1, "method": "execute", "params": ["contextId": "short"]],
    ["jsonrpc": "2.0", "id": 1, "method": "fly", "params": ["contextId": .string(NodeRig.anId)]],
    [
      "jsonrpc": "2.0", "id": 1, "method": "execute",
      "params": ["contextId": .string(NodeRig.anId), "method": "get"],
    ],
    [
      "jsonrpc": "2.0", "id": 1, "method": "execute",
      "params": ["contextId": .string(NodeRig.anId), "method": "", "argsJson": [:]],
    ],
    [
      "jsonrpc": "2.0", "id": 1, "method": "execute",
      "params": [
        "contextId": .string(NodeRig.anId), "method": .string(String(repeating: "m", count: 257)),
        "argsJson": [:],
      ],
    ],
    [],
  ]

  @Test("a request that is not understood is a ParseError with status 200", arguments: malformed)
  func parseErrors(_ request: JSONValue) async throws {
    let answer = try await NodeRig().send(.post, "/jsonrpc", json: request)
    #expect(answer.status == 200)
    #expect(answer.json["error"]?["type"] == "ParseError")
    #expect(answer.json["error"]?["data"]?.stringValue != nil)
  }

  @Test("what the contract says against a call is a FunctionCallError, and nothing is kept")
  func contractErrors() async throws {
    let rig = NodeRig()
    let context = rig.node.makeContext(of: .probe)
    for (method, arguments) in [
      ("fail", "no" as JSONValue), ("fail", ["code": 7]), ("trap", ["reason": "gas"]), ("unknown", [:]),
    ] {
      let answer = try await rig.execute(method, arguments, in: context)
      #expect(answer["error"]?["type"] == "FunctionCallError", "\(method)")
      #expect(answer["error"]?["data"]?.stringValue != nil)
    }
    #expect(try await rig.execute("get", in: context)["result"]?["output"] == .null)
  }

  @Test("a context that is unknown, empty or without its key says so")
  func contextErrors() async throws {
    let rig = NodeRig()
    let context = rig.node.makeContext(of: .keyValue)
    func error() async throws -> JSONValue? { try await rig.execute("len", in: context)["error"] }
    #expect(try await rig.execute("len", in: NodeRig.anId)["error"] == ["type": "ContextNotFound"])
    rig.node.setInitialised(false, context: context)
    #expect(try await error() == ["type": "Uninitialized"])
    rig.node.setKeyPending(true, context: context)
    #expect(try await error() == ["type": "GroupKeyPending", "data": ["context_id": .string(context)]])
    rig.node.setKeyPending(false, context: context)
    rig.node.setInitialised(true, context: context)
    #expect(try await error() == nil)
    let application = rig.node.installApplication(.keyValue)
    #expect(try await rig.send(.delete, "/admin-api/applications/\(application)").status == 200)
    #expect(
      try await error() == [
        "type": "ApplicationNotInstalled", "data": ["application_id": .string(application)],
      ])
    rig.node.installApplication(.keyValue)
    #expect(try await rig.send(.post, "/admin-api/contexts/\(context)/leave", json: [:]).status == 200)
    #expect(try await error()?["type"] == "FunctionCallError")
    #expect(try await rig.send(.post, "/admin-api/contexts/\(context)/join", json: [:]).status == 200)
    #expect(try await error() == nil)
  }

  @Test("any error can be asked for, for one method and so many times")
  func forcedErrors() async throws {
    let rig = NodeRig()
    let context = rig.node.makeContext(of: .keyValue)
    rig.node.failExecutions(
      "XCallNotPermitted", data: ["context_id": .string(context)], method: "len", times: 2)
    #expect(try await rig.execute("entries", in: context)["error"] == nil)
    for _ in 0..<2 {
      #expect(
        try await rig.execute("len", in: context)["error"]
          == ["type": "XCallNotPermitted", "data": ["context_id": .string(context)]])
    }
    #expect(try await rig.execute("len", in: context)["error"] == nil)
  }

  @Test("what a test lays down for a method is answered without running it")
  func cannedOutputs() async throws {
    let rig = NodeRig()
    rig.node.rpcOutputs["get_value"] = "canned"
    #expect(try await rig.execute("get_value", in: NodeRig.anId)["result"]?["output"] == "canned")
  }

  @Test("sync_status tells how a context syncs")
  func syncStatus() async throws {
    let rig = NodeRig()
    let context = rig.node.makeContext()
    let params: JSONValue = ["contextId": .string(context)]
    #expect(
      try await rig.rpc("sync_status", params).json["result"]
        == [
          "contextId": .string(context), "isInitialized": true, "syncState": ["state": "idle"],
          "failureCount": 0,
        ])
    rig.node.setSyncStatus(
      ["state": "backingOff", "retry_in_secs": 8], context: context, failures: 2, lastError: "No peers")
    let result = try await rig.rpc("sync_status", params).json["result"]
    #expect(result?["syncState"] == ["state": "backingOff", "retry_in_secs": 8])
    #expect(result?["failureCount"] == 2)
    #expect(result?["lastError"] == "No peers")
  }

  @Test("a token without context:execute is 403")
  func permission() async throws {
    let rig = NodeRig()
    let session = rig.node.makeSession(permissions: ["context:list"])
    let answer = try await rig.rpc(
      "sync_status", ["contextId": .string(NodeRig.anId)], as: .bearer(session.accessToken))
    #expect(answer.status == 403)
    #expect(answer.authError == "permission_denied")
    #expect(rig.node.rpcCalls == 0)
  }
}
