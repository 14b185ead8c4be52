import Foundation

@testable import MeroHTTP

/// An HTTP server on a bare loopback socket, which answers with whatever bytes a test wants, right or wrong.
///
/// Every connection runs `handler` on a thread of its own and is closed when it returns or throws.
final class RawServer: Sendable {
  struct Failure: Error {
    let call: String
    let code: Int32
  }

  let port: UInt16
  /// What happens on the connections, to be awaited.
  let log = EventLog()

  private let isStopped = Locked(false)
  /// The descriptors in use, shut down by `stop` so that their threads return.
  private let open = Locked<Set<Int32>>([])

  init(_ handler: @escaping @Sendable (Connection) throws -> Void) throws {
    let (listener, port) = try bindLoopback()
    self.port = port
    guard listen(listener, 128) == 0 else { throw Failure(call: "listen", code: errno) }
    let open = open
    let log = log
    let isStopped = isStopped
    Thread.detachNewThread {
      // Closed here and nowhere else: closed by `stop`, its number could become another server's listener while this
      // thread is about to accept on it.
      defer { close(listener) }
      while true {
        let descriptor = accept(listener, nil, nil)
        guard descriptor >= 0 else { return }
        guard !isStopped.withLock({ $0 }) else {
          close(descriptor)
          return
        }
        open.withLock { _ = $0.insert(descriptor) }
        log.record(.accepted)
        Thread.detachNewThread {
          try? handler(Connection(descriptor: descriptor, log: log))
          // Out of the set before it is closed: `stop` must not shut down a descriptor that was given out again.
          open.withLock { _ = $0.remove(descriptor) }
          close(descriptor)
        }
      }
    }
  }

  /// A server that answers every request on every connection with the same bytes.
  convenience init(answering answer: String) throws {
    try self.init { connection in
      while try connection.readRequest() != nil { try connection.write(answer) }
    }
  }

  /// A server that begins a response, sends one piece of it, and leaves the connection open.
  convenience init(streaming piece: String) throws {
    try self.init { connection in
      _ = try connection.readRequest()
      try connection.write("HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\n\(piece)")
      connection.waitForClose()
    }
  }

  /// A server whose body never ends.
  ///
  /// Between pieces it looks for a moment whether the client has left: on Linux a cancellation waits until the socket
  /// runs dry once, which a sender in the same process that never looks up can put off for long.
  ///
  /// - Parameter limit: after so many bytes it only waits for the client to leave.
  static func endless(lookingUpFor span: Int32 = 1, upTo limit: Int = .max) throws -> RawServer {
    try RawServer { connection in
      _ = try connection.readRequest()
      try connection.write("HTTP/1.1 200 OK\r\nContent-Length: 1099511627776\r\n\r\n")
      let piece = [UInt8](repeating: 7, count: 64 << 10)
      var sent = 0
      do {
        while true {
          if sent < limit {
            try connection.write(piece)
            sent += piece.count
          }
          if connection.hasWord(withinMilliseconds: span) { throw RawServer.ClientLeft() }
        }
      } catch { connection.log.record(.closedByClient) }
    }
  }

  struct ClientLeft: Error {}

  deinit {
    stop()
  }

  func stop() {
    isStopped.withLock { $0 = true }
    wakeListener(port)
    open.withLock { open in
      for descriptor in open { shutdown(descriptor, Int32(SHUT_RDWR)) }
      open = []
    }
  }

  func url(_ path: String = "/", host: String = "127.0.0.1", scheme: String = "http") -> URL {
    URL(string: "\(scheme)://\(host):\(port)\(path)")!
  }
}

/// A loopback port that is taken and refuses every connection, so that no other test's server can get it.
final class RefusingPort: Sendable {
  let port: UInt16
  private let descriptor: Int32

  init() throws {
    (descriptor, port) = try bindLoopback()
  }

  deinit {
    close(descriptor)
  }
}

/// A TCP socket bound to a free port of 127.0.0.1.
func bindLoopback() throws -> (descriptor: Int32, port: UInt16) {
  let descriptor = try streamSocket()
  let port = withLoopbackAddress(port: 0) { address, size in
    var size = size
    guard bind(descriptor, address, size) == 0, getsockname(descriptor, address, &size) == 0 else {
      return UInt16(0)
    }
    return address.withMemoryRebound(to: sockaddr_in.self, capacity: 1) {
      UInt16(bigEndian: $0.pointee.sin_port)
    }
  }
  guard port != 0 else { throw RawServer.Failure(call: "bind", code: errno) }
  return (descriptor, port)
}

/// Connects once, so that a thread waiting in `accept` looks up.
private func wakeListener(_ port: UInt16) {
  guard let descriptor = try? streamSocket() else { return }
  _ = withLoopbackAddress(port: port) { connect(descriptor, $0, $1) }
  close(descriptor)
}

