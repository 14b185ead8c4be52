import Foundation
import MeroCrypto
import MeroHTTP
import MeroWire

/// Opens a session of an account at a relay, and ends it (40 §9.2, 30 §13).
///
/// The device signs which relay it talks to, by the key that the relay proved: a login that was caught on its way opens
/// nothing anywhere else.
struct RelayLogin: Sendable {
  private let relayURL: String
  private let http: NodeHTTP
  private let env: DelegatedEnvironment

  private static let patience: TimeInterval = 10

  /// - Throws: ``AccountError/invalidInput(_:)`` when the relay's address is none.
  private init(
    _ relayURL: String, _ env: DelegatedEnvironment, _ transport: (any HTTPTransport)?
  ) throws(AccountError) {
    self.relayURL = RelayOrigin.of(relayURL)
    guard let url = URL(string: self.relayURL), url.host != nil else {
      throw .invalidInput("the relay has no usable address")
    }
    http = NodeHTTP(
      baseURL: url, transport: transport ?? RelayTransports.transport(relayURL: relayURL, env: env),
      timeout: Self.patience, clock: env.clock, random: env.random)
    self.env = env
  }

  /// Logs in. The tokens are good for what an account may read, and are no administrator's.
  ///
  /// - Parameters:
  ///   - nodeKey: the key that the relay proved, or that is pinned; never one that it only claims.
  ///   - lifetime: how long the statement is good, in seconds.
  ///   - transport: nil for the one that ``RelayTransports`` has.
  /// - Throws: ``MeroError`` for a refusal or no answer, ``AccountError`` for an answer that cannot be used.
  static func login(
    relayURL: String, nodeKey: String, credential: String, keys: DeviceKeys, env: DelegatedEnvironment,
    lifetime: UInt64 = LoginStatement.lifetime, transport: (any HTTPTransport)? = nil
  ) async throws -> TokenData {
    let login = try RelayLogin(relayURL, env, transport)
    let challenge = try await login.challenge()
    let issuedAt = login.seconds
    let sessionKey: String
    do {
      // Its private half is of no use here: the relay answers with tokens. It is gone when this returns.
      sessionKey = Hex.encode(try Ed25519.PrivateKey(seed: env.random.bytes(32)).publicKey.bytes)
    } catch { throw AccountError.invalidInput("no session key could be made") }
    let statement = LoginStatement(
      node: nodeKey, audience: env.audience, challenge: challenge, sessionKey: sessionKey,
      issuedAt: issuedAt, expiresAt: issuedAt + lifetime)
    return try await login.tokens([
      "auth_method": "account_proof", "public_key": .string(sessionKey),
      "client_name": .string(env.clientName ?? login.relayURL), "timestamp": JSONValue(issuedAt),
      "provider_data": [
        "challenge": .string(challenge), "login_statement": .string(try statement.signed(keys: keys)),
        "account_proof": .string(credential),
      ],
    ])
  }

  /// Ends the session of a refresh token. Nothing depends on its success.
  static func logout(
    relayURL: String, refreshToken: String, env: DelegatedEnvironment, transport: (any HTTPTransport)? = nil
  ) async {
    guard let login = try? RelayLogin(relayURL, env, transport) else { return }
    let body: JSONValue = ["refresh_token": .string(refreshToken)]
    _ = try? await login.http.send(NodeRequest(.post, "/auth/logout", body: .json(body.data())))
  }

  private var seconds: UInt64 { UInt64(max(0, env.clock.now().timeIntervalSince1970)) }

  /// A challenge of the relay's. It is asked for once: who wants a session tries again as a whole.
  private func challenge() async throws -> String {
    let answer = try await read(NodeRequest(.get, "/auth/challenge", attempts: 1))
    guard let text = Self.text("challenge", in: answer), let bytes = try? Hex.decode(text, count: 32) else {
      throw AccountError.protocolViolation("the relay's answer has no challenge of 32 bytes")
    }
    return Hex.encode(bytes)
  }

  private func tokens(_ body: JSONValue) async throws -> TokenData {
    let answer = try await read(NodeRequest(.post, "/auth/token", body: .json(body.data())))
    guard let access = Self.text("access_token", in: answer), !access.isBlank else {
      throw AccountError.protocolViolation("the relay's answer has no access token")
    }
    let tokens = TokenData(
      accessToken: access, refreshToken: Self.text("refresh_token", in: answer) ?? "",
      now: env.clock.now())
    guard tokens.fitsInAHeader else {
      throw AccountError.protocolViolation("the relay's access token is none that a request can carry")
    }
    return tokens
  }

  private func read(_ request: NodeRequest) async throws -> JSONValue {
    let response = try await http.send(request)
    guard let answer = try? response.json() else {
      throw AccountError.protocolViolation("the relay's answer to \(request.path) is not JSON")
    }
    return answer
  }

  /// A text at the top of an answer, or in its data.
  private static func text(_ name: String, in answer: JSONValue) -> String? {
    answer[name]?.stringValue ?? answer["data"]?[name]?.stringValue
  }
}
