import MeroHTTP

/// A node that answers what its script says, and remembers what it was asked.
package final class ScriptedNode: HTTPTransport {
  package typealias Script = @Sendable (HTTPRequest) async throws -> HTTPResponse

  private let script: Script
  private let seen = Locked<[HTTPRequest]>([])

  package init(_ script: @escaping Script) { self.script = script }

  package func send(_ request: HTTPRequest) async throws -> HTTPResponse {
    seen.withLock { $0.append(request) }
    return try await script(request)
  }

  package var requests: [HTTPRequest] { seen.withLock { $0 } }

  package func requests(to path: String) -> [HTTPRequest] { requests.filter { $0.url.path == path } }
}
