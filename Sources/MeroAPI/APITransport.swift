/// Carries requests of the generated ``Client`` to a cluster.
///
/// `CalimeroClient` is one: it seals, retries and refreshes beneath. Another is easily written, for a test or for
/// a recording:
///
/// ```swift
/// struct Canned: APITransport {
///   func send(_ request: APIRequest) async throws -> APIResponse {
///     APIResponse(status: 200, body: Data(#"{"nodes":[]}"#.utf8))
///   }
/// }
/// let output = try await Client(transport: Canned()).opsNodeList()
/// ```
public protocol APITransport: Sendable {
  /// Sends the request and answers with whatever the node answered, refusals included.
  ///
  /// - Throws: Only when there is no answer.
  func send(_ request: APIRequest) async throws -> APIResponse

  /// The error a caller of ``Client`` sees when a request could not be written or an answer not be read. The
  /// default is the failure itself; a transport with an error type of its own turns it into that.
  func error(for failure: APIFailure) -> any Error
}

extension APITransport {
  /// The failure itself.
  public func error(for failure: APIFailure) -> any Error { failure }
}
