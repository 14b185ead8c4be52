import CMicroHTTPD
import Dispatch

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// Tells when the client of a connection goes away. Costs one system call a connection and none a request.
///
/// `@unchecked Sendable` is sound: a Dispatch source may be cancelled from any thread, and nothing else is done to it
/// after `init`.
final class PeerWatch: @unchecked Sendable {
  private let descriptor: Int32
  private let source: any DispatchSourceRead

  /// `closed` is called with the id of each peer that closed, on a queue of the watch's own.
  init?(closed: @escaping @Sendable (UInt64) -> Void) {
    let descriptor = merokit_peers_watch()
    guard descriptor >= 0 else { return nil }
    self.descriptor = descriptor
    source = DispatchSource.makeReadSource(
      fileDescriptor: descriptor, queue: DispatchQueue(label: "merokit.listener.peers"))
    source.setEventHandler {
      var ids = [UInt64](repeating: 0, count: 64)
      while true {
        let count = merokit_peers_closed(descriptor, &ids, Int32(ids.count))
        if count < 0 { return }
        for id in ids.prefix(Int(count)) { closed(id) }
      }
    }
    source.setCancelHandler { close(descriptor) }
    source.resume()
  }

  func add(_ socket: Int32, id: UInt64) {
    // A socket that cannot be watched is still served; its client's leaving is seen at the next write.
    _ = merokit_peers_add(descriptor, socket, id)
  }

  func stop() {
    source.cancel()
  }
}
