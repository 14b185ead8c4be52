import Foundation
import MeroHTTP
import MeroKitTestSupport
import MeroWire
import Testing

@testable import MeroKit

/// Two accounts at two relays in one namespace, from founding to the loss of a relay.
@Suite("Two accounts at two relays", .timeLimit(.minutes(5)))
struct TwoRelaysTests {
  struct Pair {
    let world: AccountWorld
    let alice, bob: DelegatedSession
    let aliceEnv, bobEnv: DelegatedEnvironment
    let namespace, context: String

    /// Alice founds a namespace at the first relay, has it hosted by the second too, and invites bob, who joins there.
    init() async throws {
      world = try AccountWorld()
      alice = try world.account(1, relay: world.one)
      aliceEnv = world.environment()
      bobEnv = world.environment()
      let founded = try await DelegatedAccounts.foundDelegatedNamespace(
        alice, defaultCapabilities: 231, application: world.founding, env: aliceEnv)
      namespace = founded.namespaceId
      try #require(try await world.two.joinFleet(of: namespace))
      world.manager.setRouting(namespace, nodes: [AccountWorld.row(world.two), AccountWorld.row(world.one)])
      context = try await DelegatedAccounts.createDelegatedContext(
        alice, CreateDelegatedContextRequest(namespaceId: namespace, applicationId: world.application),
        env: aliceEnv)

      let aliceClient = try await Self.client(alice, aliceEnv)
      let admin = DelegatedAccounts.createAccountAdmin(
        session: alice, read: try await aliceClient.admin,
        app: AdminAppConfig(packageName: AccountWorld.package.name), env: aliceEnv)
      let invitation = try #require(
        try await admin.createNamespaceInvitation(namespace, request: nil).invitation)
      // It goes by a link.
      let link = InviteLink.url(slug: AccountWorld.package.name, token: InviteCodec.encode(invitation))
      let token = try #require(
        InviteLink.token(fromPasted: link, expectedSlug: AccountWorld.package.name))
      let received = try SignedGroupOpenInvitation(
        json: try #require(InviteCodec.decode(token)?.objectValue))

      let newcomer = try world.account(2)
      let moved = Locked<DelegatedSession?>(nil)
      var deps = AccountAdminDeps.live(bobEnv)
      let env = bobEnv
      deps.join = { namespace, invitation in
        try await DelegatedAccounts.joinAsAccount(
          newcomer, namespaceId: namespace, invitation: invitation, env: env
        ) { session in moved.withLock { $0 = session } }
      }
      let joining = DelegatedAccounts.createAccountAdmin(
        session: newcomer, read: nil, env: bobEnv, deps: deps)
      _ = try await joining.joinNamespace(namespace, request: JoinNamespaceRequest(invitation: received))
      bob = try #require(moved.withLock { $0 })
      await aliceClient.close()
    }

