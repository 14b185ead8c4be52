import Foundation
import MeroHTTP
import MeroKitTestSupport
import Testing

@testable import MeroKit

@Suite("Consent against a cluster")
struct ConsentClusterTests {
  private let rig = SessionRig()
  private let person: CalimeroClient
  private let app: String
  private let redirectUri = "numbers://consent"
  private let package = "com.example.numbers"

  init() async throws {
    person = rig.client()
    app = try await rig.app(person)
    rig.cloud.setRedirectUris(["numbers://consent", "http://127.0.0.1/back"], of: "com.example.numbers")
  }

  private func begin(
    _ client: CalimeroClient, scopes: [String] = ["apps:read", "apps:call", "apps:view"]
  ) async throws -> ConsentFlow {
    try await client.beginConsent(package: package, scopes: scopes, redirectUri: redirectUri)
  }

  private func approve(
    _ flow: ConsentFlow, scopes: [String] = ["apps:read", "apps:call"]
  ) async throws -> URL {
    let answer = try await person.consent.approve(
      request: flow.requestId, scopes: scopes, passkey: rig.passkey)
    return try #require(URL(string: answer.redirectUrl))
  }

  private func changed(_ flow: ConsentFlow, _ field: String, _ value: String) throws -> ConsentFlow {
    let written = try JSONEncoder().encode(flow)
    var fields = try #require(JSONSerialization.jsonObject(with: written) as? [String: Any])
    fields[field] = value
    return try JSONDecoder().decode(ConsentFlow.self, from: JSONSerialization.data(withJSONObject: fields))
  }

  @Test("70 §2.27 #22: a person's yes signs the app in, with what was granted and no more")
  func yes() async throws {
    let client = rig.client()
    let flow = try await begin(client)
    #expect(flow.url.absoluteString == "\(rig.origin)/consent?request=\(flow.requestId)")
    let account = try await client.finishConsent(flow, callback: try await approve(flow))
    #expect(account.name == "ada")
    #expect(await client.account == account)
    _ = try await client.call(app, "count")
    await #expect {
      try await client.view(app, "next")
    } throws: { ($0 as? CalimeroError)?.code == .scopeMissing }
    #expect(await client.isSignedIn)
    // The session is renewed like any other, and ends with the grant.
    await rig.clock.advance(by: 1000)
    _ = try await client.call(app, "count")
    let grants = try await person.consent.grantList().grants
    #expect(grants.map(\.scopes) == [["apps:read", "apps:call"]])
    try await person.consent.grantRevoke(grant: try #require(grants.first).grantId)
    await #expect(throws: CalimeroError.self) { try await client.call(app, "count") }
    #expect(await !client.isSignedIn)
    #expect(rig.cloud.violations.isEmpty)
    #expect(rig.cloud.unfitRequests == [])
  }

