import Foundation

@testable import MeroHTTP

/// What a server saw, in order. A test waits for an event instead of for a time.
final class EventLog: Sendable {
  enum Event: Sendable, Hashable {
    case accepted
    case request(ReceivedRequest)
    case closedByClient
    /// The client has taken nothing for a while; so many bytes were written before the piece that is stuck.
    case stalled(after: Int)
    /// Something a handler wants a test to know.
    case mark(String)
  }

  private struct Waiter {
    let isMet: @Sendable ([Event]) -> Bool
    let continuation: CheckedContinuation<Void, Never>
  }

  private struct State {
    var events: [Event] = []
    var waiters: [Waiter] = []
  }

  private let state = Locked(State())

  var events: [Event] { state.withLock { $0.events } }

  var requests: [ReceivedRequest] {
    events.compactMap { if case .request(let request) = $0 { request } else { nil } }
  }

  func count(_ event: Event) -> Int { events.filter { $0 == event }.count }

  func record(_ event: Event) {
    let met = state.withLock { state in
      state.events.append(event)
      let events = state.events
      let met = state.waiters.filter { $0.isMet(events) }
      state.waiters.removeAll { $0.isMet(events) }
      return met
    }
    for waiter in met { waiter.continuation.resume() }
  }

  /// Returns once the events so far satisfy `condition`.
  func wait(_ condition: @escaping @Sendable ([Event]) -> Bool) async {
    await withCheckedContinuation { continuation in
      let isMet = state.withLock { state in
        if condition(state.events) { return true }
        state.waiters.append(Waiter(isMet: condition, continuation: continuation))
        return false
      }
      if isMet { continuation.resume() }
    }
  }

  func wait(for event: Event, count: Int = 1) async {
    await wait { events in events.filter { $0 == event }.count >= count }
  }
}