    /// A client whose relay has proven itself.
    static func client(
      _ session: DelegatedSession, _ env: DelegatedEnvironment
    ) async throws -> MeroTransportClient {
      guard let relay = session.relayUrl,
        case .learned = await DelegatedAccounts.attemptRelayNodeKey(relay, env: env)
      else { throw MeroError.network("the relay did not prove itself") }
      return try #require(try DelegatedAccounts.buildDelegatedClient(session, env: env))
    }
  }

  private func set(_ client: MeroTransportClient, _ context: String, _ key: String, _ value: String)
    async throws
  {
    let _: JSONValue = try await client.rpc.execute(
      contextId: context, method: "set_value", argsJson: ["key": .string(key), "value": .string(value)])
  }

  private func get(_ client: MeroTransportClient, _ context: String, _ key: String) async throws -> String? {
    try await client.rpc.execute(contextId: context, method: "get_value", argsJson: ["key": .string(key)])
  }

  @Test("each sees what the other writes, and that the other is there")
  func together() async throws {
    let pair = try await Pair()
    #expect(pair.bob.relayUrl == pair.world.two.url)
    let alice = try await Pair.client(pair.alice, pair.aliceEnv)
    let bob = try await Pair.client(pair.bob, pair.bobEnv)
    try await set(alice, pair.context, "from alice", "hello")
    await pair.world.clock.advance(by: 1)
    #expect(try await get(bob, pair.context, "from alice") == "hello")
    try await set(bob, pair.context, "from bob", "hello back")
    await pair.world.clock.advance(by: 1)
    #expect(try await get(alice, pair.context, "from bob") == "hello back")

    guard case .relay(let alicePresence)? = alice.presence, case .relay(let bobPresence)? = bob.presence
    else {
      Issue.record("a client over a relay has presence")
      return
    }
    struct Typing: Codable, Equatable, Sendable { let typing: Bool }
    var seen = bobPresence.subscribe(contextId: pair.context, as: Typing.self).makeAsyncIterator()
    try await bob.events.subscribe(contextIds: [pair.context])
    try await alicePresence.set(contextId: pair.context, state: Typing(typing: true))
    await pair.world.clock.advance(by: 1)
    let entry = try await seen.next()
    #expect(entry?.state == Typing(typing: true))
    #expect(entry?.account == pair.alice.account)
    await alice.close()
    await bob.close()
    #expect(AccountWorld.reused(pair.world.one, pair.world.two) == [])
    #expect(AccountWorld.plain(pair.world.one) == [] && AccountWorld.plain(pair.world.two) == [])
  }

  @Test("what a device says once is gone at every relay when it has not said it again for seven seconds")
  func presenceEnds() async throws {
    let pair = try await Pair()
    for (session, env, here, there) in [
      (pair.alice, pair.aliceEnv, pair.world.one, pair.world.two),
      (pair.bob, pair.bobEnv, pair.world.two, pair.world.one),
    ] {
      let relay = DelegatedAccounts.relayClient(session, at: here.url, env: env)
      let now = UInt64(pair.world.clock.now.timeIntervalSince1970 * 1000)
      try await relay.presenceIntent(contextId: pair.context, state: [1], seq: now, sentAtMs: now)
      for node in [here.node, there.node] {
        #expect(node.presence(in: pair.context) == [session.keys.signPublicKey: [1]])
      }
      await pair.world.clock.advance(by: 4)
      try await relay.presenceIntent(
        contextId: pair.context, state: [1], seq: now + 4000, sentAtMs: now + 4000)
      await pair.world.clock.advance(by: 6)
      #expect(there.node.presence(in: pair.context).count == 1)
      await pair.world.clock.advance(by: 1.5)
      for node in [here.node, there.node] { #expect(node.presence(in: pair.context).isEmpty) }
    }
  }

  @Test(
    "a relay that goes away and comes back with another key: no write is lost, none runs twice, nothing goes in the open"
  )
  func relayLost() async throws {
    let pair = try await Pair()
    let alice = try await Pair.client(pair.alice, pair.aliceEnv)
    try await set(alice, pair.context, "before", "1")

    // It is gone: a write fails, and says so.
    pair.world.one.node.down()
    await #expect(throws: (any Error).self) { try await set(alice, pair.context, "lost", "2") }
    pair.world.one.node.up()
    await pair.world.one.restart(newNodeKey: true)
    await alice.close()

    // The pin names a key that is no more: what it proves now is learned, and the client built anew.
    guard
      case .learned(let key) = await DelegatedAccounts.attemptRelayNodeKey(
        pair.world.one.url, env: pair.aliceEnv, fresh: true)
    else {
      Issue.record("the relay did not prove its new key")
      return
    }
    #expect(key == pair.world.one.nodeKey)
    let again = try await Pair.client(pair.alice, pair.aliceEnv)
    try await set(again, pair.context, "lost", "2")
    try await set(again, pair.context, "after", "3")
    await pair.world.clock.advance(by: 1)
    let bob = try await Pair.client(pair.bob, pair.bobEnv)
    for (key, value) in [("before", "1"), ("lost", "2"), ("after", "3")] {
      #expect(try await get(again, pair.context, key) == value)
      #expect(try await get(bob, pair.context, key) == value)
    }
    #expect(AccountWorld.reused(pair.world.one, pair.world.two) == [])
    #expect(AccountWorld.plain(pair.world.one) == [])
    await again.close()
    await bob.close()
  }
}
