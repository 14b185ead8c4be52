import Foundation
import MeroHTTP
import MeroKitTestSupport
import MeroWire
import Testing

@testable import MeroKit

@Suite("Presence against a cluster")
struct PresenceClusterTests {
  struct Typing: Codable, Sendable, Hashable { var typing: Bool }
  typealias Entry = CalimeroClient.PresenceEntry

  /// Collects the sets that a client is given, in a task of its own.
  private final class Watcher<State: Decodable & Sendable>: Sendable {
    private let sets = Locked<[[Entry<State>]]>([])
    let task: Task<Void, any Error>

    init(_ presence: CalimeroClient.Presence, as type: State.Type) {
      let sets = sets
      let stream = presence.entries(as: type)
      task = Task { for try await set in stream { sets.withLock { $0.append(set) } } }
    }

    var last: [Entry<State>]? { sets.withLock { $0.last } }

    /// Whether the set comes to fulfil this.
    func sees(_ isTrue: ([Entry<State>]) -> Bool) async -> Bool {
      await eventually { last.map(isTrue) ?? false }
    }
  }

  /// Moves the time on in steps, each of which lets others run.
  private func pass(_ seconds: Int, of rig: SessionRig) async {
    for _ in 0..<seconds * 2 { await rig.clock.advance(by: 0.5) }
  }

  private func puts(_ rig: SessionRig) -> [FakeCloudLog.Inner] { rig.cloud.log.requests("app_presence_set") }

  private func taken(_ rig: SessionRig) -> Int { puts(rig).filter { $0.status == 204 }.count }

  /// Moves the time on to the next renewal, once that is waited for, and waits until it has been answered.
  private func renew(_ rig: SessionRig) async -> Bool {
    func answered() -> Int { puts(rig).filter { $0.status != nil }.count }
    let before = answered()
    _ = await eventually {
      rig.clock.sleeps.filter { abs($0 - OwnPresence.renewal) < 0.001 }.count >= before
    }
    for _ in 0..<3 {
      await rig.clock.advance(by: OwnPresence.renewal)
      if await eventually({ answered() > before }) { return true }
    }
    return false
  }

