import Foundation

@testable import MeroHTTP

/// The smallest good answer.
let okay = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"

/// The error of the transport that `operation` ends with, if it ends with one.
func failure<T>(_ operation: () async throws -> T) async -> TransportError? {
  do {
    _ = try await operation()
    return nil
  } catch {
    return error as? TransportError
  }
}

/// A small body as text.
func text(_ response: HTTPResponse) async throws -> String {
  String(decoding: try await response.body.collect(upTo: 1 << 20), as: UTF8.self)
}
