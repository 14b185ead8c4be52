import Dispatch
import Foundation

/// Tells whoever asked how much of a body was sent, one call after the other and never on the thread that sends: a handler
/// may take its time, or wait for another request of the same transport.
///
/// Of the numbers that come while the handler is busy only the last is told.
final class SentProgress: Sendable {
  private struct State {
    var latest: (sent: Int64, total: Int64)?
    var isOver = false
  }

  private let handler: @Sendable (Int64, Int64) -> Void
  private let queue = DispatchQueue(label: "MeroKit.SentProgress")
  private let state = Locked(State())

  init(_ handler: @escaping @Sendable (Int64, Int64) -> Void) {
    self.handler = handler
  }

  func tell(_ sent: Int64, of total: Int64) {
    let isWaiting = state.withLock { state in
      defer { state.latest = (sent, total) }
      return state.latest != nil
    }
    guard !isWaiting else { return }
    queue.async {
      let told = self.state.withLock { state in
        defer { state.latest = nil }
        return state.isOver ? nil : state.latest
      }
      if let told { self.handler(told.sent, told.total) }
    }
  }

  /// Does this when the handler has heard of everything so far.
  func afterwards(_ work: @escaping @Sendable () -> Void) { queue.async(execute: work) }

  /// No call begins from now on.
  func stop() {
    state.withLock { $0.isOver = true }
  }
}
