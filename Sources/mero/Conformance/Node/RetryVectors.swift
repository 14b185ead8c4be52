import Foundation
import MeroHTTP
import MeroKit
import MeroKitTestSupport

extension NodeGroup {
  /// How long the client waits before it sends a request again.
  static let retries = NodeGroup(name: "retry") { file, run in
    let names = ["backoff-1", "backoff-2", "backoff-3", "retry-after-seconds", "retry-after-capped"]
    await NodeCases(["1": names]).check("retry", in: file, &run) { name, object in
      let attempt = try object.number("attempt")
      if object.has("baseDelayMs") {
        try require("the number in the name", "backoff-\(attempt)", is: name)
        try await RetryVector(attempt, unit: 0.5).check(try object.number("baseDelayMs"))
        try await RetryVector(attempt, unit: 0).check(try object.number("minMs"))
        try await RetryVector(attempt, unit: 1).check(try object.number("maxMs"))
        return
      }
      try require("the attempt", attempt, is: 1)
      let asked = try object.text("retryAfter")
      let isCapped = name == "retry-after-capped"
      try require("what is asked for", asked, is: isCapped ? "86400" : "2")
      let wait = try object.number(isCapped ? "delayMs" : "delayMsAtLeast")
      for unit in [0, 0.5, 1] { try await RetryVector(attempt, unit: unit, asked: asked).check(wait) }
    }
  }
}

/// The wait after one attempt.
private struct RetryVector: Sendable {
  private let attempt: Int
  private let unit: Double
  private let asked: String?

  /// - Parameters:
  ///   - unit: what is random in the wait.
  ///   - asked: what the node's `Retry-After` says.
  init(_ attempt: Int, unit: Double, asked: String? = nil) {
    self.attempt = attempt
    self.unit = unit
    self.asked = asked
  }

  func check(_ milliseconds: Int) async throws {
    let seconds = asked.flatMap(TimeInterval.init)
    let wait = NodeRetry.wait(after: attempt, retryAfter: seconds, unit: unit)
    try require("the wait after attempt \(attempt)", Self.milliseconds(wait), is: milliseconds)
    let waits = try await waitsOfClient()
    try require("the waits of the client", waits.count, is: NodeRetry.attempts - 1)
    // The longest waits are only of use to callers that try more often.
    guard waits.indices.contains(attempt - 1) else { return }
    try require(
      "the client's wait after attempt \(attempt)", Self.milliseconds(waits[attempt - 1]), is: milliseconds)
  }

  private static func milliseconds(_ seconds: TimeInterval) -> Int { Int((seconds * 1000).rounded()) }

  /// What the client waits while a node goes on saying that it is busy.
  private func waitsOfClient() async throws -> [TimeInterval] {
    let waits = Locked<[TimeInterval]>([])
    let clock = MeroClock(
      now: { Date(timeIntervalSince1970: 1_790_000_000) }, uptime: { 0 },
      sleep: { seconds in waits.withLock { $0.append(seconds) } })
    let node = ScriptedNode { _ in
      HTTPResponse(status: 503, headers: asked.map { ["retry-after": $0] } ?? [:])
    }
    let mero = Mero.of(
      node, timeout: .infinity, clock: clock,
      random: MeroRandom(bytes: { [UInt8](repeating: 0, count: $0) }, unit: { unit }))
    do {
      _ = try await mero.http.head("/admin-api/health")
      throw Mismatch("a busy node has answered")
    } catch MeroError.http(let error) {
      try require("the status", error.status, is: 503)
    }
    try require("the attempts", node.requests.count, is: NodeRetry.attempts)
    return waits.withLock { $0 }
  }
}