  @Test(
    "70 §2.27 #17: what is set is there for others, is renewed every 2.5 seconds, and goes when it is cleared"
  )
  func setAndClear() async throws {
    let rig = SessionRig()
    let ada = rig.client()
    let app = try await rig.app(ada)
    let other = rig.client(nodes: [1, 2])
    try await other.signIn(rig.passkey)
    let watcher = Watcher(other.presence(app), as: Typing.self)
    #expect(await watcher.sees { $0.isEmpty })
    try await ada.presence(app).set(Typing(typing: true))
    #expect(await watcher.sees { $0.map(\.state) == [Typing(typing: true)] })
    let entry = try #require(watcher.last?.first)
    #expect(entry.name == "ada")
    #expect(!entry.isMine)
    // Not before its time.
    await rig.clock.advance(by: 2.4)
    #expect(puts(rig).count == 1)
    for _ in 0..<4 { #expect(await renew(rig)) }
    #expect(await watcher.sees { $0.map(\.state) == [Typing(typing: true)] })
    await ada.presence(app).clear()
    #expect(await watcher.sees { $0.isEmpty })
    let count = puts(rig).count
    await pass(10, of: rig)
    #expect(puts(rig).count == count)
    // Nobody's place among the events moved.
    #expect(try await ada.apps.get(app: app).seq == 0)
    watcher.task.cancel()
    #expect(rig.cloud.violations.isEmpty)
    #expect(rig.cloud.unfitRequests == [])
    #expect(rig.cloud.lapses == [])
  }

  @Test(
    "70 §2.27 #17: when a client vanishes, its entry ages out after seven seconds, at the node and for readers"
  )
  func vanishes() async throws {
    let rig = SessionRig()
    let reader = rig.client()
    let app = try await rig.app(reader)
    let watcher = Watcher(reader.presence(app), as: JSONValue.self)
    var vanishing: CalimeroClient? = rig.client()
    try await vanishing?.signIn(rig.passkey)
    try await vanishing?.presence(app).set(["here": true])
    #expect(await watcher.sees { $0.map(\.state) == [["here": true]] })
    vanishing = nil
    let count = puts(rig).count
    await pass(6, of: rig)
    #expect(watcher.last?.count == 1)
    await pass(1, of: rig)
    #expect(await watcher.sees { $0.isEmpty })
    #expect(try await reader.apps.presenceList(app: app).entries.isEmpty)
    #expect(puts(rig).count == count)
    watcher.task.cancel()
  }

  @Test("70 §2.27 #17: two sessions of an account have an entry each, and each knows which is its own")
  func twoSessions() async throws {
    let rig = SessionRig()
    let first = rig.client()
    let app = try await rig.app(first)
    let second = rig.client()
    try await second.signIn(rig.passkey)
    let watchers = [first, second].map { Watcher($0.presence(app), as: Int.self) }
    try await first.presence(app).set(1)
    try await second.presence(app).set(2)
    for watcher in watchers {
      #expect(await watcher.sees { Set($0.compactMap(\.state)) == [1, 2] })
      let entries = try #require(watcher.last)
      #expect(Set(entries.map(\.accountId)).count == 1)
      #expect(Set(entries.map(\.sessionId)).count == 2)
    }
    #expect(watchers[0].last?.filter(\.isMine).map(\.state) == [1])
    #expect(watchers[1].last?.filter(\.isMine).map(\.state) == [2])
    await first.presence(app).clear()
    #expect(await watchers[1].sees { $0.map(\.state) == [2] })
    for watcher in watchers { watcher.task.cancel() }
  }

  @Test("70 §2.27 #17: a set that is late does not undo a clear")
  func lateSet() async throws {
    let rig = SessionRig()
    let client = rig.client()
    let app = try await rig.app(client)
    let presence = client.presence(app)
    try await presence.set("early")
    // It waits at the node's door while the clear goes past it.
    rig.cloud.nodes[0].delay(milliseconds: 5000)
    let before = rig.cloud.log.outer.count
    let late = Task { try await presence.set("late") }
    #expect(await eventually { rig.cloud.log.outer.count > before })
    rig.cloud.nodes[0].delay(milliseconds: 0)
    await presence.clear()
    try await late.value
    await pass(6, of: rig)
    #expect(try await client.apps.presenceList(app: app).entries.isEmpty)
    // And by its version alone, were it not cancelled.
    let now = UInt64(rig.clock.now.timeIntervalSince1970 * 1000)
    try await client.apps.presenceSet(app: app, state: .null, version: now + 10)
    try await client.apps.presenceSet(app: app, state: "late", version: now + 9)
    #expect(try await client.apps.presenceList(app: app).entries.isEmpty)
    #expect(rig.cloud.violations.isEmpty)
    #expect(rig.cloud.unfitRequests == [])
  }

  @Test(
    "70 §2.27 #17: presence goes on over lost connections and nodes that are away, and is whole again after")
  func reconnects() async throws {
    let rig = SessionRig()
    let writer = rig.client()
    let app = try await rig.app(writer)
    let reader = rig.client(nodes: [1, 2])
    try await reader.signIn(rig.passkey)
    let watcher = Watcher(reader.presence(app), as: String.self)
    #expect(await watcher.sees { $0.isEmpty })
    try await writer.presence(app).set("here")
    #expect(await watcher.sees { $0.map(\.state) == ["here"] })
    for node in rig.cloud.nodes { node.dropStreams(.cut) }
    #expect(await eventually { rig.cloud.openStreams(of: app) == 1 })
    // The writer's node goes away: the next renewal goes to another.
    rig.cloud.nodes[0].down()
    for _ in 0..<4 { #expect(await renew(rig)) }
    #expect(await watcher.sees { $0.map(\.state) == ["here"] })
    #expect(puts(rig).contains { $0.node != 0 && $0.status == 204 })
    // No node can be reached by the reader: what it knows ages out and is empty.
    rig.cloud.nodes[0].up()
    for node in rig.cloud.nodes.dropFirst() { node.down() }
    await pass(8, of: rig)
    #expect(await watcher.sees { $0.isEmpty })
    for node in rig.cloud.nodes { node.up() }
    for _ in 0..<80 where watcher.last?.isEmpty ?? true { await rig.clock.advance(by: 0.5) }
    #expect(await watcher.sees { $0.map(\.state) == ["here"] })
    watcher.task.cancel()
    #expect(await eventually { rig.cloud.openStreams(of: app) == 0 })
  }

  @Test("signing out takes back what was set, and ends readers with signedOut")
  func signOut() async throws {
    let rig = SessionRig()
    let client = rig.client()
    let app = try await rig.app(client)
    let watcher = Watcher(client.presence(app), as: String.self)
    try await client.presence(app).set("here")
    #expect(await watcher.sees { $0.count == 1 })
    rig.cloud.clearLog()
    await client.signOut()
    #expect(puts(rig).map(\.status) == [204])
    await #expect(throws: CalimeroError.signedOut(.signedOut)) { try await watcher.task.value }
    let other = rig.client()
    try await other.signIn(rig.passkey)
    #expect(try await other.apps.presenceList(app: app).entries.isEmpty)
    rig.cloud.clearLog()
    await pass(6, of: rig)
    #expect(puts(rig).isEmpty)
    // Who signs in again is asked for presence anew.
    try await client.signIn(rig.passkey)
    try await client.presence(app).set("back")
    #expect(try await other.apps.presenceList(app: app).entries.map(\.state) == ["back"])
  }

  @Test("a refused set throws; a refusal of a renewal stops it and is a failure")
  func refusals() async throws {
    let rig = SessionRig()
    let client = rig.client()
    let app = try await rig.app(client)
    await #expect {
      try await client.presence("app_00000000000000000000000000").set("x")
    } throws: {
      ($0 as? CalimeroError)?.code == .notFound
    }
    let presence = client.presence(app)
    var failures = presence.failures.makeAsyncIterator()
    try await presence.set("x")
    for node in rig.cloud.nodes { node.answer(403, "FORBIDDEN", operation: "app_presence_set") }
    #expect(await renew(rig))
    #expect(await failures.next()?.code == .forbidden)
    let count = puts(rig).count
    await pass(6, of: rig)
    #expect(puts(rig).count == count)
  }

  @Test("nodes that are busy or away are no failure of a set: a later renewal is there")
  func busy() async throws {
    let rig = SessionRig()
    let client = rig.client { $0.retry = RetryPolicy.none }
    let app = try await rig.app(client)
    rig.cloud.nodes[0].answer(503, "OVERLOADED", operation: "app_presence_set")
    try await client.presence(app).set("x")
    #expect(try await client.apps.presenceList(app: app).entries.isEmpty)
    #expect(await renew(rig))
    #expect(taken(rig) == 1)
    #expect(try await client.apps.presenceList(app: app).entries.map(\.state) == ["x"])
  }

  @Test("a state of more than 16,384 bytes is not sent")
  func tooLarge() async throws {
    let rig = SessionRig()
    let client = rig.client()
    await #expect {
      try await client.presence("app_1").set(String(repeating: "a", count: 16_383))
    } throws: {
      if case CalimeroError.invalidInput = $0 { true } else { false }
    }
    #expect(rig.cloud.log.outer.isEmpty)
  }

