import Foundation
import MeroHTTP
import MeroKitTestSupport
import MeroWire
import Testing

@testable import MeroKit

/// Eight clients write and four follow while nodes fail in every way they can. The plan of failures comes from a seed:
/// `MERO_CHAOS_SEED` repeats a plan, which is named by every expectation here.
@Suite("A cluster whose nodes fail at random")
struct ChaosTests {
  private static let clients = 8
  private static let callsPerClient = 250

  @Test(
    "every call is answered once, the state equals the calls, and every follower sees every event once and in order",
    .timeLimit(.minutes(5)))
  func chaos() async throws {
    let given = ProcessInfo.processInfo.environment["MERO_CHAOS_SEED"].flatMap { UInt64($0) }
    let seed = given ?? 20_261_130
    let world = try await ChaosWorld(seed: seed, clients: Self.clients)
    let followers = try await world.followers(4)
    let progress = Locked(0)
    let answers = try await withThrowingTaskGroup(of: [CallOutcome].self) { group in
      for writer in world.writers.indices {
        group.addTask {
          try await world.write(as: writer, calls: Self.callsPerClient) { progress.withLock { $0 += 1 } }
        }
      }
      let total = Self.clients * Self.callsPerClient
      let trouble = Task {
        await world.trouble {
          progress.withLock { $0 }
        } until: {
          $0 >= total
        }
      }
      var answers: [CallOutcome] = []
      for try await part in group { answers += part }
      await trouble.value
      return answers
    }
    await world.makePeace()

    // Every call has its own place in the app's order, so none was answered with another's result.
    #expect(answers.count == Self.clients * Self.callsPerClient, "seed \(seed)")
    #expect(Set(answers.map(\.seq)).count == answers.count, "seed \(seed)")
    #expect(world.cloud.runs(of: "add", in: world.app) == answers.count, "no call ran twice; seed \(seed)")

    let kept = try await world.kept()
    #expect(kept.count == answers.count, "seed \(seed)")
    for writer in 0..<Self.clients {
      let own = kept.filter { $0.writer == writer }.map(\.number)
      #expect(own == Array(0..<Self.callsPerClient), "client \(writer) wrote in its order; seed \(seed)")
    }
    for (index, follower) in followers.enumerated() {
      #expect(await world.eventuallyAfterWaits { follower.count >= kept.count }, "seed \(seed)")
      #expect(follower.entries == kept, "follower \(index); seed \(seed)")
      follower.stop()
    }
    #expect(world.cloud.violations.isEmpty, "seed \(seed)")
    #expect(world.cloud.unfitRequests == [], "seed \(seed)")
    #expect(world.cloud.lapses == [], "seed \(seed)")
    #expect(world.troubles.withLock { $0.count } >= 50, "there was trouble enough; seed \(seed)")
  }
}

/// One call as the app keeps it and as followers see it.
private struct Entry: Equatable {
  let writer: Int
  let number: Int

  init?(_ json: JSONValue) {
    guard let writer = json["writer"]?.int, let number = json["number"]?.int else { return nil }
    self.writer = writer
    self.number = number
  }
}

private final class ChaosWorld: Sendable {
  let cloud: FakeCloud
  let clock = FakeClock(autoAdvance: 2)
  let app: String
  let writers: [CalimeroClient]
  /// What was done to the nodes, in order.
  let troubles = Locked<[String]>([])
  private let passkey = SoftPasskey()
  private let random: SeededRandom

  init(seed: UInt64, clients: Int) async throws {
    random = SeededRandom(seed: seed)
    let cloud = FakeCloud(nodes: 3, clock: clock.clock, seed: seed)
    self.cloud = cloud
    cloud.register(
      FakePackage("com.example.ledger", version: "1.0.0") {
        $0.call("add") { context, args in
          context.append(args, to: "entries")
          context.emit("Added", args)
          return args
        }
        $0.view("entries") { context, _ in .array(Array(context.list("entries"))) }
      })
    let first = Self.client(cloud, clock, base: 0)
    try await first.signUp(passkey, name: "ada")
    let org = try await first.orgs.create(name: "Acme").orgId
    app = try await first.apps.create(name: "ledger", package: "com.example.ledger", org: org).appId
    var writers: [CalimeroClient] = []
    for index in 0..<clients {
      let client = Self.client(cloud, clock, base: index)
      try await client.signIn(passkey)
      writers.append(client)
    }
    self.writers = writers
  }

  private static func client(_ cloud: FakeCloud, _ clock: FakeClock, base: Int) -> CalimeroClient {
    let urls = (0..<cloud.urls.count).map { cloud.urls[(base + $0) % cloud.urls.count] }
    return CalimeroClient(
      CalimeroClientOptions(
        baseUrl: urls[0], nodes: Array(urls.dropFirst()), policy: .development, transport: cloud.transport,
        clock: clock.clock))
  }

  // MARK: Writing and following

