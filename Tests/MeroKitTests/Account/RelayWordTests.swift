import Foundation
import MeroHTTP
import MeroKitTestSupport
import MeroWire
import Testing

@testable import MeroKit

/// What a relay says decides nothing that this device knows better.
@Suite("The word of a relay", .timeLimit(.minutes(3)))
struct RelayWordTests {
  private static let victim = AccountFixture.id(0x66)

  @Test("a subgroup that was made is the one that was signed, whatever the relay calls it")
  func otherGroup() async throws {
    let relay = WillingRelay.answering { request in
      request.method == .post ? ["data": ["groupId": .string(Self.victim)]] : nil
    }
    let env = WillingRelay.environment(relay)
    let session = try AccountFixture.session(relay: WillingRelay.url)
    DelegatedAccounts.rememberRelay(
      session.account, relayURL: WillingRelay.url, namespaceId: WillingRelay.namespace, store: env.store)
    DelegatedAccounts.rememberGroupNamespace(
      session.account, groupId: Self.victim, namespaceId: AccountFixture.id(0x77), store: env.store)
    let base = try #require(URL(string: WillingRelay.url))
    let admin = DelegatedAccounts.createAccountAdmin(
      session: session,
      read: AdminApi(http: NodeHTTP(baseURL: base, transport: relay, clock: env.clock)), env: env)
    _ = try? await admin.createGroupInNamespace(
      WillingRelay.namespace, request: CreateGroupInNamespaceRequest(groupName: "team"))
    // A warrant for it would rename a group that this account governs elsewhere.
    #expect(!relay.requests.contains { $0.method == .post && $0.url.path.contains(Self.victim) })
    #expect(
      DelegatedAccounts.namespaceOfGroup(session, groupId: Self.victim, store: env.store)
        == AccountFixture.id(0x77))
  }

  @Test("a relay does not take over a context of another relay by saying that it has made it")
  func otherContext() async throws {
    let relay = WillingRelay.answering { request in
      guard request.method == .post else { return nil }
      return [
        "data": [
          "contextId": .string(Self.victim), "groupId": .string(WillingRelay.namespace),
          "memberPublicKey": "",
        ]
      ]
    }
    let env = WillingRelay.environment(relay)
    let session = try AccountFixture.session(relay: WillingRelay.url)
    DelegatedAccounts.rememberRelay(
      session.account, relayURL: "https://honest.test", contextId: Self.victim, store: env.store)
    _ = try? await DelegatedAccounts.createDelegatedContext(
      session,
      CreateDelegatedContextRequest(namespaceId: WillingRelay.namespace, applicationId: AccountFixture.id(5)),
      env: env)
    #expect(
      DelegatedAccounts.relayForContext(session.account, contextId: Self.victim, store: env.store)
        == "https://honest.test")
  }

  @Test("a relay that calls a group of another relay the context's own has nothing signed for that group")
  func groupElsewhere() async throws {
    let elsewhere = AccountFixture.id(0x77)
    let relay = WillingRelay.answering { request in
      request.url.path.hasSuffix("/group") ? ["data": .string(Self.victim)] : nil
    }
    let env = WillingRelay.environment(relay)
    let session = try AccountFixture.session(relay: WillingRelay.url)
    DelegatedAccounts.rememberRelay(
      session.account, relayURL: "https://honest.test", namespaceId: elsewhere, store: env.store)
    DelegatedAccounts.rememberGroupNamespace(
      session.account, groupId: Self.victim, namespaceId: elsewhere, store: env.store)
    let base = try #require(URL(string: WillingRelay.url))
    let signed = Locked<[String]>([])
    var deps = AccountAdminDeps.live(env)
    deps.governRoot = { _, group, _ in
      signed.withLock { $0.append(group) }
      return group
    }
    let admin = DelegatedAccounts.createAccountAdmin(
      session: session,
      read: AdminApi(http: NodeHTTP(baseURL: base, transport: relay, clock: env.clock)), env: env, deps: deps)
    _ = try? await admin.joinContext(AccountFixture.id(0x10))
    #expect(signed.withLock { $0 } == [])
  }

  private struct FullDisk: WarrantNonceStore {
    func next(relay: String) throws -> UInt64 { throw AccountError.invalidInput("the disk is full") }
    func advance(relay: String, to floor: UInt64) throws {
      throw AccountError.invalidInput("the disk is full")
    }
  }

  @Test("a context that was made is answered and remembered, also where no number can be written")
  func unwritableNonces() async throws {
    let made = AccountFixture.id(0x55)
    let relay = WillingRelay.answering { request in
      guard request.method == .post else { return nil }
      return [
        "data": [
          "contextId": .string(made), "groupId": .string(WillingRelay.namespace), "memberPublicKey": "",
        ]
      ]
    }
    let env = WillingRelay.environment(relay, nonces: FullDisk())
    let session = try AccountFixture.session(relay: WillingRelay.url)
    let answered = try? await DelegatedAccounts.createDelegatedContext(
      session,
      CreateDelegatedContextRequest(namespaceId: WillingRelay.namespace, applicationId: AccountFixture.id(5)),
      env: env)
    #expect(answered == made)
    #expect(
      DelegatedAccounts.relayForContext(session.account, contextId: made, store: env.store)
        == WillingRelay.url)
  }

  // MARK: Lists

  @Test("a list without an end is given up")
  func endlessList() async throws {
    let pages = Locked(0)
    let relay = WillingRelay.answering { request in
      guard request.url.path.hasSuffix("/members") else { return nil }
      let page = pages.withLock { pages in
        pages += 1
        return pages
      }
      // So that the test ends.
      guard page <= 60 else { throw AccountError.noRelay("enough") }
      return [
        "members": .array(
          (0..<1000).map { number in
            ["identity": .string(String(format: "%064x", page * 1000 + number)), "role": "Member"]
          })
      ]
    }
    let base = try #require(URL(string: WillingRelay.url))
    let admin = AdminApi(http: NodeHTTP(baseURL: base, transport: relay, clock: FakeClock().clock))
    _ = try? await admin.allGroupMembers(WillingRelay.namespace)
    #expect(pages.withLock { $0 } <= 60)
  }

  @Test("a founding whose answer was lost is told with the id of what may have been founded")
  func lostFounding() async throws {
    let world = try AccountWorld()
    let session = try world.account(1, relay: world.one)
    world.one.dropConnection("POST /admin-api/groups/{group_id}/governance-intents")
    var said = ""
    do {
      try await DelegatedAccounts.foundDelegatedNamespace(session, env: world.environment())
    } catch { said = "\(error)" }
    let post = try #require(
      world.one.log.first { $0.method == "POST" && $0.path.hasSuffix("/governance-intents") })
    let namespace = try #require(post.path.split(separator: "/").dropLast().last)
    #expect(said.contains(namespace), "\(said)")
  }

  // MARK: Secrets

  @Test("a token that no header can hold is no login")
  func unusableToken() async throws {
    let relay = WillingRelay.answering { request in
      request.url.path.hasSuffix("/auth/token") ? ["access_token": "a\r\nx-more: b"] : nil
    }
    let session = try AccountFixture.session(relay: WillingRelay.url)
    await #expect(throws: AccountError.self) {
      try await RelayLogin.login(
        relayURL: WillingRelay.url, nodeKey: AccountFixture.id(4), credential: session.credential,
        keys: session.keys, env: WillingRelay.environment(relay))
    }
  }

  @Test("a dump of what reads at a relay shows no token, also after a renewal")
  func dumped() async throws {
    let relay = ScriptedNode { request in
      switch request.url.path {
      case "/auth/refresh":
        .json(["data": ["access_token": "second-access", "refresh_token": "second-refresh"]])
      case _ where request.headers["authorization"] == "Bearer first-access":
        HTTPResponse(
          status: 401, headers: ["x-auth-error": "token_expired"], body: HTTPBody(Data()))
      default: .json(["data": ["contexts": []]])
      }
    }
    let base = try #require(URL(string: WillingRelay.url))
    let mero = Mero(config: MeroConfig(baseURL: base, clock: FakeClock().clock), transport: relay)
    await mero.setTokenData(
      TokenData(
        accessToken: "first-access", refreshToken: "first-refresh",
        expiresAt: Date(timeIntervalSince1970: 2_000_000_000)))
    _ = try await mero.admin.getContexts()
    #expect(relay.requests(to: "/auth/refresh").count == 1)
    var text = ""
    dump(mero, to: &text)
    for secret in ["first-access", "first-refresh", "second-access", "second-refresh"] {
      #expect(!text.contains(secret), "\(secret)")
    }
  }
}
