import Foundation
import MeroCrypto
import MeroWire

/// What an account's operations throw that is neither one node's answer nor a failed connection: those are ``MeroError``
/// (40 §3.1).
///
/// ```swift
/// do {
///   try await relay.execute(contextId: context, method: "add", argsJson: ["text": "milk"])
/// } catch AccountError.intentRefused(let reason, let retryable, _) {
///   show(reason)          // a spent nonce is the only refusal worth another try
/// }
/// ```
public enum AccountError: Error, Sendable, Hashable {
  /// The input was malformed. Nothing was signed or sent.
  case invalidInput(String)
  /// A credential that must not be stored: it does not verify, or certifies other keys, another account or device.
  case credentialRejected(String)
  /// The person declined in the wallet, or the wallet refused.
  case enrolmentDeclined(String)
  /// The callback answers a request that this app did not make.
  case stateMismatch
  /// The relay's node key could not be established, or the relay's read session is needed and there is none.
  case relayKeyUnavailable(String)
  /// A relay refused what was signed, or it was refused here before anything was signed.
  case intentRefused(reason: String, retryable: Bool, status: Int)
  /// A good answer whose content cannot be used, or a relay that names another executor than the expected one.
  case protocolViolation(String)
  /// There is no session with the cloud.
  case notSignedIn(String)
  /// The cloud refused to host a namespace, with a code that it explains.
  case haRefused(code: String, status: Int, body: String?)
  /// Nobody could redeem such an invitation: `not-hosted` or `no-named-node`.
  case invitationNotClaimable(namespaceId: String, reason: String)
  /// The call has no form for an account; which one it is.
  case notForAccount(String)
  /// The account has no relay yet, and this call needs one; which one it is.
  case noRelay(String)

  init(_ error: WireError) { self = .invalidInput(error.description) }
}

extension AccountError: CustomStringConvertible, LocalizedError {
  /// What happened and what to do, in words; never a secret.
  public var description: String {
    switch self {
    case .invalidInput(let text), .credentialRejected(let text), .enrolmentDeclined(let text),
      .relayKeyUnavailable(let text), .protocolViolation(let text), .notSignedIn(let text):
      text
    case .stateMismatch:
      "the answer belongs to a sign-in that this app did not start; sign in again from the app"
    case .intentRefused(let reason, let retryable, _):
      retryable ? "the relay refused: \(reason) (worth another try)" : "the relay refused: \(reason)"
    case .haRefused(let code, _, let body): CloudClient.haRefusalText(code, body: body)
    case .invitationNotClaimable(let namespace, let reason):
      "nobody could redeem an invitation to \(namespace): "
        + (reason == "not-hosted"
          ? "no node that others can reach serves it"
          : "the nodes that serve it are not those that may admit")
    case .notForAccount(let call): "\(call) is a node's own business; an account cannot ask for it"
    case .noRelay(let call):
      "\(call) needs a relay, and this account has none yet: join a namespace by an invitation first"
    }
  }

  /// The same as ``description``.
  public var errorDescription: String? { description }
}

/// Reads the ids, keys and signatures of an account, which come as hex.
enum HexField {
  /// An id or a key: 32 bytes.
  static func id(_ text: String, _ name: String) throws(AccountError) -> [UInt8] {
    try bytes(text, 32, name)
  }

  /// - Parameter count: the number of bytes; nil for any.
  static func bytes(_ text: String, _ count: Int? = nil, _ name: String) throws(AccountError) -> [UInt8] {
    do throws(WireError) {
      return try Hex.decode(text, count: count, field: name)
    } catch { throw .invalidInput(error.reason) }
  }

  /// The id in lower case.
  static func text(_ text: String, _ name: String) throws(AccountError) -> String {
    Hex.encode(try id(text, name))
  }

  /// Whether a text is an id as it is written: 64 lower-case digits.
  static func isId(_ text: String) -> Bool {
    text.utf8.count == 64 && text.utf8.allSatisfy { (0x30...0x39).contains($0) || (0x61...0x66).contains($0) }
  }
}
