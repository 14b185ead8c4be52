import Foundation
import MeroHTTP
import MeroKitTestSupport
import Testing

@testable import MeroKit

@Suite("Sessions against a cluster")
struct SessionClusterTests {
  @Test(
    "70 §2.27 #11: 50 calls at once with an expired access token make one refresh, and all succeed")
  func oneRefresh() async throws {
    let rig = SessionRig()
    let client = rig.client()
    let app = try await rig.app(client)
    await rig.clock.advance(by: 1000)
    rig.cloud.clearLog()
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<50 { group.addTask { _ = try await client.call(app, "count") } }
      try await group.waitForAll()
    }
    #expect(rig.cloud.log.requests("auth_refresh").map(\.status) == [200])
    #expect(rig.cloud.log.requests("app_call").allSatisfy { $0.status == 200 })
    #expect(rig.cloud.runs(of: "count", in: app) == 50)
    #expect(rig.cloud.violations.isEmpty)
    #expect(rig.cloud.unfitRequests == [])
  }

  @Test("70 §2.27 #11: the same when only the nodes know that the token is over")
  func oneRefreshAfterRefusal() async throws {
    let rig = SessionRig()
    // A client whose clock stands still takes its token for fresh.
    let client = rig.client(clock: FakeClock(autoAdvance: 2))
    let app = try await rig.app(client)
    await rig.clock.advance(by: 1000)
    rig.cloud.clearLog()
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<50 { group.addTask { _ = try await client.call(app, "count") } }
      try await group.waitForAll()
    }
    #expect(rig.cloud.log.requests("auth_refresh").count == 1)
    #expect(rig.cloud.runs(of: "count", in: app) == 50)
  }

  @Test("70 §2.27 #11: a lost refresh answer is asked for again, and the session survives")
  func lostRefresh() async throws {
    let rig = SessionRig()
    let store = MemorySessionStore()
    let client = rig.client(store: store)
    let app = try await rig.app(client)
    await rig.clock.advance(by: 1000)
    rig.cloud.clearLog()
    for node in rig.cloud.nodes.prefix(2) { node.loseAnswer(operation: "auth_refresh") }
    _ = try await client.call(app, "count")
    #expect(rig.cloud.log.requests("auth_refresh").map(\.status) == [nil, nil, 200])
    #expect(await client.isSignedIn)
    // What is kept is what the cluster gave last: a client over the same store can go on with it.
    await rig.clock.advance(by: 1000)
    _ = try await rig.client(store: store).call(app, "count")
  }

  @Test("70 §2.27 #11: the old token again after 10 s signs out, clears the store and says reused")
  func reused() async throws {
    let rig = SessionRig()
    let store = MemorySessionStore()
    let client = rig.client(store: store)
    let app = try await rig.app(client)
    let stolen = MemorySessionStore(await store.load())
    await rig.clock.advance(by: 1000)
    _ = try await client.call(app, "count")
    await rig.clock.advance(by: 11)
    let other = rig.client(store: stolen)
    var changes = other.authChanges.makeAsyncIterator()
    #expect(await changes.next() == .signedIn(try #require(await client.account)))
    await #expect(throws: CalimeroError.signedOut(.reused)) { try await other.call(app, "count") }
    #expect(await changes.next() == .signedOut(.reused))
    #expect(await stolen.load() == nil)
    #expect(await !other.isSignedIn)
    // The cluster ended the whole session: the client it was taken from learns it with its next request.
    await #expect(throws: CalimeroError.self) { try await client.call(app, "count") }
    #expect(await store.load() == nil)
  }

  @Test(
    "70 §2.27 #13: two clients over one file store do not revoke each other with their refreshes")
  func sharedFile() async throws {
    let path = FileManager.default.temporaryDirectory
      .appendingPathComponent("shared-\(UInt64.random(in: .min ... .max))").path
    defer { try? FileManager.default.removeItem(atPath: path) }
    let rig = SessionRig()
    let first = rig.client(store: FileSessionStore("\(path)/session.json"))
    let app = try await rig.app(first)
    let second = rig.client(nodes: [1, 2, 0], store: FileSessionStore("\(path)/session.json"))
    _ = try await second.call(app, "count")
    for _ in 0..<4 {
      await rig.clock.advance(by: 1000)
      rig.cloud.clearLog()
      try await withThrowingTaskGroup(of: Void.self) { group in
        for client in [first, second, first, second] {
          group.addTask { _ = try await client.call(app, "count") }
        }
        try await group.waitForAll()
      }
      #expect(rig.cloud.log.requests("auth_refresh").count == 1)
    }
    #expect(rig.cloud.violations.isEmpty)
    #expect(rig.cloud.unfitRequests == [])
  }

  @Test("signing out clears the store, tells the cluster and fails what comes after")
  func signOut() async throws {
    let rig = SessionRig()
    let store = MemorySessionStore()
    let client = rig.client(store: store)
    let app = try await rig.app(client)
    await client.signOut()
    #expect(await store.load() == nil)
    #expect(rig.cloud.log.requests("auth_signout").map(\.status) == [204])
    #expect(await client.account == nil)
    await #expect(throws: CalimeroError.signedOut(.signedOut)) {
      try await client.view(app, "next")
    }
  }

  @Test("signing out when the access token is over ends the session at the cluster too")
  func lateSignOut() async throws {
    let rig = SessionRig()
    let store = MemorySessionStore()
    let client = rig.client(store: store)
    _ = try await rig.app(client)
    let copied = MemorySessionStore(await store.load())
    await rig.clock.advance(by: 3600)
    await client.signOut()
    #expect(await store.load() == nil)
    #expect(rig.cloud.log.requests("auth_signout").map(\.status) == [401, 204])
    await #expect(throws: CalimeroError.signedOut(.revoked)) {
      try await rig.client(store: copied).orgs.list()
    }
  }

  @Test("signing out does not fail, and does not try twice, when no node can be reached")
  func signOutOffline() async throws {
    let rig = SessionRig()
    let store = MemorySessionStore()
    let client = rig.client(store: store)
    _ = try await rig.app(client)
    for node in rig.cloud.nodes { node.refuse() }
    rig.cloud.clearLog()
    await client.signOut()
    #expect(await store.load() == nil)
    #expect(rig.cloud.log.outer.count <= 1)
  }

  @Test("signing in again replaces the session once the new one is there, and revokes the old one")
  func signInAgain() async throws {
    let rig = SessionRig()
    let store = MemorySessionStore()
    let client = rig.client(store: store)
    _ = try await rig.app(client)
    let old = try #require(await store.load())
    let account = try await client.signIn(rig.passkey)
    #expect(account.name == "ada")
    #expect(await store.load()?.session.sessionId != old.session.sessionId)
    let revoked = rig.client(store: MemorySessionStore(old))
    await #expect(throws: CalimeroError.self) { try await revoked.orgs.list() }
    _ = try await client.orgs.list()
  }

  @Test("a sign-in that fails leaves the session that was there")
  func failedSignIn() async throws {
    let rig = SessionRig()
    let client = rig.client()
    _ = try await rig.app(client)
    await #expect(throws: CalimeroError.passkey(.noCredential)) {
      try await client.signIn(SoftPasskey())
    }
    _ = try await client.orgs.list()
  }

  @Test("a session is restored from its store without a word to any node")
  func restore() async throws {
    let rig = SessionRig()
    let store = MemorySessionStore()
    _ = try await rig.app(rig.client(store: store))
    rig.cloud.clearLog()
    let client = rig.client(store: store)
    #expect(try await client.restore()?.name == "ada")
    #expect(await client.isSignedIn)
    #expect(rig.cloud.log.outer.isEmpty)
    _ = try await client.orgs.list()
  }

  @Test("with an API key the store is not read")
  func apiKey() async throws {
    let rig = SessionRig()
    let store = MemorySessionStore()
    _ = try await rig.app(rig.client(store: store))
    let client = rig.client(store: store) { $0.apiKey = "cmk_something" }
    #expect(try await client.restore() == nil)
    #expect(await !client.isSignedIn)
  }
}
