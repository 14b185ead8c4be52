import Foundation
import MeroHTTP
import MeroKit

/// Notes which node answered the client's last request, from the client's log.
final class AnsweringNodes: Sendable {
  private let node = Locked<URL?>(nil)

  var last: URL? { node.withLock { $0 } }

  func note(_ event: CalimeroLogEvent) {
    guard event.kind == .tryEnded, let status = event.status, status < 500, let url = event.node else {
      return
    }
    node.withLock { $0 = url }
  }
}
