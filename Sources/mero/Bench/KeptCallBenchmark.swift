import Foundation
import LocalCluster
import MeroHTTP
import MeroKit
import MeroKitTestSupport
import MeroWire

extension Benchmark {
  static let keptCalls = Benchmark(
    name: "keptCalls",
    summary:
      "a call at a cluster that is kept in a database, beside one at a cluster in memory, without sockets"
  ) {
    let folder = NSTemporaryDirectory() + "mero-bench-\(MeroRandom.system.uuid())"
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let memory = try await KeptCaller(FakeCloud())
    let process = try await KeptCaller(FakeCloud(keptBy: SQLiteKeeper(folder: "\(folder)/process")))
    let machine = try await KeptCaller(
      FakeCloud(keptBy: SQLiteKeeper(folder: "\(folder)/machine", durability: .machine)))
    var times: [[TimeInterval]] = [[], [], []]
    // In turns, so that whatever else the machine does meets all alike.
    for _ in 0..<10 {
      for (index, caller) in [memory, process, machine].enumerated() {
        times[index] += try await Measuring.times(40) { try await caller.call() }
      }
    }
    for caller in [memory, process, machine] { await caller.client.close() }
    let medians = times.map { Measuring.median($0) }
    return [
      Figure(key: "timesOfMemory", value: medians[1] / medians[0], unit: "×", aim: .atMost(1.5)),
      Figure(key: "memoryMedianMicroseconds", value: medians[0] * 1e6, unit: "µs"),
      Figure(key: "keptMedianMicroseconds", value: medians[1] * 1e6, unit: "µs"),
      Figure(key: "waitingForTheDiskMedianMicroseconds", value: medians[2] * 1e6, unit: "µs"),
    ]
  }
}

/// Somebody who calls an app of a cluster, in the same process.
private struct KeptCaller {
  let client: CalimeroClient
  private let app: String

  init(_ cloud: FakeCloud) async throws {
    client = CalimeroClient(
      CalimeroClientOptions(baseUrl: cloud.urls[0], policy: .development, transport: cloud.transport))
    try await client.signUp(SoftPasskey(), name: "bench")
    let org = try await client.orgs.create(name: "Bench").orgId
    app = try await client.apps.create(name: "bench", package: "com.calimero.chat", org: org).appId
  }

  func call() async throws {
    _ = try await client.call(app, "send_message", ["message": .string(String(repeating: "x", count: 200))])
  }
}
