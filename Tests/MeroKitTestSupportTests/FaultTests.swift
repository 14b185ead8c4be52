import Foundation
import MeroHTTP
import MeroKitTestSupport
import MeroSealed
import MeroTrust
import MeroWire
import Testing

@Suite("FakeCloud: the door and its faults")
struct FaultTests {
  private func url(_ rig: Rig, _ path: String, node: Int = 0) throws -> URL {
    try #require(URL(string: rig.cloud.urls[node] + path))
  }

  private func clear(
    _ rig: Rig, _ method: HTTPMethod, _ path: String, _ body: String? = nil
  ) async throws -> (status: Int, json: JSONValue) {
    let response = try await rig.cloud.transport.send(
      HTTPRequest(method, try url(rig, path), body: body.map { .data(Data($0.utf8)) }))
    let data = try await response.body.collect(upTo: 1 << 20)
    return (response.status, data.isEmpty ? .null : try JSONValue(parsing: data))
  }

  @Test("70 §2.27 #2: in the clear only attestation and health are answered, the rest is refused and logged")
  func inTheClear() async throws {
    let rig = try Rig()
    #expect(try await clear(rig, .get, "/health").json == ["status": "ok", "ready": true, "state": "active"])
    for (method, path) in [
      (HTTPMethod.get, "/info"), (.post, "/auth/signin/begin"), (.get, "/nope"), (.post, "/health"),
    ] {
      let reply = try await clear(rig, method, path, method == .post ? "{}" : nil)
      #expect(reply.status == 403)
      #expect(reply.json["error"]?["code"] == "sealed_required")
    }
    #expect(try await clear(rig, .get, "/sealed/v2").status == 405)
    #expect(try await clear(rig, .get, "/sealed/v2/handshake").status == 405)
    #expect(rig.cloud.log.inner.isEmpty)
    #expect(rig.cloud.log.outer.count == 7)
    #expect(rig.cloud.log.outer.allSatisfy { !$0.isSealed })
    #expect(rig.cloud.log.outer.map(\.status) == [200, 403, 403, 403, 403, 405, 405])
  }

