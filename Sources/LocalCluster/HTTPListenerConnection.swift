import CMicroHTTPD
import Foundation
import MeroHTTP

/// One TCP connection: stops libmicrohttpd's work on it while Swift prepares something, and starts it again.
///
/// `park` runs on libmicrohttpd's thread, `wake` and `cut` on any. A wake that comes before its park is remembered, so
/// none is lost.
///
/// `@unchecked Sendable` is sound: `state` is behind its lock, `lastURL` belongs to libmicrohttpd's thread, and
/// `handle` is used only by that thread or, to resume, while the connection is suspended and so cannot go away.
final class ListenerConnection: @unchecked Sendable {
  enum Parking {
    /// Nothing more happens on the connection until somebody wakes it.
    case parked
    /// Something happened in the meantime: look again.
    case signalled
    /// The client left or the listener stops: give up.
    case cut
  }

  private struct State {
    var isParked = false
    var isSignalled = false
    var isCut = false
    var exchange: ListenerExchange?
  }

  let id: UInt64
  private let handle: OpaquePointer
  private let resuming: DispatchGroup
  private let state = Locked(State())
  /// The target of the last request and its URL: a client on one connection mostly asks for the same again.
  var lastURL: (target: String, url: URL)?

  /// `resuming` counts wake-ups that are under way; see `ListenerDaemon.stop`.
  init(id: UInt64, handle: OpaquePointer, resuming: DispatchGroup) {
    self.id = id
    self.handle = handle
    self.resuming = resuming
  }

  /// Makes `exchange` the one that is cancelled when the client leaves. False if it has left already.
  func begin(_ exchange: ListenerExchange) -> Bool {
    state.withLock { state in
      if state.isCut { return false }
      state.isSignalled = false
      state.exchange = exchange
      return true
    }
  }

  func end(_ exchange: ListenerExchange) {
    state.withLock { state in
      if state.exchange === exchange { state.exchange = nil }
    }
  }

  func park() -> Parking {
    state.withLock { state in
      if state.isCut { return .cut }
      if state.isSignalled {
        state.isSignalled = false
        return .signalled
      }
      state.isParked = true
      // Inside the lock, or a wake could come between and find nothing to resume.
      MHD_suspend_connection(handle)
      return .parked
    }
  }

  func wake() {
    let isParked = state.withLock { state in
      state.isSignalled = !state.isParked
      return unpark(&state)
    }
    if isParked { resume() }
  }

  /// Never parks again; whatever the connection waits for is cancelled, and libmicrohttpd closes it.
  func cut() {
    let (isParked, exchange) = state.withLock { state in
      state.isCut = true
      return (unpark(&state), state.exchange)
    }
    exchange?.cancel()
    if isParked { resume() }
  }

  private func unpark(_ state: inout State) -> Bool {
    guard state.isParked else { return false }
    state.isParked = false
    resuming.enter()
    return true
  }

  private func resume() {
    MHD_resume_connection(handle)
    resuming.leave()
  }
}
