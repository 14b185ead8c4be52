import Foundation
import MeroHTTP
import MeroKitTestSupport
import MeroTrust
import MeroWire
import Testing

@testable import MeroKit

@Suite("Connecting to the relay")
struct CloudConnectTests {
  /// Certificates take long to make; they are the same for all.
  private static let pki = TestPKI(seed: 43, now: Date(timeIntervalSince1970: 1_790_000_000))

  private let rig = CloudRig(mirror: FakeReleaseMirror(pki))
  private let relay: FakeRelay
  private let context: String

  init() {
    relay = FakeRelay(url: CloudRig.relayURL, tdx: Self.pki, clock: rig.clock.clock, seed: 6)
    let namespace = relay.node.makeNamespace(of: .keyValue)
    context = relay.node.makeContext(of: .keyValue, in: namespace)
    relay.addMember(rig.wallet.account, to: namespace)
    rig.manager.setRelays([.relay(relay.url, executorAccount: relay.account)], of: rig.wallet.account)
  }

  private func signIn() -> CloudSignIn {
    rig.signIn(transport: FakeHosts([rig.manager, rig.wallet, relay]), roots: Self.pki.roots)
  }

  @Test("40 §19 #25: without a relay there is nothing to connect to, and the note says what to do")
  func relayless() async throws {
    rig.manager.setRelays([], of: rig.wallet.account)
    let signIn = signIn()
    let session = try await rig.enrol(signIn)
    let connection = await signIn.connect(session)
    #expect(connection.relay == nil && connection.mero == nil && connection.presence == nil)
    #expect(connection.nodeKey == nil)
    #expect(session.note != nil)
    #expect(connection.readNote == session.note)
    #expect(relay.log.isEmpty)
  }

  @Test("40 §19 #26: a relay that cannot be proven is written to when it can, and not read")
  func unproven() async throws {
    let signIn = signIn()
    let session = try await rig.enrol(signIn)
    relay.failAttestation(.status(503))
    let connection = await signIn.connect(session)
    #expect(connection.mero == nil && connection.nodeKey == nil)
    let readNote = try #require(connection.readNote)
    #expect(readNote.contains("503"))
    let relay = try #require(connection.relay)
    let presence = try #require(connection.presence)
    await #expect(throws: AccountError.relayKeyUnavailable(readNote)) {
      for try await _ in presence.subscribe(contextId: context, as: String.self) {}
    }
    self.relay.failAttestation(nil)
    let result = try await relay.execute(
      contextId: context, method: "set_value", argsJson: ["key": "k", "value": "v"])
    #expect(result.rootHash != nil)
    #expect(self.relay.log.allSatisfy { $0.bearer == nil })
  }

  @Test("40 §19 #27: a relay that proves its key is logged in to by this device, under that key")
  func connected() async throws {
    let signIn = signIn()
    let session = try await rig.enrol(signIn)
    let connection = await signIn.connect(session)
    #expect(connection.readNote == nil)
    #expect(connection.nodeKey == relay.nodeKey)
    let mero = try #require(connection.mero)
    let tokens = try #require(await mero.currentTokenData())
    #expect(rig.tokenStore.getTokens() == tokens)
    let login = try #require(relay.logins.last)
    #expect(relay.logins.count == 1)
    #expect(login.nodeKey == relay.nodeKey)
    #expect(login.deviceKey == (try await signIn.deviceKeys().signPublicKey))
    #expect(login.audience == "cli")
    let sent = try #require(relay.log.first { $0.line == "POST /auth/token" })
    #expect(sent.isSealed)
    #expect(sent.json?["public_key"] == .string(login.sessionKey))
    #expect(try await mero.admin.getContexts().contexts.map(\.id) == [context])
    let writing = try #require(connection.relay)
    // Nothing is stored under the key: the method returns null.
    #expect(
      try await writing.query(contextId: context, method: "get_value", argsJson: ["key": "nothing"]) == nil)
    #expect(relay.log.filter { $0.path.hasSuffix("/query") }.map(\.bearer) == [tokens.accessToken])
  }

  @Test("40 §19 #28: a later launch connects without asking the wallet or the cloud")
  func restored() async throws {
    try await rig.enrol(signIn())
    rig.manager.clearLog()
    let launched = signIn()
    let session = try #require(await launched.restoreSession())
    let connection = await launched.connect(session)
    #expect(connection.mero != nil && connection.relay != nil)
    #expect(rig.manager.log.filter { $0.path.hasPrefix("/api/cloud") }.isEmpty)
    #expect(rig.wallet.log.isEmpty)
  }

  @Test("40 §19 #29: a sign-out ends the session that was made at the relay, in an envelope")
  func signOut() async throws {
    let signIn = signIn()
    let connection = await signIn.connect(try await rig.enrol(signIn))
    let mero = try #require(connection.mero)
    let tokens = try #require(await mero.currentTokenData())
    await signIn.signOut()
    let logouts = relay.log.filter { $0.path == "/auth/logout" }
    #expect(logouts.map(\.json) == [["refresh_token": .string(tokens.refreshToken)]])
    #expect(logouts.allSatisfy { $0.isSealed && $0.status == 200 })
    #expect(await mero.currentTokenData() == nil)
    #expect(try await signIn.deviceKeys().signPublicKey == relay.logins.last?.deviceKey)
    #expect(
      DelegatedAccounts.pinnedRelayNodeKey(relay.url, store: signIn.delegatedEnvironment.store)
        == relay.nodeKey)
  }

  @Test("a login that ends after the sign-out leaves no tokens, and is ended at the relay")
  func signedOutMeanwhile() async throws {
    let loopback = FakeRelay(url: "http://localhost:2540", clock: rig.clock.clock, seed: 8)
    rig.manager.setRelays([.relay(loopback.url)], of: rig.wallet.account)
    let gate = Gate()
    let hosts = FakeHosts([rig.manager, loopback])
    let slow = ScriptedNode { request in
      let response = try await hosts.send(request)
      if request.url.path == "/auth/token" { try await gate.wait() }
      return response
    }
    let signIn = rig.signIn(transport: slow)
    let session = try await rig.enrol(signIn)
    async let connecting = signIn.connect(session)
    while slow.requests(to: "/auth/token").isEmpty { await Task.yield() }
    await signIn.signOut()
    gate.open()
    let connection = await connecting
    #expect(connection.mero == nil && connection.readNote != nil)
    #expect(rig.tokenStore.getTokens() == nil)
    #expect(loopback.log.filter { $0.path == "/auth/logout" }.map(\.status) == [200])
  }

  @Test("a session whose keys are gone connects to nothing")
  func lostKeys() async throws {
    let session = try await rig.enrol(signIn())
    let launched = rig.signIn(
      keyStore: .memory(), transport: FakeHosts([rig.manager, relay]), roots: Self.pki.roots)
    let connection = await launched.connect(session)
    #expect(connection.relay == nil && connection.mero == nil)
    #expect(connection.readNote != nil)
    #expect(relay.log.isEmpty)
  }
}