  @Test("an attestation commits to nonce, key and cluster as the verifier computes it")
  func attestation() async throws {
    let rig = try Rig()
    let nonce = [UInt8](0x60...0x7F)
    let body = #"{"nonce":"\#(Hex.encode(nonce))","bindTransportKey":true,"bindCluster":true}"#
    let answer = try await clear(rig, .post, "/tee/attest", body).json
    let key = try Hex.decode(answer["transportPublicKey"]?.stringValue ?? "")
    #expect(answer["clusterId"]?.stringValue == Hex.encode(rig.cloud.clusterId))
    let quote = Array(try #require(Data(base64Encoded: answer["quoteB64"]?.stringValue ?? "")))
    let binding = ReportData.transportBinding(
      inner: ReportData.clusterBinding(rig.cloud.clusterId), key: key)
    #expect(quote.count == 256)
    #expect(try MockQuote.reportData(of: quote) == nonce + binding)
    #expect(
      try await clear(rig, .post, "/tee/attest", #"{"nonce":"00"}"#).json["error"]?["code"]
        == "INVALID_ARGUMENT")
    #expect(try await clear(rig, .post, "/tee/attest", "{").json["error"]?["code"] == "BAD_REQUEST")
  }

  @Test(
    "a bad quote is wrong in the way it was told to",
    arguments: [
      FakeCloudNode.BadQuote.wrongNonce, .wrongKey, .wrongCluster, .unsigned, .malformed,
    ])
  func badQuotes(kind: FakeCloudNode.BadQuote) async throws {
    let rig = try Rig()
    rig.cloud.nodes[0].badQuote(kind)
    let nonce = String(repeating: "ab", count: 32)
    let answer = try await clear(rig, .post, "/tee/attest", #"{"nonce":"\#(nonce)"}"#).json
    let quote = Array(try #require(Data(base64Encoded: answer["quoteB64"]?.stringValue ?? "")))
    let key = try Hex.decode(answer["transportPublicKey"]?.stringValue ?? "")
    let cluster = try Hex.decode(answer["clusterId"]?.stringValue ?? "")
    let right =
      try Hex.decode(nonce)
      + ReportData.transportBinding(inner: ReportData.clusterBinding(cluster), key: key)
    switch kind {
    case .wrongNonce, .wrongKey: #expect(try MockQuote.reportData(of: quote) != right)
    case .wrongCluster:
      #expect(cluster != rig.cloud.clusterId)
      #expect(try MockQuote.reportData(of: quote) == right)
    case .unsigned:
      #expect(!MockQuote.isMock(quote))
      #expect(Array(quote[568..<632]) == right)
    case .malformed: #expect(!MockQuote.isMock(quote))
    }
    rig.cloud.nodes[0].badQuote(nil)
    #expect(rig.cloud.violations == [])
  }

  @Test("a node that is down or refuses takes no connection, and says that nothing was sent")
  func unreachable() async throws {
    let rig = try Rig()
    _ = try await rig.send("GET", "/info")
    for fault in [{ rig.cloud.nodes[0].down() }, { rig.cloud.nodes[0].refuse() }] {
      fault()
      let error = await #expect(throws: TransportError.self) { try await rig.send("GET", "/info") }
      #expect(error?.kind == .cannotConnect)
      rig.cloud.nodes[0].up()
      #expect(try await rig.send("GET", "/info").status == 200)
    }
    let nowhere = try #require(URL(string: "http://127.0.0.1:9999/health"))
    await #expect(throws: TransportError.self) {
      try await rig.cloud.transport.send(HTTPRequest(.get, nowhere))
    }
  }

  @Test("a silent node answers nothing until the request's own time is over")
  func silent() async throws {
    let rig = try Rig()
    rig.cloud.nodes[0].silent()
    rig.clock.autoAdvance = 60
    let request = HTTPRequest(.get, try url(rig, "/health"), timeout: 30)
    let error = await #expect(throws: TransportError.self) { try await rig.cloud.transport.send(request) }
    #expect(error?.kind == .timedOut)
    #expect(error?.mayHaveBeenSent == true)
    #expect(rig.clock.clock.uptime() == 30)
  }

  @Test("a delayed node answers later, on the fake clock, or too late")
  func delay() async throws {
    let rig = try Rig()
    rig.cloud.nodes[0].delay(milliseconds: 500)
    rig.clock.autoAdvance = 1
    #expect(try await clear(rig, .get, "/health").status == 200)
    #expect(rig.clock.clock.uptime() == 0.5)
    let request = HTTPRequest(.get, try url(rig, "/health"), timeout: 0.2)
    await #expect(throws: TransportError.self) { try await rig.cloud.transport.send(request) }
  }

  @Test("an inner refusal comes as often as asked, for the operation asked, before anything runs")
  func answers() async throws {
    let rig = try Rig()
    let (token, app) = try await rig.appOf("ada")
    let node = rig.cloud.nodes[0]
    node.answer(503, "DRAINING", times: 2, operation: "app_call")
    node.answer(418, "TEAPOT", operation: "app_get", details: ["n": 1])
    let body = #"{"method":"send_message","args":{"message":"hi"}}"#
    for status in [503, 503, 200] {
      let reply = try await rig.send("POST", "/apps/\(app)/intents", body, token: token)
      #expect(reply.status == status)
      #expect(reply.headers["x-calimero-node"] == node.id)
    }
    #expect(rig.cloud.runs(of: "send_message", in: app) == 1)
    let teapot = try await rig.send("GET", "/apps/\(app)", token: token)
    #expect(teapot.status == 418)
    #expect(teapot.code == "TEAPOT")
    #expect(teapot.details == ["n": 1])
    #expect(rig.cloud.log.requests("app_call").map(\.code) == ["DRAINING", "DRAINING", nil])
  }

  @Test("a proxy's page is neither sealed nor a refusal, at the door it was put before")
  func proxy() async throws {
    let rig = try Rig()
    _ = try await rig.send("GET", "/info")
    rig.cloud.nodes[0].proxyAnswer(502)
    let error = await #expect(throws: SealedError.self) { try await rig.send("GET", "/info") }
    guard case .refused(let refusal) = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(refusal.status == 502)
    #expect(refusal.code == nil)
    #expect(refusal.stage == .exchange)
    #expect(rig.cloud.log.inner.count == 1)
    rig.cloud.nodes[0].proxyAnswer(404, at: .attestation)
    #expect(try await rig.cloud.transport.send(HTTPRequest(.post, try url(rig, "/tee/attest"))).status == 404)
    #expect(try await rig.send("GET", "/info").status == 200)
  }

  @Test("a lost answer was run all the same")
  func lostAnswer() async throws {
    let rig = try Rig()
    let (token, app) = try await rig.appOf("ada")
    rig.cloud.nodes[0].loseAnswer(operation: "app_call")
    let body = #"{"method":"send_message","args":{"message":"hi"},"idempotencyKey":"k"}"#
    let error = await #expect(throws: TransportError.self) {
      try await rig.send("POST", "/apps/\(app)/intents", body, token: token)
    }
    #expect(error?.mayHaveBeenSent == true)
    #expect(rig.cloud.runs(of: "send_message", in: app) == 1)
    #expect(rig.cloud.log.requests("app_call").map(\.status) == [nil])
    #expect(try await rig.send("POST", "/apps/\(app)/intents", body, token: token).json["replayed"] == true)
  }

  @Test("70 §2.27 #26: a response that is cut or tampered with is never data")
  func frames() async throws {
    let rig = try Rig()
    _ = try await rig.send("GET", "/info")
    await rig.cloud.nodes[0].cut(afterFrames: 1)
    await #expect(throws: (any Error).self) { try await rig.send("GET", "/info") }
    await rig.cloud.nodes[0].tamper(frame: 1)
    await #expect(throws: (any Error).self) { try await rig.send("GET", "/info") }
    #expect(try await rig.send("GET", "/info").status == 200)
  }

  @Test("70 §2.27 #8: after a restart the key is new, and a forgotten session opens again by itself")
  func restart() async throws {
    let rig = try Rig()
    let before = try await Rig.attest(try url(rig, ""), rig.cloud.transport)
    _ = try await rig.send("GET", "/info")
    await rig.cloud.nodes[0].forgetSessions()
    #expect(try await rig.send("GET", "/info").status == 200)
    #expect(await rig.cloud.nodes[0].handshakeCount == 2)
    await rig.cloud.nodes[0].restart()
    #expect(try await rig.send("GET", "/info").status == 200)
    #expect(try await Rig.attest(try url(rig, ""), rig.cloud.transport) != before)
    #expect(rig.cloud.log.inner.count == 3)
  }

  @Test("a busy node refuses handshakes with the wait it was told to name")
  func busy() async throws {
    let rig = try Rig()
    await rig.cloud.nodes[0].busy(times: 2, retryAfter: 1)
    rig.clock.autoAdvance = 1
    await #expect(throws: SealedError.self) { try await rig.send("GET", "/info") }
    #expect(try await rig.send("GET", "/info").status == 200)
  }

  @Test("listeners on other ports are remembered: in the list of nodes, the consent origin and the transport")
  func origins() async throws {
    let rig = try Rig(nodes: 1)
    rig.cloud.rememberOrigins([try #require(URL(string: "http://127.0.0.1:4000/base"))])
    #expect(rig.cloud.urls == ["http://127.0.0.1:4000/base"])
    let health = try #require(URL(string: "http://127.0.0.1:4000/base/health"))
    #expect(try await rig.cloud.transport.send(HTTPRequest(.get, health)).status == 200)
    let other = try Rig(nodes: 3)
    let list = try await other.send("GET", "/nodes")
    #expect(list.json["nodes"]?.arrayValue?.compactMap { $0["url"]?.stringValue } == other.cloud.urls)
    let info = try await other.send("GET", "/info")
    #expect(info.json["consentOrigin"] == "http://localhost:2501")
    #expect(info.json["nodeId"]?.stringValue == other.cloud.nodes[0].id)
  }
}
