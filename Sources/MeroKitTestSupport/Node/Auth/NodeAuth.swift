import Foundation
import MeroCrypto
import MeroWire

/// The auth service's state: users, keys, and which tokens were used up (10 §2).
struct NodeAuth: Sendable {
  struct Pair: Sendable, Hashable {
    let access: String
    let refresh: String
  }

  /// How long tokens of a key live, in seconds.
  struct Lifetimes: Sendable, Hashable {
    var access: Int64
    var refresh: Int64
    static let root = Lifetimes(access: 3_600, refresh: 30 * 86_400)
    static let client = Lifetimes(access: 15 * 60, refresh: 7 * 86_400)
    static let clientKey: Int64 = 30 * 86_400
  }

  let signer: TokenSigner
  private let random: SeededRandom
  private(set) var keys: [String: NodeKey] = [:]
  private(set) var keyOrder: [String] = []
  private(set) var users: [String: NodeUser] = [:]
  private var tokens: [String: TokenRecord] = [:]
  private var revokedFamilies: Set<Int> = []
  private var lastFamily = 0
  private var lastNumber = 0
  /// Access tokens up to this number count as expired.
  private var expiredUpTo = 0
  /// Tokens up to this number are of a node before an upgrade, which cannot be read any more.
  private var forgottenUpTo = 0
  /// The pair made last for each family.
  private(set) var latest: Pair
  private var latestFamily = 0
  var throttle = LoginThrottle()
  var challenges = LoginChallenges()
  /// What accounts signed to log in, where they were let in.
  var logins: [SignedLogin] = []
  /// Whether `/auth/mock-token` is served, as debug builds may.
  var servesMockTokens = false
  /// Whether nobody owns the node yet: the first login makes its owner.
  private(set) var awaitsOwner = false

  init(random: SeededRandom) {
    self.random = random
    signer = TokenSigner(secret: random.bytes(32))
    latest = Pair(access: "", refresh: "")
  }

  // MARK: Keys and users

  /// A key with its parts; ids are made here.
  mutating func addKey(
    _ kind: NodeKey.Kind, publicKey: String, method: String, name: String, permissions: [String],
    at now: Int64,
    expiresAt: Int64? = nil, contextId: String? = nil, subject: String? = nil
  ) -> NodeKey {
    let key = NodeKey(
      id: Hex.encode(random.bytes(32)), kind: kind, publicKey: publicKey, method: method, name: name,
      subject: subject ?? "user-" + Hex.encode(random.bytes(12)), permissions: permissions, createdAt: now,
      expiresAt: expiresAt, contextId: contextId)
    keys[key.id] = key
    keyOrder.append(key.id)
    return key
  }

  mutating func update(_ id: String, _ change: (inout NodeKey) -> Void) {
    guard var key = keys[id] else { return }
    change(&key)
    keys[id] = key
  }

  /// Keys in the order they were made.
  var allKeys: [NodeKey] { keyOrder.compactMap { keys[$0] } }

  /// Revokes a key, and with a root key every client key below it.
  mutating func revoke(_ id: String, at now: Int64) {
    for key in allKeys where key.id == id || key.rootKeyId == id {
      update(key.id) { $0.revokedAt = $0.revokedAt ?? now }
    }
  }

  /// Makes a user, or gives one another password. The key is an administrator's unless told otherwise.
  @discardableResult
  mutating func setUser(
    _ name: String, password: String, permissions: [String] = ["admin"], at now: Int64
  ) -> NodeKey {
    let known = users[name].flatMap { keys[$0.keyId] }.flatMap { $0.revokedAt == nil ? $0 : nil }
    let key =
      known
      ?? addKey(
        .root, publicKey: name, method: "user_password", name: name, permissions: permissions, at: now)
    let salt = random.bytes(16)
    users[name] = NodeUser(salt: salt, digest: Self.digest(password, salt), keyId: key.id)
    return key
  }

  /// There are no users and no keys any more, and the first login makes the owner.
  mutating func awaitOwner() {
    users = [:]
    keys = [:]
    keyOrder = []
    latest = Pair(access: "", refresh: "")
    awaitsOwner = true
  }

