import MeroHTTP

/// An account's session at a relay as the requests of a node's client see it. It has nothing to renew: a bearer that is not
/// taken is followed by another login.
struct RelayNodeSession: NodeSession {
  let tokens: any RelayTokens

  func bearer() async -> String? { await tokens.token() }

  func refresh(sent: String) async throws -> String {
    await tokens.dropToken(sent)
    guard let token = await tokens.token() else { throw MeroError.noRefreshToken }
    return token
  }

  func revoked(_ reason: String, http: HTTPError, sent: String?) async -> MeroError {
    if let sent { await tokens.dropToken(sent) }
    // The account is signed in as before; only this session is over.
    return .http(http)
  }
}

/// Gives up a bearer that a relay answers 401 to, so that the next request logs in anew (40 §9.2).
struct RefusedBearerTransport: HTTPTransport {
  let inner: any HTTPTransport
  let tokens: any RelayTokens

  func send(_ request: HTTPRequest) async throws -> HTTPResponse {
    let response = try await inner.send(request)
    if response.status == 401, let bearer = request.sentBearer { await tokens.dropToken(bearer) }
    return response
  }
}

/// Sends a request again whose bearer, that of a node's client, the relay calls too old: with the one that the client renews it to.
struct RenewedBearerTransport: HTTPTransport {
  let inner: any HTTPTransport
  let mero: Mero

  func send(_ request: HTTPRequest) async throws -> HTTPResponse {
    let response = try await inner.send(request)
    guard response.status == 401, response.headers["x-auth-error"] == "token_expired",
      let bearer = request.sentBearer, let renewed = await mero.renewedToken(after: bearer)
    else { return response }
    var again = request
    again.headers["authorization"] = "Bearer \(renewed)"
    return try await inner.send(again)
  }
}

extension HTTPRequest {
  /// The bearer it carries.
  fileprivate var sentBearer: String? {
    guard let value = headers["authorization"], value.hasPrefix("Bearer ") else { return nil }
    return String(value.dropFirst("Bearer ".count))
  }
}
