import Foundation
import MeroHTTP
import MeroWire
import Testing

@testable import MeroKitTestSupport

@Suite("A fake relay: what is written through it")
struct FakeRelayWriteTests {
  let clock = FakeClock()
  let relay: FakeRelay
  let device: TestDevice
  let context: String

  init() throws {
    relay = FakeRelay(url: "http://localhost:2540", clock: clock.clock, seed: 3)
    device = try TestDevice()
    let namespace = relay.node.makeNamespace(of: .keyValue)
    context = relay.node.makeContext(of: .keyValue, in: namespace)
    relay.addMember(device.account, to: namespace)
  }

  func send(_ method: HTTPMethod, _ path: String, _ json: JSONValue? = nil) async throws -> (Int, JSONValue) {
    var request = HTTPRequest(method, try #require(URL(string: relay.url + path)))
    if let json {
      request.headers["content-type"] = "application/json"
      request.body = .data(json.data())
    }
    let response = try await relay.transport.send(request)
    let body = try await response.body.collect(upTo: 1 << 20)
    return (response.status, (try? JSONValue(parsing: body)) ?? .null)
  }

  func write(_ nonce: UInt64) async throws -> Int {
    let path = "/admin-api/contexts/\(context)/intents"
    let release = try #require(try await send(.get, path).1["data"]?["releaseBytecodeId"]?.stringValue)
    let intent = try device.write(
      "set_value", ["key": "k", "value": "v"], in: context, release: release, by: relay.node, nonce: nonce)
    return try await send(.post, path, intent).0
  }

  @Test("the ledger has every warrant that came, says which were spent, and tells of numbers that came twice")
  func ledger() async throws {
    #expect(try await write(5) == 200)
    #expect(try await write(6) == 200)
    #expect(relay.nonces.map(\.value) == [5, 6])
    #expect(relay.nonces.map(\.isSpent) == [true, true])
    #expect(relay.nonces.map(\.subject) == [context, context])
    #expect(relay.reusedNonces.isEmpty)
    relay.setGrant(false)
    #expect(try await write(7) == 403)
    relay.setGrant(true)
    #expect(try await write(6) == 403)
    #expect(relay.nonces.map(\.isSpent) == [true, true, false, false])
    #expect(relay.reusedNonces == [6])
  }

  @Test("a relay may name another executor, and then refuses what names it")
  func namesAnother() async throws {
    let other = String(repeating: "ab", count: 32)
    relay.nameExecutor(account: other)
    let (_, described) = try await send(.get, "/admin-api/contexts/\(context)/intents")
    #expect(described["data"]?["executorAccount"]?.stringValue == other)
    #expect(described["data"]?["executorKey"]?.stringValue == relay.nodeKey)
    relay.nameExecutor()
    let (_, again) = try await send(.get, "/admin-api/contexts/\(context)/intents")
    #expect(again["data"]?["executorAccount"]?.stringValue == relay.account)
  }

  @Test("a route fails as often as it is told to, with or without a time to wait")
  func faults() async throws {
    let route = "POST /admin-api/contexts/{context_id}/intents"
    relay.refuse(route, status: 429, retryAfter: 2)
    relay.refuse(route, status: 409, times: .max)
    let statuses = [try await write(1), try await write(2), try await write(3)]
    #expect(statuses == [429, 409, 409])
    relay.node.clearFaults()
    relay.dropConnection(route)
    await #expect(throws: TransportError.self) { _ = try await write(4) }
    #expect(relay.nonces.map(\.isSpent) == [true], "the connection was dropped after the write")
    #expect(relay.log.last?.status == nil)
  }

  @Test("a relay that lost its key has another one, for the same account")
  func restart() async throws {
    let (key, account) = (relay.nodeKey, relay.account)
    await relay.restart()
    #expect(relay.nodeKey == key)
    await relay.restart(newNodeKey: true)
    #expect(relay.nodeKey != key)
    #expect(relay.account == account)
    #expect(try await write(1) == 200)
  }
}
