import Foundation
import MeroHTTP
import MeroWire

/// Routes that the typed parts lack. Paths are below the base URL and percent-encoded by the caller; a value is the whole
/// answer, so most are an ``ApiResponse``. All throw ``MeroError`` and `CancellationError`.
extension NodeHTTP {
  /// Reads a route.
  public func get<T: Decodable>(
    _ path: String, as type: T.Type = T.self, headers: HTTPHeaders = [:], timeout: TimeInterval? = nil
  ) async throws -> T {
    try await value(NodeRequest(.get, path, headers: headers, timeout: timeout), type, .flat)
  }

  /// Posts a value as JSON.
  ///
  /// - Parameter idempotent: whether sending it twice changes nothing, so that it may be.
  public func post<T: Decodable>(
    _ path: String, json: some Encodable & Sendable, as type: T.Type = T.self, headers: HTTPHeaders = [:],
    timeout: TimeInterval? = nil, idempotent: Bool = false
  ) async throws -> T {
    try await sendJSON(.post, path, json, type, headers, timeout, idempotent)
  }

  /// Puts a value as JSON.
  ///
  /// - Parameter idempotent: whether sending it twice changes nothing, so that it may be.
  public func put<T: Decodable>(
    _ path: String, json: some Encodable & Sendable, as type: T.Type = T.self, headers: HTTPHeaders = [:],
    timeout: TimeInterval? = nil, idempotent: Bool = false
  ) async throws -> T {
    try await sendJSON(.put, path, json, type, headers, timeout, idempotent)
  }

  /// Patches with a value as JSON.
  ///
  /// - Parameter idempotent: whether sending it twice changes nothing, so that it may be.
  public func patch<T: Decodable>(
    _ path: String, json: some Encodable & Sendable, as type: T.Type = T.self, headers: HTTPHeaders = [:],
    timeout: TimeInterval? = nil, idempotent: Bool = false
  ) async throws -> T {
    try await sendJSON(.patch, path, json, type, headers, timeout, idempotent)
  }

  /// Deletes; the request has no body.
  ///
  /// - Parameter idempotent: whether sending it twice changes nothing, so that it may be.
  public func delete<T: Decodable>(
    _ path: String, as type: T.Type = T.self, headers: HTTPHeaders = [:], timeout: TimeInterval? = nil,
    idempotent: Bool = false
  ) async throws -> T {
    try await value(
      NodeRequest(.delete, path, headers: headers, timeout: timeout, isIdempotent: idempotent), type, .flat)
  }

  /// Asks for the head of a route.
  public func head(
    _ path: String, headers: HTTPHeaders = [:], timeout: TimeInterval? = nil
  ) async throws -> NodeResponse {
    try await send(NodeRequest(.head, path, headers: headers, timeout: timeout))
  }

  /// Sends bytes, or nothing, and reads the answer as bytes.
  ///
  /// - Parameters:
  ///   - body: sent as `application/octet-stream` unless `headers` name another type.
  ///   - idempotent: whether sending it twice changes nothing, so that it may be.
  public func send(
    _ method: HTTPMethod, _ path: String, body: Data? = nil, headers: HTTPHeaders = [:],
    timeout: TimeInterval? = nil, idempotent: Bool = false
  ) async throws -> NodeResponse {
    try await send(
      NodeRequest(
        method, path, body: body.map { .bytes($0) }, headers: headers, timeout: timeout,
        isIdempotent: idempotent))
  }

  private func sendJSON<T: Decodable>(
    _ method: HTTPMethod, _ path: String, _ json: some Encodable, _ type: T.Type, _ headers: HTTPHeaders,
    _ timeout: TimeInterval?, _ idempotent: Bool
  ) async throws -> T {
    let body: NodeRequest.Body
    do { body = try .json(encoding: json) } catch {
      throw MeroError.decoding("the request cannot be written as JSON: \(error)")
    }
    return try await value(
      NodeRequest(method, path, body: body, headers: headers, timeout: timeout, isIdempotent: idempotent),
      type, .flat)
  }
}
