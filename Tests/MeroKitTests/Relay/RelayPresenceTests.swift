import Foundation
import MeroHTTP
import MeroKitTestSupport
import MeroWire
import Testing

@testable import MeroKit

@Suite("Presence over a relay")
struct RelayPresenceTests {
  @Test(
    "40 §19 #83: what is set is posted at once and every 2.5 seconds, under numbers that rise from the clock's"
  )
  func repeats() async throws {
    let rig = try await PresenceRig()
    try await rig.set(true)
    await rig.passRepetition()
    await rig.passRepetition()
    await rig.waitForRepetition()
    let posts = rig.wire.posts
    #expect(posts.map(\.at) == [0, 2.5, 5])
    #expect(posts.map(\.state) == [PresenceRig.typing, PresenceRig.typing, PresenceRig.typing])
    #expect(posts.map(\.seq) == [1_790_000_000_000, 1_790_000_002_500, 1_790_000_005_000])
    #expect(posts.map(\.sentAtMs) == posts.map(\.seq))
    #expect(rig.relay.node.log.map(\.status) == [204, 204, 204])
    #expect(rig.relay.node.log.allSatisfy { $0.headers["authorization"] == nil })
    let key = rig.relay.author.keys.signPublicKey
    #expect(rig.relay.node.presence(in: rig.context)[key] == Array(#"{"typing":true}"#.utf8))
  }

  @Test("40 §19 #83: numbers rise also while the clock stands still")
  func numbersRise() async throws {
    let rig = try await PresenceRig()
    for _ in 0..<3 { try await rig.set(true) }
    #expect(rig.wire.posts.map(\.seq) == [1_790_000_000_000, 1_790_000_000_001, 1_790_000_000_002])
    #expect(Set(rig.wire.posts.map(\.sentAtMs)) == [1_790_000_000_000])
  }

  @Test("40 §19 #84: a retract is posted once, as null")
  func retracts() async throws {
    let rig = try await PresenceRig()
    try await rig.set(true)
    await rig.passRepetition()
    await rig.waitForRepetition()
    await rig.pass(1)
    try await rig.set(nil)
    await rig.waitUntilStill()
    await rig.pass(10)
    #expect(rig.wire.states == [PresenceRig.typing, PresenceRig.typing, .null])
    #expect(rig.relay.node.presence(in: rig.context).isEmpty)
  }

  @Test("40 §19 #85: a relay that is busy or away is covered by the repetition", arguments: [429, 503, 0])
  func busy(_ status: Int) async throws {
    let rig = try await PresenceRig()
    if status == 0 { rig.relay.node.loseAnswer() } else { rig.relay.node.failNext(status: status) }
    try await rig.set(true)
    await rig.passRepetition()
    await rig.waitForRepetition()
    #expect(rig.wire.posts.map(\.at) == [0, 2.5])
    #expect(rig.relay.node.log.last?.status == 204)
  }

