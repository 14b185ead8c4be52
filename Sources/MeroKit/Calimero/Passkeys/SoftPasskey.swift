import Foundation
import MeroCrypto
import MeroHTTP
import MeroWire

/// An authenticator in software, for tests, tools and servers. Presence and verification of a user are
/// always given, so whoever holds its keys is the account.
///
/// ```swift
/// let passkey = SoftPasskey()
/// try await client.signUp(passkey, name: "ada")
/// let kept = try await passkey.export()            // a secret: keep it as one
/// let again = try SoftPasskey(exported: kept)
/// ```
public actor SoftPasskey: OriginlessPasskey {
  /// What the passkeys it makes sign with.
  public enum Algorithm: Sendable, Hashable {
    /// ECDSA over P-256 with SHA-256, COSE number -7.
    case es256
    /// Ed25519, COSE number -8.
    case ed25519

    var coseNumber: Int32 { self == .es256 ? -7 : -8 }

    init?(coseNumber: Int32) {
      switch coseNumber {
      case -7: self = .es256
      case -8: self = .ed25519
      default: return nil
      }
    }
  }

  private let algorithm: Algorithm
  private let origin: String?
  private let random: MeroRandom
  private var credentials: [SoftCredential]

  /// Makes an authenticator that holds no passkeys yet.
  ///
  /// - Parameters:
  ///   - algorithm: what new passkeys sign with.
  ///   - origin: the web origin it speaks for. Left out, it is `http://localhost:` and the port of the
  ///     client's base URL for the relying party `localhost`, else `https://` and the relying party.
  public init(algorithm: Algorithm = .es256, origin: String? = nil, random: MeroRandom = .system) {
    self.algorithm = algorithm
    self.origin = origin
    self.random = random
    credentials = []
  }

  /// Makes an authenticator that holds what another one exported.
  ///
  /// - Throws: ``CalimeroError/invalidInput(_:)`` when `exported` is not what ``export()`` gives.
  public init(
    exported: Data, algorithm: Algorithm = .es256, origin: String? = nil, random: MeroRandom = .system
  ) throws {
    self.algorithm = algorithm
    self.origin = origin
    self.random = random
    credentials = try ExportedPasskeys.read(exported)
  }

  /// Everything it holds, private keys included, as JSON.
  public func export() throws -> Data { try ExportedPasskeys.write(credentials) }

  /// False: it decides by itself.
  public nonisolated var asksPerson: Bool { false }

  /// Makes a passkey.
  ///
  /// - Throws: ``PasskeyFailure``.
  public func create(_ options: PasskeyCreationOptions) throws -> RegistrationCredential {
    try create(options, at: nil)
  }

  /// Signs with the first allowed passkey it holds, or with its newest one for the relying party.
  ///
  /// - Throws: ``PasskeyFailure``.
  public func get(_ options: PasskeyRequestOptions) throws -> AssertionCredential {
    try get(options, at: nil)
  }

  func create(_ options: PasskeyCreationOptions, at node: URL?) throws -> RegistrationCredential {
    let rpId = options.rp.id
    let origin = try origin(for: rpId, node: node)
    guard let challenge = try? Base64URL.decode(options.challenge) else {
      throw PasskeyFailure.invalidResponse
    }
    guard options.pubKeyCredParams.contains(where: { $0.alg == algorithm.coseNumber }) else {
      throw PasskeyFailure.notSupported
    }
    let excluded = Set((options.excludeCredentials ?? []).map(\.id))
    guard !credentials.contains(where: { $0.rpId == rpId && excluded.contains($0.idText) }) else {
      throw PasskeyFailure.excluded
    }
    let credential = SoftCredential(
      id: random.bytes(16), rpId: rpId, userHandle: options.user.id, userName: options.user.name,
      key: try newKey(), counter: 0)
    credentials.append(credential)
    return credential.registration(challenge: challenge, origin: origin)
  }

  func get(_ options: PasskeyRequestOptions, at node: URL?) throws -> AssertionCredential {
    let origin = try origin(for: options.rpId, node: node)
    guard let challenge = try? Base64URL.decode(options.challenge) else {
      throw PasskeyFailure.invalidResponse
    }
    guard let index = choose(options) else { throw PasskeyFailure.noCredential }
    guard credentials[index].counter < .max else { throw PasskeyFailure.other("its counter is at its end") }
    credentials[index].counter += 1
    return try credentials[index].assertion(challenge: challenge, origin: origin)
  }

  private func choose(_ options: PasskeyRequestOptions) -> Int? {
    let allowed = options.allowCredentials ?? []
    if allowed.isEmpty { return credentials.lastIndex { $0.rpId == options.rpId } }
    return allowed.lazy.compactMap { descriptor in
      self.credentials.firstIndex { $0.rpId == options.rpId && $0.idText == descriptor.id }
    }.first
  }

  private func newKey() throws -> SoftCredential.Key {
    // A random 32-byte string is outside P-256's range once in 2^32 times.
    for _ in 0..<8 {
      if let key = try? SoftCredential.Key(algorithm, secret: random.bytes(32)) { return key }
    }
    throw PasskeyFailure.other("no key could be made")
  }

  /// The origin to speak for, which a browser would know from the page it shows.
  private func origin(for rpId: String, node: URL?) throws -> String {
    guard !rpId.isEmpty else { throw PasskeyFailure.invalidResponse }
    guard let origin else {
      if rpId == "localhost" { return "http://localhost" + (node?.port.map { ":\($0)" } ?? "") }
      return "https://\(rpId)"
    }
    let host = URL(string: origin)?.host?.lowercased() ?? ""
    // A page may use passkeys of its own host and of domains above it, never of another one.
    guard host == rpId || (rpId.contains(".") && host.hasSuffix(".\(rpId)")) else {
      throw PasskeyFailure.notAllowed(rpId: rpId)
    }
    return origin
  }
}
