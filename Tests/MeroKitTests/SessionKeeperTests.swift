import Foundation
import MeroAPI
import MeroHTTP
import MeroKitTestSupport
import Testing

@testable import MeroKit

@Suite("Keeping a session")
struct SessionKeeperTests {
  private typealias Samples = SessionSamples

  private let clock = FakeClock()

  /// A cluster's refresh operation: gives pair n + 1 for pair n, and holds its answers while `gate` is shut.
  private final class Cluster: Sendable {
    let asked = Locked<[String]>([])
    let gate = Locked<Gate?>(nil)
    let arrived = Gate()
    let error = Locked<(any Error)?>(nil)
    /// What the next access token is in place of a good one.
    let badToken = Locked<String?>(nil)
    let clock: FakeClock

    init(_ clock: FakeClock) { self.clock = clock }

    func refresh(_ token: String) async throws -> (session: Components.Schemas.Session, issuedBy: URL) {
      asked.withLock { $0.append(token) }
      arrived.open()
      if let gate = gate.withLock({ $0 }) { try await gate.wait() }
      if let error = error.withLock({ $0 }) { throw error }
      let pair = Int(token.dropFirst("refresh-".count)) ?? 0
      let now = Int64(clock.now.timeIntervalSince1970 * 1000)
      var session = Samples.session(pair + 1, at: now)
      if let token = badToken.withLock({ $0 }) { session.accessToken = token }
      return (session, Samples.node)
    }

    func refuse(_ code: String, status: Int = 401) {
      error.withLock { $0 = CalimeroError.api(APIError(status: status, code: ErrorCode(code), message: "")) }
    }
  }

  private func keeper(_ store: any SessionStore, _ cluster: Cluster) -> SessionKeeper {
    SessionKeeper(store: store, clock: clock.clock) { try await cluster.refresh($0) }
  }

  @Test("without a session a request throws signedOut(.never)")
  func never() async {
    let keeper = keeper(MemorySessionStore(), Cluster(clock))
    await #expect(throws: CalimeroError.signedOut(.never)) { try await keeper.bearer(clusterId: nil) }
  }

