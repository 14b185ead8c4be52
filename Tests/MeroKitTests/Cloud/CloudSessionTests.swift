import Foundation
import MeroHTTP
import MeroKitTestSupport
import MeroWire
import Testing

@testable import MeroKit

@Suite("A session with the cloud")
struct CloudSessionTests {
  private let rig = CloudRig()

  /// A store that has gone wrong.
  private func broken<Value: Sendable>(_ type: Value.Type) -> AnyValueStore<Value> {
    AnyValueStore(
      load: { throw BrokenStore() }, save: { _ in throw BrokenStore() }, clear: { throw BrokenStore() })
  }

  private struct BrokenStore: Error {}

  @Test("40 §5.4: a later launch finds the session, and asks nobody")
  func restore() async throws {
    rig.assignRelay()
    let session = try await rig.enrol(rig.signIn())
    rig.manager.clearLog()
    let launched = rig.signIn()
    #expect(await launched.restoreSession() == session)
    #expect(await launched.delegatedSession()?.credential == session.credential)
    #expect(rig.manager.log.isEmpty)
    #expect(rig.wallet.log.isEmpty)
  }

  @Test("40 §5.1: a session is stored with the names of its members, and without a secret")
  func stored() throws {
    let session = CloudSession(account: "a", device: "d", credential: "c", relayUrl: "r")
    let json = try JSONValue(parsing: try MeroJSON.encode(session))
    #expect(json == ["account": "a", "device": "d", "credential": "c", "relayUrl": "r"])
    #expect(try MeroJSON.decode(CloudSession.self, from: json.data()) == session)
  }

  @Test("40 §19 #31: a cloud that lists no relay now leaves the old one, and changes the note")
  func refreshKeeps() async throws {
    rig.assignRelay()
    let signIn = rig.signIn()
    let before = try await rig.enrol(signIn)
    #expect(before.note == nil)
    rig.manager.setRelays([], of: rig.wallet.account)
    let after = try await signIn.refreshRelay()
    #expect(after.relayUrl == CloudRig.relayURL)
    #expect(after.executorAccount == CloudRig.executor)
    #expect(after.note == CloudClient.chooseRelay([]).note)
    #expect(try rig.sessionStore.load() == after)
  }

  @Test("an executor is kept at the same relay, and dropped at another")
  func refreshMoves() async throws {
    rig.assignRelay()
    let signIn = rig.signIn()
    try await rig.enrol(signIn)
    rig.manager.setRelays([.relay("https://relay.test/")], of: rig.wallet.account)
    #expect(try await signIn.refreshRelay().executorAccount == CloudRig.executor)
    rig.manager.setRelays([.relay("https://other.test")], of: rig.wallet.account)
    let moved = try await signIn.refreshRelay()
    #expect(moved.relayUrl == "https://other.test")
    #expect(moved.executorAccount == nil)
  }

  @Test("without a session there is nothing to refresh, no client and no delegated session")
  func signedOut() async throws {
    let signIn = rig.signIn()
    #expect(await AccountErrorKind.of { try await signIn.refreshRelay() } == .notSignedIn)
    #expect(await AccountErrorKind.of { try await signIn.cloudClient() } == .notSignedIn)
    #expect(await signIn.delegatedSession() == nil)
    #expect(rig.manager.log.isEmpty)
  }

  @Test("the client of a session proves its reads with this device")
  func client() async throws {
    let signIn = rig.signIn()
    try await rig.enrol(signIn)
    rig.assignRelay()
    let relays = try await signIn.cloudClient().getAccountRelays(rig.wallet.account)
    #expect(relays.map(\.relayUrl) == [CloudRig.relayURL])
  }

  @Test("a refresh that fails changes nothing")
  func refreshFails() async throws {
    rig.assignRelay()
    let signIn = rig.signIn()
    let session = try await rig.enrol(signIn)
    rig.manager.fail(.status(503))
    let error = await #expect(throws: MeroError.self) { try await signIn.refreshRelay() }
    #expect(error?.httpStatus == 503)
    #expect(await signIn.restoreSession() == session)
  }

  // MARK: Stores that fail

  @Test("40 §1: stores that cannot be written cost the next launch, and not this one")
  func unwritable() async throws {
    rig.assignRelay()
    let unwritten = AnyValueStore<DeviceKeys>(
      load: { nil }, save: { _ in throw BrokenStore() }, clear: {})
    let signIn = rig.signIn(keyStore: unwritten, sessionStore: broken(CloudSession.self))
    let session = try await rig.enrol(signIn)
    #expect(await signIn.restoreSession() == session)
    #expect(await signIn.delegatedSession()?.account == rig.wallet.account)
    await signIn.signOut()
    #expect(await signIn.restoreSession() == nil)
  }

