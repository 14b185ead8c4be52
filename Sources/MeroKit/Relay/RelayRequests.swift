import Foundation
import MeroHTTP
import MeroWire

/// Requests to a relay: their exact text, the one refusal that is waited for, and what all others mean (40 §10.1 to §10.3).
struct RelayRequests: Sendable {
  /// nil when the relay's address is none.
  let http: NodeHTTP?
  let rateLimitRetries: Int

  private static let firstWait: TimeInterval = 0.25
  private static let longestWait: TimeInterval = 60

  /// Sends a request, again after 429: the same bytes, since nothing was taken of them.
  func send(
    _ method: HTTPMethod, _ path: AdminPath, query: [(String, String?)] = [], body: JSONValue? = nil,
    bearer: String? = nil, as kind: RelayRefusals = .intent, retries: Int? = nil
  ) async throws -> NodeResponse {
    guard let http else {
      throw MeroError.network("the relay's address is not an http or https address with a host")
    }
    var request = try path.request(method, try body.map(Self.canonical), query: query)
    // What the relay did with a request that brought no answer is not known; whether to ask again is the caller's to say.
    request.attempts = 1
    request.headers["authorization"] = bearer.map { "Bearer \($0)" }
    let limit = max(0, retries ?? rateLimitRetries)
    var wait = Self.firstWait
    for _ in 0..<limit {
      do {
        return try await exchange(request, http)
      } catch let refusal as HTTPError where refusal.status == 429 {
        let asked = refusal.retryAfter(now: http.clock.now())
        try await http.clock.sleep(min(asked ?? wait, Self.longestWait))
        wait *= 2
      } catch let refusal as HTTPError { throw kind.error(refusal) }
    }
    do {
      return try await exchange(request, http)
    } catch let refusal as HTTPError { throw kind.error(refusal) }
  }

  /// Sends a request and takes `data` out of its answer.
  func data(
    _ method: HTTPMethod, _ path: AdminPath, query: [(String, String?)] = [], body: JSONValue? = nil,
    bearer: String? = nil, as kind: RelayRefusals = .intent
  ) async throws -> JSONValue {
    let response = try await send(method, path, query: query, body: body, bearer: bearer, as: kind)
    guard let data = try response.json()["data"], data.objectValue != nil else {
      throw MeroError.decoding("the relay's answer has no data")
    }
    return data
  }

  /// Sends a request once. An answer outside 2xx is thrown as what it is.
  private func exchange(_ request: NodeRequest, _ http: NodeHTTP) async throws -> NodeResponse {
    do {
      return try await http.send(request)
    } catch let error as MeroError {
      if let refusal = error.http { throw refusal }
      throw error
    }
  }

  /// The body's text. The relay writes the arguments again and compares hashes, so no other writer may spell it.
  private static func canonical(_ body: JSONValue) throws(AccountError) -> NodeRequest.Body {
    .json(Data(try Warrants.canonical(body)))
  }
}
