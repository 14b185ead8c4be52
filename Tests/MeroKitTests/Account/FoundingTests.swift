import Foundation
import MeroHTTP
import MeroKitTestSupport
import MeroWire
import Testing

@testable import MeroKit

@Suite("Founding a namespace", .timeLimit(.minutes(5)))
struct FoundingTests {
  private func attestations(_ relay: FakeRelay) -> Int {
    relay.log.filter { $0.path == "/admin-api/tee/attest" && $0.json?["bindNodeKey"] == true }.count
  }

  private func governance(_ relay: FakeRelay, _ method: String? = nil) -> [String] {
    relay.log.filter { $0.path.contains("governance-intents") && (method == nil || $0.method == method) }
      .map(\.line)
  }

  @Test(
    "40 §19 #91: the relay proves itself although a key is pinned; one that does not is not founded through")
  func attestsNow() async throws {
    let world = try AccountWorld()
    let session = try world.account(1, relay: world.one)
    let env = world.environment()
    try DelegatedAccounts.pinRelayNodeKey(world.one.url, nodeKey: world.one.nodeKey, store: env.store)
    try await DelegatedAccounts.foundDelegatedNamespace(session, env: env)
    #expect(attestations(world.one) == 1)

    let refused = try AccountWorld()
    let other = refused.environment()
    try DelegatedAccounts.pinRelayNodeKey(refused.one.url, nodeKey: refused.one.nodeKey, store: other.store)
    refused.one.failAttestation(.wrongKey)
    await #expect(throws: AccountError.self) {
      try await DelegatedAccounts.foundDelegatedNamespace(
        try refused.account(1, relay: refused.one), env: other)
    }
    #expect(governance(refused.one) == [])
  }

  @Test(
    "40 §19 #92: an executor that the session names is not asked for, and is named with the key that was proven"
  )
  func namedExecutor() async throws {
    let world = try AccountWorld()
    let session = try world.account(1, relay: world.one)
    let founded = try await DelegatedAccounts.foundDelegatedNamespace(session, env: world.environment())
    #expect(governance(world.one) == ["POST /admin-api/groups/\(founded.namespaceId)/governance-intents"])
    #expect(founded.teeEnabled)
    #expect(
      founded.namespaceId
        == (try GovernanceOps.namespaceId(founder: session.account, salt: founded.salt)))
  }

  @Test("40 §19 #93: without one, a namespace that is remembered supplies the account, and never the key")
  func askedExecutor() async throws {
    let world = try AccountWorld()
    let env = world.environment()
    let first = try await DelegatedAccounts.foundDelegatedNamespace(
      try world.account(1, relay: world.one), env: env)
    let session = try world.account(1, relay: world.one, knowsExecutor: false)
    world.one.clearLog()
    let second = try await DelegatedAccounts.foundDelegatedNamespace(session, env: env)
    #expect(
      governance(world.one) == [
        "GET /admin-api/groups/\(first.namespaceId)/governance-intents",
        "POST /admin-api/groups/\(second.namespaceId)/governance-intents",
      ])
    world.one.clearLog()
    world.one.nameExecutor(key: AccountFixture.id(9))
    await #expect {
      try await DelegatedAccounts.foundDelegatedNamespace(session, env: env)
    } throws: { error in
      guard case AccountError.relayKeyUnavailable(let text) = error else { return false }
      return text.contains(AccountFixture.id(9)) && text.contains(world.one.nodeKey)
    }
    #expect(governance(world.one, "POST") == [])
  }

  @Test(
    "a relay that was set up anew acts as another account: founding learns it, and so do the writes after it")
  func replacedRelay() async throws {
    let world = try AccountWorld()
    var session = try world.account(1, relay: world.one)
    // What the cloud said of the relay that stood here before.
    session.executorAccount = AccountFixture.id(8)
    world.manager.setRelays([.relay(world.one.url, executorAccount: world.one.account)], of: session.account)
    let env = world.environment()
    let founded = try await DelegatedAccounts.foundDelegatedNamespace(
      session, defaultCapabilities: 231, application: world.founding, env: env)
    #expect(founded.teeEnabled && founded.defaultCapabilitiesSet == true)
    _ = try await DelegatedAccounts.createDelegatedContext(
      session,
      CreateDelegatedContextRequest(namespaceId: founded.namespaceId, applicationId: world.application),
      env: env)
    // It is asked once.
    world.one.clearLog()
    try await DelegatedAccounts.foundDelegatedNamespace(session, env: env)
    #expect(governance(world.one, "POST").count == 1)
    // Another session, which names the right account, is left as it is.
    let named = try world.account(1, relay: world.one)
    #expect(
      DelegatedAccounts.executorAccount(of: named, at: world.one.url, store: env.store) == world.one.account)
    #expect(AccountWorld.reused(world.one) == [])
  }

  @Test("a refusal of a relay that is who it was is passed on, and nothing is signed again")
  func refused() async throws {
    let world = try AccountWorld()
    let session = try world.account(1, relay: world.one)
    world.manager.setRelays([.relay(world.one.url, executorAccount: world.one.account)], of: session.account)
    world.one.refuse(
      "POST /admin-api/groups/{group_id}/governance-intents", status: 403, reason: "not here", times: .max)
    await #expect(throws: AccountError.intentRefused(reason: "not here", retryable: false, status: 403)) {
      try await DelegatedAccounts.foundDelegatedNamespace(session, env: world.environment())
    }
    #expect(governance(world.one, "POST").count == 1)
  }

  @Test("a namespace that is remembered and gone does not keep an account from founding")
  func goneNamespace() async throws {
    let world = try AccountWorld()
    let session = try world.account(1, relay: world.one, knowsExecutor: false)
    let env = world.environment()
    let gone = AccountFixture.id(0)
    DelegatedAccounts.rememberRelay(
      session.account, relayURL: world.one.url, namespaceId: gone, store: env.store)
    // Nobody knows who the relay is: that is said, with what helps.
    await #expect {
      try await DelegatedAccounts.foundDelegatedNamespace(session, env: env)
    } throws: { "\($0)".contains("ask the cloud for the relay again") }
    world.manager.setRelays([.relay(world.one.url, executorAccount: world.one.account)], of: session.account)
    let first = try await DelegatedAccounts.foundDelegatedNamespace(session, env: env)
    // The next one is found beside the one that is gone, without the cloud.
    world.manager.setRelays([], of: session.account)
    world.one.clearLog()
    try await DelegatedAccounts.foundDelegatedNamespace(session, env: env)
    #expect(
      governance(world.one, "GET").suffix(1) == [
        "GET /admin-api/groups/\(first.namespaceId)/governance-intents"
      ])
  }

  @Test("40 §19 #94: with neither, nothing is sent at all")
  func unknownExecutor() async throws {
    let world = try AccountWorld()
    let session = try world.account(1, relay: world.one, knowsExecutor: false)
    await #expect {
      try await DelegatedAccounts.foundDelegatedNamespace(session, env: world.environment())
    } throws: { "\($0)".contains("account is not known") }
    #expect(world.middle.requests.isEmpty)
    await #expect(throws: AccountError.noRelay("foundDelegatedNamespace")) {
      try await DelegatedAccounts.foundDelegatedNamespace(try world.account(1), env: world.environment())
    }
  }

  @Test("40 §19 #95: who does not answer is to be tried again, who does not prove it is not possible")
  func attestationFails() async throws {
    for (fault, words) in [
      (FakeRelay.AttestationFault.down, "try again"), (.status(503), "try again"),
      (.wrongNonce, "not possible"), (.empty, "not possible"),
    ] {
      let world = try AccountWorld()
      world.one.failAttestation(fault)
      let session = try world.account(1, relay: world.one)
      await #expect("\(fault)") {
        try await DelegatedAccounts.foundDelegatedNamespace(session, env: world.environment())
      } throws: { "\($0)".contains(words) }
      #expect(governance(world.one) == [])
    }
  }

  @Test("40 §19 #96: the namespace is remembered, also when its application cannot be set")
  func remembered() async throws {
    let world = try AccountWorld()
    let session = try world.account(1, relay: world.one)
    let env = world.environment()
    let founded = try await DelegatedAccounts.foundDelegatedNamespace(
      session, defaultCapabilities: 231, application: world.founding, env: env)
    #expect(founded.defaultCapabilitiesSet == true)
    #expect(
      DelegatedAccounts.readRelayMap(session.account, store: env.store).namespaces[founded.namespaceId]
        == world.one.url)

    let unknown = FoundingApplication(
      applicationId: AccountFixture.id(7), package: "com.example.none", version: "1.0.0")
    await #expect {
      try await DelegatedAccounts.foundDelegatedNamespace(session, application: unknown, env: env)
    } throws: { error in
      guard case AccountError.intentRefused(let reason, false, 409) = error else { return false }
      let map = DelegatedAccounts.readRelayMap(session.account, store: env.store).namespaces
      return map.count == 2 && map.keys.contains { $0 != founded.namespaceId && reason.contains($0) }
    }
  }

  @Test("40 §19 #97: what no attested relay founded is not hosted, and the cloud is not asked")
  func notAttested() async throws {
    let world = try AccountWorld()
    let rig = FakeRelay(url: "http://localhost:2540", clock: world.clock.clock, seed: 9)
    var env = world.environment()
    // A relay of this machine is talked to in the open, so that its answer can be made another one.
    let middle = MiddleBox(FakeHosts([world.manager, rig]))
    middle.interfere { request, inner in
      var response = try await inner.send(request)
      guard request.method == .post, request.url.path.hasSuffix("/governance-intents") else {
        return response
      }
      let body = String(decoding: try await response.body.collect(upTo: 1 << 16), as: UTF8.self)
      response.body = HTTPBody(
        Data(
          body.replacingOccurrences(
            of: #""teeEnabled":true"#, with: #""teeEnabled":false,"teeError":"no admission""#
          ).utf8))
      return response
    }
    env.transport = middle
    env.relayKeyVerifier = rig.keyVerifier(over: middle)
    let founded = try await DelegatedAccounts.foundDelegatedNamespace(
      try world.account(1, relay: rig), env: env)
    #expect(!founded.teeEnabled && !founded.haEnabled)
    #expect(founded.haError?.contains("no admission") == true)
    #expect(world.manager.log.filter { $0.path.contains("enable-ha") }.isEmpty)
  }

  @Test("40 §19 #98: each refusal to host is told in words, and the namespace stands")
  func refusals() async throws {
    for code in CloudClient.haRefusalMessages.keys.sorted() {
      let world = try AccountWorld()
      let session = try world.account(1, relay: world.one)
      let waiting = AccountFixture.id(0x55)
      if code == "ha_request_pending" {
        world.manager.setPendingHosting(waiting, of: session.account)
      } else {
        world.manager.refuseHosting(code, of: session.account)
      }
      let founded = try await DelegatedAccounts.foundDelegatedNamespace(session, env: world.environment())
      let message = try #require(founded.haError)
      #expect(!founded.haEnabled && !message.contains("HTTP "))
      #expect(message.hasPrefix(try #require(CloudClient.haRefusalMessages[code])), "\(code): \(message)")
      #expect(message.contains(waiting) == (code == "ha_request_pending"))
      #expect(world.manager.violations == [])
    }
  }

  @Test("40 §19 #99: a cloud that is away, or wants to be paid, does not undo the founding")
  func cloudAway() async throws {
    for outage in [FakeOutage.refused, .status(402)] {
      let world = try AccountWorld()
      world.manager.fail(outage, at: "enable-ha")
      let founded = try await DelegatedAccounts.foundDelegatedNamespace(
        try world.account(1, relay: world.one), env: world.environment())
      #expect(!founded.haEnabled && founded.haError?.isEmpty == false)
    }
  }

  @Test("the cloud hosts what an attested relay founded")
  func hosted() async throws {
    let world = try AccountWorld()
    let founded = try await DelegatedAccounts.foundDelegatedNamespace(
      try world.account(1, relay: world.one), env: world.environment())
    #expect(founded.haEnabled && founded.haError == nil)
    #expect(world.manager.hosted == [founded.namespaceId])
    #expect(AccountWorld.plain(world.one) == [])
  }

  @Test(
    "40 §19 #100: a private context is a restricted subgroup, its members, and then the context, with nonce 0"
  )
  func privateContext() async throws {
    let world = try AccountWorld()
    let session = try world.account(1, relay: world.one)
    let env = world.environment()
    let founded = try await DelegatedAccounts.foundDelegatedNamespace(
      session, defaultCapabilities: 231, application: world.founding, env: env)
    let members = [try world.account(2).account, try world.account(3).account]
    for member in members {
      try await DelegatedAccounts.governGroup(
        session, groupId: founded.namespaceId, op: GovernanceOps.memberAdded(member: member), env: env)
    }
    world.one.clearLog()
    let made = try await DelegatedAccounts.createDelegatedPrivateContext(
      session,
      CreateDelegatedContextRequest(namespaceId: founded.namespaceId, applicationId: world.application),
      members: members, env: env)
    let posts = world.one.log.filter { $0.method == "POST" && $0.path.hasSuffix("-intents") }.map(\.path)
    #expect(
      posts == [
        "/admin-api/groups/\(founded.namespaceId)/governance-intents",
        "/admin-api/groups/\(made.groupId)/governance-intents",
        "/admin-api/groups/\(made.groupId)/governance-intents",
        "/admin-api/groups/\(made.groupId)/context-intents",
      ])
    #expect(world.one.nonces.last?.value == 0)
    #expect(
      DelegatedAccounts.relayForContext(session.account, contextId: made.contextId, store: env.store)
        == world.one.url)
    #expect(
      DelegatedAccounts.namespaceOfGroup(session, groupId: made.groupId, store: env.store)
        == founded.namespaceId)
  }

  @Test("a group whose namespace is not known is not governed")
  func unknownGroup() async throws {
    let world = try AccountWorld()
    let session = try world.account(1, relay: world.one)
    await #expect(throws: AccountError.self) {
      try await DelegatedAccounts.governGroup(
        session, groupId: AccountFixture.id(5), op: GovernanceOps.groupMetadataSet(name: "x"),
        env: world.environment())
    }
    #expect(world.middle.requests.isEmpty)
  }
}
