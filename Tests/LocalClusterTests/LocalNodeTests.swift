import Foundation
import LocalCluster
import MeroHTTP
import MeroKit
import MeroKitTestSupport
import MeroWire
import Testing

@Suite("A single node on this machine", .timeLimit(.minutes(3)))
struct LocalNodeTests {
  private func withNode(_ test: (LocalNode, URL) async throws -> Void) async throws {
    let local = LocalNode(port: 0)
    local.node.awaitOwner()
    let url = try await local.start()
    do { try await test(local, url) } catch {
      await local.stop()
      throw error
    }
    await local.stop()
  }

  private func client(_ url: URL) async throws -> Mero {
    let mero = Mero(config: MeroConfig(baseURL: url, timeout: 60))
    try await mero.authenticate(Credentials(username: "ada", password: "a long password"))
    return mero
  }

  @Test("the login page takes a form and leads back with tokens that work")
  func loginPage() async throws {
    try await withNode { _, url in
      let callback = "http://localhost:3000/back"
      let address = Mero.buildAuthLoginUrl(
        nodeUrl: url.absoluteString, options: AuthLoginOptions(callbackUrl: callback))
      let transport = URLSessionTransport()
      let page = try await transport.send(HTTPRequest(.get, try #require(URL(string: address))))
      #expect(page.status == 200)
      #expect(page.headers["content-security-policy"] != nil)
      let html = String(decoding: try await page.body.collect(upTo: 1 << 20), as: UTF8.self)
      #expect(html.contains(#"<input type="password" name="password""#))

      // What a browser sends back: the query's fields, which stand in the page, and what was typed.
      let query = try #require(address.split(separator: "?").last)
      let form = "\(query)&username=ada&password=a+long+password"
      let answer = try await transport.send(
        HTTPRequest(
          .post, url.appendingPathComponent("auth/login"),
          headers: [
            "content-type": "application/x-www-form-urlencoded", "origin": url.absoluteString,
          ], body: .data(Data(form.utf8))))
      #expect(answer.status == 303)
      let location = try #require(answer.headers["location"])
      #expect(location.hasPrefix(callback + "#"))
      let result = try #require(Mero.parseAuthCallback(location))
      #expect(
        NodeTrust.resolveTrustedNodeURL(candidate: result.nodeUrl, initiated: url.absoluteString)
          == .trusted(url.absoluteString))
      let mero = Mero(config: MeroConfig(baseURL: url, timeout: 60))
      await mero.setTokenData(from: result)
      #expect(try await mero.checkSession() == .live)
      #expect(try await mero.admin.getContexts().contexts.isEmpty)
    }
  }

  @Test("a hostile callback is refused before and after the form")
  func hostileCallback() async throws {
    try await withNode { local, url in
      let transport = URLSessionTransport()
      let query = "callback-url=https%3A%2F%2Fevil.example%2F&mode=admin"
      let page = try #require(URL(string: "\(url.absoluteString)/auth/login?\(query)"))
      #expect(try await transport.send(HTTPRequest(.get, page)).status == 400)
      let form = "\(query)&username=ada&password=a+long+password"
      let answer = try await transport.send(
        HTTPRequest(
          .post, url.appendingPathComponent("auth/login"),
          headers: ["content-type": "application/x-www-form-urlencoded"], body: .data(Data(form.utf8))))
      #expect(answer.status == 400)
      #expect(answer.headers["location"] == nil)
      #expect(local.node.tokenCalls == 0)
    }
  }

  @Test("events stream while they happen, and a stopped node's streams end")
  func events() async throws {
    try await withNode { local, url in
      let context = local.node.makeContext()
      let mero = try await client(url)
      var states = await mero.sse.states.makeAsyncIterator()
      var events = mero.events(contextIds: [context]).makeAsyncIterator()
      try await mero.sse.subscribe(contextIds: [context])
      for number in 1...3 {
        local.node.push(.ofContext(context, "Test", ["number": JSONValue(number)]))
        let event = try await events.next()
        #expect(event?.data["number"]?.int == number)
      }
      await local.pause()
      while let state = await states.next() {
        if case .offline = state { break }
      }
      await mero.close()
    }
  }

  @Test("a stopped node refuses connections; started again it has its users, sessions and contexts")
  func restart() async throws {
    try await withNode { local, url in
      let context = local.node.makeContext()
      let mero = try await client(url)
      await local.pause()
      #expect(await local.isRunning == false)
      #expect(await probeNodeHealth(url.absoluteString) == false)
      try await local.resume()
      #expect(await local.url == url)
      #expect(try await mero.admin.getContexts().contexts.map(\.id) == [context])
    }
  }

  @Test("a blob of several megabytes goes up and comes back")
  func blob() async throws {
    try await withNode { _, url in
      let mero = try await client(url)
      let bytes = Data(MeroRandom.system.bytes(5 << 20))
      let blob = try await mero.admin.uploadBlob(bytes, verified: true)
      #expect(try await mero.admin.downloadBlob(blob.blobId, verified: true) == bytes)
    }
  }

  @Test("a name that leads to this machine and is none of it is refused")
  func rebinding() async throws {
    try await withNode { _, url in
      let client = try RawClient(port: UInt16(try #require(url.port)))
      try await client.send("GET /admin-api/health HTTP/1.1\r\nHost: evil.example\r\n\r\n")
      #expect(try await client.response().status == 421)
      try await client.send("GET /admin-api/health HTTP/1.1\r\nHost: localhost:1\r\n\r\n")
      #expect(try await client.response().status == 200)
    }
  }

  @Test("a taken port is named")
  func takenPort() async throws {
    try await withNode { _, url in
      let port = UInt16(try #require(url.port))
      await #expect(throws: ListenerError.portTaken(port)) { try await LocalNode(port: port).start() }
    }
  }

  @Test("the control listener stops and starts it, sets faults, and says how it stands")
  func control() async throws {
    try await withNode { local, url in
      let cluster = LocalCluster(ports: [0])
      let server = ControlServer(port: 0, cluster: cluster, node: local)
      let base = "http://127.0.0.1:\(try server.start())"
      func post(_ path: String, _ body: String? = nil) async throws -> (Int, JSONValue) {
        let request = HTTPRequest(
          .post, try #require(URL(string: base + path)), body: body.map { .data(Data($0.utf8)) })
        let response = try await URLSessionTransport().send(request)
        return (response.status, try JSONValue(parsing: try await response.body.collect(upTo: 1 << 20)))
      }
      let mero = try await client(url)
      let stopped = try await post("/node/stop")
      #expect(stopped.1["node"]?["running"] == false)
      #expect(stopped.1["node"]?["url"]?.stringValue == url.absoluteString)
      #expect(try await post("/node/start").1["node"]?["running"] == true)

      #expect(try await post("/node/fault", #"{"fault":"expireTokens"}"#).0 == 200)
      #expect(try await mero.checkSession() == .live)
      #expect(local.node.refreshCalls == 1)
      _ = try await post("/node/fault", #"{"fault":"answer","status":418,"route":"GET /admin-api/contexts"}"#)
      let refused = await #expect(throws: MeroError.self) { try await mero.admin.getContexts() }
      #expect(refused?.httpStatus == 418)
      for (path, body, status) in [
        ("/node/fault", #"{"fault":"nope"}"#, 400), ("/node/fault", "", 400), ("/node/explode", "", 404),
        ("/node/fault", #"{"fault":"answer"}"#, 400), ("/node", "", 404),
      ] {
        #expect(try await post(path, body).0 == status, "\(path) \(body)")
      }
      let alone = ControlServer(port: 0, cluster: cluster)
      let port = try alone.start()
      let request = HTTPRequest(.post, try #require(URL(string: "http://127.0.0.1:\(port)/node/stop")))
      #expect(try await URLSessionTransport().send(request).status == 404)
      await alone.stop()
      await server.stop()
    }
  }
}