  @Test("70 §2.27 #22: a person's no is a denial, and the flow is spent")
  func no() async throws {
    let client = rig.client()
    let flow = try await begin(client)
    let answer = try await person.consent.deny(request: flow.requestId)
    let callback = try #require(URL(string: answer.redirectUrl))
    await #expect(throws: CalimeroError.consent(.denied)) {
      try await client.finishConsent(flow, callback: callback)
    }
    await #expect(throws: CalimeroError.consent(.expired)) {
      try await client.finishConsent(flow, callback: callback)
    }
    #expect(await !client.isSignedIn)
    #expect(rig.cloud.log.requests("consent_token").isEmpty)
    #expect(rig.cloud.violations.isEmpty)
    #expect(rig.cloud.unfitRequests == [])
  }

  @Test("70 §2.27 #22: another flow's state is refused before anything is sent, and the flow is spent")
  func wrongState() async throws {
    let client = rig.client()
    let (flow, other) = (try await begin(client), try await begin(client))
    let callback = try await approve(flow)
    await #expect(throws: CalimeroError.consent(.stateMismatch)) {
      try await client.finishConsent(other, callback: callback)
    }
    await #expect(throws: CalimeroError.consent(.expired)) {
      try await client.finishConsent(other, callback: callback)
    }
    #expect(rig.cloud.log.requests("consent_token").isEmpty)
    _ = try await client.finishConsent(flow, callback: callback)
  }

  @Test("70 §2.27 #22: a stolen code is worth nothing without the verifier, and worth nothing after")
  func wrongVerifier() async throws {
    let client = rig.client()
    let flow = try await begin(client)
    let callback = try await approve(flow)
    let thief = rig.client()
    let guess = try changed(flow, "codeVerifier", String(repeating: "A", count: 43))
    await #expect {
      try await thief.finishConsent(guess, callback: callback)
    } throws: { ($0 as? CalimeroError)?.code == .unauthenticated }
    #expect(await !thief.isSignedIn)
    await #expect(throws: CalimeroError.consent(.expired)) {
      try await client.finishConsent(flow, callback: callback)
    }
    #expect(rig.cloud.violations.isEmpty)
    #expect(rig.cloud.unfitRequests == [])
  }

  @Test(
    "70 §2.27 #22: a code is good once: a repeat within its minute is the same session, a later one is refused"
  )
  func codeTwice() async throws {
    let stores = (0..<3).map { _ in MemorySessionStore() }
    let client = rig.client(store: stores[0])
    let flow = try await begin(client)
    let callback = try await approve(flow)
    _ = try await client.finishConsent(flow, callback: callback)
    await #expect(throws: CalimeroError.consent(.expired)) {
      try await client.finishConsent(flow, callback: callback)
    }
    _ = try await rig.client(store: stores[1]).finishConsent(flow, callback: callback)
    let sessions = [await stores[0].load(), await stores[1].load()].map { $0?.session.sessionId }
    #expect(sessions[0] == sessions[1])
    await rig.clock.advance(by: 61)
    await #expect(throws: CalimeroError.consent(.expired)) {
      try await rig.client(store: stores[2]).finishConsent(flow, callback: callback)
    }
    #expect(await stores[2].load() == nil)
    #expect(rig.cloud.violations.isEmpty)
    #expect(rig.cloud.unfitRequests == [])
  }

  @Test("70 §2.27 #22: an app that was ended in between goes on with the flow it wrote out")
  func restarted() async throws {
    let store = MemorySessionStore()
    let written = try JSONEncoder().encode(try await begin(rig.client(store: store)))
    let flow = try JSONDecoder().decode(ConsentFlow.self, from: written)
    let client = rig.client(store: store)
    let account = try await client.finishConsent(flow, callback: try await approve(flow))
    #expect(account.name == "ada")
    #expect(try await rig.client(store: store).restore() == account)
    #expect(rig.cloud.violations.isEmpty)
    #expect(rig.cloud.unfitRequests == [])
  }

  @Test(
    "a lost answer to the exchange is asked for again, and an exchange that reached nobody may be tried again"
  )
  func lostExchange() async throws {
    let client = rig.client()
    let flow = try await begin(client)
    let callback = try await approve(flow)
    for node in rig.cloud.nodes { node.refuse() }
    await #expect(throws: CalimeroError.self) { try await client.finishConsent(flow, callback: callback) }
    for node in rig.cloud.nodes { node.up() }
    rig.cloud.nodes[0].loseAnswer(operation: "consent_token")
    _ = try await client.finishConsent(flow, callback: callback)
    #expect(rig.cloud.log.requests("consent_token").compactMap(\.status) == [200])
  }

  @Test("a consented session replaces the one before it, which is revoked")
  func replaces() async throws {
    let store = MemorySessionStore()
    let client = rig.client(store: store)
    try await client.signIn(rig.passkey)
    let old = try #require(await store.load())
    let flow = try await begin(client)
    _ = try await client.finishConsent(flow, callback: try await approve(flow))
    await #expect(throws: CalimeroError.self) {
      try await rig.client(store: MemorySessionStore(old)).orgs.list()
    }
    #expect(await store.load()?.session.scopes == ["apps:read", "apps:call"])
  }

  @Test(
    "a callback delivered again to an app that was started anew brings its session again, and revokes nothing"
  )
  func deliveredAgain() async throws {
    let store = MemorySessionStore()
    let flow = try await begin(rig.client(store: store))
    let callback = try await approve(flow)
    let account = try await rig.client(store: store).finishConsent(flow, callback: callback)
    rig.cloud.clearLog()
    let again = rig.client(store: store)
    #expect(try await again.finishConsent(flow, callback: callback) == account)
    #expect(rig.cloud.log.requests("auth_signout").isEmpty)
    _ = try await again.call(app, "count")
    #expect(await again.isSignedIn)
  }

  @Test("of two calls that finish one flow at once, one signs in and the other is told that it is over")
  func twoAtOnce() async throws {
    let client = rig.client()
    let flow = try await begin(client)
    let callback = try await approve(flow)
    rig.cloud.clearLog()
    let ends = await withTaskGroup(of: CalimeroError?.self) { group in
      for _ in 0..<2 {
        group.addTask {
          await calimeroError { _ = try await client.finishConsent(flow, callback: callback) }
        }
      }
      return await group.reduce(into: [CalimeroError?]()) { $0.append($1) }
    }
    #expect(ends.compactMap { $0 } == [.consent(.expired)])
    #expect(rig.cloud.log.requests("consent_token").count == 1)
    _ = try await client.call(app, "count")
  }

  @Test("an answer that is the flow's and says neither yes nor no spends it; one that is nobody's does not")
  func neither() async throws {
    let client = rig.client()
    let flow = try await begin(client)
    let callback = try await approve(flow)
    let strange = try #require(URL(string: "\(redirectUri)?code=guessed"))
    await #expect(throws: CalimeroError.consent(.badCallback)) {
      try await client.finishConsent(flow, callback: strange)
    }
    let broken = try #require(URL(string: "\(redirectUri)?state=\(flow.state)&error=server_error"))
    await #expect(throws: CalimeroError.consent(.badCallback)) {
      try await client.finishConsent(flow, callback: broken)
    }
    await #expect(throws: CalimeroError.consent(.expired)) {
      try await client.finishConsent(flow, callback: callback)
    }
    #expect(rig.cloud.log.requests("consent_token").isEmpty)
  }

  @Test("a redirect address that the deployment does not list is refused, but for the port of a loopback one")
  func redirects() async throws {
    let client = rig.client()
    for address in [
      "numbers://other", "numbers://consent/", "https://evil.example/", "http://127.0.0.1:9/other",
      "http://localhost/back", "javascript:alert(1)",
    ] {
      await #expect {
        try await client.beginConsent(package: package, scopes: ["apps:read"], redirectUri: address)
      } throws: { ($0 as? CalimeroError)?.code == .invalidArgument }
    }
    let flow = try await client.beginConsent(
      package: package, scopes: ["apps:read"], redirectUri: "http://127.0.0.1:49152/back")
    let callback = try await approve(flow, scopes: ["apps:read"])
    #expect(callback.absoluteString.hasPrefix("http://127.0.0.1:49152/back?code="))
    _ = try await client.finishConsent(flow, callback: callback)
  }

  @Test("a flow says nothing of its secrets")
  func quiet() async throws {
    let flow = try await begin(rig.client())
    var dumped = ""
    dump(flow, to: &dumped)
    for text in ["\(flow)", String(reflecting: flow), dumped] {
      #expect(!text.contains(flow.state))
      #expect(!text.contains(flow.codeVerifier))
    }
  }
}
