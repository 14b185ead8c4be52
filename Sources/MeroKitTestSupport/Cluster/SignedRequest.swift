import Foundation

/// A request that an operator signed, with all that is needed to make the signed statement anew (70 §2.12).
///
/// The statement is `calimero/operator/1`, the cluster's id, ``issuedAt`` and ``expiresAt`` as 64-bit integers, ``nonce``,
/// method and path as length and text, and SHA-256 of the body; integers and lengths are little-endian.
public struct SignedRequest: Sendable, Hashable {
  /// The operator's Ed25519 key in lower-case hex.
  public let key: String
  /// The operator's signature, 64 bytes.
  public let signature: [UInt8]
  /// The HTTP method, in capitals.
  public let method: String
  /// Path and query as they were sent.
  public let path: String
  /// The body as it was sent.
  public let body: Data
  /// When the node asked, in Unix milliseconds.
  public let issuedAt: Int64
  /// When the signature stopped being good, in Unix milliseconds.
  public let expiresAt: Int64
  /// The node's nonce, 32 bytes.
  public let nonce: [UInt8]
}

extension SignedRequest {
  init(key: String, signature: [UInt8], of x: Exchange, _ question: SigningRecord) {
    self.init(
      key: key, signature: signature, method: x.operation.method, path: x.target, body: x.body,
      issuedAt: question.issuedAt, expiresAt: question.expiresAt, nonce: question.nonce)
  }
}

extension FakeCloud {
  /// The votes on a decision as they were signed, oldest first: the record that proves itself (70 §2.22).
  public func evidence(ofDecision id: String) -> [SignedRequest] {
    store.withState { $0.decisions[id]?.votes.map(\.evidence) ?? [] }
  }
}
