import Foundation
import MeroHTTP

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// A client of bare sockets: sends exactly the bytes it is given and shows exactly what comes back.
///
/// Every call blocks a thread of its own, never one of Swift concurrency, which the listener's handlers need.
final class RawClient: Sendable {
  struct Closed: Error {}
  struct Failed: Error { let text: String }

  private let descriptor: Int32
  private let unread = Locked<[UInt8]>([])
  private let isClosed = Locked(false)

  init(port: UInt16) throws {
    #if canImport(Glibc)
      descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    #else
      descriptor = socket(AF_INET, SOCK_STREAM, 0)
    #endif
    // A listener that does not answer must fail the test, not hang it.
    var limit = timeval(tv_sec: 300, tv_usec: 0)
    // Else the system keeps as much of what nobody reads as it likes, which a test may want to know.
    var unread: Int32 = 1 << 20
    setsockopt(descriptor, SOL_SOCKET, SO_RCVBUF, &unread, socklen_t(MemoryLayout<Int32>.size))
    setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
    setsockopt(descriptor, SOL_SOCKET, SO_SNDTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
    let connected = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
    guard connected == 0 else {
      let text = String(cString: strerror(errno))
      close()
      throw Failed(text: text)
    }
  }

  deinit { close() }

  func close() {
    let isFirst = isClosed.withLock { isClosed in
      defer { isClosed = true }
      return !isClosed
    }
    guard isFirst else { return }
    #if canImport(Glibc)
      _ = Glibc.close(descriptor)
    #else
      _ = Darwin.close(descriptor)
    #endif
  }

  func send(_ text: String) async throws {
    try await send(Array(text.utf8))
  }

  func send(_ bytes: [UInt8]) async throws {
    try await onThread { [descriptor] in
      var sent = 0
      while sent < bytes.count {
        let count = bytes[sent...].withUnsafeBytes { writeQuietly(descriptor, $0) }
        guard count > 0 else { throw Closed() }
        sent += count
      }
    }
  }

  /// A GET request for `target`, with more head lines if given.
  func get(_ target: String, _ lines: String = "") async throws {
    try await send("GET \(target) HTTP/1.1\r\nHost: test\r\n\(lines)\r\n")
  }

  struct Response: Sendable {
    var status: Int
    var headers: HTTPHeaders
    var body: [UInt8] = []

    var text: String { String(decoding: body, as: UTF8.self) }
  }

  /// The next response with its whole body, by length or in chunks.
  func response() async throws -> Response {
    var response = try await head()
    if let length = response.headers["content-length"].flatMap({ Int($0) }) {
      response.body = try await read(length)
    } else if response.headers["transfer-encoding"] == "chunked" {
      while case let chunk = try await chunk(), !chunk.isEmpty { response.body += chunk }
    }
    return response
  }

  func head() async throws -> Response {
    let lines = String(decoding: try await read(through: Array("\r\n\r\n".utf8)), as: UTF8.self)
      .components(separatedBy: "\r\n")
    let words = lines[0].split(separator: " ")
    guard words.count >= 2, let status = Int(words[1]) else { throw Failed(text: "no status in \(lines[0])") }
    var headers = HTTPHeaders()
    for line in lines.dropFirst() where !line.isEmpty {
      let parts = line.split(separator: ":", maxSplits: 1)
      headers.add(String(parts[0]), parts.count > 1 ? parts[1].trimmingCharacters(in: .whitespaces) : "")
    }
    return Response(status: status, headers: headers)
  }

  /// The next chunk of a chunked body; empty after the last one.
  func chunk() async throws -> [UInt8] {
    let line = String(decoding: try await read(through: [13, 10]).dropLast(2), as: UTF8.self)
    guard let count = Int(line, radix: 16) else { throw Failed(text: "not a chunk's length: \(line)") }
    return Array(try await read(count + 2).dropLast(2))
  }

  func read(_ count: Int) async throws -> [UInt8] {
    while unread.withLock({ $0.count }) < count { try await fill() }
    return unread.withLock { unread in
      defer { unread.removeFirst(count) }
      return Array(unread.prefix(count))
    }
  }

  /// Everything up to the end of the connection, by either side's close or a reset.
  func readToEnd() async throws -> [UInt8] {
    do { while true { try await fill() } } catch is Closed {}
    return unread.withLock { unread in
      defer { unread = [] }
      return unread
    }
  }

  private func read(through marker: [UInt8]) async throws -> [UInt8] {
    while true {
      let found = unread.withLock { unread -> [UInt8]? in
        guard let end = unread.firstEnd(of: marker) else { return nil }
        defer { unread.removeFirst(end) }
        return Array(unread[..<end])
      }
      if let found { return found }
      try await fill()
    }
  }

  private func fill() async throws {
    try await onThread { [descriptor, unread] in
      let bytes = try [UInt8](unsafeUninitializedCapacity: 1 << 20) { buffer, count in
        let received = recv(descriptor, buffer.baseAddress, buffer.count, 0)
        if received < 0, errno == EAGAIN { throw Failed(text: "nothing came within five minutes") }
        guard received > 0 else { throw Closed() }
        count = received
      }
      unread.withLock { $0 += bytes }
    }
  }

  private func onThread(_ body: @escaping @Sendable () throws -> Void) async throws {
    try await withCheckedThrowingContinuation { continuation in
      Thread.detachNewThread { continuation.resume(with: Result(catching: body)) }
    }
  }
}

/// Writes without the signal that a closed connection would end the process with.
private func writeQuietly(_ descriptor: Int32, _ bytes: UnsafeRawBufferPointer) -> Int {
  #if canImport(Glibc)
    return send(descriptor, bytes.baseAddress, bytes.count, Int32(MSG_NOSIGNAL))
  #else
    var yes: Int32 = 1
    setsockopt(descriptor, SOL_SOCKET, SO_NOSIGPIPE, &yes, socklen_t(MemoryLayout<Int32>.size))
    return send(descriptor, bytes.baseAddress, bytes.count, 0)
  #endif
}

extension [UInt8] {
  fileprivate func firstEnd(of marker: [UInt8]) -> Int? {
    guard count >= marker.count else { return nil }
    return (marker.count...count).first { self[($0 - marker.count)..<$0].elementsEqual(marker) }
  }
}
