import Foundation
import MeroHTTP
import MeroKitTestSupport
import MeroTrust
import MeroWire
import Testing

@testable import MeroKit

/// What belongs to one relay, one account or one sign-in stays there.
@Suite("The bounds of a session", .timeLimit(.minutes(3)))
struct SessionBoundaryTests {
  private let rig = CloudRig()
  private let one: FakeRelay
  private let two: FakeRelay

  init() {
    one = FakeRelay(url: "http://localhost:2540", clock: rig.clock.clock, seed: 21)
    two = FakeRelay(url: "http://localhost:2541", clock: rig.clock.clock, seed: 22)
  }

  private var hosts: FakeHosts { FakeHosts([rig.manager, rig.wallet, one, two]) }

  private func assign(_ relay: FakeRelay, to account: String? = nil) {
    rig.manager.setRelays(
      [.relay(relay.url, executorAccount: relay.account)], of: account ?? rig.wallet.account)
  }

  private func enrol(_ signIn: CloudSignIn, with wallet: FakeWallet) async throws -> CloudSession {
    let page = try await signIn.beginEnrolment(callbackURL: rig.callback)
    return try await signIn.completeEnrolment(callbackURL: try wallet.approve(page))
  }

  private func invitation(to namespace: String) throws -> SignedGroupOpenInvitation {
    let inviter = try AccountFixture.session()
    return try GroupInvitations.sign(
      groupId: namespace, inviterAccount: inviter.account, keys: inviter.keys,
      admitters: .accounts([inviter.account]), now: rig.clock.now)
  }

  // MARK: Relays

  @Test("a client of the relay before sends that relay no token of the next one")
  func formerRelay() async throws {
    assign(one)
    let signIn = rig.signIn(transport: hosts)
    let before = await signIn.connect(try await rig.enrol(signIn))
    let former = try #require(before.mero)
    assign(two)
    let after = await signIn.connect(try await signIn.refreshRelay())
    let token = try #require(await after.mero?.currentTokenData()?.accessToken)
    _ = try? await former.admin.getContexts()
    #expect(!one.log.compactMap(\.bearer).contains(token))
  }

  @Test("a sign-out tells a relay's refresh token to no other relay")
  func logoutElsewhere() async throws {
    assign(one)
    let signIn = rig.signIn(transport: hosts)
    let connection = await signIn.connect(try await rig.enrol(signIn))
    let token = try #require(await connection.mero?.currentTokenData()?.refreshToken)
    assign(two)
    try await signIn.refreshRelay()
    await signIn.signOut()
    #expect(!two.log.contains { String(decoding: $0.body, as: UTF8.self).contains(token) })
  }

  @Test("a client sends its relay no token that another process was given by another relay")
  func otherProcess() async throws {
    assign(one)
    let signIn = rig.signIn(transport: hosts)
    let reader = try #require(await signIn.connect(try await rig.enrol(signIn)).mero)
    _ = try await reader.admin.getContexts()
    assign(two)
    let elsewhere = rig.signIn(transport: hosts)
    let moved = await elsewhere.connect(try await elsewhere.refreshRelay())
    let tokens = try #require(await moved.mero?.currentTokenData())
    await rig.clock.advance(by: 7200)
    _ = try? await reader.admin.getContexts()
    #expect(one.log.last?.status == 401)
    #expect(!one.log.compactMap(\.bearer).contains(tokens.accessToken))
    #expect(rig.tokenStore.getTokens() == tokens)
    // And the token is ended where it is good, by whoever signs out.
    await signIn.signOut()
    #expect(one.log.filter { $0.path == "/auth/logout" }.isEmpty)
    #expect(two.log.filter { $0.path == "/auth/logout" }.count == 1)
  }

  // MARK: Time

  /// A context that the wallet's account is a member of.
  private func context(at relay: FakeRelay) -> String {
    let namespace = relay.node.makeNamespace(of: .keyValue)
    relay.addMember(rig.wallet.account, to: namespace)
    return relay.node.makeContext(of: .keyValue, in: namespace)
  }

