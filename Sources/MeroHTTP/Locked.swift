import Foundation

/// A value that many threads share, for the few places an actor cannot reach: delegate callbacks, `deinit`, and
/// synchronous cancellation handlers.
///
/// `@unchecked Sendable` is sound because `state` is private and only touched while `lock` is held.
package final class Locked<State>: @unchecked Sendable {
  /// Protects `state`.
  private let lock = NSLock()
  private var state: State

  package init(_ state: sending State) {
    self.state = state
  }

  /// Runs `body` alone with the value. Never resume a continuation or call out from inside.
  package func withLock<Result, Failure: Error>(
    _ body: (inout State) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    lock.lock()
    defer { lock.unlock() }
    return try body(&state)
  }
}
