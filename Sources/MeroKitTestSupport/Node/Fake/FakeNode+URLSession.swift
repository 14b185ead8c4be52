import Foundation
import MeroHTTP

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// The node beneath a `URLSession`, for code that is given one in place of a transport.
extension FakeNode {
  /// A session whose requests this node answers, as ``transport`` does, without a network.
  ///
  /// ```swift
  /// let node = FakeNode()
  /// let mero = Mero(config: MeroConfig(baseURL: node.url), session: node.makeURLSession())
  /// ```
  public func makeURLSession() -> URLSession { MockURLProtocol.makeSession(answer) }

  /// Answers the requests of all sessions of ``MockURLProtocol/makeSession()`` until another handler is set. Tests that use it
  /// cannot run at the same time; those with sessions of ``makeURLSession()`` can.
  public func install() { MockURLProtocol.setHandler(answer) }

  @Sendable private func answer(_ request: URLRequest) async throws -> MockURLProtocol.Stub {
    let response = try await transport.send(try HTTPRequest(request))
    if let bytes = response.body.takeBytes() {
      return MockURLProtocol.Stub(status: response.status, headers: response.headers, body: bytes)
    }
    return MockURLProtocol.Stub(status: response.status, headers: response.headers, stream: response.body)
  }
}

extension HTTPRequest {
  /// The request of a session, whose body is in place.
  fileprivate init(_ request: URLRequest) throws {
    guard let url = request.url else { throw URLError(.badURL) }
    let fields = (request.allHTTPHeaderFields ?? [:]).sorted { $0.key < $1.key }
    self.init(
      HTTPMethod(rawValue: request.httpMethod ?? "GET"), url,
      headers: HTTPHeaders(fields.map { ($0.key, $0.value) }), body: request.httpBody.map { .data($0) })
  }
}
