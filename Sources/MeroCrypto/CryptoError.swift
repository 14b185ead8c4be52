/// What a cryptographic operation refuses. No case carries key material or message bytes.
package enum CryptoError: Error, Sendable, Hashable, CustomStringConvertible {
  /// A key, nonce or scalar has the wrong length or is not a value of its kind; the text says which.
  case invalidKey(String)
  case invalidSignature
  /// A sealed message was altered, or another key, nonce or header belongs to it.
  case authenticationFailed
  /// The peer's X25519 key leads to the all-zero secret, which everybody knows.
  case lowOrderPoint
  /// The platform's library failed although its inputs were right.
  case backend(String)

  package var description: String {
    switch self {
    case .invalidKey(let text): text
    case .invalidSignature: "the signature is not valid"
    case .authenticationFailed: "the sealed message does not open with this key, nonce and header"
    case .lowOrderPoint: "the peer's X25519 key has low order; a secret agreed with it is no secret"
    case .backend(let operation): "the cryptography library of this system could not \(operation)"
    }
  }

  static func wrongLength(_ name: String, _ expected: Int, _ actual: Int) -> CryptoError {
    .invalidKey("\(name) must be \(expected) bytes, got \(actual)")
  }
}