  @Test("a state of another type is an entry without a state, and closing ends readers and takes back")
  func otherStateAndClose() async throws {
    let rig = SessionRig()
    let client = rig.client()
    let app = try await rig.app(client)
    let watcher = Watcher(client.presence(app), as: Typing.self)
    try await client.presence(app).set("not an object")
    #expect(await watcher.sees { $0.count == 1 && $0[0].state == nil && $0[0].isMine })
    let closed = client.presence(app)
    await closed.close()
    try await watcher.task.value
    #expect(watcher.last?.isEmpty == true)
    #expect(try await client.apps.presenceList(app: app).entries.isEmpty)
    #expect(await eventually { rig.cloud.openStreams(of: app) == 0 })
    try await closed.set("new")
    #expect(try await client.apps.presenceList(app: app).entries.map(\.state) == ["new"])
  }

  @Test("with an API key the stored session is not read for presence, nor told as who is signed in")
  func apiKey() async throws {
    let rig = SessionRig()
    let ada = rig.client { $0.passkey = rig.passkey }
    let app = try await rig.app(ada)
    let key = try await ada.auth.keyCreate(label: "bot", scopes: ["apps:read", "apps:events"]).secret
    try await ada.presence(app).set("here")
    let store = ReadStore()
    let bot = rig.client(store: store) { $0.apiKey = key }
    let watcher = Watcher(bot.presence(app), as: String.self)
    #expect(await watcher.sees { $0.map(\.state) == ["here"] && $0.allSatisfy { !$0.isMine } })
    var changes = bot.authChanges.makeAsyncIterator()
    #expect(await changes.next() == .signedOut(.never))
    #expect(store.reads.withLock { $0 } == 0)
    watcher.task.cancel()
    // Without the key the session counts, which here is another cluster's.
    await bot.useApiKey(nil)
    #expect(await bot.account == nil)
    #expect(await changes.next() == .signedOut(.otherCluster))
    #expect(store.reads.withLock { $0 } == 1)
  }

