import Foundation
import MeroAPI
import MeroHTTP
import MeroKitTestSupport
import Testing

@testable import MeroKit

@Suite("Signing out where several clients share a store")
struct SharedSessionStoreTests {
  private typealias Samples = SessionSamples

  private let clock = FakeClock()
  private let asked = Locked<[String]>([])
  private let told = Locked<[StoredSession]>([])
  /// `arrived` is opened by a refresh, whose answer waits for `answer`.
  private let arrived = Gate()
  private let answer = Gate()

  /// A client whose refresh gives pair n + 1 for pair n.
  private func keeper(_ store: any SessionStore) -> SessionKeeper {
    SessionKeeper(store: store, clock: clock.clock) { [self] token in
      asked.withLock { $0.append(token) }
      arrived.open()
      try await answer.wait()
      let pair = Int(token.dropFirst("refresh-".count)) ?? 0
      return (Samples.session(pair + 1, at: Int64(clock.now.timeIntervalSince1970 * 1000)), Samples.node)
    } revoke: { [told] session in
      told.withLock { $0.append(session) }
    }
  }

  /// Two clients that have read the same session, whose access token is over since.
  private func two(over store: any SessionStore) async -> (SessionKeeper, SessionKeeper) {
    let pair = (keeper(store), keeper(store))
    _ = await (pair.0.current(), pair.1.current())
    await clock.advance(by: 1000)
    return pair
  }

  // MARK: A refresh in another client

  @Test("a refresh under way in another client does not bring back what was signed out of")
  func signOutDuringTheirRefresh() async throws {
    let store = SharedStore(Samples.stored(1))
    let (first, second) = await two(over: store)
    var changes = second.changes(readStore: {}).makeAsyncIterator()
    #expect(await changes.next() == .signedIn(Samples.stored(1).account))
    let waiter = Task { try await second.bearer(clusterId: nil) }
    try await arrived.wait()
    #expect(await first.end(.signedOut) == [Samples.stored(1)])
    answer.open()
    await #expect(throws: CalimeroError.signedOut(.signedOut)) { try await waiter.value }
    // Nothing comes after this, so that a change that is missing is not waited for.
    await second.close()
    #expect(await changes.next() == .signedOut(.signedOut))
    #expect(await second.current() == nil)
    #expect(await store.session == nil)
    // The new tokens opened the session still, if the cluster had not heard of the end.
    await second.landed()
    #expect(told.withLock { $0.map(\.session.accessToken) } == ["access-2"])
  }

  @Test("a client does not refresh what another one has signed out of, and signs out too")
  func signOutBeforeTheirRefresh() async throws {
    let store = SharedStore(Samples.stored(1))
    let (first, second) = await two(over: store)
    answer.open()
    _ = await first.end(.signedOut)
    await #expect(throws: CalimeroError.signedOut(.signedOut)) { try await second.bearer(clusterId: nil) }
    #expect(asked.withLock { $0 } == [])
    #expect(await store.session == nil)
    await second.landed()
    #expect(told.withLock { $0 } == [Samples.stored(1)])
  }

  @Test("what another client saves right after the store was cleared is cleared once it lets go of the lock")
  func saveAcrossSignOut() async throws {
    let store = SharedStore(Samples.stored(1))
    let (first, second) = await two(over: store)
    answer.open()
    let saving = await store.holdSave()
    let waiter = Task { try await second.bearer(clusterId: nil) }
    try await saving.began.wait()
    // Signing out does not wait for the lock, which the other one holds.
    #expect(await first.end(.signedOut) == [Samples.stored(1)])
    #expect(await store.session == nil)
    saving.release.open()
    _ = try await waiter.value
    #expect(await eventually { await store.unlocks == 2 })
    #expect(await store.session == nil)
    await clock.advance(by: 1000)
    await #expect(throws: CalimeroError.signedOut(.signedOut)) { try await second.bearer(clusterId: nil) }
  }

