import Foundation
import MeroHTTP
import MeroKit
import MeroKitTestSupport
import MeroWire

extension Benchmark {
  static let clusterCalls = Benchmark(
    name: "clusterCalls",
    summary: "calls over sockets with 1, 16 and 64 callers at once, beside plain POSTs to the same server"
  ) {
    let server = try BenchCluster()
    defer { server.stopSoon() }
    let (client, app) = try await server.client()
    var figures: [Figure] = []
    var rates: [Int: Double] = [:]
    let plain = try await server.plainPosts(600)
    for callers in [1, 16, 64] {
      // What is set up once is not what a call costs.
      _ = try await server.calls(callers * 4, by: callers, client, app)
      let (seconds, times) = try await server.calls(4_000, by: callers, client, app)
      let rate = Double(times.count) / seconds
      rates[callers] = rate
      figures += [
        Figure(key: "callsPerSecond\(callers)", value: rate, unit: "calls/s"),
        Figure(key: "p50Milliseconds\(callers)", value: Measuring.percentile(times, 0.5) * 1e3, unit: "ms"),
        Figure(key: "p99Milliseconds\(callers)", value: Measuring.percentile(times, 0.99) * 1e3, unit: "ms"),
      ]
      server.forget(app)
    }
    await client.close()
    let one = rates[1] ?? 1
    return [
      Figure(key: "timesOfPlainPost", value: (1 / one) / Measuring.median(plain), unit: "×"),
      Figure(key: "sixteenCallersAgainstOne", value: (rates[16] ?? 0) / one, unit: "×", aim: .atLeast(1)),
      Figure(key: "sixtyFourCallersAgainstOne", value: (rates[64] ?? 0) / one, unit: "×", aim: .atLeast(1)),
    ] + figures
  }

  static let clusterEvents = Benchmark(
    name: "clusterEvents", summary: "an app's events over sockets to 1, 50 and 200 followers"
  ) {
    let server = try BenchCluster()
    defer { server.stopSoon() }
    let (client, app) = try await server.client()
    var figures: [Figure] = []
    var rates: [Int: Double] = [:]
    for followers in [1, 50, 200] {
      let counts = Locked(0)
      let delays = Locked<[TimeInterval]>([])
      let clients = try await server.clients((followers + 19) / 20)
      let tasks = (0..<followers).map { index in
        let stream = clients[index % clients.count].events(app)
        return Task {
          for try await event in stream {
            counts.withLock { $0 += 1 }
            guard let sent = event.data["at"]?.double else { continue }
            delays.withLock { $0.append(MeroClock.system.uptime() - sent) }
          }
        }
      }
      try await server.waitForStreams(followers, of: app)
      let total = 20_000 / followers * followers
      let perFollower = max(100, total / followers)
      let began = MeroClock.system.uptime()
      for start in stride(from: 0, to: perFollower, by: 100) {
        _ = try await client.call(app, "emit", ["count": JSONValue(min(100, perFollower - start))])
      }
      let expected = perFollower * followers
      try await BenchCluster.wait { counts.withLock { $0 >= expected } }
      let rate = Double(expected) / (MeroClock.system.uptime() - began)
      rates[followers] = rate
      // One at a time: how long it takes from the call to the follower.
      for _ in 0..<40 {
        _ = try await client.call(
          app, "emit", ["count": 1, "at": try JSONValue(encoding: MeroClock.system.uptime())])
      }
      try await BenchCluster.wait { counts.withLock { $0 >= expected + 40 * followers } }
      let times = delays.withLock { $0 }
      figures += [
        Figure(key: "eventsPerSecond\(followers)", value: rate, unit: "events/s"),
        Figure(key: "p50Milliseconds\(followers)", value: Measuring.percentile(times, 0.5) * 1e3, unit: "ms"),
        Figure(
          key: "p99Milliseconds\(followers)", value: Measuring.percentile(times, 0.99) * 1e3, unit: "ms"),
      ]
      tasks.forEach { $0.cancel() }
      for client in clients { await client.close() }
      server.forget(app)
    }
    await client.close()
    return [
      Figure(
        key: "twoHundredFollowersAgainstOne", value: (rates[200] ?? 0) / (rates[1] ?? 1), unit: "×",
        aim: .atLeast(1))
    ] + figures
  }

