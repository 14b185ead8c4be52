import Foundation
import MeroAPI
import MeroHTTP
import MeroKitTestSupport
import MeroSealed
import MeroWire
import Testing

@testable import MeroKit

@Suite("Sessions when things cross")
struct ReviewSessionTests {
  private typealias Samples = SessionSamples

  // MARK: Signing in and out

  @Test("signing out first of all neither clears nor sends the session of another cluster")
  func signOutBesideAnotherCluster() async throws {
    let rig = SessionRig()
    let store = MemorySessionStore(Samples.stored(1))
    let client = rig.client(store: store) { $0.clusterId = Hex.encode(rig.cloud.clusterId) }
    await client.signOut()
    #expect(await store.load() == Samples.stored(1))
    #expect(rig.cloud.log.outer.isEmpty)
  }

  @Test("signing in first of all revokes the session of an earlier run, in a pinned cluster too")
  func signInOverAnEarlierRun() async throws {
    let rig = SessionRig()
    let store = MemorySessionStore()
    _ = try await rig.app(rig.client(store: store))
    let old = try #require(await store.load())
    try await rig.client(store: store) { $0.clusterId = old.clusterId }.signIn(rig.passkey)
    let revoked = rig.client(store: MemorySessionStore(old))
    await #expect(throws: CalimeroError.self) { try await revoked.orgs.list() }
  }

  @Test("a task that is cancelled while it signs out still tells the cluster")
  func signOutWhileCancelled() async throws {
    let rig = SessionRig()
    let client = rig.client()
    _ = try await rig.app(client)
    await cancelled { await client.signOut() }
    #expect(rig.cloud.log.requests("auth_signout").map(\.status) == [204])
  }