func streamSocket() throws -> Int32 {
  #if os(Linux)
    let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
  #else
    let descriptor = socket(AF_INET, SOCK_STREAM, 0)
  #endif
  guard descriptor >= 0 else { throw RawServer.Failure(call: "socket", code: errno) }
  return descriptor
}

func withLoopbackAddress<Result>(
  port: UInt16, _ body: (UnsafeMutablePointer<sockaddr>, socklen_t) -> Result
) -> Result {
  var address = sockaddr_in()
  address.sin_family = sa_family_t(AF_INET)
  address.sin_port = port.bigEndian
  address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
  return withUnsafeMutablePointer(to: &address) { pointer in
    pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
      body($0, socklen_t(MemoryLayout<sockaddr_in>.size))
    }
  }
}

/// A request as it came over the wire.
struct ReceivedRequest: Sendable, Hashable {
  var method: String
  var target: String
  var headers: HTTPHeaders
  var body: [UInt8]
}

/// One accepted connection, with blocking reads and writes.
struct Connection: Sendable {
  fileprivate let descriptor: Int32
  let log: EventLog

  /// The next request with its body, or `nil` when the client has closed.
  func readRequest() throws -> ReceivedRequest? {
    guard let request = try readHead() else { return nil }
    log.record(.request(request))
    return request
  }

  /// Waits until the client closes the connection, and records it.
  func waitForClose() {
    while (try? readByte()) ?? nil != nil {}
    log.record(.closedByClient)
  }

  /// Whether the client has said something, or left.
  func hasWord(withinMilliseconds span: Int32) -> Bool {
    var wait = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    return poll(&wait, 1, span) > 0
  }

  func write(_ text: String) throws {
    try write(Array(text.utf8))
  }

  /// Writes and blocks. `whenStalled` runs each time the client has taken nothing for a fifth of a second.
  func write(_ bytes: [UInt8], whenStalled: (() -> Void)? = nil) throws {
    if whenStalled != nil {
      var limit = timeval(tv_sec: 0, tv_usec: 200_000)
      setsockopt(descriptor, SOL_SOCKET, SO_SNDTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
    }
    var sent = 0
    while sent < bytes.count {
      let count = bytes.withUnsafeBytes { buffer in
        send(descriptor, buffer.baseAddress! + sent, buffer.count - sent, Self.noSignal)
      }
      if count < 0, errno == EAGAIN || errno == EWOULDBLOCK, let whenStalled {
        whenStalled()
        continue
      }
      guard count > 0 else { throw RawServer.Failure(call: "send", code: errno) }
      sent += count
    }
  }

  /// Ends the connection now, and not only when the handler returns.
  func shutDown() {
    shutdown(descriptor, Int32(SHUT_RDWR))
  }

  /// The head of the next request, or `nil` when the client has closed. Its body is left to be read.
  func readHeadOnly() throws -> ReceivedRequest? { try readHead(withBody: false) }

  /// The next bytes of a body.
  func read(_ count: Int) throws -> [UInt8] { try readBytes(count) }

  /// Makes the close that follows a reset instead of an orderly end.
  func closeWithReset() {
    var option = linger(l_onoff: 1, l_linger: 0)
    setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &option, socklen_t(MemoryLayout<linger>.size))
  }

  private func readHead(withBody: Bool = true) throws -> ReceivedRequest? {
    var head: [UInt8] = []
    while !head.suffix(4).elementsEqual(Array("\r\n\r\n".utf8)) {
      guard let byte = try readByte() else { return nil }
      head.append(byte)
    }
    var lines = String(decoding: head, as: UTF8.self).components(separatedBy: "\r\n")
    let start = lines.removeFirst().components(separatedBy: " ")
    var headers = HTTPHeaders()
    for line in lines where !line.isEmpty {
      let parts = line.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
      headers.add(String(parts[0]), parts[1].trimmingCharacters(in: .whitespaces))
    }
    if headers["expect"] != nil { try write("HTTP/1.1 100 Continue\r\n\r\n") }
    let body = try readBytes(withBody ? Int(headers["content-length"] ?? "0") ?? 0 : 0)
    return ReceivedRequest(method: start[0], target: start[1], headers: headers, body: body)
  }

  private func readBytes(_ count: Int) throws -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: count)
    var filled = 0
    while filled < count {
      let got = bytes.withUnsafeMutableBytes { recv(descriptor, $0.baseAddress! + filled, count - filled, 0) }
      guard got > 0 else { throw RawServer.Failure(call: "recv", code: errno) }
      filled += got
    }
    return bytes
  }

  private func readByte() throws -> UInt8? {
    var byte: UInt8 = 0
    let count = recv(descriptor, &byte, 1, 0)
    guard count >= 0 else { throw RawServer.Failure(call: "recv", code: errno) }
    return count == 0 ? nil : byte
  }

  #if os(Linux)
    private static let noSignal = Int32(MSG_NOSIGNAL)
  #else
    // The sockets of a test never outlive it long enough to be written after a reset without SO_NOSIGPIPE.
    private static let noSignal: Int32 = 0
  #endif
}
