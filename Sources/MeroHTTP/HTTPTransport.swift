/// Sends one request and returns as soon as the response's head is there.
///
/// Transports wrap transports, each with one job (seal, authorise, count, fake); ``URLSessionTransport`` is the one
/// that reaches the network. A double for tests is a few lines:
///
/// ```swift
/// struct Echo: HTTPTransport {
///   func send(_ request: HTTPRequest) async throws -> HTTPResponse {
///     HTTPResponse(status: 200, body: HTTPBody(Data(request.url.path.utf8)))
///   }
/// }
/// ```
///
/// A transport never follows a redirect, never adds a header of its own and never retries. It throws
/// ``TransportError`` when there is no response to return, and `CancellationError` when its task is cancelled.
public protocol HTTPTransport: Sendable {
  /// Sends `request`; the body of the answer is still on its way when this returns.
  func send(_ request: HTTPRequest) async throws -> HTTPResponse
}
