/// Who owns a group from now on.
public struct TransferOwnershipRequest: Codable, Sendable, Hashable {
  /// An account that is an admin of the group, 64 hex.
  public var newOwner: String
  /// Proof of the owner's root, hex; nil on a node that holds the root.
  public var rootProof: String?

  /// Creates the request.
  public init(newOwner: String, rootProof: String? = nil) {
    self.newOwner = newOwner
    self.rootProof = rootProof
  }
}

/// An act that needs the owner's root.
public struct RootGuardedOpRequest: Codable, Sendable, Hashable {
  /// Proof of the owner's root, hex; nil on a node that holds the root.
  public var rootProof: String?

  /// Creates the request.
  public init(rootProof: String? = nil) {
    self.rootProof = rootProof
  }
}

/// An act that needs the owner's root.
public typealias OwnerDeleteGroupRequest = RootGuardedOpRequest

/// What a statement of ownership for an outside service should say about a context.
public struct IssueOwnershipProofRequest: Codable, Sendable, Hashable {
  /// Who will check it, 1 to 256 characters.
  public var audience: String
  /// The context it is about, 64 hex.
  public var contextId: String
  /// What it is for, 1 to 512 characters.
  public var subject: String
  /// From the service; hex, 32 to 128 characters.
  public var nonce: String
  /// Unix milliseconds; at most 5 minutes ahead.
  public var expiresAtMs: UInt64

  /// Creates the request.
  public init(audience: String, contextId: String, subject: String, nonce: String, expiresAtMs: UInt64) {
    self.audience = audience
    self.contextId = contextId
    self.subject = subject
    self.nonce = nonce
    self.expiresAtMs = expiresAtMs
  }
}

/// What a statement of ownership for an outside service should say about a namespace.
public struct IssueNamespaceOwnershipProofRequest: Codable, Sendable, Hashable {
  /// Who will check it, 1 to 256 characters.
  public var audience: String
  /// What it is for, 1 to 512 characters.
  public var subject: String
  /// From the service; hex, 32 to 128 characters.
  public var nonce: String
  /// Unix milliseconds; at most 5 minutes ahead.
  public var expiresAtMs: UInt64

  /// Creates the request.
  public init(audience: String, subject: String, nonce: String, expiresAtMs: UInt64) {
    self.audience = audience
    self.subject = subject
    self.nonce = nonce
    self.expiresAtMs = expiresAtMs
  }
}

/// A signed statement of ownership.
public struct IssueOwnershipProofResponseData: Codable, Sendable, Hashable {
  /// The key that signed, 64 hex.
  public var signerPublicKey: String
  /// What was signed after `calimero.ownership-claim.v1` and a zero byte; base64, checked as it is.
  public var signedPayload: String
  /// Base64.
  public var signature: String
  /// Who founded the namespace; only in a namespace's proof.
  public var founding: NamespaceFounding?
  /// The signer's certificate, hex; only in a namespace's proof.
  public var credential: String?

  /// Creates one from its fields.
  public init(
    signerPublicKey: String, signedPayload: String, signature: String, founding: NamespaceFounding? = nil,
    credential: String? = nil
  ) {
    self.signerPublicKey = signerPublicKey
    self.signedPayload = signedPayload
    self.signature = signature
    self.founding = founding
    self.credential = credential
  }
}
