import Foundation
import MeroHTTP
import MeroKitTestSupport
import MeroWire
import Testing

@testable import MeroKit

@Suite("Calls over JSON-RPC")
struct RpcClientTests {
  private static let context = "HXDhUtm7k19CrDwcBvo3VCE6mE1yL6o46EF5uZPCxtBh"

  private func client(_ body: String) -> (RpcClient, ScriptedNode) {
    let node = ScriptedNode { _ in HTTPResponse(status: 200, body: HTTPBody(Data(body.utf8))) }
    return (RpcClient(http: NodeHTTP(baseURL: Mero.node, transport: node)), node)
  }

  private func execute<T: Decodable & Sendable>(_ body: String, as type: T.Type = T.self) async throws -> T {
    try await client(body).0.execute(contextId: Self.context, method: "get_value", argsJson: ["key": "demo"])
  }

  @Test("an answer means what its vector says", arguments: NodeVectors.group("rpc"))
  func vectors(vector: NodeVector) async throws {
    let body = vector["responseBody"].text
    let (rpc, node) = client(body)
    let expect = vector.expect
    let params = vector["requestBody"]?["params"]
    do {
      let value: JSONValue
      if vector["requestBody"]?["method"] == "set_ephemeral" {
        value = try await rpc.call("set_ephemeral", params ?? .null)
        #expect(value == [:])
      } else {
        value = try await rpc.execute(contextId: Self.context, method: "get_value", argsJson: ["key": "demo"])
      }
      #expect(expect["error"] == nil)
      if let output = expect["output"] { #expect(value == output) }
      if expect["outputIsNull"] == true { #expect(value.isNull) }
      for name in ["big", "mid", "neg"] where expect[name] != nil {
        #expect(value[name]?.numberValue?.text == expect[name]?.stringValue)
      }
    } catch MeroError.rpc(let error) {
      #expect(expect["error"] == "rpc")
      check(error, expect)
    }
    #expect(node.requests.map(\.url.path) == ["/jsonrpc"])
    if let request = vector["requestBody"] {
      #expect(node.requests[0].json == request)
      #expect(node.requests[0].json.text == request.text)
    }
  }

  private func check(_ error: RpcError, _ expect: JSONValue) {
    #expect(error.code == expect["code"]?.int ?? -1)
    #expect(error.type == expect["type"]?.stringValue)
    if let message = expect["message"]?.stringValue { #expect(error.message == message) }
    if let data = expect["data"] { #expect((error.data ?? .null) == data) }
    if let transient = expect["transient"]?.boolValue { #expect(error.isTransient == transient) }
    if let contextId = expect["contextId"] { #expect(error.data?["context_id"] == contextId) }
    if let readOnly = expect["isReadOnlyWriteRefused"]?.boolValue {
      #expect(error.isReadOnlyWriteRefused == readOnly)
      #expect(error.refusedContextId == expect["refusedContextId"]?.stringValue)
    } else {
      #expect(error.refusedContextId == nil)
    }
    for name in ["size", "max", "kind"] {
      if let expected = expect[name] { #expect((error.data?[name] ?? .null) == expected) }
    }
  }

  @Test("integers of 64 bits and long decimals are exact, as values of the app's own types")
  func exact() async throws {
    struct Numbers: Codable, Equatable { let big: UInt64, mid: Int64, neg: Int64 }
    let body =
      #"{"result":{"output":{"big":18446744073709551615,"mid":9007199254740993,"neg":-9223372036854775808}}}"#
    let numbers: Numbers = try await execute(body)
    #expect(numbers == Numbers(big: .max, mid: 9_007_199_254_740_993, neg: .min))
    let value: JSONValue = try await execute(body)
    #expect(value.text == #"{"big":18446744073709551615,"mid":9007199254740993,"neg":-9223372036854775808}"#)
    await #expect(throws: MeroError.self) { try await execute(body, as: [String: Int64].self) }
    let decimal: Decimal = try await execute(#"{"result":{"output":0.1234567890123456789012345678}}"#)
    #expect("\(decimal)" == "0.1234567890123456789012345678")
  }

  @Test("a method that returns nothing is nil, null or Empty, and a failure for every other type")
  func nothing() async throws {
    let body = #"{"result":{"output":null}}"#
    #expect(try await execute(body, as: String?.self) == nil)
    #expect(try await execute(body, as: JSONValue.self) == .null)
    #expect(try await execute(body, as: Empty.self) == Empty())
    await #expect(throws: MeroError.emptyResponse("a String")) { try await execute(body, as: String.self) }
  }

  @Test("an answer without output is its result, and one without a result is empty")
  func bare() async throws {
    #expect(try await execute(#"{"result":{"a":1}}"#, as: [String: Int].self) == ["a": 1])
    #expect(try await execute(#"{"result":[1,2]}"#, as: [Int].self) == [1, 2])
    await #expect(throws: MeroError.emptyResponse("a result")) { try await execute("{}", as: Int.self) }
    await #expect(throws: MeroError.self) { try await execute("<html>", as: Int.self) }
  }

  @Test("without arguments an empty object is sent, and no executor's key ever")
  func arguments() async throws {
    let (rpc, node) = client(#"{"result":{"output":1}}"#)
    let result: ExecuteResult<Int> = try await rpc.executeWithMetadata(contextId: Self.context, method: "m")
    #expect(result == ExecuteResult(returns: 1, transport: .node, rootHash: nil))
    #expect(node.requests[0].json["params"]?["argsJson"] == [:])
    _ = try await (rpc as any OldCaller).callTheOldWay()
    #expect(node.requests[1].json["params"]?.objectValue?.keys == ["contextId", "method", "argsJson"])
  }

  @Test("a call is sent once, also when its answer is lost")
  func once() async throws {
    let node = ScriptedNode { _ in throw TransportError(kind: .lost, text: "lost", mayHaveBeenSent: true) }
    let rpc = RpcClient(http: NodeHTTP(baseURL: Mero.node, transport: node))
    await #expect(throws: MeroError.network("lost")) {
      let _: Int = try await rpc.execute(contextId: Self.context, method: "add")
    }
    #expect(node.requests.count == 1)
  }

  @Test("the transport on which a call goes can be left open, and migrating works the same on each")
  func anyTransport() async throws {
    let (rpc, node) = client(#"{"result":{"output":{"converted":3,"remaining":2}}}"#)
    let transport: any ExecuteTransport = rpc
    #expect(
      try await transport.migrateMyEntries(Self.context)
        == MigrateMyEntriesSummary(converted: 3, remaining: 2))
    #expect(node.requests[0].json["params"]?["method"] == "migrate_my_entries")
    let (counting, _) = client(#"{"result":{"output":4}}"#)
    #expect(try await counting.countMyPending(Self.context) == 4)
  }

  @Test("a sync status is read in the spelling of any node")
  func syncStatus() async throws {
    for (records, eta) in [("records_received", "eta_secs"), ("recordsReceived", "etaSecs")] {
      let state = #"{"state":"receivingSnapshot","\#(records)":7,"percent":12.5,"\#(eta)":null}"#
      let (rpc, node) = client(
        #"{"result":{"contextId":"c","isInitialized":false,"syncState":\#(state),"failureCount":2}}"#)
      let status = try await rpc.syncStatus("c")
      #expect(
        status
          == ContextSyncStatus(
            contextId: "c", isInitialized: false,
            syncState: ContextSyncState(.receivingSnapshot, recordsReceived: 7, percent: 12.5),
            failureCount: 2))
      #expect(node.requests[0].json["method"] == "sync_status")
    }
    let (rpc, _) = client(
      #"{"result":{"contextId":"c","isInitialized":true,"syncState":{"state":"dreaming","retry_in_secs":8},"failureCount":0,"lastError":"x"}}"#
    )
    let status = try await rpc.syncStatus("c")
    #expect(status.syncState == ContextSyncState("dreaming", retryInSecs: 8))
    #expect(status.lastError == "x")
  }
}

/// A call as programs wrote it for older versions. Behind a protocol, so that testing it is no warning.
private protocol OldCaller {
  func callTheOldWay() async throws -> Int
}

extension RpcClient: OldCaller {
  @available(*, deprecated)
  fileprivate func callTheOldWay() async throws -> Int {
    try await execute(contextId: "c", method: "m", executorPublicKey: "key")
  }
}