  @Test("keys that cannot be read now are not replaced by new ones")
  func lockedKeys() async throws {
    let saved = Locked(0)
    let locked = AnyValueStore<DeviceKeys>(
      load: { throw BrokenStore() }, save: { _ in saved.withLock { $0 += 1 } }, clear: {})
    let signIn = rig.signIn(keyStore: locked)
    #expect(await AccountErrorKind.of { try await signIn.deviceKeys() } == .notSignedIn)
    #expect(
      await AccountErrorKind.of { try await signIn.beginEnrolment(callbackURL: rig.callback) } == .notSignedIn
    )
    #expect(saved.withLock { $0 } == 0)
  }

  @Test("a stored session whose keys are gone signs nothing")
  func lostKeys() async throws {
    try await rig.enrol(rig.signIn())
    let launched = rig.signIn(keyStore: .memory())
    #expect(await launched.delegatedSession() == nil)
    _ = try await launched.deviceKeys()
    #expect(await launched.delegatedSession() == nil)
    #expect(await AccountErrorKind.of { try await launched.cloudClient() } == .notSignedIn)
  }

  // MARK: Sessions from elsewhere

  @Test("40 §5.1: a session of this app's keys that has moved is stored")
  func adoptOwn() async throws {
    let signIn = rig.signIn()
    try await rig.enrol(signIn)
    var moved = try #require(await signIn.delegatedSession())
    moved.relayUrl = "https://admitting.test"
    await signIn.adopt(moved)
    #expect(await signIn.delegatedSession() == moved)
    let stored = try #require(try rig.sessionStore.load())
    #expect(stored.relayUrl == "https://admitting.test")
    #expect(stored.note == nil)
    #expect(stored.device == (try DeviceCertificates.parse(moved.credential).device))
  }

  @Test("40 §5.1: a session of other keys lives in this process only")
  func adoptOther() async throws {
    let signIn = rig.signIn()
    let own = try await rig.enrol(signIn)
    let device = try rig.device()
    let other = DelegatedSession(
      account: rig.wallet.account, credential: device.credential, keys: device.keys,
      relayUrl: CloudRig.relayURL)
    await signIn.adopt(other)
    #expect(await signIn.delegatedSession() == other)
    #expect(try rig.sessionStore.load() == own)
    #expect(try rig.keyStore.load() != device.keys)
    rig.manager.setRelays([.relay("https://other.test")], of: rig.wallet.account)
    #expect(try await signIn.refreshRelay().relayUrl == "https://other.test")
    #expect(await signIn.delegatedSession()?.relayUrl == "https://other.test")
    #expect(try rig.sessionStore.load() == own)
    await signIn.signOut()
    #expect(await signIn.delegatedSession() == nil)
  }

  // MARK: Sign-out

  /// A relay that answers a logout like this, and remembers it.
  private func relay(_ answer: @escaping @Sendable () throws -> HTTPResponse) -> ScriptedNode {
    let manager = rig.manager
    return ScriptedNode { request in
      if request.url.host == manager.hostURL.host { return try await manager.handle(request) }
      return try answer()
    }
  }

  private func loopback(_ relay: ScriptedNode) async throws -> CloudSignIn {
    rig.assignRelay("http://localhost:2540/")
    let signIn = rig.signIn(transport: relay)
    try await rig.enrol(signIn)
    rig.tokenStore.setTokens(.first)
    return signIn
  }

  @Test("40 §19 #29: a sign-out ends the relay's session, and keeps what the device will need again")
  func signOut() async throws {
    let relay = relay { .json(["data": ["success": true], "error": nil]) }
    let signIn = try await loopback(relay)
    let keys = try await signIn.deviceKeys()
    let env = signIn.delegatedEnvironment
    DelegatedAccounts.rememberRelay(
      rig.wallet.account, relayURL: "http://localhost:2540", namespaceId: CloudRig.executor, store: env.store)
    try DelegatedAccounts.pinRelayNodeKey(
      "http://localhost:2540", nodeKey: CloudRig.executor, store: env.store)
    let nonce = try env.nonces.next(relay: "http://localhost:2540")
    await signIn.signOut()
    let logouts = relay.requests(to: "/auth/logout")
    #expect(logouts.map(\.json) == [["refresh_token": "R1"]])
    #expect(logouts.map { $0.url.absoluteString } == ["http://localhost:2540/auth/logout"])
    #expect(await signIn.restoreSession() == nil)
    #expect(try rig.sessionStore.load() == nil)
    #expect(rig.tokenStore.getTokens() == nil)
    #expect(try rig.keyStore.load() == keys)
    #expect(
      DelegatedAccounts.readRelayMap(rig.wallet.account, store: env.store).namespaces == [
        CloudRig.executor: "http://localhost:2540"
      ])
    #expect(
      DelegatedAccounts.pinnedRelayNodeKey("http://localhost:2540", store: env.store) == CloudRig.executor)
    #expect(try env.nonces.next(relay: "http://localhost:2540") == nonce + 1)
  }

  @Test("40 §19 #29: the keys go when the device is to be forgotten, and a relay that fails changes nothing")
  func forgetDevice() async throws {
    let relay = relay {
      throw TransportError(kind: .cannotConnect, text: "away", mayHaveBeenSent: false)
    }
    let signIn = try await loopback(relay)
    let keys = try await signIn.deviceKeys()
    await signIn.signOut(forgetDevice: true)
    #expect(relay.requests(to: "/auth/logout").count == 1)
    #expect(rig.tokenStore.getTokens() == nil)
    #expect(await signIn.restoreSession() == nil)
    #expect(try rig.keyStore.load() == nil)
    #expect(try await signIn.deviceKeys() != keys)
  }

  @Test("a sign-out without tokens asks no relay, and forgets an enrolment that was under way")
  func signOutEarly() async throws {
    let relay = relay { .json(["data": nil]) }
    let signIn = try await loopback(relay)
    rig.tokenStore.clear()
    let page = try await signIn.beginEnrolment(callbackURL: rig.callback)
    await signIn.signOut()
    #expect(relay.requests(to: "/auth/logout").isEmpty)
    // What comes now is to no request: it is taken for the credential's sake alone.
    let unasked = try rig.wallet.answer(page, .tamperState)
    #expect(try await signIn.completeEnrolment(callbackURL: unasked).account == rig.wallet.account)
  }
}
