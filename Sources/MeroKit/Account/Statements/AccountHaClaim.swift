import Foundation
import MeroCrypto
import MeroHTTP
import MeroWire

/// Claims a namespace before the cloud as its founder, so that it is hosted (30 §16.2).
///
/// What proves the founding is that account and salt make the namespace's id.
public struct AccountHaClaim: Sendable, Hashable {
  /// Who asks.
  public enum Audience: Sendable, Hashable {
    /// The account itself, without a login at the cloud.
    case account
    /// Somebody logged in at the cloud, by their mail address.
    case login(email: String)
  }

  /// The signed claim as it is sent.
  public struct Proof: Sendable, Hashable {
    /// The device's credential, hex.
    public let credential: String
    /// The text that was signed.
    public let payload: String
    /// The device's signature, base64.
    public let signature: String

    /// The value of `ownership_proof`.
    package var json: JSONValue {
      [
        "kind": "account", "credential": .string(credential),
        "signed_payload": .string(Data(payload.utf8).base64EncodedString()), "signature": .string(signature),
      ]
    }
  }

  /// Milliseconds that a claim is good, unless told otherwise.
  public static let lifetime: UInt64 = 60_000
  /// Milliseconds that a claim may be good at most.
  public static let longestLifetime: UInt64 = 300_000

  /// The text that is signed: members in this order, without spaces.
  public let payload: String

  /// - Parameters:
  ///   - relayURL: where the namespace was founded, inside the claim so that nobody can put another one in.
  ///   - nonce: 16 bytes; drawn when nil.
  /// - Throws: ``AccountError/invalidInput(_:)`` for ids that are none, a time that is too long, or a URL that is.
  public init(
    namespaceId: String, accountId: String, salt: String, audience: Audience = .account,
    relayURL: String? = nil, now: Date, lifetime: UInt64 = lifetime, nonce: Data? = nil,
    random: MeroRandom = .system
  ) throws(AccountError) {
    guard (1...Self.longestLifetime).contains(lifetime) else {
      throw .invalidInput("a claim is good for at most \(Self.longestLifetime) ms, and for some time")
    }
    if let relayURL, !(1...1024).contains(relayURL.count) {
      throw .invalidInput("the relay's URL has no character, or more than 1024")
    }
    let nonce = nonce.map { Array($0) } ?? random.bytes(16)
    guard nonce.count == 16 else { throw .invalidInput("the nonce of a claim is 16 bytes") }
    let issued = UInt64(max(0, now.timeIntervalSince1970 * 1000).rounded())
    let text = CanonicalJSON.quote
    var members = ["\"v\":1"]
    switch audience {
    case .account: members.append("\"audience\":\"mdma:enable-ha-namespace-as-account\"")
    case .login: members.append("\"audience\":\"mdma:enable-ha-namespace\"")
    }
    members += [
      "\"group_id\":\(text(try HexField.text(namespaceId, "namespaceId")))",
      "\"account_id\":\(text(try HexField.text(accountId, "accountId")))",
      "\"salt\":\(text(try HexField.text(salt, "salt")))",
    ]
    if case .login(let email) = audience { members.append("\"subject\":\(text(email))") }
    members += [
      "\"nonce\":\"\(Hex.encode(nonce))\"", "\"issued_at_ms\":\(issued)",
      "\"expires_at_ms\":\(issued + lifetime)",
    ]
    if let relayURL { members.append("\"relay_url\":\(text(relayURL))") }
    payload = "{\(members.joined(separator: ","))}"
  }

  /// Signs the claim.
  public func signed(credential: String, keys: DeviceKeys) throws(AccountError) -> Proof {
    let signature = try keys.sign(
      Array("calimero.mdma.account-ownership-claim.v1\0".utf8) + Array(payload.utf8))
    return Proof(
      credential: credential, payload: payload, signature: Data(signature).base64EncodedString())
  }
}