  @Test("what was said of presence is not said again after the sign-out")
  func presenceAfterSignOut() async throws {
    let context = context(at: one)
    assign(one)
    let signIn = rig.signIn(transport: hosts)
    let connection = await signIn.connect(try await rig.enrol(signIn))
    let presence = try #require(connection.presence)
    try await presence.set(contextId: context, state: "here")
    await signIn.signOut()
    one.clearLog()
    for _ in 0..<4 { await rig.clock.advance(by: 2.5) }
    #expect(one.log.filter { $0.path.hasSuffix("/presence-intents") }.isEmpty)
    await presence.close()
  }

  @Test("a query through the connection is answered also after the first access token has ended")
  func queryAfterExpiry() async throws {
    let context = context(at: one)
    assign(one)
    let signIn = rig.signIn(transport: hosts)
    let connection = await signIn.connect(try await rig.enrol(signIn))
    let relay = try #require(connection.relay)
    let arguments: JSONValue = ["key": "nothing"]
    _ = try await relay.query(contextId: context, method: "get_value", argsJson: arguments)
    await rig.clock.advance(by: 7200)
    _ = try await relay.query(contextId: context, method: "get_value", argsJson: arguments)
  }

  // MARK: Accounts

  @Test("a login that ends after another account has signed in leaves no tokens behind")
  func lateLogin() async throws {
    assign(one)
    let gate = Gate()
    let hosts = hosts
    let slow = ScriptedNode { request in
      let response = try await hosts.send(request)
      if request.url.path == "/auth/token" { try await gate.wait() }
      return response
    }
    let signIn = rig.signIn(transport: slow)
    let session = try await rig.enrol(signIn)
    async let connecting = signIn.connect(session)
    while slow.requests(to: "/auth/token").isEmpty { await Task.yield() }
    let other = FakeWallet(seed: 6)
    let next = try await enrol(signIn, with: other)
    #expect(next.account == other.account)
    gate.open()
    _ = await connecting
    #expect(rig.tokenStore.getTokens() == nil)
  }

  /// Joins a namespace, and has something else happen while the admission is on its way.
  private func joining<Meanwhile>(
    _ meanwhile: (CloudSignIn) async throws -> Meanwhile
  ) async throws -> (CloudSignIn, Meanwhile) {
    let gate = Gate()
    let hosts = hosts
    let slow = ScriptedNode { request in
      guard request.url.path.hasSuffix("/admit") else { return try await hosts.send(request) }
      try await gate.wait()
      return .json(["data": ["published": true]])
    }
    let signIn = rig.signIn(transport: slow)
    try await rig.enrol(signIn)
    let namespace = AccountFixture.id(0x42)
    let invitation = try invitation(to: namespace)
    async let joining: Void = signIn.join(
      namespaceId: namespace, invitation: invitation, nodeURL: "https://admitting.test")
    while !slow.requests.contains(where: { $0.url.path.hasSuffix("/admit") }) { await Task.yield() }
    let outcome = try await meanwhile(signIn)
    gate.open()
    try await joining
    return (signIn, outcome)
  }

  @Test("a join that ends after another account has signed in does not sign the first one in again")
  func lateJoin() async throws {
    let (signIn, next) = try await joining { try await enrol($0, with: FakeWallet(seed: 6)) }
    #expect(await signIn.delegatedSession()?.account == next.account)
    #expect(try rig.sessionStore.load() == next)
  }

  @Test("a join that ends after another process has signed out does not undo the sign-out")
  func joinAfterSignOutElsewhere() async throws {
    _ = try await joining { _ in await rig.signIn(transport: hosts).signOut() }
    #expect(try rig.sessionStore.load() == nil)
  }

  @Test("a move is taken over in place of the session that it comes from, and of no other")
  func movedMeanwhile() async throws {
    assign(one)
    let signIn = rig.signIn(transport: hosts)
    try await rig.enrol(signIn)
    let before = try #require(await signIn.delegatedSession())
    let moved = before.moved(to: two.url)
    #expect(await signIn.adopt(moved, inPlaceOf: before))
    #expect(try rig.sessionStore.load()?.relayUrl == two.url)
    #expect(await !signIn.adopt(before, inPlaceOf: before))
    #expect(try rig.sessionStore.load()?.relayUrl == two.url)
    await signIn.signOut()
    #expect(await !signIn.adopt(before, inPlaceOf: moved))
    #expect(try rig.sessionStore.load() == nil)
  }

  // MARK: Stores

  private struct BrokenStore: Error {}