  @Test("40 §19 #86: a refusal of the first is thrown and ends it", arguments: [400, 403, 404, 405, 413])
  func refused(_ status: Int) async throws {
    let rig = try await PresenceRig()
    rig.relay.node.failNext(status: status)
    let error = await failure { try await rig.set(true) }
    if [400, 403].contains(status) {
      #expect(
        error as? AccountError
          == .intentRefused(reason: "refused by a fault", retryable: false, status: status))
    } else {
      #expect(error?.plainStatus == status)
    }
    await rig.waitUntilStill()
    await rig.pass(10)
    #expect(rig.wire.posts.count == 1)
  }

  @Test("40 §19 #86: a refusal of a repetition ends it in silence")
  func refusedRepetition() async throws {
    let rig = try await PresenceRig()
    try await rig.set(true)
    rig.relay.node.failNext(status: 403)
    await rig.passRepetition()
    await rig.waitUntilStill()
    await rig.pass(10)
    #expect(rig.wire.posts.count == 2)
  }

  @Test("40 §19 #87: an older value that arrives after a retract is not repeated")
  func retractWins() async throws {
    let rig = try await PresenceRig()
    let gate = rig.wire.hold()
    let older = Task { try await rig.set(true) }
    await until { rig.wire.posts.count == 1 }
    try await rig.set(nil)
    gate.open()
    try await older.value
    await rig.waitUntilStill()
    await rig.pass(10)
    #expect(rig.wire.states == [PresenceRig.typing, .null])
  }

  @Test("40 §19 #88: after close nothing is posted, whatever was on its way")
  func closes() async throws {
    let rig = try await PresenceRig()
    let gates = [rig.wire.hold(), rig.wire.hold()]
    let one = Task { try await rig.set(true) }
    await until { rig.wire.posts.count == 1 }
    let other = Task { try await rig.set(false) }
    await until { rig.wire.posts.count == 2 }
    await rig.presence.close()
    for gate in gates { gate.open() }
    try await one.value
    try await other.value
    await rig.waitUntilStill()
    await rig.pass(10)
    #expect(rig.wire.posts.count == 2)
  }

  @Test("of two values on their way only the newer one is repeated, also when the older one is refused")
  func newerWins() async throws {
    let rig = try await PresenceRig()
    rig.relay.node.failNext(status: 413)
    let gate = rig.wire.hold()
    let older = Task { try await rig.set(true) }
    await until { rig.wire.posts.count == 1 }
    let held = rig.wire.hold()
    let newer = Task { try await rig.set(false) }
    await until { rig.wire.posts.count == 2 }
    gate.open()
    #expect(await failure { try await older.value }?.plainStatus == 413)
    held.open()
    try await newer.value
    await rig.passRepetition()
    await rig.waitForRepetition()
    #expect(rig.wire.states == [PresenceRig.typing, PresenceRig.quiet, PresenceRig.quiet])
  }

  @Test("40 §19 #89: without a session to read under subscribing fails at once, and setting works")
  func noSession() async throws {
    let rig = try await PresenceRig()
    var entries = rig.presence.subscribe(contextId: rig.context, as: PresenceRig.Typing.self)
      .makeAsyncIterator()
    await #expect(throws: AccountError.relayKeyUnavailable("no session")) { _ = try await entries.next() }
    try await rig.set(true)
    #expect(rig.relay.node.log.map(\.status) == [204])
  }

  @Test("40 §19 #90: contexts know nothing of each other, and what was refused may be set again")
  func contexts() async throws {
    let rig = try await PresenceRig()
    let other = rig.relay.node.makeContext(of: .keyValue, in: rig.relay.namespace)
    rig.relay.node.failNext("/admin-api/contexts/\(rig.context)/presence-intents", status: 403)
    #expect(await failure { try await rig.set(true) } != nil)
    try await rig.set(true, in: other)
    await rig.passRepetition()
    await rig.passRepetition()
    await rig.waitForRepetition()
    let paths = [rig.context, other].map { "/admin-api/contexts/\($0)/presence-intents" }
    #expect(rig.wire.posts.map(\.path) == [paths[0], paths[1], paths[1], paths[1]])
    try await rig.set(false)
    await rig.passRepetition(of: 2)
    await rig.waitForRepetition(of: 2)
    #expect(Set(rig.wire.posts.suffix(2).map(\.path)) == Set(paths))
  }

  @Test("a caller that waits no longer is not repeated, and a client that nobody holds says nothing more")
  func cancelled() async throws {
    let rig = try await PresenceRig()
    let gate = rig.wire.hold()
    let setting = Task { try await rig.set(true) }
    await until { rig.wire.posts.count == 1 }
    setting.cancel()
    await #expect(throws: CancellationError.self) { try await setting.value }
    gate.open()
    await rig.waitUntilStill()

    var short: RelayPresenceClient? = RelayPresenceClient(
      relay: rig.relay.client(over: rig.wire, clock: rig.clock)
    ) {
      throw AccountError.relayKeyUnavailable("no session")
    }
    try await short?.set(contextId: rig.context, state: [1, 2])
    await rig.waitForRepetition()
    short = nil
    await rig.waitUntilStill()
    #expect(rig.wire.states.count == 2)
  }

  @Test("what others say comes in under a session, and goes out in an encoding of the app's own")
  func reads() async throws {
    let rig = try await MemberRig()
    let client = try rig.pinned()
    guard case .relay(let presence)? = client.presence else { return #expect(Bool(false), "no presence") }
    var entries = presence.subscribe(contextId: rig.context, codec: RawCodec()).makeAsyncIterator()
    await until { rig.asked.contains("POST /sse/subscription") }
    try await presence.set(contextId: rig.context, state: [7, 8], codec: RawCodec())
    let entry = try #require(try await entries.next())
    #expect(entry.state == [7, 8])
    #expect(entry.account == rig.author.account)
    #expect(entry.author == rig.author.keys.signPublicKey)
    await client.close()
    while try await entries.next() != nil {}
  }

  @Test("one statement can be posted over the admin API too")
  func overAdmin() async throws {
    let rig = try await MemberRig()
    let now: UInt64 = 1_790_000_000_000
    let admin = AdminApi(
      http: NodeHTTP(baseURL: rig.node.url, transport: rig.node.transport, clock: rig.clock.clock))
    try await admin.postPresenceIntent(
      rig.context, state: [1], seq: now, sentAtMs: now, keys: rig.author.keys,
      authorProof: rig.author.credential)
    #expect(rig.node.presence(in: rig.context) == [rig.author.keys.signPublicKey: [1]])
    await rig.clock.advance(by: 1)
    try await rig.relay.presenceIntent(contextId: rig.context, state: nil, seq: now + 1, sentAtMs: now)
    #expect(rig.node.presence(in: rig.context).isEmpty)
    #expect(rig.node.log.last?.json?["state"] == .null)
  }

  struct RawCodec: Codec {
    func encode(_ value: [UInt8]) throws -> [UInt8] { value }
    func decode(_ bytes: [UInt8]) throws -> [UInt8] { bytes }
  }
}