  @Test(
    "tokens that no header can carry do not replace those that are kept",
    arguments: ["", "a\r\nb", "a\0b", "ä"])
  func unsendable(token: String) async throws {
    let store = MemorySessionStore(Samples.stored(1))
    let cluster = Cluster(clock)
    let keeper = keeper(store, cluster)
    _ = try await keeper.bearer(clusterId: nil)
    cluster.badToken.withLock { $0 = token }
    clock.jump(by: 880)
    await #expect {
      try await keeper.bearer(clusterId: nil)
    } throws: {
      if case CalimeroError.decoding = $0 { true } else { false }
    }
    #expect(await store.load() == Samples.stored(1))
    cluster.badToken.withLock { $0 = nil }
    #expect(try await keeper.bearer(clusterId: nil).token == "access-2")
  }

  @Test("the store is read once for many first requests")
  func readOnce() async throws {
    let store = CountingStore(Samples.stored(1))
    let keeper = keeper(store, Cluster(clock))
    try await withThrowingTaskGroup(of: Bearer.self) { group in
      for _ in 0..<20 { group.addTask { try await keeper.bearer(clusterId: nil) } }
      for try await bearer in group { #expect(bearer.token == "access-1") }
    }
    #expect(await store.loads == 1)
  }

  @Test("a store that cannot be read is not a sign-out, and is read again")
  func unreadable() async throws {
    let store = CountingStore(Samples.stored(1))
    await store.fail(loads: 1)
    let keeper = keeper(store, Cluster(clock))
    await #expect {
      try await keeper.bearer(clusterId: nil)
    } throws: {
      if case CalimeroError.invalidInput = $0 { true } else { false }
    }
    #expect(try await keeper.bearer(clusterId: nil).token == "access-1")
  }

  @Test("a record of another cluster stays in the store, also after signing out")
  func otherCluster() async throws {
    let store = MemorySessionStore(Samples.stored(1))
    let keeper = keeper(store, Cluster(clock))
    await #expect(throws: CalimeroError.signedOut(.otherCluster)) { try await keeper.bearer(clusterId: "ff") }
    #expect(await keeper.end(.signedOut) == [])
    #expect(await store.load() == Samples.stored(1))
  }

  @Test("a record whose refresh token is over is cleared")
  func expiredRecord() async throws {
    await clock.advance(by: 31 * 86_400)
    let store = MemorySessionStore(Samples.stored(1))
    let keeper = keeper(store, Cluster(clock))
    await #expect(throws: CalimeroError.signedOut(.expired)) { try await keeper.bearer(clusterId: nil) }
    #expect(await store.load() == nil)
  }

  @Test("fifty requests with a token that is over make one refresh, and all get the new token")
  func singleFlight() async throws {
    await clock.advance(by: 1000)
    let cluster = Cluster(clock)
    let store = MemorySessionStore(Samples.stored(1))
    let keeper = keeper(store, cluster)
    try await withThrowingTaskGroup(of: Bearer.self) { group in
      for _ in 0..<50 { group.addTask { try await keeper.bearer(clusterId: nil) } }
      for try await bearer in group { #expect(bearer.token == "access-2") }
    }
    #expect(cluster.asked.withLock { $0 } == ["refresh-1"])
    #expect(await store.load()?.session.accessToken == "access-2")
  }

  @Test("the new tokens are in the store before any request that waits is sent")
  func savedBeforeUse() async throws {
    await clock.advance(by: 1000)
    let store = CountingStore(Samples.stored(1))
    let keeper = keeper(store, Cluster(clock))
    let bearer = try await keeper.bearer(clusterId: nil)
    #expect(bearer.token == "access-2")
    #expect(await store.log == ["load", "lock", "load", "load", "save access-2", "unlock"])
  }

  @Test("TOKEN_EXPIRED refreshes once for all requests that carried the token")
  func afterExpiry() async throws {
    let cluster = Cluster(clock)
    let keeper = keeper(MemorySessionStore(Samples.stored(1)), cluster)
    let sent = try await keeper.bearer(clusterId: nil)
    #expect(sent.token == "access-1")
    #expect(try await keeper.refreshed(after: sent).token == "access-2")
    #expect(try await keeper.refreshed(after: sent).token == "access-2")
    #expect(cluster.asked.withLock { $0.count } == 1)
  }

  @Test(
    "a refused refresh signs out, clears the store and fails everyone who waits",
    arguments: [
      ("REFRESH_REUSED", SignedOutReason.reused), ("TOKEN_REVOKED", .revoked), ("TOKEN_EXPIRED", .expired),
    ])
  func refused(code: String, reason: SignedOutReason) async throws {
    await clock.advance(by: 1000)
    let cluster = Cluster(clock)
    cluster.refuse(code)
    let store = MemorySessionStore(Samples.stored(1))
    let keeper = keeper(store, cluster)
    var changes = keeper.changes(readStore: {}).makeAsyncIterator()
    await withTaskGroup(of: Void.self) { group in
      for _ in 0..<5 {
        group.addTask {
          await #expect(throws: CalimeroError.signedOut(reason)) { try await keeper.bearer(clusterId: nil) }
        }
      }
    }
    #expect(await store.load() == nil)
    #expect(await changes.next() == .signedIn(CalimeroAccount(accountId: "acc_1", name: "ada")))
    #expect(await changes.next() == .signedOut(reason))
    await #expect(throws: CalimeroError.signedOut(reason)) { try await keeper.bearer(clusterId: nil) }
  }

  @Test("a refresh does not replace the record of another account, which a process signed in to since")
  func otherAccountSince() async throws {
    let cluster = Cluster(clock)
    let store = MemorySessionStore(Samples.stored(1))
    let keeper = keeper(store, cluster)
    _ = try await keeper.bearer(clusterId: nil)
    let theirs = Samples.stored(7, at: Samples.epoch + 500_000, id: "ses_2", account: "acc_2")
    await store.save(theirs)
    for pair in 2...3 {
      await clock.advance(by: 1000)
      // This process goes on with the session that it holds.
      #expect(try await keeper.bearer(clusterId: nil).token == "access-\(pair)")
      #expect(await store.load() == theirs)
    }
    #expect(cluster.asked.withLock { $0 } == ["refresh-1", "refresh-2"])
  }

  @Test("a refresh that fails in another way leaves the session, and the next request tries again")
  func failedRefresh() async throws {
    await clock.advance(by: 1000)
    let cluster = Cluster(clock)
    cluster.error.withLock { $0 = CalimeroError.unreachable(Unreachable(failures: [])) }
    let store = MemorySessionStore(Samples.stored(1))
    let keeper = keeper(store, cluster)
    await #expect(throws: CalimeroError.unreachable(Unreachable(failures: []))) {
      try await keeper.bearer(clusterId: nil)
    }
    #expect(await store.load() == Samples.stored(1))
    cluster.error.withLock { $0 = nil }
    #expect(try await keeper.bearer(clusterId: nil).token == "access-2")
  }

  @Test("a request that is cancelled while it waits for a refresh ends at once, and the refresh goes on")
  func cancelledWaiter() async throws {
    await clock.advance(by: 1000)
    let cluster = Cluster(clock)
    let gate = Gate()
    cluster.gate.withLock { $0 = gate }
    let keeper = keeper(MemorySessionStore(Samples.stored(1)), cluster)
    let waiter = Task { try await keeper.bearer(clusterId: nil) }
    try await cluster.arrived.wait()
    waiter.cancel()
    await #expect(throws: CalimeroError.cancelled) { try await waiter.value }
    gate.open()
    #expect(try await keeper.bearer(clusterId: nil).token == "access-2")
    #expect(cluster.asked.withLock { $0.count } == 1)
  }

  @Test("a token refresh that ends after sign-out does not bring the session back")
  func signOutDuringRefresh() async throws {
    await clock.advance(by: 1000)
    let cluster = Cluster(clock)
    let gate = Gate()
    cluster.gate.withLock { $0 = gate }
    let store = MemorySessionStore(Samples.stored(1))
    let keeper = keeper(store, cluster)
    let waiter = Task { try await keeper.bearer(clusterId: nil) }
    try await cluster.arrived.wait()
    #expect(await keeper.end(.signedOut) == [Samples.stored(1)])
    await #expect(throws: CalimeroError.signedOut(.signedOut)) { try await waiter.value }
    gate.open()
    for _ in 0..<100 { await Task.yield() }
    #expect(await store.load() == nil)
    #expect(await keeper.current() == nil)
  }

  @Test("a save that is under way when somebody signs out is undone by it")
  func signOutDuringSave() async throws {
    await clock.advance(by: 1000)
    let store = CountingStore(Samples.stored(1))
    let saving = await store.holdSaves()
    let keeper = keeper(store, Cluster(clock))
    let waiter = Task { try await keeper.bearer(clusterId: nil) }
    try await saving.began.wait()
    let ending = Task { await keeper.end(.signedOut) }
    await #expect(throws: CalimeroError.signedOut(.signedOut)) { try await waiter.value }
    saving.release.open()
    _ = await ending.value
    #expect(await store.session == nil)
    #expect(await keeper.current() == nil)
  }

  @Test("a token refresh that ends after another sign-in leaves the new session in place")
  func signInDuringRefresh() async throws {
    await clock.advance(by: 1000)
    let cluster = Cluster(clock)
    let gate = Gate()
    cluster.gate.withLock { $0 = gate }
    let store = MemorySessionStore(Samples.stored(1))
    let keeper = keeper(store, cluster)
    let waiter = Task { try await keeper.bearer(clusterId: nil) }
    try await cluster.arrived.wait()
    let now = Samples.epoch + 1_000_000
    let previous = try await keeper.adopt(Samples.session(70, at: now, id: "ses_2"), issuedBy: Samples.node)
    #expect(previous == Samples.stored(1))
    #expect(try await waiter.value.token == "access-70")
    gate.open()
    for _ in 0..<100 { await Task.yield() }
    #expect(await store.load()?.session.sessionId == "ses_2")
    #expect(try await keeper.bearer(clusterId: nil).sessionId == "ses_2")
  }

  @Test("70 §2.27 #13: what another client refreshed in the same store is used instead of refreshing again")
  func sharedStore() async throws {
    await clock.advance(by: 1000)
    let cluster = Cluster(clock)
    let store = MemorySessionStore(Samples.stored(1))
    let (first, second) = (keeper(store, cluster), keeper(store, cluster))
    _ = await (first.current(), second.current())
    #expect(try await first.bearer(clusterId: nil).token == "access-2")
    #expect(try await second.bearer(clusterId: nil).token == "access-2")
    #expect(cluster.asked.withLock { $0 } == ["refresh-1"])
    // Long after, the second refreshes what the first had made.
    await clock.advance(by: 1000)
    #expect(try await second.bearer(clusterId: nil).token == "access-3")
    #expect(try await first.bearer(clusterId: nil).token == "access-3")
    #expect(cluster.asked.withLock { $0 } == ["refresh-1", "refresh-2"])
  }

  @Test("an older record that could not be replaced is not taken for another client's refresh")
  func unsavedRefresh() async throws {
    await clock.advance(by: 1000)
    let cluster = Cluster(clock)
    let store = CountingStore(Samples.stored(1))
    await store.fail(saves: 1)
    let keeper = keeper(store, cluster)
    #expect(try await keeper.bearer(clusterId: nil).token == "access-2")
    await clock.advance(by: 1000)
    #expect(try await keeper.bearer(clusterId: nil).token == "access-3")
    #expect(cluster.asked.withLock { $0 } == ["refresh-1", "refresh-2"])
    #expect(await store.session?.session.accessToken == "access-3")
  }

  @Test("tokens of another account in answer to a refresh are not used")
  func foreignTokens() async throws {
    await clock.advance(by: 1000)
    let store = MemorySessionStore(Samples.stored(1))
    let keeper = SessionKeeper(store: store, clock: clock.clock) { _ in
      (Samples.session(9, account: "acc_9"), Samples.node)
    }
    await #expect {
      try await keeper.bearer(clusterId: nil)
    } throws: {
      if case CalimeroError.decoding = $0 { true } else { false }
    }
    #expect(await store.load() == Samples.stored(1))
  }

  @Test("TOKEN_REVOKED on a request signs out, but not a session that came after")
  func revoked() async throws {
    let store = MemorySessionStore(Samples.stored(1))
    let keeper = keeper(store, Cluster(clock))
    let sent = try await keeper.bearer(clusterId: nil)
    _ = try await keeper.adopt(Samples.session(70, id: "ses_2"), issuedBy: Samples.node)
    await keeper.revoked(sent)
    #expect(await keeper.current()?.session.sessionId == "ses_2")
    await keeper.revoked(try await keeper.bearer(clusterId: nil))
    #expect(await keeper.current() == nil)
    #expect(await store.load() == nil)
  }

  @Test("a session that was revoked does not clear what another client has signed in to since")
  func revokedBesideAnother() async throws {
    let store = MemorySessionStore(Samples.stored(1))
    let keeper = keeper(store, Cluster(clock))
    let sent = try await keeper.bearer(clusterId: nil)
    await store.save(Samples.stored(70, id: "ses_2"))
    await keeper.revoked(sent)
    #expect(await store.load()?.session.sessionId == "ses_2")
  }

  @Test("a sign-in that cannot be saved says so and is in use all the same")
  func unsavedSignIn() async throws {
    let store = CountingStore(nil)
    await store.fail(saves: 1)
    let keeper = keeper(store, Cluster(clock))
    await #expect {
      _ = try await keeper.adopt(Samples.session(1), issuedBy: Samples.node)
    } throws: {
      if case CalimeroError.invalidInput = $0 { true } else { false }
    }
    #expect(try await keeper.bearer(clusterId: nil).token == "access-1")
  }

  @Test("everyone who listens gets the state at once and then every change")
  func listeners() async throws {
    let keeper = keeper(MemorySessionStore(Samples.stored(1)), Cluster(clock))
    let ada = AuthChange.signedIn(CalimeroAccount(accountId: "acc_1", name: "ada"))
    let changes = keeper.changes { _ = await keeper.current() }
    var first = changes.makeAsyncIterator()
    var second = changes.makeAsyncIterator()
    #expect(await first.next() == ada)
    #expect(await second.next() == ada)
    _ = await keeper.end(.signedOut)
    var third = changes.makeAsyncIterator()
    #expect(await first.next() == .signedOut(.signedOut))
    #expect(await second.next() == .signedOut(.signedOut))
    #expect(await third.next() == .signedOut(.signedOut))
  }
}

