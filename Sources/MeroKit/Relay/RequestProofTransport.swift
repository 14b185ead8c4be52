import Foundation
import MeroHTTP

/// Signs each request that carries no bearer, so that a relay knows which account asks (30 §14). One with a bearer is left as
/// it is: a node that sees a token judges by the token alone.
struct RequestProofTransport: HTTPTransport {
  let inner: any HTTPTransport
  /// The relay's address. What its path begins with is cut off by a proxy, and not seen by the node that checks.
  let base: URL
  let credential: String
  let keys: DeviceKeys
  let clock: MeroClock

  func send(_ request: HTTPRequest) async throws -> HTTPResponse {
    guard request.headers["authorization"] == nil else { return try await inner.send(request) }
    var request = request
    request.headers[RequestProof.header] = try proof(of: request)
    return try await inner.send(request)
  }

  private func proof(of request: HTTPRequest) throws -> String {
    let now = UInt64(max(0, clock.now().timeIntervalSince1970))
    return try RequestProof(
      method: request.method.rawValue, path: innerPath(of: request.url), body: try body(of: request),
      issuedAt: now, expiresAt: now + RequestProof.lifetime
    ).value(credential: credential, keys: keys)
  }

  /// The path as it is sent, percent-encoded and without the query.
  private func innerPath(of url: URL) -> String {
    func path(_ url: URL) -> String {
      URLComponents(url: url, resolvingAgainstBaseURL: true)?.percentEncodedPath ?? url.path
    }
    var prefix = path(base)[...]
    while prefix.hasSuffix("/") { prefix.removeLast() }
    let whole = path(url)
    guard !prefix.isEmpty, whole.hasPrefix(prefix + "/") else { return whole.isEmpty ? "/" : whole }
    return String(whole.dropFirst(prefix.count))
  }

  private func body(of request: HTTPRequest) throws -> Data {
    switch request.body {
    case nil: return Data()
    case .data(let data): return data
    // It is read while it is sent, and the proof stands before it.
    case .file:
      throw TransportError(
        kind: .cannotConnect,
        text:
          "a file cannot be sent to a relay without a session there: what is signed must be known beforehand",
        mayHaveBeenSent: false)
    }
  }
}
