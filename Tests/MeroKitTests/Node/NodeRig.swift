import Foundation
import MeroHTTP
import MeroKitTestSupport
import MeroWire

@testable import MeroKit

extension HTTPRequest {
  var bearer: String? { headers["authorization"].map { String($0.dropFirst("Bearer ".count)) } }

  var bytes: Data {
    if case .data(let data) = body { data } else { Data() }
  }

  var json: JSONValue { (try? JSONValue(parsing: bytes)) ?? .null }
}

extension HTTPResponse {
  static func json(_ value: JSONValue, status: Int = 200, headers: HTTPHeaders = [:]) -> HTTPResponse {
    HTTPResponse(status: status, headers: headers, body: HTTPBody(value.data()))
  }

  static func status(_ status: Int, _ authError: String? = nil, body: String = "") -> HTTPResponse {
    HTTPResponse(
      status: status, headers: authError.map { ["X-Auth-Error": $0] } ?? [:], body: HTTPBody(Data(body.utf8)))
  }
}

/// A node's auth service in a few lines: one pair of tokens is good, and each renewal makes the next.
final class TokenNode: HTTPTransport {
  struct State: Sendable {
    /// The number of the pair that is good: tokens are `A1` and `R1`, then `A2` and `R2`.
    var good = 1
    /// What the guard answers instead of an answer.
    var guardError: String?
    var used: Set<String> = []
    var refreshes = 0
    var served: [String] = []
    var loggedOut: [String] = []
  }

  let state = Locked(State())
  /// Runs before a renewal is answered; what it returns is answered instead.
  private let duringRefresh: @Sendable (Int) async throws -> HTTPResponse?

  init(duringRefresh: @escaping @Sendable (Int) async throws -> HTTPResponse? = { _ in nil }) {
    self.duringRefresh = duringRefresh
  }

  var refreshes: Int { state.withLock { $0.refreshes } }
  /// The bearers of the requests that were served.
  var served: [String] { state.withLock { $0.served } }

  /// Makes the access token that is in use too old; the next renewal makes the pair after it.
  func expire() { state.withLock { $0.good += 1 } }

  func send(_ request: HTTPRequest) async throws -> HTTPResponse {
    switch request.url.path {
    case "/auth/refresh": return try await refresh(request)
    case "/auth/token": return .tokens("login-A", "login-R")
    case "/auth/logout":
      state.withLock { $0.loggedOut.append(request.json["refresh_token"].text) }
      return .json(["data": ["success": true], "error": nil])
    default: return serve(request)
    }
  }

  private func serve(_ request: HTTPRequest) -> HTTPResponse {
    state.withLock { state in
      if let error = state.guardError { return .status(error == "token_expired" ? 401 : 403, error) }
      let bearer = request.bearer ?? ""
      guard bearer == "A\(state.good)" || bearer == "login-A" else { return .status(401, "token_expired") }
      state.served.append(bearer)
      return .json(["data": .string(bearer)])
    }
  }

  private func refresh(_ request: HTTPRequest) async throws -> HTTPResponse {
    let token = request.json["refresh_token"].text
    let (isUsed, number, good) = state.withLock { state in
      state.refreshes += 1
      return (!state.used.insert(token).inserted, state.refreshes, state.good)
    }
    if isUsed { return .status(401, "token_reuse") }
    if let answer = try await duringRefresh(number) { return answer }
    return .tokens("A\(good)", "R\(good)")
  }
}

extension HTTPResponse {
  static func tokens(_ access: String, _ refresh: String) -> HTTPResponse {
    .json([
      "data": ["access_token": .string(access), "refresh_token": .string(refresh), "error": nil],
      "error": nil,
    ])
  }
}

extension TokenData {
  /// Tokens that end in an hour of the test's clock.
  static func sample(_ access: String, _ refresh: String) -> TokenData {
    TokenData(
      accessToken: access, refreshToken: refresh,
      expiresAt: Date(timeIntervalSince1970: 1_790_003_600))
  }

  static let first = sample("A1", "R1")
}

/// A token with these claims and a signature nobody checks.
func jwt(_ claims: JSONValue) -> String {
  let head = Base64URL.encode(Array(#"{"alg":"HS256"}"#.utf8))
  return "\(head).\(Base64URL.encode(claims.data())).c2ln"
}

extension Mero {
  static let node = URL(string: "http://localhost:2428")!

  /// A client of a node of a test.
  static func over(
    _ transport: any HTTPTransport, store: any TokenStore = MemoryTokenStore(.first),
    clock: FakeClock = FakeClock(autoAdvance: 1),
    _ change: (inout MeroConfig) -> Void = { _ in }
  ) -> Mero {
    var config = MeroConfig(baseURL: node, tokenStore: store, clock: clock.clock, random: .halfway)
    change(&config)
    return Mero(config: config, transport: transport)
  }

  /// Asks for something that needs a bearer.
  func ask(_ method: HTTPMethod = .get) async throws -> String {
    try await http.value(NodeRequest(method, "/thing"))
  }
}

extension MeroRandom {
  /// Jitter that changes nothing.
  static let halfway = MeroRandom(bytes: { [UInt8](repeating: 7, count: $0) }, unit: { 0.5 })
}

extension TokenNode {
  static func isExpired(_ error: any Error) -> Bool {
    (error as? MeroError)?.http?.isExpiredToken == true
  }
}
