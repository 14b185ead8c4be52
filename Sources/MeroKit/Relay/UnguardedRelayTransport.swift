import Foundation
import MeroHTTP
import MeroSealed
import MeroWire

/// Seals everything to a relay, except what a relay can only serve in the open (40 §9.1).
///
/// Some relays leave it to a proxy to find out who asks. The proxy cannot look into an envelope, so such a relay refuses, in
/// an envelope, to serve there what needs a session; then, and only then, that goes in the open, over TLS. The answer is
/// sealed, so nobody on the way can make it up to get at a token.
final class UnguardedRelayTransport: HTTPTransport {
  private let base: SealedBase
  private let sealed: any HTTPTransport
  private let plain: any HTTPTransport
  private let isUnguarded = Locked(false)

  /// A refusal is no longer than this; what is longer is another answer, and too long.
  private static let refusalLimit = 1 << 20

  init(base: SealedBase, sealed: any HTTPTransport, plain: any HTTPTransport) {
    self.base = base
    self.sealed = sealed
    self.plain = plain
  }

  func send(_ request: HTTPRequest) async throws -> HTTPResponse {
    let path: String
    do {
      path = try base.innerPath(of: request.url)
    } catch { throw AccountError.relayKeyUnavailable(error.description) }
    if Self.isAttestation(request, path) { return try await plain.send(request) }
    let mayGoPlain = request.url.scheme?.lowercased() == "https"
    if mayGoPlain, Self.needsSession(request, path), isUnguarded.withLock({ $0 }) {
      return try await plain.send(request)
    }
    var response = try await sealed.send(request)
    guard response.status == 403 else { return response }
    let body = try await response.body.collect(upTo: Self.refusalLimit)
    response.body = HTTPBody(body)
    guard mayGoPlain, Self.saysUnguarded(body) else { return response }
    isUnguarded.withLock { $0 = true }
    return try await plain.send(request)
  }

  /// Attesting is what sealing begins with. With a credential it would be another request.
  private static func isAttestation(_ request: HTTPRequest, _ path: String) -> Bool {
    request.method == .post && path == "/admin-api/tee/attest" && request.headers["authorization"] == nil
  }

  private static func needsSession(_ request: HTTPRequest, _ path: String) -> Bool {
    request.headers["authorization"] != nil || path.hasPrefix("/auth/")
  }

  private static func saysUnguarded(_ body: Data) -> Bool {
    let code = (try? JSONValue(parsing: body))?["error"]?["code"]?.stringValue
    return code == SealedErrorCode.sealedRouteUnguarded.rawValue
  }
}
