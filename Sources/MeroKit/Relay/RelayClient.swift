import Foundation
import MeroHTTP
import MeroWire

/// Writes through a relay as an account that has no node: every write is a warrant that this device signs and the relay runs
/// (40 §10).
///
/// ```swift
/// let relay = RelayClient(
///   relayURL: session.relayUrl!, authorAccount: session.account, authorProof: session.credential, keys: session.keys,
///   nonces: env.nonces, transport: env.transport)
/// let result = try await relay.execute(contextId: context, method: "add", argsJson: ["text": "milk"])
/// ```
///
/// What the relay is and runs is read before each write: a warrant that names another executor or release is refused, and its
/// number is lost. Only 429 is tried again, with the same bytes. A spent nonce is refused with
/// ``AccountError/intentRefused(reason:retryable:status:)``, `retryable` being true, and left to the caller: the next try
/// draws a higher one.
///
/// Calls throw ``AccountError``, ``MeroError`` and `CancellationError`.
public struct RelayClient: Sendable {
  /// The relay's address, without slashes at its end.
  public let relayURL: String
  /// The account that writes, 64 hex.
  public let authorAccount: String
  /// What the account's root certified about this device, hex.
  public let authorProof: String
  /// The relay's account, when it is known beforehand: a relay that says it is another is not written to.
  public let executorAccount: String?
  /// How long a warrant is good, in seconds.
  public let ttlSeconds: UInt64
  let keys: DeviceKeys
  let nonces: any WarrantNonceStore
  let requests: RelayRequests
  let clock: MeroClock
  let random: MeroRandom
  private let tokenProvider: (@Sendable () async -> String?)?

  /// A client of one relay.
  ///
  /// - Parameters:
  ///   - tokenProvider: the bearer of a session at the relay, for ``query(contextId:method:argsJson:)``. Writes need none:
  ///     what they sign is their credential.
  ///   - transport: how the relay is reached; a relay that is not on this machine is spoken to sealed.
  ///   - timeout: seconds for each request with its answer.
  ///   - rateLimitRetries: how often a request is sent again after 429.
  public init(
    relayURL: String, authorAccount: String, authorProof: String, keys: DeviceKeys,
    nonces: any WarrantNonceStore, executorAccount: String? = nil, ttlSeconds: UInt64 = 300,
    tokenProvider: (@Sendable () async -> String?)? = nil, transport: any HTTPTransport,
    timeout: TimeInterval = 15, rateLimitRetries: Int = 3, clock: MeroClock = .system,
    random: MeroRandom = .system
  ) {
    self.relayURL = RelayOrigin.of(relayURL)
    self.authorAccount = authorAccount.lowercased()
    self.authorProof = authorProof
    self.keys = keys
    self.nonces = nonces
    self.executorAccount = executorAccount?.lowercased()
    self.ttlSeconds = ttlSeconds
    self.tokenProvider = tokenProvider
    self.clock = clock
    self.random = random
    let http = URL(string: self.relayURL).map {
      NodeHTTP(baseURL: $0, transport: transport, timeout: timeout, clock: clock, random: random)
    }
    requests = RelayRequests(http: http, rateLimitRetries: rateLimitRetries)
  }

  /// The bearer of the session at the relay; nil without one.
  func bearer() async -> String? { await tokenProvider?() }

  /// Unix milliseconds.
  var milliseconds: UInt64 { UInt64(max(0, clock.now().timeIntervalSince1970 * 1000)) }
}

// MARK: Signing

extension RelayClient {
  /// Who a relay says it is, when a warrant can name it.
  ///
  /// - Throws: ``AccountError/protocolViolation(_:)``.
  func executor(account: String, key: String) throws(AccountError) -> RelayExecutor {
    guard let executor = RelayExecutor(executorAccount: account, executorKey: key).normalized else {
      throw .protocolViolation("the relay does not say which account and key a warrant has to name")
    }
    try check(executor)
    return executor
  }

  /// - Throws: ``AccountError/protocolViolation(_:)`` for another executor than the expected one.
  func check(_ executor: RelayExecutor) throws(AccountError) {
    guard let executorAccount, executorAccount != executor.executorAccount else { return }
    throw .protocolViolation(
      "the relay acts as account \(executor.executorAccount) and not as \(executorAccount), so it could not spend the "
        + "warrant")
  }

  /// A warrant as it is sent. Everything that can be said against it is found before a number is taken.
  func warrant(
    by executor: RelayExecutor, nonce: () throws -> UInt64,
    _ sign: (Warrants.Terms) throws -> Warrants.Signed
  ) throws -> String {
    _ = try sign(terms(executor, nonce: 0))
    return try sign(terms(executor, nonce: try nonce())).text
  }

  private func terms(_ executor: RelayExecutor, nonce: UInt64) -> Warrants.Terms {
    let (end, isOverflow) = (milliseconds / 1000).addingReportingOverflow(ttlSeconds)
    return Warrants.Terms(
      authorAccount: authorAccount, executor: executor.executorAccount, executorKey: executor.executorKey,
      nonce: nonce, notAfter: isOverflow ? .max : end)
  }

  /// An id as it stands in a path: hex in lower case; another spelling, of an older node, as that node wrote it.
  static func inPath(_ id: String) -> String { (try? HexField.text(id, "id")) ?? id }
}

extension RelayClient: CustomStringConvertible {
  /// Account and relay.
  public var description: String { "account \(authorAccount) at \(relayURL)" }
}