  /// A store that holds somebody's session and counts how often it is asked for it.
  private final class ReadStore: SessionStore {
    let reads = Locked(0)

    func load() -> StoredSession? {
      reads.withLock { $0 += 1 }
      return SessionSamples.stored(1)
    }
    func save(_ session: StoredSession) {}
    func clear() {}
  }

  @Test("all readers of an app share one stream")
  func oneStream() async throws {
    let rig = SessionRig()
    let client = rig.client()
    let app = try await rig.app(client)
    let watchers = (0..<3).map { _ in Watcher(client.presence(app), as: String.self) }
    for watcher in watchers { #expect(await watcher.sees { $0.isEmpty }) }
    #expect(rig.cloud.openStreams(of: app) == 1)
    for watcher in watchers.dropLast() { watcher.task.cancel() }
    try await client.presence(app).set("x")
    #expect(await watchers[2].sees { $0.count == 1 })
    watchers[2].task.cancel()
    #expect(await eventually { rig.cloud.openStreams(of: app) == 0 })
  }

  @Test("in the background the entry goes, and coming back brings it again")
  func background() async throws {
    let center = NotificationCenter()
    let phases = Locked<[AppPhases.Phase]>([])
    var observer: AppPhases? = AppPhases(center) { phase in phases.withLock { $0.append(phase) } }
    center.post(name: AppPhases.background, object: nil)
    center.post(name: AppPhases.foreground, object: nil)
    #expect(phases.withLock { $0 } == [.background, .foreground])
    withExtendedLifetime(observer) {}
    observer = nil
    center.post(name: AppPhases.background, object: nil)
    #expect(phases.withLock { $0.count } == 2)

    let rig = SessionRig()
    let client = rig.client()
    let app = try await rig.app(client)
    try await client.presence(app).set("here")
    let driver = client.core.presences.driver(of: app, in: client.core)
    await driver.pause()
    #expect(try await client.apps.presenceList(app: app).entries.isEmpty)
    await pass(6, of: rig)
    #expect(try await client.apps.presenceList(app: app).entries.isEmpty)
    await driver.resume()
    #expect(try await client.apps.presenceList(app: app).entries.map(\.state) == ["here"])
  }
}
