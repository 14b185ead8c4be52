import Foundation

/// A listener that takes nobody, because its queue is full: whoever connects to it hears nothing, as from an address where
/// nobody is.
final class FullListener: Sendable {
  let port: UInt16
  private let descriptors: [Int32]

  init() throws {
    let (listener, port) = try bindLoopback()
    var descriptors = [listener]
    guard listen(listener, 0) == 0 else { throw RawServer.Failure(call: "listen", code: errno) }
    for _ in 0..<8 {
      let guest = try streamSocket()
      descriptors.append(guest)
      _ = fcntl(guest, F_SETFL, O_NONBLOCK)
      _ = withLoopbackAddress(port: port) { connect(guest, $0, $1) }
    }
    self.port = port
    self.descriptors = descriptors
  }

  var url: URL { URL(string: "http://127.0.0.1:\(port)/")! }

  deinit {
    for descriptor in descriptors { close(descriptor) }
  }
}