/// A store that keeps a log, fails when told, and can hold a save back.
private actor CountingStore: SessionStore {
  struct Hold {
    let began = Gate()
    let release = Gate()
  }
  struct Failure: Error {}

  private(set) var session: StoredSession?
  private(set) var log: [String] = []
  private var failingLoads = 0
  private var failingSaves = 0
  private var hold: Hold?

  init(_ session: StoredSession?) { self.session = session }

  var loads: Int { log.filter { $0 == "load" }.count }

  func fail(loads: Int = 0, saves: Int = 0) {
    failingLoads += loads
    failingSaves += saves
  }

  func holdSaves() -> Hold {
    let hold = Hold()
    self.hold = hold
    return hold
  }

  func load() throws -> StoredSession? {
    log.append("load")
    if failingLoads > 0 {
      failingLoads -= 1
      throw Failure()
    }
    return session
  }

  func save(_ session: StoredSession) async throws {
    log.append("save \(session.session.accessToken)")
    if failingSaves > 0 {
      failingSaves -= 1
      throw Failure()
    }
    if let hold {
      hold.began.open()
      try await hold.release.wait()
    }
    self.session = session
  }

  func clear() {
    log.append("clear")
    session = nil
  }

  func withLock<Value: Sendable>(_ body: @Sendable () async throws -> Value) async throws -> Value {
    log.append("lock")
    defer { log.append("unlock") }
    return try await body()
  }
}
