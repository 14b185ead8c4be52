import Foundation
import MeroKit

/// Notes which node answered the client's last request, from the client's log.
final class AnsweringNodes: @unchecked Sendable {
  // The log is called from whatever task sends a request: `lock` protects `node`, the only state.
  private let lock = NSLock()
  private var node: URL?

  var last: URL? { lock.withLock { node } }

  func note(_ event: CalimeroLogEvent) {
    guard event.kind == .tryEnded, let status = event.status, status < 500, let url = event.node else {
      return
    }
    lock.withLock { node = url }
  }
}
