// Generated from openapi/openapi.json by scripts/generate-openapi.sh; not edited by hand.

extension Components.Schemas {
  /// Who may make an account.
  ///
  /// An open set: a word added later is kept and sent back as it came.
  public struct SignupMode: RawRepresentable, Codable, Sendable, Hashable {
    /// The word as it is on the wire.
    public let rawValue: String

    /// Takes any word.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// Anyone.
    public static let open = SignupMode(rawValue: "open")
    /// Whoever holds an invitation code.
    public static let invite = SignupMode(rawValue: "invite")
    /// Nobody.
    public static let closed = SignupMode(rawValue: "closed")

    /// The words known when this was written, in the document's order.
    public static let known: [SignupMode] = [.open, .invite, .closed]
  }

  /// Whether the node is up and ready.
  public struct Health: Codable, Sendable, Hashable {
    /// ok, or starting.
    ///
    /// One of `ok`, `starting`.
    public var status: String
    /// Whether it can serve requests.
    public var ready: Bool
    /// Where a node stands.
    public var state: NodeState?

    /// Creates one from its fields.
    public init(status: String, ready: Bool, state: NodeState? = nil) {
      self.status = status
      self.ready = ready
      self.state = state
    }
  }

  /// What a client needs to know about the cluster.
  public struct ClusterInfo: Codable, Sendable, Hashable {
    /// The cluster's id, 32 bytes in lower-case hex; the node's quote commits to it.
    public var clusterId: String
    /// The cluster's name.
    public var name: String?
    /// The version of this API.
    public var apiVersion: String
    /// The core version the node runs.
    public var coreVersion: String
    /// The mero-tee release the node runs; dev on a mock node.
    public var release: String
    /// The relying party id of its passkeys.
    public var rpId: String
    /// Its relying party name.
    public var rpName: String
    /// The origin of the consent page.
    public var consentOrigin: String
    /// Who may make an account.
    public var signup: SignupMode
    /// The cluster's limits.
    public var limits: Limits
    /// The node that answered.
    public var nodeId: String?
    /// The node's clock, Unix milliseconds.
    public var time: Int64

    /// Creates one from its fields.
    public init(
      clusterId: String,
      name: String? = nil,
      apiVersion: String,
      coreVersion: String,
      release: String,
      rpId: String,
      rpName: String,
      consentOrigin: String,
      signup: SignupMode,
      limits: Limits,
      nodeId: String? = nil,
      time: Int64
    ) {
      self.clusterId = clusterId
      self.name = name
      self.apiVersion = apiVersion
      self.coreVersion = coreVersion
      self.release = release
      self.rpId = rpId
      self.rpName = rpName
      self.consentOrigin = consentOrigin
      self.signup = signup
      self.limits = limits
      self.nodeId = nodeId
      self.time = time
    }
  }

  /// The cluster's limits.
  public struct Limits: Codable, Sendable, Hashable {
    /// Arguments of a call or view.
    public var argsBytes: UInt64
    /// A result.
    public var resultBytes: UInt64
    /// A file put in one request.
    public var blobBytes: UInt64
    /// One part of an upload.
    public var partBytes: UInt64
    /// A presence state as JSON.
    public var presenceBytes: UInt64
    /// How long a presence entry lives.
    public var presenceTtlMs: Int64
    /// How long events are kept.
    public var eventRetentionMs: Int64
    /// How long an idempotency key is remembered.
    public var idempotencyTtlMs: Int64

    /// Creates one from its fields.
    public init(
      argsBytes: UInt64,
      resultBytes: UInt64,
      blobBytes: UInt64,
      partBytes: UInt64,
      presenceBytes: UInt64,
      presenceTtlMs: Int64,
      eventRetentionMs: Int64,
      idempotencyTtlMs: Int64
    ) {
      self.argsBytes = argsBytes
      self.resultBytes = resultBytes
      self.blobBytes = blobBytes
      self.partBytes = partBytes
      self.presenceBytes = presenceBytes
      self.presenceTtlMs = presenceTtlMs
      self.eventRetentionMs = eventRetentionMs
      self.idempotencyTtlMs = idempotencyTtlMs
    }
  }

  /// A quote, and the keys it commits to.
  public struct Attestation: Codable, Sendable, Hashable {
    /// The TDX quote, standard base64. A mock quote begins with the bytes of MOCK_TDX_QUOTE_V1.
    public var quoteB64: String
    /// The X25519 key sealed sessions are opened to, 32 bytes in lower-case hex.
    public var transportPublicKey: String
    /// The cluster's id, 32 bytes in lower-case hex.
    public var clusterId: String
    /// The mero-tee release the node says it runs: a hint for finding the measurements, never a proof.
    public var release: String?
    /// What the quote is checked against, when asked for; absent on a mock node.
    public var collateral: Collateral?

    /// Creates one from its fields.
    public init(
      quoteB64: String,
      transportPublicKey: String,
      clusterId: String,
      release: String? = nil,
      collateral: Collateral? = nil
    ) {
      self.quoteB64 = quoteB64
      self.transportPublicKey = transportPublicKey
      self.clusterId = clusterId
      self.release = release
      self.collateral = collateral
    }
  }

  /// Intel-signed collateral for a quote. Byte fields are lower-case hex; the others are PEM or JSON text.
  public struct Collateral: Codable, Sendable, Hashable {
    /// PEM.
    public var pckCrlIssuerChain: String
    /// DER in hex.
    public var rootCaCrl: String
    /// DER in hex.
    public var pckCrl: String
    /// PEM.
    public var tcbInfoIssuerChain: String
    /// The TCB info JSON, byte for byte as signed.
    public var tcbInfo: String
    /// 64 bytes in hex.
    public var tcbInfoSignature: String
    /// PEM.
    public var qeIdentityIssuerChain: String
    /// The QE identity JSON, byte for byte as signed.
    public var qeIdentity: String
    /// 64 bytes in hex.
    public var qeIdentitySignature: String

    /// Creates one from its fields.
    public init(
      pckCrlIssuerChain: String,
      rootCaCrl: String,
      pckCrl: String,
      tcbInfoIssuerChain: String,
      tcbInfo: String,
      tcbInfoSignature: String,
      qeIdentityIssuerChain: String,
      qeIdentity: String,
      qeIdentitySignature: String
    ) {
      self.pckCrlIssuerChain = pckCrlIssuerChain
      self.rootCaCrl = rootCaCrl
      self.pckCrl = pckCrl
      self.tcbInfoIssuerChain = tcbInfoIssuerChain
      self.tcbInfo = tcbInfo
      self.tcbInfoSignature = tcbInfoSignature
      self.qeIdentityIssuerChain = qeIdentityIssuerChain
      self.qeIdentity = qeIdentity
      self.qeIdentitySignature = qeIdentitySignature
    }

    enum CodingKeys: String, CodingKey {
      case pckCrlIssuerChain = "pck_crl_issuer_chain"
      case rootCaCrl = "root_ca_crl"
      case pckCrl = "pck_crl"
      case tcbInfoIssuerChain = "tcb_info_issuer_chain"
      case tcbInfo = "tcb_info"
      case tcbInfoSignature = "tcb_info_signature"
      case qeIdentityIssuerChain = "qe_identity_issuer_chain"
      case qeIdentity = "qe_identity"
      case qeIdentitySignature = "qe_identity_signature"
    }
  }
}
