import Foundation
import MeroHTTP
import MeroKitTestSupport
import MeroWire
import Testing

@Suite("Faults and modes of a fake node")
struct NodeFaultTests {
  @Test("a route fails so many times without running, and others go on")
  func failing() async throws {
    let rig = NodeRig()
    let context = rig.node.makeContext(of: .keyValue)
    rig.node.failNext("POST /jsonrpc", status: 502, text: "<html>", times: 2)
    for _ in 0..<2 {
      let answer = try await rig.rpc(
        "execute", ["contextId": .string(context), "method": "len", "argsJson": [:]])
      #expect(answer.status == 502)
      #expect(answer.text == "<html>")
    }
    #expect(rig.node.rpcCalls == 0)
    #expect(try await rig.execute("len", in: context)["result"]?["output"] == 0)
    rig.node.failNext("/admin-api/contexts/{context_id}", status: 429, headers: ["retry-after": "7"])
    #expect(try await rig.send(.get, "/admin-api/contexts").status == 200)
    #expect(try await rig.send(.get, "/admin-api/contexts/\(context)").headers["retry-after"] == "7")
    rig.node.failNext("/admin-api/contexts/\(context)", status: 418, json: ["error": ["message": "tea"]])
    #expect(try await rig.send(.get, "/admin-api/contexts/\(context)").json["error"]?["message"] == "tea")
    #expect(try await rig.send(.get, "/admin-api/contexts/\(context)").status == 200)
  }

  @Test("not yet is 503 with a text and without Retry-After")
  func notYet() async throws {
    let rig = NodeRig()
    rig.node.notYet(times: 2)
    for _ in 0..<2 {
      let answer = try await rig.send(.get, "/admin-api/contexts")
      #expect(answer.status == 503)
      #expect(answer.error?.isEmpty == false)
      #expect(answer.headers["retry-after"] == nil)
    }
    #expect(try await rig.send(.get, "/admin-api/contexts").status == 200)
  }

  @Test("an answer is lost, or replaced, after the call has run")
  func lostAnswers() async throws {
    let rig = NodeRig()
    let context = rig.node.makeContext(of: .keyValue)
    let write: JSONValue = [
      "contextId": .string(context), "method": "set_value", "argsJson": ["key": "a", "value": "b"],
    ]
    rig.node.loseAnswer("/jsonrpc")
    await #expect { _ = try await rig.rpc("execute", write) } throws: { error in
      (error as? TransportError)?.kind == .lost && (error as? TransportError)?.mayHaveBeenSent == true
    }
    #expect(try await rig.execute("len", in: context)["result"]?["output"] == 1)
    rig.node.replaceAnswer("POST /admin-api/contexts/{context_id}/leave", status: 504)
    #expect(try await rig.send(.post, "/admin-api/contexts/\(context)/leave", json: [:]).status == 504)
    #expect(
      try await rig.send(.get, "/admin-api/contexts/\(context)/identities-owned").data["identities"] == [])
  }

  @Test("a delay passes on the node's clock, and beyond the request's timeout it is one")
  func delays() async throws {
    let rig = NodeRig()
    rig.clock.autoAdvance = 100
    rig.node.delay("/admin-api/peers", seconds: 4)
    #expect(try await rig.send(.get, "/admin-api/peers").status == 200)
    #expect(rig.clock.sleeps == [4])
    rig.node.delay(seconds: 30)
    var request = try rig.request(.get, "/admin-api/peers")
    request.timeout = 10
    await #expect { _ = try await rig.node.transport.send(request) } throws: {
      ($0 as? TransportError)?.kind == .timedOut
    }
    #expect(rig.clock.sleeps == [4, 10])
  }

  @Test("a node that is down refuses connections and cuts streams, until it is up")
  func down() async throws {
    let rig = NodeRig()
    let stream = try await rig.follow()
    _ = try await stream.connect()
    rig.node.down()
    await #expect(throws: TransportError.self) { _ = try await stream.frame() }
    await #expect { _ = try await rig.send(.get, "/admin-api/health") } throws: {
      ($0 as? TransportError)?.mayHaveBeenSent == false
    }
    rig.node.up()
    #expect(try await rig.send(.get, "/admin-api/health").status == 200)
  }

  @Test("faults that are cleared are gone")
  func clearing() async throws {
    let rig = NodeRig()
    rig.node.failNext(status: 500, times: 9)
    rig.node.silent()
    rig.node.clearFaults()
    #expect(try await rig.send(.get, "/admin-api/health").status == 200)
  }

  @Test("health and readiness say why not")
  func readiness() async throws {
    let rig = NodeRig()
    #expect(try await rig.send(.get, "/admin-api/ready").data == ["status": "ready"])
    rig.node.setLifecycle(.starting)
    #expect(try await rig.send(.get, "/admin-api/health").data == ["status": "alive"])
    let starting = try await rig.send(.get, "/admin-api/ready")
    #expect(starting.status == 503)
    #expect(starting.data == ["status": "starting"])
    rig.node.setStoreAvailable(false)
    for path in ["/admin-api/health", "/admin-api/ready"] {
      let answer = try await rig.send(.get, path)
      #expect(answer.status == 503)
      #expect(answer.data == ["status": "store_unavailable"])
    }
    #expect(try await rig.send(.get, "/auth/health").data["status"] == "not_alive")
  }

  @Test("peers, network and usage are flat")
  func system() async throws {
    let rig = NodeRig()
    rig.node.setPeers(0)
    #expect(try await rig.send(.get, "/admin-api/peers").json == ["count": 0])
    #expect(
      try await rig.send(.get, "/admin-api/network/status").json["autonat"]?["reachability"] == "unknown")
    let namespace = rig.node.makeNamespace(of: .keyValue)
    _ = rig.node.makeContext(of: .keyValue, in: namespace)
    let usage = try await rig.send(.get, "/admin-api/usage").json["namespaces"]?[0]
    #expect(usage?["namespaceId"] == .string(namespace))
    #expect(usage?["contextCount"] == 1)
    #expect(usage?["memberCount"] == 1)
    let total = try #require(usage?["bytes"]?["total"]?.uint64)
    #expect(total > 0)
  }

  @Test("one seed is one run: the same ids, keys and tokens")
  func determinism() async throws {
    let one = NodeRig(seed: 3)
    let other = NodeRig(seed: 3)
    #expect(one.node.accessToken == other.node.accessToken)
    #expect(one.node.account == other.node.account)
    #expect(one.node.makeContext() == other.node.makeContext())
    #expect(one.node.account != NodeRig(seed: 4).node.account)
  }
}
