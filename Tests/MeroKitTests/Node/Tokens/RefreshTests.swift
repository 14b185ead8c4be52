import Foundation
import MeroHTTP
import MeroKitTestSupport
import MeroWire
import Testing

@testable import MeroKit

@Suite("Renewing a session")
struct RefreshTests {
  @Test("500 calls at the same time that meet an expired token make one refresh, and all succeed")
  func storm() async throws {
    let arrived = Locked(0)
    let everybody = Gate()
    let node = TokenNode { _ in
      // Answered only when all 500 have been refused once, so that all of them wait for this refresh.
      try await everybody.wait()
      return nil
    }
    node.expire()
    let counting = ScriptedNode { request in
      let answer = try await node.send(request)
      if answer.status == 401,
        arrived.withLock({
          $0 += 1; return $0
        }) == 500
      {
        everybody.open()
      }
      return answer
    }
    let store = MemoryTokenStore(.first)
    let mero = Mero.over(counting, store: store)
    let answers = try await withThrowingTaskGroup(of: String.self) { group in
      for index in 0..<500 { group.addTask { try await mero.ask(index.isMultiple(of: 2) ? .get : .post) } }
      return try await group.reduce(into: [String]()) { $0.append($1) }
    }
    #expect(answers == Array(repeating: "A2", count: 500))
    #expect(node.refreshes == 1)
    #expect(store.getTokens()?.accessToken == "A2")
    #expect(counting.requests(to: "/thing").count == 1000)
  }

  @Test("a late refusal of an old token is sent again with the new one, and renews nothing")
  func lateRefusal() async throws {
    let node = TokenNode()
    let held = Gate()
    let slow = ScriptedNode { request in
      let answer = try await node.send(request)
      if request.headers["x-slow"] != nil, request.bearer == "A1" { try await held.wait() }
      return answer
    }
    let mero = Mero.over(slow)
    node.expire()
    let late = Task {
      let value: String = try await mero.http.value(NodeRequest(.post, "/thing", headers: ["x-slow": "1"]))
      return value
    }
    #expect(await eventually { slow.requests.count == 1 })
    #expect(try await mero.ask() == "A2")
    held.open()
    #expect(try await late.value == "A2")
    #expect(node.refreshes == 1)
  }

