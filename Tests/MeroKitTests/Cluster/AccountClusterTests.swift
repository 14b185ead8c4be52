import Foundation
import MeroKitTestSupport
import MeroWire
import Testing

@testable import MeroKit

@Suite("An account's passkeys, sessions and keys, through the client")
struct AccountClusterTests {
  @Test("a second passkey is confirmed by the first, signs in by name, and can replace it")
  func secondPasskey() async throws {
    let rig = SessionRig()
    let client = rig.client()
    let account = try await client.signUp(rig.passkey, name: "ada")
    let phone = SoftPasskey(algorithm: .ed25519)
    let ceremony = try await client.auth.passkeyBegin(label: "phone", passkey: rig.passkey)
    let credential = try await phone.create(ceremony.options)
    let added = try await client.auth.passkeyFinish(
      ceremonyId: ceremony.ceremonyId, credential: credential)
    #expect(added.label == "phone")
    #expect(added.algorithm == -8)
    let passkeys = try await client.auth.passkeyList().passkeys
    #expect(passkeys.map(\.passkeyId).last == added.passkeyId)
    #expect(passkeys.count == 2)
    #expect(try await rig.client(nodes: [1]).signIn(phone, name: "ada") == account)
    #expect(try await rig.client(nodes: [2]).signIn(rig.passkey, name: "ada") == account)
    // An authenticator that holds one of them already makes no other for the account.
    let again = try await client.auth.passkeyBegin(passkey: phone)
    await #expect(throws: PasskeyFailure.excluded) { try await phone.create(again.options) }
    try await client.auth.passkeyRemove(passkey: passkeys[0].passkeyId, passkey: phone)
    #expect(try await client.auth.passkeyList().passkeys.map(\.passkeyId) == [added.passkeyId])
    await #expect(throws: CalimeroError.passkey(.noCredential)) {
      try await rig.client().signIn(rig.passkey, name: "ada")
    }
    #expect(rig.cloud.violations.isEmpty)
    #expect(rig.cloud.unfitRequests == [])
  }

  @Test("the last passkey stays, and nobody is asked for it")
  func lastPasskey() async throws {
    let rig = SessionRig()
    let client = rig.client()
    try await client.signUp(rig.passkey, name: "ada")
    let last = try await client.auth.passkeyList().passkeys[0].passkeyId
    let watched = WatchedPasskey(rig.passkey)
    let error = await calimeroError {
      try await client.auth.passkeyRemove(passkey: last, passkey: watched)
    }
    #expect(error?.code == .lastPasskey)
    #expect(await watched.asked == 0)
  }

  @Test("a session that another device ends is signed out there as revoked")
  func revokedElsewhere() async throws {
    let rig = SessionRig()
    let store = MemorySessionStore()
    let (laptop, phone) = (
      rig.client(), rig.client(nodes: [1, 2], store: store) { $0.deviceLabel = "phone" }
    )
    try await laptop.signUp(rig.passkey, name: "ada")
    try await phone.signIn(rig.passkey)
    var sessions: [String: String] = [:]
    for try await session in laptop.auth.sessionAll() {
      sessions[session.label ?? (session.current ? "mine" : "")] = session.sessionId
    }
    #expect(sessions.count == 2)
    try await laptop.auth.sessionRevoke(session: try #require(sessions["phone"]))
    let error = await calimeroError { _ = try await phone.orgs.list() }
    #expect(error?.code == .tokenRevoked)
    #expect(await store.load() == nil)
    await #expect(throws: CalimeroError.signedOut(.revoked)) { try await phone.orgs.list() }
    _ = try await laptop.orgs.list()
    #expect(rig.cloud.violations.isEmpty)
    #expect(rig.cloud.unfitRequests == [])
  }

  @Test(
    "70 §2.27 #21: a key stands in for the session within its scopes and limits, and is never asked to confirm"
  )
  func useApiKey() async throws {
    let rig = SessionRig()
    let client = rig.client()
    let app = try await rig.app(client)
    let org = try await client.apps.get(app: app).orgId
    let made = try await client.auth.keyCreate(
      label: "robot", scopes: ["apps:view", "orgs:read"], apps: [app], passkey: rig.passkey)
    await client.useApiKey(made.secret)
    // A passkey at hand must not make a person of a machine.
    let watched = WatchedPasskey(rig.passkey)
    await client.useStepUp(watched)
    #expect(try await client.view(app, "next") == 0)
    #expect(try await client.orgs.get(org: org).role == .owner)
    #expect(try await client.auth.sessionGet().keyId == made.key.keyId)
    func refusal(of work: () async throws -> Void) async -> ErrorCode? { await calimeroError(work)?.code }
    #expect(await refusal { _ = try await client.call(app, "count") } == .scopeMissing)
    #expect(await refusal { _ = try await client.orgs.update(org: org, name: "Other") } == .scopeMissing)
    #expect(await refusal { _ = try await client.auth.keyList() } == .scopeMissing)
    #expect(await refusal { try await client.orgs.delete(org: org) } == .humanRequired)
    let scopes = ["orgs:read"]
    #expect(
      await refusal { _ = try await client.auth.keyCreate(label: "x", scopes: scopes) } == .humanRequired)
    #expect(await watched.asked == 0)
    await client.useApiKey(nil)
    _ = try await client.call(app, "count")
    #expect(try await client.auth.keyList().keys.map(\.keyId) == [made.key.keyId])
    try await client.auth.keyRevoke(key: made.key.keyId)
    await client.useApiKey(made.secret)
    rig.cloud.clearLog()
    #expect(await calimeroError { _ = try await client.view(app, "next") }?.code == .tokenRevoked)
    #expect(rig.cloud.log.requests("auth_refresh").isEmpty)
    // The key's end is not the session's.
    await client.useApiKey(nil)
    _ = try await client.view(app, "next")
    #expect(rig.cloud.violations.isEmpty)
    #expect(rig.cloud.unfitRequests == [])
  }
}
