import Foundation
import MeroHTTP
import MeroKitTestSupport
import MeroWire
import Testing

@testable import MeroKit

@Suite("What an account finds at its relays", .timeLimit(.minutes(5)))
struct ListingTests {
  /// An account that is a member of a namespace at each of two relays that know nothing of each other.
  private struct Apart {
    let world: AccountWorld
    let session: DelegatedSession
    let env: DelegatedEnvironment
    let contexts: [String]
    let namespaces: [String]

    init() throws {
      world = try AccountWorld()
      world.one.node.unlink(world.two.node)
      env = world.environment()
      session = try world.account(1, relay: world.one)
      let relays = [world.one, world.two]
      let made = relays.map { relay -> (String, String) in
        let namespace = relay.node.makeNamespace(of: AccountWorld.package)
        return (namespace, relay.node.makeContext(of: AccountWorld.package, in: namespace))
      }
      for (relay, (namespace, _)) in zip(relays, made) { relay.addMember(session.account, to: namespace) }
      namespaces = made.map(\.0)
      contexts = made.map(\.1)
      DelegatedAccounts.rememberRelay(
        session.account, relayURL: world.two.url, namespaceId: namespaces[1], store: env.store)
    }
  }

  @Test("contexts of all relays come tagged with theirs, which is remembered")
  func all() async throws {
    let apart = try Apart()
    let found = await DelegatedAccounts.listDelegatedContexts(apart.session, env: apart.env)
    #expect(found.map(\.context.id) == apart.contexts)
    #expect(found.map(\.relayURL) == [apart.world.one.url, apart.world.two.url])
    for (context, relay) in zip(apart.contexts, [apart.world.one, apart.world.two]) {
      let known = DelegatedAccounts.relayForContext(
        apart.session.account, contextId: context, store: apart.env.store)
      #expect(known == relay.url)
    }
  }

  @Test("40 §19 #36: a relay that cannot be reached is passed over")
  func unreachable() async throws {
    let apart = try Apart()
    apart.world.one.node.down()
    let found = await DelegatedAccounts.listDelegatedContexts(apart.session, env: apart.env)
    #expect(found.map(\.context.id) == [apart.contexts[1]])
    #expect(found.first?.relayURL == apart.world.two.url)
  }

  @Test(
    "40 §19 #37: a namespace that two relays list comes once, and stays with the relay that is remembered")
  func listedTwice() async throws {
    let world = try AccountWorld()
    let env = world.environment()
    let session = try world.account(1, relay: world.one)
    let founded = try await DelegatedAccounts.foundDelegatedNamespace(session, env: env)
    try #require(try await world.two.joinFleet(of: founded.namespaceId))
    DelegatedAccounts.rememberRelay(
      session.account, relayURL: world.two.url, namespaceId: founded.namespaceId, store: env.store)
    let found = await DelegatedAccounts.listDelegatedNamespaces(session, env: env)
    #expect(found.map(\.namespace.namespaceId) == [founded.namespaceId])
    #expect(found.first?.relayURL == world.one.url)
    #expect(
      DelegatedAccounts.readRelayMap(session.account, store: env.store).namespaces
        == [founded.namespaceId: world.two.url])
  }

  @Test("40 §19 #38: a relay that does not prove itself is not logged in to")
  func refused() async throws {
    let apart = try Apart()
    apart.world.one.failAttestation(.wrongKey)
    let found = await DelegatedAccounts.listDelegatedContexts(apart.session, env: apart.env)
    #expect(found.map(\.relayURL) == [apart.world.two.url])
    #expect(apart.world.one.logins.isEmpty)
    #expect(!apart.world.one.log.contains { $0.path.hasPrefix("/auth/") })
  }
}