  /// Calls one after another. A call without an answer is repeated with its key until it has one.
  func write(
    as writer: Int, calls: Int, isAnswered: @Sendable () -> Void
  ) async throws -> [CallOutcome] {
    var answers: [CallOutcome] = []
    for number in 0..<calls {
      let args: JSONValue = ["writer": JSONValue(writer), "number": JSONValue(number)]
      var outcome: CallOutcome?
      while outcome == nil {
        do {
          outcome = try await writers[writer].callOutcome(
            app, "add", args, options: CallOptions(idempotencyKey: "c\(writer)-\(number)"))
        } catch let error as CalimeroError where error.isRetryable || error.mayHaveRun {
          await Task.yield()
        }
      }
      if let outcome {
        #expect(outcome.result == args)
        answers.append(outcome)
      }
      isAnswered()
    }
    return answers
  }

  final class Follower: Sendable {
    private let seen = Locked<[AppEvent]>([])
    private let task: Task<Void, any Error>

    init(_ stream: AppEventStream) {
      let seen = seen
      task = Task { for try await event in stream { seen.withLock { $0.append(event) } } }
    }

    var count: Int { seen.withLock { $0.count } }
    fileprivate var entries: [Entry] { seen.withLock { $0.compactMap { Entry($0.data) } } }
    func stop() { task.cancel() }
  }

  func followers(_ count: Int) async throws -> [Follower] {
    var followers: [Follower] = []
    for index in 0..<count {
      let client = Self.client(cloud, clock, base: index)
      try await client.signIn(passkey)
      followers.append(Follower(client.events(app, from: .oldest)))
    }
    return followers
  }

  /// What the app holds, in the order it was written.
  func kept() async throws -> [Entry] {
    let all = try await writers[0].view(app, "entries")
    return (all.arrayValue ?? []).compactMap { Entry($0) }
  }

  // MARK: Trouble

  /// Makes trouble at every eighth answer or so, and lets time pass when nothing moves.
  func trouble(_ progress: () -> Int, until isOver: (Int) -> Bool) async {
    var next = 4
    var last = -1
    var idle = 0
    while !isOver(progress()) {
      let now = progress()
      if now >= next {
        await makeTrouble()
        next = now + 4 + Int(random.word() % 8)
      }
      idle = now == last ? idle + 1 : 0
      last = now
      if idle > 200 {
        // Everybody waits: for a node, for a deadline, for a stream's turn.
        if random.word() % 2 == 0 { await repair(Int(random.word() % 3)) }
        await clock.advance(by: 1)
        idle = 0
      }
      await Task.yield()
    }
  }

  private func makeTrouble() async {
    let index = Int(random.word() % 3)
    let node = cloud.nodes[index]
    let times = Int(random.word() % 3) + 1
    let what: String
    switch random.word() % 14 {
    case 0:
      what = "down"
      node.down()
    case 1:
      what = "refuse"
      node.refuse()
    case 2, 3:
      what = "restart"
      await node.restart()
    case 4, 5:
      what = "lose \(times)"
      node.loseAnswer(times: times)
    case 6:
      what = "cut \(times)"
      await node.cut(afterFrames: times - 1, times: times)
    case 7:
      what = "tamper \(times)"
      await node.tamper(frame: 0, times: times)
    case 8:
      what = "busy \(times)"
      await node.busy(times: times)
    case 9:
      what = "forget"
      await node.forgetSessions()
    case 10:
      what = "delay"
      node.delay(milliseconds: Int(random.word() % 1500))
    case 11:
      what = "overloaded \(times)"
      node.answer(503, "OVERLOADED", times: times)
    case 12:
      what = "proxy \(times)"
      node.proxyAnswer(random.word() % 2 == 0 ? 502 : 504, times: times)
    default:
      what = "drop streams"
      node.dropStreams(random.word() % 2 == 0 ? .cut : .ended)
    }
    troubles.withLock { $0.append("\(index) \(what)") }
    if random.word() % 3 == 0 { await repair(Int(random.word() % 3)) }
  }

  private func repair(_ index: Int) async {
    await cloud.nodes[index].clearFaults()
  }

  func makePeace() async {
    for node in cloud.nodes { await node.clearFaults() }
  }

  /// Waits for a condition, letting time pass so that streams come back from their waits.
  func eventuallyAfterWaits(_ condition: () -> Bool) async -> Bool {
    for _ in 0..<200 {
      if await eventually({ condition() }, turns: 500) { return true }
      await clock.advance(by: 5)
    }
    return condition()
  }

  /// For so many turns, and as long as it takes others to do something with them: time must not outrun their work.
  private func eventually(_ condition: () -> Bool, turns: Int) async -> Bool {
    let end = MeroClock.system.uptime() + 0.05
    var left = turns
    while left > 0 || MeroClock.system.uptime() < end {
      if condition() { return true }
      await Task.yield()
      left -= 1
    }
    return false
  }
}
