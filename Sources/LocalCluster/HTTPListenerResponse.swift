import CMicroHTTPD
import Foundation
import MeroHTTP

/// A response in libmicrohttpd's form.
///
/// `@unchecked Sendable` is sound: a response does not change once it is made, and its references are counted under
/// a lock of libmicrohttpd's.
final class PreparedResponse: @unchecked Sendable {
  private let status: UInt32
  private let handle: OpaquePointer

  /// A response whose whole body is at hand.
  convenience init?(_ response: HTTPResponse, body: Data) {
    let handle = body.withUnsafeBytes { body in
      MHD_create_response_from_buffer(
        body.count, UnsafeMutableRawPointer(mutating: body.baseAddress), merokit_must_copy)
    }
    self.init(response, handle)
  }

  /// A response whose body is read from `stream`. It is chunked, unless the handler states the body's length.
  convenience init?(_ response: HTTPResponse, stream: ResponseStream) {
    let context = Unmanaged.passRetained(StreamReader(stream))
    let handle = MHD_create_response_from_callback(
      Self.length(response.headers) ?? .max, 64 << 10,
      { context, _, buffer, count in
        guard let context, let buffer else { return StreamReader.failure }
        return Unmanaged<StreamReader>.fromOpaque(context).takeUnretainedValue()
          .read(into: UnsafeMutableRawBufferPointer(start: buffer, count: count))
      },
      context.toOpaque(),
      { context in
        if let context { Unmanaged<StreamReader>.fromOpaque(context).release() }
      })
    if handle == nil { context.release() }
    self.init(response, handle)
  }

  /// The head alone, for an answer to `HEAD`, with the length that the handler states, if it does.
  convenience init?(headOf response: HTTPResponse) {
    let length = Self.length(response.headers)
    // Its body is never asked for.
    let handle = MHD_create_response_from_callback(
      length ?? .max, 1, { _, _, _, _ in StreamReader.failure }, nil, nil)
    if let handle, length == nil { _ = merokit_end_connection_after(handle) }
    self.init(response, handle)
  }

  /// An answer of the listener itself, in a few plain words.
  convenience init?(refusal status: Int, _ text: String) {
    let headers: HTTPHeaders = ["content-type": "text/plain; charset=utf-8", "connection": "close"]
    self.init(HTTPResponse(status: status, headers: headers), body: Data((text + "\n").utf8))
  }

  deinit { MHD_destroy_response(handle) }

  func send(over connection: OpaquePointer) -> MHD_Result {
    MHD_queue_response(connection, status, handle)
  }

  private init?(_ response: HTTPResponse, _ handle: OpaquePointer?) {
    guard let handle, let status = UInt32(exactly: response.status), (200...599).contains(status) else {
      if let handle { MHD_destroy_response(handle) }
      return nil
    }
    self.handle = handle
    self.status = status
    for (name, value) in response.headers where name != "content-length" && name != "transfer-encoding" {
      // A name or value that cannot be in a head (a line break, for one) would let a handler's data write headers.
      if MHD_add_response_header(handle, name, value) != merokit_yes { return nil }
    }
  }

  private static func length(_ headers: HTTPHeaders) -> UInt64? {
    headers["content-length"].flatMap { UInt64($0) }.flatMap { $0 == .max ? nil : $0 }
  }
}

/// Answers libmicrohttpd's question for more of a body.
private final class StreamReader {
  static let end = -1
  static let failure = -2

  private let stream: ResponseStream

  init(_ stream: ResponseStream) {
    self.stream = stream
  }

  func read(into buffer: UnsafeMutableRawBufferPointer) -> Int {
    while true {
      switch stream.read(into: buffer) {
      case .bytes(let count): return count
      case .end: return Self.end
      case .failure: return Self.failure
      case .nothingYet:
        switch stream.connection.park() {
        case .parked: return 0
        case .signalled: continue
        case .cut: return Self.failure
        }
      }
    }
  }
}