  @Test("a session that was signed in to is kept, whoever has cancelled since")
  func adoptWhileCancelled() async throws {
    let path = FileManager.default.temporaryDirectory
      .appendingPathComponent("adopt-\(UInt64.random(in: .min ... .max))").path
    defer { try? FileManager.default.removeItem(atPath: path) }
    let store = FileSessionStore("\(path)/session.json")
    let keeper = SessionKeeper(store: store, clock: FakeClock().clock) { _ in throw CalimeroError.cancelled }
    let task = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      _ = try await keeper.adopt(Samples.session(1), issuedBy: Samples.node)
    }
    try await task.value
    #expect(try store.load()?.session == Samples.session(1))
  }

  // MARK: Refreshing

  @Test("closing the client does not lose the tokens that a refresh under way brings")
  func closeDuringRefresh() async throws {
    let clock = FakeClock()
    await clock.advance(by: 1000)
    let store = MemorySessionStore(Samples.stored(1))
    let (arrived, answer) = (Gate(), Gate())
    let keeper = SessionKeeper(store: store, clock: clock.clock) { _ in
      arrived.open()
      try await answer.wait()
      return (Samples.session(2, at: Samples.epoch + 1_000_000), Samples.node)
    }
    let waiter = Task { try await keeper.bearer(clusterId: nil) }
    try await arrived.wait()
    await keeper.close()
    answer.open()
    #expect(try await waiter.value.token == "access-2")
    #expect(await store.load()?.session.accessToken == "access-2")
  }

  @Test("what another client refreshed is taken even if the clock was set back in between")
  func clockSetBack() async throws {
    let clock = FakeClock()
    await clock.advance(by: 1000)
    let asked = Locked<[String]>([])
    let store = MemorySessionStore(Samples.stored(1))
    let keeper = SessionKeeper(store: store, clock: clock.clock) { token in
      asked.withLock { $0.append(token) }
      return (Samples.session(3, at: Samples.epoch + 1_000_000), Samples.node)
    }
    _ = await keeper.current()
    let theirs = Samples.session(2, at: Samples.epoch + 900_000)
    await store.save(
      StoredSession(session: theirs, issuedBy: Samples.node, savedAt: Samples.epoch - 3_600_000))
    #expect(try await keeper.bearer(clusterId: nil).token == "access-3")
    #expect(asked.withLock { $0 } == ["refresh-2"])
  }

  @Test("a refresh whose answer is lost without a word is asked for again while the same one is given")
  func silentLoss() async throws {
    let rig = SessionRig()
    let transport = ForgetfulTransport(inner: rig.cloud.transport, clock: rig.clock.clock)
    let client = rig.client { $0.transport = transport }
    let app = try await rig.app(client)
    await rig.clock.advance(by: 1000)
    rig.cloud.clearLog()
    rig.clock.autoAdvance = 0
    transport.losses.withLock { $0 = 1 }
    let call = Task { try await client.call(app, "count") }
    #expect(await eventually { transport.losses.withLock { $0 } == 0 })
    await rig.clock.advance(by: 6)
    let isDone = await eventually { rig.cloud.runs(of: "count", in: app) == 1 }
    if !isDone { call.cancel() }
    _ = try await call.value
    #expect(rig.cloud.log.requests("auth_refresh").allSatisfy { $0.status == 200 })
    #expect(rig.cloud.log.requests("auth_refresh").count > 1)
    await rig.clock.advance(by: 1000)
    _ = try await client.call(app, "count")
  }

  // MARK: Clocks and listeners

  @Test("a device whose clock is an hour ahead can confirm requests with a session of an earlier run")
  func wrongClock() async throws {
    let rig = SessionRig()
    let ahead = FakeClock(now: Date(timeIntervalSince1970: 1_790_003_600), autoAdvance: 2)
    let store = MemorySessionStore()
    try await rig.client(store: store, clock: ahead).signUp(rig.passkey, name: "ada")
    let client = rig.client(store: store, clock: ahead)
    let body: JSONValue = ["name": "Acme"]
    let nonce = [UInt8](repeating: 7, count: 32)
    // Five minutes of the cluster's time, which were over long ago by the device's.
    let expiresAt: Int64 = 1_790_000_300_000
    let challenge = StepUp.confirmChallenge(
      request: APIRequest(method: .post, path: "/orgs", body: body.data()), clusterId: rig.cloud.clusterId,
      expiresAt: expiresAt, nonce: nonce)
    rig.cloud.nodes[0].answer(
      412, "CONFIRM_REQUIRED", operation: "org_create",
      details: [
        "confirmId": "cf_1", "action": "org_create", "expiresAt": JSONValue(expiresAt),
        "nonce": .string(Hex.encode(nonce)),
        "options": [
          "challenge": .string(Base64URL.encode(challenge)), "rpId": "localhost",
          "userVerification": "required",
        ],
      ])
    let org = try await client.postConfirmed("/orgs", body: body, passkey: rig.passkey)
    #expect(org["name"] == "Acme")
    #expect(rig.cloud.log.requests("org_create").map(\.status) == [412, 201])
  }

  @Test("whoever begins to listen while something changes hears the change last")
  func listenDuringChange() async {
    for _ in 0..<500 {
      let news = Announcements(0)
      async let change: Void = Task.detached { news.announce(1) }.value
      let stream = news.listen()
      await change
      news.close()
      var last = -1
      for await value in stream { last = value }
      #expect(last == 1)
    }
  }

  private func cancelled(_ body: @escaping @Sendable () async -> Void) async {
    await Task {
      withUnsafeCurrentTask { $0?.cancel() }
      await body()
    }.value
  }
}

/// Carries requests, and loses the answers to as many sealed ones as it is told, as a connection that died does.
private struct ForgetfulTransport: HTTPTransport {
  let inner: any HTTPTransport
  let clock: MeroClock
  let losses = Locked(0)

  func send(_ request: HTTPRequest) async throws -> HTTPResponse {
    let response = try await inner.send(request)
    guard request.url.path.hasSuffix(SealedProtocol.exchangePath),
      response.headers["content-type"] == SealedProtocol.contentType
    else { return response }
    let isLost = losses.withLock { left in
      defer { left = max(0, left - 1) }
      return left > 0
    }
    if isLost { try await clock.sleep(86_400) }
    return response
  }
}
