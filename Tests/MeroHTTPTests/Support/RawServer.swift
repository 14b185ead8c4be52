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

  private let listener: Int32
  /// The descriptors in use, shut down by `stop` so that their threads return.
  private let open = Locked<Set<Int32>>([])

  init(_ handler: @escaping @Sendable (Connection) throws -> Void) throws {
    listener = socket(AF_INET, Self.stream, 0)
    guard listener >= 0 else { throw Failure(call: "socket", code: errno) }
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    var size = socklen_t(MemoryLayout<sockaddr_in>.size)
    let listener = listener
    let bound = withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { generic in
        bind(listener, generic, size) == 0 && listen(listener, 128) == 0
          && getsockname(listener, generic, &size) == 0
      }
    }
    guard bound else {
      close(listener)
      throw Failure(call: "bind", code: errno)
    }
    port = UInt16(bigEndian: address.sin_port)
    let open = open
    let log = log
    Thread.detachNewThread {
      while true {
        let descriptor = accept(listener, nil, nil)
        guard descriptor >= 0 else { return }
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

  deinit {
    stop()
  }

  func stop() {
    shutdown(listener, Int32(SHUT_RDWR))
    close(listener)
    open.withLock { open in
      for descriptor in open { shutdown(descriptor, Int32(SHUT_RDWR)) }
      open = []
    }
  }

  func url(_ path: String = "/", host: String = "127.0.0.1", scheme: String = "http") -> URL {
    URL(string: "\(scheme)://\(host):\(port)\(path)")!
  }

  #if os(Linux)
    private static let stream = Int32(SOCK_STREAM.rawValue)
  #else
    private static let stream = SOCK_STREAM
  #endif
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

  func write(_ text: String) throws {
    try write(Array(text.utf8))
  }

  func write(_ bytes: [UInt8]) throws {
    var sent = 0
    while sent < bytes.count {
      let count = bytes.withUnsafeBytes { buffer in
        send(descriptor, buffer.baseAddress! + sent, buffer.count - sent, Self.noSignal)
      }
      guard count > 0 else { throw RawServer.Failure(call: "send", code: errno) }
      sent += count
    }
  }

  /// Makes the close that follows a reset instead of an orderly end.
  func closeWithReset() {
    var option = linger(l_onoff: 1, l_linger: 0)
    setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &option, socklen_t(MemoryLayout<linger>.size))
  }

  private func readHead() throws -> ReceivedRequest? {
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
    let body = try readBytes(Int(headers["content-length"] ?? "0") ?? 0)
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