  @Test("new tokens are in the store before anybody uses them")
  func storedFirst() async throws {
    let node = TokenNode()
    node.expire()
    let store = MemoryTokenStore(.first)
    let watching = ScriptedNode { request in
      if request.bearer == "A2" { #expect(store.getTokens()?.accessToken == "A2") }
      return try await node.send(request)
    }
    #expect(try await Mero.over(watching, store: store).ask() == "A2")
  }

  @Test("a refresh whose answer was lost is not presented again, and the tokens stay")
  func lostAnswer() async throws {
    for failure in [TransportError.Kind.lost, .timedOut] {
      let node = TokenNode { _ in throw TransportError(kind: failure, text: "gone", mayHaveBeenSent: true) }
      node.expire()
      let mero = Mero.over(node)
      for _ in 0..<3 {
        await #expect { _ = try await mero.ask() } throws: { TokenNode.isExpired($0) }
      }
      #expect(node.refreshes == 1)
      #expect(await mero.currentTokenData() == .first)
    }
  }

  @Test("a refresh that a proxy or the node broke off is not presented again", arguments: [500, 502, 504])
  func brokenOff(status: Int) async throws {
    let node = TokenNode { _ in .status(status) }
    node.expire()
    let mero = Mero.over(node)
    for _ in 0..<2 { await #expect { _ = try await mero.ask() } throws: { TokenNode.isExpired($0) } }
    #expect(node.refreshes == 1)
  }

  @Test("a refresh that never left, or that the node refused to look at, is tried by the next request")
  func neverLeft() async throws {
    for answer in [nil, 503, 429, 401] {
      let node = ScriptedNode { request in
        guard request.url.path == "/auth/refresh" else {
          return request.bearer == "A2" ? .json(["data": "A2"]) : .status(401, "token_expired")
        }
        if Self.isFirst.withLock({ first in
          defer { first = false }; return first
        }) {
          guard let answer else {
            throw TransportError(kind: .cannotConnect, text: "no network", mayHaveBeenSent: false)
          }
          return .status(answer)
        }
        return .tokens("A2", "R2")
      }
      Self.isFirst.withLock { $0 = true }
      let mero = Mero.over(node)
      await #expect { _ = try await mero.ask(.post) } throws: { TokenNode.isExpired($0) }
      #expect(try await mero.ask(.post) == "A2")
    }
  }
  private static let isFirst = Locked(true)

  @Test("a refresh that ends after logout changes nothing")
  func afterLogout() async throws {
    let begun = Gate(), finish = Gate()
    let node = TokenNode { _ in
      begun.open(); try await finish.wait(); return nil
    }
    node.expire()
    let store = MemoryTokenStore(.first)
    let mero = Mero.over(node, store: store)
    let call = Task { try await mero.ask() }
    try await begun.wait()
    await mero.logout()
    // Whoever waited is let go at once, before the refresh has ended.
    await #expect { _ = try await call.value } throws: { TokenNode.isExpired($0) }
    finish.open()
    #expect(await eventually { node.refreshes == 1 })
    for _ in 0..<200 { await Task.yield() }
    #expect(store.getTokens() == nil)
    #expect(await !mero.isAuthenticated)
  }

  @Test(
    "a refresh that ends after another person's login changes nothing, and nothing is sent in that person's name"
  )
  func afterAnotherLogin() async throws {
    let ada = jwt(["sub": "ada"]), bob = jwt(["sub": "bob"])
    let begun = Gate(), finish = Gate()
    let node = TokenNode { _ in
      begun.open(); try await finish.wait(); return nil
    }
    node.expire()
    let store = MemoryTokenStore(.sample(ada, "R1"))
    let mero = Mero.over(node, store: store)
    let call = Task { try await mero.ask(.post) }
    try await begun.wait()
    await mero.setTokenData(.sample(bob, "S1"))
    finish.open()
    await #expect { _ = try await call.value } throws: { TokenNode.isExpired($0) }
    for _ in 0..<200 { await Task.yield() }
    #expect(store.getTokens() == .sample(bob, "S1"))
    #expect(await mero.currentTokenData() == .sample(bob, "S1"))
    #expect(node.served.isEmpty)
  }

  @Test("a caller that is cancelled leaves at once, and the refresh goes on and is kept")
  func cancelledCaller() async throws {
    let begun = Gate(), finish = Gate()
    let node = TokenNode { _ in
      begun.open(); try await finish.wait(); return nil
    }
    node.expire()
    let store = MemoryTokenStore(.first)
    let mero = Mero.over(node, store: store)
    let call = Task { try await mero.ask() }
    try await begun.wait()
    call.cancel()
    await #expect(throws: CancellationError.self) { _ = try await call.value }
    finish.open()
    #expect(await eventually { store.getTokens()?.accessToken == "A2" })
    #expect(try await mero.ask() == "A2")
    #expect(node.refreshes == 1)
  }

  @Test("tokens that another process has renewed in the store are adopted without asking")
  func otherProcess() async throws {
    let node = TokenNode()
    let store = MemoryTokenStore(.first)
    let mero = Mero.over(node, store: store), other = Mero.over(node, store: store)
    #expect(try await mero.ask() == "A1")
    node.expire()
    #expect(try await other.ask() == "A2")
    #expect(try await mero.ask() == "A2")
    #expect(node.refreshes == 1)
  }

  @Test("two clients over one file, locked by it, never present the same refresh token")
  func sharedFile() async throws {
    let folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("shared-\(UInt64.random(in: .min ... .max))")
    defer { try? FileManager.default.removeItem(at: folder) }
    let store = FileTokenStore(url: folder.appendingPathComponent("tokens.json"))
    store.setTokens(.first)
    let node = TokenNode()
    let clients = (0..<8).map { _ in Mero.over(node, store: store) }
    for client in clients { #expect(try await client.ask() == "A1") }
    node.expire()
    try await withThrowingTaskGroup(of: String.self) { group in
      for client in clients { group.addTask { try await client.ask() } }
      for try await answer in group { #expect(answer == "A2") }
    }
    #expect(node.refreshes == 1)
    #expect(store.getTokens()?.refreshToken == "R2")
  }

  @Test("an answer that tells the session is over ends it once for everyone, and tells why once")
  func revoked() async throws {
    for reason in ["token_revoked", "token_reuse"] {
      let node = TokenNode()
      let told = Locked<[String]>([])
      let store = MemoryTokenStore(.first)
      let mero = Mero.over(node, store: store) {
        $0.onAuthRevoked = { reason in told.withLock { $0.append(reason) } }
      }
      #expect(try await mero.ask() == "A1")
      node.state.withLock { $0.guardError = reason }
      let errors = await withTaskGroup(of: (any Error)?.self) { group in
        for _ in 0..<50 {
          group.addTask { do { _ = try await mero.ask(); return nil } catch { return error } }
        }
        return await group.reduce(into: [(any Error)?]()) { $0.append($1) }
      }
      // A request that began after the end has no bearer, and is refused like any other.
      #expect(errors.allSatisfy { if case MeroError.authRevoked(reason, _)? = $0 { true } else { false } })
      #expect(told.withLock { $0 } == [reason])
      #expect(store.getTokens() == nil)
      #expect(await !mero.isAuthenticated)
      #expect(node.refreshes == 0)
    }
  }

  @Test("a refresh that the node answers with token_reuse logs everyone out who waits, once")
  func reuse() async throws {
    let node = TokenNode { _ in .status(401, "token_reuse") }
    node.expire()
    let told = Locked<[String]>([])
    let store = MemoryTokenStore(.first)
    let mero = Mero.over(node, store: store) {
      $0.onAuthRevoked = { reason in
        told.withLock { $0.append(reason) }
        throw MeroError.noCredentials  // What it throws is ignored.
      }
    }
    await withTaskGroup(of: Void.self) { group in
      for _ in 0..<20 {
        group.addTask {
          await #expect { _ = try await mero.ask() } throws: {
            if case MeroError.authRevoked("token_reuse", _) = $0 { return true }
            // Begun after the end: no bearer.
            return TokenNode.isExpired($0)
          }
        }
      }
    }
    #expect(told.withLock { $0 } == ["token_reuse"])
    #expect(store.getTokens() == nil)
    #expect(node.refreshes == 1)
  }

  @Test("who waits for a refresh while another request learns that the session is over is told the same")
  func revokedWhileRefreshing() async throws {
    let begun = Gate(), finish = Gate()
    let node = TokenNode { _ in
      begun.open(); try await finish.wait(); return nil
    }
    node.expire()
    let mero = Mero.over(node)
    let waiting = Task { try await mero.ask() }
    try await begun.wait()
    node.state.withLock { $0.guardError = "token_revoked" }
    func isRevoked(_ error: any Error) -> Bool {
      if case MeroError.authRevoked("token_revoked", _) = error { true } else { false }
    }
    await #expect { _ = try await mero.ask() } throws: { isRevoked($0) }
    await #expect { _ = try await waiting.value } throws: { isRevoked($0) }
    finish.open()
  }

  @Test("a client that nobody holds any more goes, and its parts with it")
  func released() async throws {
    weak var mero: Mero?
    weak var events: SseConnection?
    do {
      let client = Mero.over(TokenNode()) { $0.onAuthRevoked = { _ in } }
      (mero, events) = (client, await client.sse)
      #expect(try await client.ask() == "A1")
    }
    #expect(await eventually { mero == nil && events == nil })
  }

  @Test("whoever is told of the end may log in again from there")
  func loginFromListener() async throws {
    let node = TokenNode { number in number == 1 ? .status(401, "token_reuse") : nil }
    node.expire()
    let client = Locked<Mero?>(nil)
    let mero = Mero.over(node) {
      $0.credentials = Credentials(username: "ada", password: "correct horse")
      $0.onAuthRevoked = { _ in try await client.withLock { $0 }?.authenticate() }
    }
    client.withLock { $0 = mero }
    await #expect {
      _ = try await mero.ask()
    } throws: { error in
      if case MeroError.authRevoked = error { true } else { false }
    }
    #expect(try await mero.ask() == "login-A")
  }

  @Test("a request that brings its own Authorization is neither refreshed nor repeated")
  func ownAuthorization() async throws {
    let node = ScriptedNode { _ in .status(401, "token_expired") }
    let mero = Mero.over(node)
    let request = NodeRequest(.get, "/thing", headers: ["Authorization": "Bearer mine"])
    await #expect { _ = try await mero.http.send(request) } throws: { TokenNode.isExpired($0) }
    #expect(node.requests.map(\.bearer) == ["mine"])
    let busy = ScriptedNode { _ in .status(503) }
    let other = Mero.over(busy)
    await #expect(throws: MeroError.self) { _ = try await other.http.send(request) }
    #expect(busy.requests.count == 1)
  }

  @Test("the end of a token that a request brought itself does not end the session")
  func ownRevoked() async throws {
    let node = ScriptedNode { _ in .status(403, "token_revoked") }
    let mero = Mero.over(node)
    let request = NodeRequest(.get, "/thing", headers: ["authorization": "Bearer mine"])
    await #expect(throws: MeroError.self) { _ = try await mero.http.send(request) }
    #expect(await mero.isAuthenticated)
  }

  @Test("a token that is refused again after the refresh is not renewed twice")
  func secondRefusal() async throws {
    let node = ScriptedNode { request in
      request.url.path == "/auth/refresh" ? .tokens("A2", "R2") : .status(401, "token_expired")
    }
    let mero = Mero.over(node)
    await #expect { _ = try await mero.ask() } throws: { TokenNode.isExpired($0) }
    #expect(node.requests.map(\.url.path) == ["/thing", "/auth/refresh", "/thing"])
  }

  @Test("a session without a refresh token gets the refusal it was given")
  func accessOnly() async throws {
    let node = TokenNode()
    node.expire()
    let mero = Mero.over(node, store: MemoryTokenStore(.sample("A1", "")))
    await #expect { _ = try await mero.ask() } throws: { TokenNode.isExpired($0) }
    #expect(node.refreshes == 0)
  }

  @Test("time spent on the refresh counts: when none is left the first refusal is thrown, not a timeout")
  func budget() async throws {
    let clock = FakeClock()
    let node = TokenNode { _ in
      clock.jump(by: 9.5); return nil
    }
    node.expire()
    let slow = ScriptedNode { request in
      if request.url.path == "/thing" { clock.jump(by: 0.6) }
      return try await node.send(request)
    }
    let mero = Mero.over(slow, clock: clock)
    await #expect { _ = try await mero.ask() } throws: { TokenNode.isExpired($0) }
    #expect(slow.requests.map(\.url.path) == ["/thing", "/auth/refresh"])
    #expect(await mero.currentTokenData()?.accessToken == "A2")
  }

  @Test("a store that cannot be written leaves the session in memory, and its old pair is never presented")
  func brokenStore() async throws {
    struct ReadOnly: TokenStore {
      func getTokens() -> TokenData? { .first }
      func setTokens(_ tokens: TokenData) {}
      func clear() {}
    }
    let node = TokenNode()
    let mero = Mero.over(node, store: ReadOnly())
    for _ in 2..<5 {
      node.expire()
      #expect(try await mero.ask() == "A\(node.state.withLock { $0.good })")
    }
    #expect(node.refreshes == 3)
  }

  @Test("an opened stream is renewed like a request")
  func stream() async throws {
    let node = TokenNode()
    node.expire()
    let mero = Mero.over(node)
    let response = try await mero.http.open(NodeRequest(.get, "/sse", idleTimeout: 60))
    #expect(response.status == 200)
    #expect(node.served == ["A2"])
  }

  @Test("a refresh is a single request without a bearer, with the pair in its body")
  func refreshRequest() async throws {
    let node = ScriptedNode { request in
      request.url.path == "/auth/refresh"
        ? .tokens("A2", "R2") : request.bearer == "A2" ? .json(["data": "A2"]) : .status(401, "token_expired")
    }
    _ = try await Mero.over(node).ask()
    let refresh = try #require(node.requests(to: "/auth/refresh").first)
    #expect(refresh.method == .post && refresh.headers["authorization"] == nil)
    #expect(refresh.json == ["access_token": "A1", "refresh_token": "R1"])
  }
}