  /// Makes the owner of a node that has none; nil when it has one, or when that is no password.
  mutating func claim(_ name: String, password: String, at now: Int64) -> NodeKey? {
    guard awaitsOwner, Self.passwordLength.contains(password.count) else { return nil }
    awaitsOwner = false
    return setUser(name, password: password, at: now)
  }

  /// How many characters a new password has.
  static let passwordLength = 8...128

  /// The key of the user with this password.
  func key(of name: String, password: String) -> NodeKey? {
    guard let user = users[name], ConstantTime.equal(Self.digest(password, user.salt), user.digest) else {
      return nil
    }
    return keys[user.keyId]
  }

  private static func digest(_ password: String, _ salt: [UInt8]) -> [UInt8] {
    HMACSHA256.authenticate(Array(password.utf8), key: salt)
  }

  // MARK: Tokens

  /// Mints a pair: of a new family, or of the one it continues.
  mutating func mint(
    for key: NodeKey, at now: Int64, family: Int? = nil, nodeURL: String? = nil, lifetimes: Lifetimes? = nil
  ) -> Pair {
    if family == nil { lastFamily += 1 }
    let family = family ?? lastFamily
    let lifetimes = lifetimes ?? (key.kind == .root ? .root : .client)
    let pair = Pair(
      access: token(.access, for: key, family, nodeURL, from: now, lasting: lifetimes.access),
      refresh: token(.refresh, for: key, family, nodeURL, from: now, lasting: lifetimes.refresh))
    latest = pair
    latestFamily = family
    return pair
  }

  private mutating func token(
    _ kind: NodeClaims.Kind, for key: NodeKey, _ family: Int, _ nodeURL: String?, from now: Int64,
    lasting seconds: Int64
  ) -> String {
    lastNumber += 1
    let claims = NodeClaims(
      subject: key.subject, keyId: key.id, id: Hex.encode(random.bytes(16)), kind: kind, issuedAt: now,
      expiresAt: now.addingReportingOverflow(seconds).partialValue, permissions: key.permissions,
      nodeURL: nodeURL)
    tokens[claims.id] = TokenRecord(family: family, number: lastNumber)
    return signer.sign(claims)
  }

  /// The claims of an access token, whether or not it is still good.
  func claims(of token: String, _ kind: NodeClaims.Kind) -> NodeClaims? {
    signer.read(token).flatMap { $0.kind == kind ? $0 : nil }
  }

  /// Whether a token is of a node before an upgrade.
  func isForgotten(_ claims: NodeClaims) -> Bool {
    tokens[claims.id].map { $0.number <= forgottenUpTo } ?? true
  }

  func isExpired(_ claims: NodeClaims, at now: Int64) -> Bool {
    if claims.kind == .access, let record = tokens[claims.id], record.number <= expiredUpTo { return true }
    return claims.expiresAt.addingReportingOverflow(NodeClaims.leeway).partialValue < now
  }

  /// Whether the login this token came from was ended.
  func isRevoked(_ claims: NodeClaims) -> Bool {
    tokens[claims.id].map { revokedFamilies.contains($0.family) } ?? false
  }

  /// Uses a refresh token up; false when it was used before, or its login was ended.
  mutating func consume(_ claims: NodeClaims) -> Bool {
    guard let record = tokens[claims.id], !record.isConsumed, !revokedFamilies.contains(record.family) else {
      return false
    }
    tokens[claims.id]?.isConsumed = true
    return true
  }

  func family(of claims: NodeClaims) -> Int? { tokens[claims.id]?.family }

  mutating func revokeFamily(_ family: Int) {
    revokedFamilies.insert(family)
  }

  /// Ends the login of the pair that was made last.
  mutating func revokeLatestFamily() { revokeFamily(latestFamily) }

  /// Every access token made so far counts as expired.
  mutating func expireAccessTokens() { expiredUpTo = lastNumber }

  mutating func forgetTokens() { forgottenUpTo = lastNumber }
}
