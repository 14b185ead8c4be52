import Foundation
import LocalCluster
import MeroHTTP
import MeroKit
import MeroKitTestSupport
import MeroWire
import Testing

@Suite("The control listener")
struct ControlServerTests {
  @Test("a stopped node refuses connections, a started one answers again on the same port")
  func stopAndStart() async throws {
    try await withControl { control, cluster in
      let node = await cluster.nodeURLs[0]
      let health = HTTPRequest(.get, node.appendingPathComponent("health"))
      #expect(try await URLSessionTransport().send(health).status == 200)

      let stopped = try await control(.post, "/nodes/1/stop", nil)
      #expect(stopped.body["nodes"]?[0]?["running"] == false)
      await #expect(throws: TransportError.self) { try await URLSessionTransport().send(health) }

      let started = try await control(.post, "/nodes/1/start", nil)
      #expect(started.body["nodes"]?[0]?["running"] == true)
      #expect(try await URLSessionTransport().send(health).status == 200)
    }
  }

  @Test("a stopped node is down to its peers, which keep the last one that serves")
  func peers() async throws {
    try await withControl { control, cluster in
      let client = CalimeroClient(
        CalimeroClientOptions(baseUrl: await cluster.nodeURLs[1].absoluteString, policy: .development))
      try await client.signUp(SoftPasskey(), name: "olga")
      cluster.cloud.addOperator("olga", key: [UInt8](repeating: 1, count: 32))
      let (first, second) = (cluster.cloud.nodes[0], cluster.cloud.nodes[1])
      func state(of node: FakeCloudNode) async throws -> String? {
        try await client.ops.nodeList().nodes.first { $0.nodeId == node.id }?.state.rawValue
      }
      _ = try await control(.post, "/nodes/1/stop", nil)
      #expect(try await state(of: first) == "down")
      #expect(try await state(of: second) == "active")
      #expect(try await client.ops.status().nodes == 1)
      do {
        _ = try await client.ops.nodeUpdate(node: second.id, state: .draining)
        Issue.record("the last node that serves was drained")
      } catch CalimeroError.api(let error) {
        #expect(error.code == .conflict)
      }
      // To behave again is not to run again.
      await first.clearFaults()
      #expect(try await state(of: first) == "down")
      _ = try await control(.post, "/nodes/1/start", nil)
      #expect(try await state(of: first) == "active")
      #expect(try await client.ops.status().nodes == 2)
      await client.close()
    }
  }

  @Test("a fault told in JSON takes effect at the node")
  func fault() async throws {
    try await withControl { control, cluster in
      let set = try await control(.post, "/nodes/2/fault", #"{"fault":"proxyAnswer","status":502}"#)
      #expect(set.status == 200)
      let exchange = HTTPRequest(
        .post, await cluster.nodeURLs[1].appendingPathComponent("sealed/v2"),
        headers: ["content-type": "application/vnd.calimero.sealed"], body: .data(Data(count: 64)))
      #expect(try await URLSessionTransport().send(exchange).status == 502)
      #expect(try await URLSessionTransport().send(exchange).status == 400)
    }
  }

  @Test(
    "what it does not know is refused in words",
    arguments: [
      ("/nodes/9/stop", nil, 404), ("/nodes/x/stop", nil, 404), ("/nodes/1/explode", nil, 404),
      ("/nope", nil, 404), ("/nodes/1/fault", nil, 400), ("/nodes/1/fault", "not json", 400),
      ("/nodes/1/fault", #"{"fault":"nope"}"#, 400), ("/nodes/1/fault", #"{"fault":"answer"}"#, 400),
      ("/nodes/1/fault", #"{"fault":"loseAnswer","times":0}"#, 400),
      ("/nodes/1/fault", #"{"fault":"loseAnswer","times":1e99}"#, 400),
    ] as [(String, String?, Int)])
  func refusals(_ path: String, _ body: String?, _ status: Int) async throws {
    try await withControl { control, _ in
      let answer = try await control(.post, path, body)
      #expect(answer.status == status)
      #expect(answer.body["error"]?["message"]?.stringValue?.isEmpty == false)
    }
  }

  @Test("a web page cannot reach it: an Origin, or a Host that is not loopback, is refused")
  func webPages() async throws {
    try await withControl { control, _ in
      let fromAPage = try await control(.get, "/state", nil, headers: ["origin": "https://example.com"])
      #expect(fromAPage.status == 403)
      #expect(try await control(.get, "/state", nil).status == 200)
    }
  }

  @Test("a taken port is named, and nothing stays open")
  func takenPort() async throws {
    let first = LocalCluster(ports: [0])
    try await first.start()
    let port = UInt16(try #require(await first.nodeURLs[0].port))
    let second = LocalCluster(ports: [0, port])
    await #expect(throws: ListenerError.portTaken(port)) { try await second.start() }
    #expect(await second.nodeURLs.isEmpty)
    await first.stop()
  }

  private struct Answer: Sendable {
    let status: Int
    let body: JSONValue
  }

  private struct Caller: Sendable {
    let base: URL

    func callAsFunction(
      _ method: HTTPMethod, _ path: String, _ body: String?, headers: HTTPHeaders = [:]
    ) async throws -> Answer {
      let url = try #require(URL(string: base.absoluteString + path))
      let request = HTTPRequest(method, url, headers: headers, body: body.map { .data(Data($0.utf8)) })
      let response = try await URLSessionTransport().send(request)
      return Answer(
        status: response.status, body: try JSONValue(parsing: try await response.body.collect(upTo: 1 << 20)))
    }
  }

  private func withControl(_ test: (Caller, LocalCluster) async throws -> Void) async throws {
    let cluster = LocalCluster(ports: [0, 0])
    try await cluster.start()
    let server = ControlServer(port: 0, cluster: cluster)
    let port = try server.start()
    let base = try #require(URL(string: "http://127.0.0.1:\(port)"))
    let result: Result<Void, any Error>
    do {
      try await test(Caller(base: base), cluster)
      result = .success(())
    } catch {
      result = .failure(error)
    }
    await server.stop()
    await cluster.stop()
    try result.get()
  }
}