  static let clusterMemory = Benchmark(
    name: "clusterMemory",
    summary:
      "resident memory of client and cluster after 100,000 calls and 1,000,000 events, beside the first tenth, "
      + "while the cluster forgets what is older",
    remark:
      "after each hundredth the cluster forgets its log, the answers that it keeps and all but the newest 1,000 events, as it "
      + "does when their time is over; so the ratio shows what nobody ever forgets"
  ) {
    let server = try BenchCluster()
    defer { server.stopSoon() }
    let (client, app) = try await server.client()
    let seen = Locked(0)
    let stream = client.events(app)
    let follower = Task { for try await _ in stream { seen.withLock { $0 += 1 } } }
    try await server.waitForStreams(1, of: app)
    var emitted = 0
    /// A hundredth of it all.
    func portion() async throws {
      _ = try await server.calls(1_000, by: 16, client, app)
      for _ in 0..<10 {
        _ = try await client.call(app, "emit", ["count": 1_000])
        emitted += 1_000
        let expected = emitted
        try await BenchCluster.wait { seen.withLock { $0 >= expected } }
      }
      server.forget(app)
    }
    for _ in 0..<10 { try await portion() }
    Measuring.releaseFreeMemory()
    let early = Measuring.residentBytes() ?? 0
    for _ in 10..<100 { try await portion() }
    Measuring.releaseFreeMemory()
    let late = Measuring.residentBytes() ?? 0
    follower.cancel()
    await client.close()
    return [
      Figure(
        key: "memoryAtTheEndAgainstFirstTenth", value: Double(late) / Double(max(1, early)), unit: "×",
        aim: .atMost(1.1)),
      Figure(key: "mebibytesAfterFirstTenth", value: Double(early) / Double(1 << 20), unit: "MiB"),
      Figure(key: "mebibytesAtTheEnd", value: Double(late) / Double(1 << 20), unit: "MiB"),
    ]
  }
}

/// A cluster of one node on a socket whose app counts and emits, and clients of it.
private final class BenchCluster: Sendable {
  private static let package = FakePackage("com.example.bench", version: "1.0.0") {
    $0.call("add") { context, args in
      let sum = (context["sum"]?.int64 ?? 0) + 1
      context["sum"] = JSONValue(sum)
      return JSONValue(sum)
    }
    $0.call("emit") { context, args in
      var data: JSONObject = [:]
      data["at"] = args["at"]
      for _ in 0..<(args["count"]?.int ?? 1) { context.emit("Ticked", .object(data)) }
      return .null
    }
  }

  private let server: BenchServer
  private let passkey = SoftPasskey()

  private var cloud: FakeCloud { server.cloud }

  init() throws {
    let cloud = FakeCloud(nodes: 1)
    cloud.register(Self.package)
    server = try BenchServer(cloud)
  }

  func stopSoon() { server.stopSoon() }

  /// A client that is signed up, and its app.
  func client() async throws -> (CalimeroClient, app: String) {
    let client = makeClient()
    try await client.signUp(passkey, name: "bench")
    let org = try await client.orgs.create(name: "Bench").orgId
    let app = try await client.apps.create(name: "bench", package: Self.package.name, org: org).appId
    return (client, app)
  }

  /// More clients of the same account.
  func clients(_ count: Int) async throws -> [CalimeroClient] {
    var clients: [CalimeroClient] = []
    for _ in 0..<count {
      let client = makeClient()
      try await client.signIn(passkey)
      clients.append(client)
    }
    return clients
  }

  private func makeClient() -> CalimeroClient {
    CalimeroClient(CalimeroClientOptions(baseUrl: server.url.absoluteString, policy: .development))
  }

  /// Makes so many calls with so many callers at once. Answers the time of all and of each, in seconds.
  func calls(
    _ count: Int, by callers: Int, _ client: CalimeroClient, _ app: String
  ) async throws -> (TimeInterval, [TimeInterval]) {
    let clock = MeroClock.system
    let began = clock.uptime()
    let times = try await withThrowingTaskGroup(of: [TimeInterval].self) { group in
      for caller in 0..<callers {
        let share = count / callers + (caller < count % callers ? 1 : 0)
        group.addTask {
          var times: [TimeInterval] = []
          for _ in 0..<share {
            let began = clock.uptime()
            _ = try await client.call(app, "add", [:])
            times.append(clock.uptime() - began)
          }
          return times
        }
      }
      return try await group.reduce(into: []) { $0 += $1 }
    }
    return (clock.uptime() - began, times)
  }

  /// The times of so many POSTs in the clear that are answered with their own body.
  func plainPosts(_ count: Int) async throws -> [TimeInterval] {
    let transport = URLSessionTransport()
    let body: JSONValue = ["method": "add", "args": [:], "idempotencyKey": .string(MeroRandom.system.uuid())]
    let request = HTTPRequest(
      .post, server.plainURL, headers: ["content-type": "application/json"], body: .data(body.data()))
    return try await Measuring.times(count) {
      _ = try await transport.send(request).body.collect(upTo: 1 << 20)
    }
  }

  func waitForStreams(_ count: Int, of app: String) async throws {
    try await Self.wait { cloud.openStreams(of: app) >= count }
  }

  /// Drops what the cluster only keeps for a time, as that time's passing would.
  func forget(_ app: String) {
    cloud.forgetEvents(of: app, keeping: 1_000)
    cloud.forgetAnswers()
    cloud.clearLog()
  }

  static func wait(_ condition: () -> Bool) async throws {
    for _ in 0..<600_000 {
      if condition() { return }
      try await MeroClock.system.sleep(0.000_1)
    }
    throw BenchmarkError("what was waited for did not come within a minute")
  }
}