  @Test(
    "a session that was signed in to right after signing out is not cleared with the one before",
    arguments: ["ses_1", "ses_2"])
  func signInAcrossSignOut(id: String) async throws {
    let store = SharedStore(Samples.stored(1))
    let (first, second) = await two(over: store)
    answer.open()
    let saving = await store.holdSave()
    let waiter = Task { try await second.bearer(clusterId: nil) }
    try await saving.began.wait()
    _ = await first.end(.signedOut)
    #expect(await eventually { await store.waiters == 1 })
    let signIn = Task {
      try await first.adopt(
        Samples.session(70, at: Samples.epoch + 1_000_000, id: id), issuedBy: Samples.node)
    }
    #expect(await eventually { await store.waiters == 2 })
    saving.release.open()
    _ = try await waiter.value
    #expect(try await signIn.value == nil)
    #expect(await eventually { await store.unlocks == 3 })
    #expect(await store.session?.session.accessToken == "access-70")
  }

  @Test("tokens are saved where the session never was, and where the store cannot be read")
  func savedAllTheSame() async throws {
    answer.open()
    let fresh = SharedStore(nil)
    await fresh.fail(saves: 1)
    let first = keeper(fresh)
    await #expect(throws: CalimeroError.self) {
      _ = try await first.adopt(Samples.session(1), issuedBy: Samples.node)
    }
    let hidden = SharedStore(Samples.stored(1))
    let second = keeper(hidden)
    _ = await second.current()
    await hidden.fail(loads: .max)
    await clock.advance(by: 1000)
    #expect(try await first.bearer(clusterId: nil).token == "access-2")
    #expect(await fresh.session?.session.accessToken == "access-2")
    #expect(try await second.bearer(clusterId: nil).token == "access-2")
    #expect(await hidden.session?.session.accessToken == "access-2")
    #expect(told.withLock { $0 } == [])
  }

  // MARK: Somebody else's session

  @Test("another account's record stays where the store cannot be read any more when the new tokens come")
  func hiddenRecord() async throws {
    let store = SharedStore(Samples.stored(1))
    let keeper = keeper(store)
    _ = await keeper.current()
    let theirs = Samples.stored(70, id: "ses_2", account: "acc_2")
    await store.save(again: theirs)
    await clock.advance(by: 1000)
    let waiter = Task { try await keeper.bearer(clusterId: nil) }
    try await arrived.wait()
    await store.fail(loads: .max)
    answer.open()
    #expect(try await waiter.value.token == "access-2")
    #expect(await store.session == theirs)
  }

  @Test("signing out leaves the session that another account has signed in to since")
  func signOutBesideAnotherAccount() async throws {
    let store = SharedStore(Samples.stored(1))
    let keeper = keeper(store)
    _ = await keeper.current()
    let theirs = Samples.stored(70, id: "ses_2", account: "acc_2")
    await store.save(again: theirs)
    #expect(await keeper.end(.signedOut) == [Samples.stored(1)])
    #expect(await store.session == theirs)
    #expect(await keeper.end(.signedOut) == [])
    #expect(await store.session == theirs)
  }

  @Test("signing out ends the session of the same account that another client has signed in to since")
  func signOutBesideTheSameAccount() async throws {
    let store = SharedStore(Samples.stored(1))
    let keeper = keeper(store)
    _ = await keeper.current()
    await store.save(again: Samples.stored(70, id: "ses_2"))
    #expect(await keeper.end(.signedOut) == [Samples.stored(1), Samples.stored(70, id: "ses_2")])
    #expect(await store.session == nil)
  }

  @Test("signing out clears a store that cannot be read")
  func signOutUnread() async throws {
    let store = SharedStore(Samples.stored(1))
    await store.fail(loads: .max)
    #expect(await keeper(store).end(.signedOut) == [])
    #expect(await store.session == nil)
  }

  @Test("signing out ends the session of a store that can be read only then, but not of another cluster")
  func signOutReadLate() async throws {
    let cases: [(cluster: String?, isOurs: Bool)] = [(nil, true), (Samples.cluster, true), ("ff", false)]
    for (cluster, isOurs) in cases {
      let store = SharedStore(Samples.stored(1))
      await store.fail(loads: 1)
      #expect(await keeper(store).end(.signedOut, clusterId: cluster) == (isOurs ? [Samples.stored(1)] : []))
      #expect(await store.session == (isOurs ? nil : Samples.stored(1)))
    }
  }

  // MARK: Against a cluster

  @Test("signing out while no node can be reached signs another process out with its next request")
  func signOutOffline() async throws {
    let path = FileManager.default.temporaryDirectory
      .appendingPathComponent("offline-\(UInt64.random(in: .min ... .max))").path
    defer { try? FileManager.default.removeItem(atPath: path) }
    let store = FileSessionStore("\(path)/session.json")
    let rig = SessionRig()
    let first = rig.client(store: store)
    let app = try await rig.app(first)
    let second = rig.client(nodes: [1, 2, 0], store: FileSessionStore("\(path)/session.json"))
    _ = try await second.call(app, "count")
    let copied = MemorySessionStore(try store.load())
    for node in rig.cloud.nodes { node.down() }
    await first.signOut()
    #expect(try store.load() == nil)
    for node in rig.cloud.nodes { node.up() }
    await rig.clock.advance(by: 1000)
    await #expect(throws: CalimeroError.signedOut(.signedOut)) { try await second.call(app, "count") }
    #expect(try store.load() == nil)
    #expect(await !second.isSignedIn)
    // What the first could not tell the cluster, the second does.
    await second.close()
    #expect(rig.cloud.log.requests("auth_signout").last?.status == 204)
    await #expect(throws: CalimeroError.signedOut(.revoked)) {
      try await rig.client(store: copied).orgs.list()
    }
    #expect(rig.cloud.violations.isEmpty)
  }

  @Test("a client with an API key that signs out leaves the stored session alone, which it has not read")
  func signOutWithKey() async throws {
    let rig = SessionRig()
    let store = MemorySessionStore()
    let person = rig.client(store: store)
    _ = try await rig.app(person)
    let kept = try #require(await store.load())
    rig.cloud.clearLog()
    await rig.client(store: store) { $0.apiKey = "cmk_something" }.signOut()
    #expect(await store.load() == kept)
    #expect(rig.cloud.log.outer.isEmpty)
    _ = try await person.orgs.list()
    // Who was signed in before there was a key signs out.
    await person.useApiKey("cmk_something")
    await person.signOut()
    #expect(await store.load() == nil)
    #expect(rig.cloud.log.requests("auth_signout").map(\.status) == [204])
  }
}

