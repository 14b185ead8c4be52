import Foundation

/// Ports for listeners that take any.
///
/// They lie below those that systems give away by themselves, to listeners and to connections that go out (from 32,768 on
/// Linux, from 49,152 on Apple's), and a process gets one again only after all others: who stops and wants its port again finds it
/// free.
package enum AnyPort {
  package static let range: Range<UInt16> = 20_000..<32_768
  /// After so many ports in a row that are taken, the system is asked for one.
  private static let tries = 100

  /// The next one to try. Processes begin at different places.
  private static let next = Locked(
    range.lowerBound + UInt16(Int(ProcessInfo.processInfo.processIdentifier) * 97 % range.count))

  package static func open(host: String) throws(ListenerError) -> ListeningSocket {
    for _ in 0..<tries {
      let port = next.withLock { next in
        defer { next = next + 1 == range.upperBound ? range.lowerBound : next + 1 }
        return next
      }
      do {
        return try ListeningSocket(port: port, host: host)
      } catch ListenerError.portTaken {
        continue
      }
    }
    return try ListeningSocket(port: 0, host: host)
  }
}