  @Test("a sign-out holds in this process even when the store cannot be cleared")
  func signOutUnwritten() async throws {
    let kept = rig.sessionStore
    let stuck = AnyValueStore<CloudSession>(
      load: { try kept.load() }, save: { try kept.save($0) }, clear: { throw BrokenStore() })
    let signIn = rig.signIn(sessionStore: stuck, transport: hosts)
    try await rig.enrol(signIn)
    await signIn.signOut()
    #expect(await signIn.delegatedSession() == nil)
    #expect(await signIn.restoreSession() == nil)
  }

  @Test("keys that are to be forgotten are used no more even when their store cannot be cleared")
  func forgetUnwritten() async throws {
    let kept = rig.keyStore
    let stuck = AnyValueStore<DeviceKeys>(
      load: { try kept.load() }, save: { try kept.save($0) }, clear: { throw BrokenStore() })
    let signIn = rig.signIn(keyStore: stuck, transport: hosts)
    try await rig.enrol(signIn)
    let before = try await signIn.deviceKeys()
    await signIn.signOut(forgetDevice: true)
    #expect(await signIn.delegatedSession() == nil)
    let after = try await signIn.deviceKeys()
    #expect(after != before)
    #expect(try kept.load() == after)
  }

  @Test("of many who need a first value all get the same", arguments: [true, false])
  func firstValue(isFile: Bool) async throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    defer { try? FileManager.default.removeItem(at: folder) }
    let url = folder.appendingPathComponent("keys.json")
    let memory = AnyValueStore<String>.memory()
    let added = try await withThrowingTaskGroup(of: String.self) { group in
      for number in 0..<16 {
        group.addTask { try (isFile ? AnyValueStore<String>.file(url: url) : memory).add("\(number)") }
      }
      return try await group.reduce(into: Set<String>()) { $0.insert($1) }
    }
    #expect(added.count == 1)
    guard isFile else { return }
    // What is no such value does not stand in the way.
    try Data("{".utf8).write(to: url)
    #expect(try AnyValueStore<String>.file(url: url).add("next") == "next")
  }

  @Test("a state that cannot be read now does not let a forged answer in")
  func lockedState() async throws {
    let isLocked = Locked(false)
    let kept = AnyValueStore<String>.memory()
    let states = AnyValueStore<String>(
      load: {
        guard !isLocked.withLock({ $0 }) else { throw BrokenStore() }
        return try kept.load()
      }, save: { try kept.save($0) }, clear: { try kept.clear() })
    let signIn = CloudSignIn(
      config: CloudConfig(walletURL: rig.wallet.url, cloudBaseURL: rig.manager.url, audience: .cli),
      keyStore: rig.keyStore, sessionStore: rig.sessionStore, nonces: rig.nonces,
      accountStore: rig.accountStore, stateStore: states, transport: hosts, clock: rig.clock.clock)
    let page = try await signIn.beginEnrolment(callbackURL: rig.callback)
    isLocked.withLock { $0 = true }
    let forged = try FakeWallet(seed: 6).answer(page, .tamperState)
    await #expect(throws: AccountError.self) { try await signIn.completeEnrolment(callbackURL: forged) }
    #expect(try rig.sessionStore.load() == nil)
  }

  @Test("two processes that need a device's keys for the first time end up with the same ones")
  func firstKeys() async throws {
    let kept = AnyValueStore<DeviceKeys>.memory()
    let isFirst = Locked(true)
    let other = rig.signIn(keyStore: kept, transport: hosts)
    let theirs = Locked<DeviceKeys?>(nil)
    let began = DispatchSemaphore(value: 0)
    // The other process is just as far: it has looked, found nothing, and writes first.
    let racing = AnyValueStore<DeviceKeys>(
      load: {
        let found = try kept.load()
        if isFirst.withLock({ first in
          defer { first = false }
          return first
        }) {
          Task.detached {
            let keys = try? await other.deviceKeys()
            theirs.withLock { $0 = keys }
            began.signal()
          }
          began.wait()
        }
        return found
      }, save: { try kept.save($0) }, clear: { try kept.clear() })
    let ours = try await rig.signIn(keyStore: racing, transport: hosts).deviceKeys()
    #expect(theirs.withLock { $0 } == ours)
  }
}
