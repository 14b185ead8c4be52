import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// An exchange carried by a task of `URLSession`.
final class SessionTransfer: Transfer {
  let asksBeforeSending = false

  private let task: URLSessionTask
  private let delegate: ExchangeDelegate

  init(_ task: URLSessionTask, delegate: ExchangeDelegate) {
    self.task = task
    self.delegate = delegate
  }

  func begin(_ exchange: Exchange) {
    delegate.add(exchange, for: task)
    task.resume()
  }

  #if os(Linux)
    /// Nothing holds a sender back on Linux: there `suspend()` drops the connection and `resume()` sends the request
    /// again, or ends the process when it follows too closely.
    let canPause = false

    func cancel() {
      // Not on this thread: all sessions share one queue, and the call waits until their sockets run dry.
      DispatchQueue.global().async { [task] in task.cancel() }
    }
  #else
    let canPause = true

    func cancel() {
      task.cancel()
    }
  #endif

  func pause() {
    task.suspend()
  }

  func resume() {
    task.resume()
  }
}
