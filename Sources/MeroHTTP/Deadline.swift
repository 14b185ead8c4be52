import Foundation

/// Runs `operation` and gives up after `seconds` by `clock`.
///
/// The operation is cancelled and awaited when time is up, so it must honour cancellation. A limit that has already
/// passed runs nothing, and the error says that nothing was sent.
///
/// Throws `TransportError(kind: .timedOut)` when time is up, and whatever the operation throws.
package func withDeadline<T: Sendable>(
  _ seconds: TimeInterval, clock: MeroClock, operation: @escaping @Sendable () async throws -> T
) async throws -> T {
  guard seconds > 0 else {
    throw TransportError(kind: .timedOut, text: "no time was left to begin", mayHaveBeenSent: false)
  }
  guard seconds.isFinite else { return try await operation() }
  return try await withThrowingTaskGroup(of: T?.self) { group in
    group.addTask { try await operation() }
    group.addTask {
      try await clock.sleep(seconds)
      return nil
    }
    defer { group.cancelAll() }
    guard let first = try await group.next(), let value = first else {
      throw TransportError(
        kind: .timedOut, text: "no answer within \(spelled(seconds))", mayHaveBeenSent: true)
    }
    return value
  }
}

/// "10 seconds", "0.5 seconds": a span for an error's text.
func spelled(_ seconds: TimeInterval) -> String {
  let rounded = (seconds * 1000).rounded() / 1000
  return rounded == 1 ? "1 second" : "\(String(format: "%g", rounded)) seconds"
}
