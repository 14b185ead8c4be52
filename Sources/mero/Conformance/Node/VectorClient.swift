import Foundation
import MeroHTTP
import MeroKit
import MeroWire

extension HTTPRequest {
  var bearer: String? { headers["authorization"].map { String($0.dropFirst("Bearer ".count)) } }

  /// The body as JSON; null when there is none.
  var json: JSONValue {
    guard case .data(let data) = body else { return .null }
    return (try? JSONValue(parsing: data)) ?? .null
  }
}

extension URL {
  /// Where the vectors' node is, unless one says otherwise.
  static let vectorNode = URL(string: "http://localhost:2428")!  // a constant that parses
}

extension Mero {
  /// A client of the vectors' node. `tokens` is the session it begins with.
  static func of(
    _ node: any HTTPTransport, tokens: TokenData? = nil, store: (any TokenStore)? = nil,
    timeout: TimeInterval = 10, clock: MeroClock = .system, random: MeroRandom = .system
  ) -> Mero {
    Mero(
      config: MeroConfig(
        baseURL: .vectorNode, timeout: timeout, tokenStore: store ?? MemoryTokenStore(tokens), clock: clock,
        random: random),
      transport: node)
  }
}

extension TokenData {
  /// The tokens of a session that is long enough for every vector.
  static func pair(_ access: String, _ refresh: String) -> TokenData {
    TokenData(
      accessToken: access, refreshToken: refresh, expiresAt: Date(timeIntervalSince1970: 4_000_000_000))
  }
}

/// Runs what waits for a client's next step. If that never comes the check fails, and the others go on.
func awaiting<T: Sendable>(_ body: @escaping @Sendable () async throws -> T) async throws -> T {
  try await withDeadline(60, clock: .system, operation: body)
}

extension MeroClock {
  /// A clock on which it is always `now`, and on which waits take no time.
  static func standing(at now: Date = Date(timeIntervalSince1970: 1_790_000_000)) -> MeroClock {
    MeroClock(now: { now }, uptime: { 0 }, sleep: { _ in })
  }
}