/// A store of several clients: it fails when told, and can hold a save back. Who came last gets its lock next.
private actor SharedStore: SessionStore {
  struct Hold {
    let began = Gate()
    let release = Gate()
  }
  struct Failure: Error {}

  private(set) var session: StoredSession?
  private(set) var unlocks = 0
  private var isLocked = false
  private var waiting: [Gate] = []
  private var failingLoads = 0
  private var failingSaves = 0
  private var hold: Hold?

  init(_ session: StoredSession?) { self.session = session }

  func fail(loads: Int = 0, saves: Int = 0) { (failingLoads, failingSaves) = (loads, saves) }

  /// Holds the next save back.
  func holdSave() -> Hold {
    let hold = Hold()
    self.hold = hold
    return hold
  }

  /// How many wait for the lock.
  var waiters: Int { waiting.count }

  /// What another process does.
  func save(again session: StoredSession) { self.session = session }

  func load() throws -> StoredSession? {
    if failingLoads > 0 {
      failingLoads -= 1
      throw Failure()
    }
    return session
  }

  func save(_ session: StoredSession) async throws {
    if failingSaves > 0 {
      failingSaves -= 1
      throw Failure()
    }
    if let hold {
      self.hold = nil
      hold.began.open()
      try await hold.release.wait()
    }
    self.session = session
  }

  func clear() { session = nil }

  func withLock<Value: Sendable>(_ body: @Sendable () async throws -> Value) async throws -> Value {
    if isLocked {
      let turn = Gate()
      waiting.append(turn)
      try await turn.wait()
    }
    isLocked = true
    defer {
      unlocks += 1
      if let next = waiting.popLast() { next.open() } else { isLocked = false }
    }
    return try await body()
  }
}
