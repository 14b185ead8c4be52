import MeroWire

/// The hardware a node runs on.
public struct TeeInfoResponseData: Codable, Sendable, Hashable {
  /// Whose machine it is.
  public var cloudProvider: String
  /// What it booted.
  public var osImage: String
  /// Measurement of the image, hex.
  public var mrtd: String

  /// Creates one from its fields.
  public init(cloudProvider: String, osImage: String, mrtd: String) {
    self.cloudProvider = cloudProvider
    self.osImage = osImage
    self.mrtd = mrtd
  }
}

/// A question to a node's hardware.
public struct TeeAttestRequest: Codable, Sendable, Hashable {
  /// 64 hex, fresh.
  public var nonce: String
  /// The application to commit to, 64 hex.
  public var applicationId: String?
  /// Whether the quote should commit to the node's signing key.
  public var bindNodeKey: Bool
  /// Whether the quote should commit to the key requests are sealed to.
  public var bindTransportKey: Bool
  /// Whether to send what Intel signed along.
  public var includeCollateral: Bool

  /// Creates the request.
  public init(
    nonce: String, applicationId: String? = nil, bindNodeKey: Bool = false, bindTransportKey: Bool = false,
    includeCollateral: Bool = false
  ) {
    self.nonce = nonce
    self.applicationId = applicationId
    self.bindNodeKey = bindNodeKey
    self.bindTransportKey = bindTransportKey
    self.includeCollateral = includeCollateral
  }

  /// Reads the request; members that were left out have a default.
  public init(from decoder: any Decoder) throws {
    let members = try decoder.container(keyedBy: CodingKeys.self)
    nonce = try members.value(.nonce)
    applicationId = try members.optional(.applicationId)
    bindNodeKey = try members.value(.bindNodeKey, or: false)
    bindTransportKey = try members.value(.bindTransportKey, or: false)
    includeCollateral = try members.value(.includeCollateral, or: false)
  }
}

extension TeeAttestRequest {
  private enum CodingKeys: String, CodingKey {
    case nonce, applicationId, bindNodeKey, bindTransportKey, includeCollateral
  }

  /// Writes the request. Flags that are false are left out: older nodes refuse them as unknown.
  public func encode(to encoder: any Encoder) throws {
    var members = encoder.container(keyedBy: CodingKeys.self)
    try members.encode(nonce, forKey: .nonce)
    try members.encodeIfPresent(applicationId, forKey: .applicationId)
    for (flag, key) in [
      (bindNodeKey, CodingKeys.bindNodeKey), (bindTransportKey, .bindTransportKey),
      (includeCollateral, .includeCollateral),
    ] where flag {
      try members.encode(true, forKey: key)
    }
  }
}

/// A node's evidence. Nothing in it is checked here: what counts is `quoteB64`, given to a verifier.
public struct TeeAttestResponseData: Codable, Sendable, Hashable {
  /// The quote, base64.
  public var quoteB64: String
  /// The same, parsed by the node, to look at.
  public var quote: Quote
  /// The node's signing key, when the quote commits to it, 64 hex.
  public var boundPublicKey: String?
  /// The key requests are sealed to, when the quote commits to it, 64 hex.
  public var transportPublicKey: String?
  /// What Intel signed, when it was asked for.
  public var collateral: JSONValue?

  /// Creates one from its fields.
  public init(
    quoteB64: String, quote: Quote, boundPublicKey: String? = nil, transportPublicKey: String? = nil,
    collateral: JSONValue? = nil
  ) {
    self.quoteB64 = quoteB64
    self.quote = quote
    self.boundPublicKey = boundPublicKey
    self.transportPublicKey = transportPublicKey
    self.collateral = collateral
  }
}

/// A TDX quote as the node parsed it: a convenience, never a ground for trust.
public struct Quote: Codable, Sendable, Hashable {
  /// What signed it.
  public var header: QuoteHeader
  /// What it measures.
  public var body: QuoteBody
  /// Hex.
  public var signature: String
  /// Hex.
  public var attestationKey: String
  /// Who vouches for the key.
  public var certificationData: QuoteCertification

  /// Creates one from its fields.
  public init(
    header: QuoteHeader, body: QuoteBody, signature: String, attestationKey: String,
    certificationData: QuoteCertification
  ) {
    self.header = header
    self.body = body
    self.signature = signature
    self.attestationKey = attestationKey
    self.certificationData = certificationData
  }
}

/// The head of a quote.
public struct QuoteHeader: Codable, Sendable, Hashable {
  /// Of the layout.
  public var version: UInt16
  /// Of the key that signed.
  public var attestationKeyType: UInt16
  /// Of the hardware.
  public var teeType: UInt32
  /// Hex.
  public var qeVendorId: String
  /// Hex.
  public var userData: String

  /// Creates one from its fields.
  public init(
    version: UInt16, attestationKeyType: UInt16, teeType: UInt32, qeVendorId: String, userData: String
  ) {
    self.version = version
    self.attestationKeyType = attestationKeyType
    self.teeType = teeType
    self.qeVendorId = qeVendorId
    self.userData = userData
  }
}

/// What a quote measures; all hex.
public struct QuoteBody: Codable, Sendable, Hashable {
  /// `1.0` or `1.5`.
  public var tdxVersion: String
  /// Security version of the platform.
  public var teeTcbSvn: String
  /// Measurement of the TDX module.
  public var mrseam: String
  /// Its signer.
  public var mrsignerseam: String
  /// Its attributes.
  public var seamattributes: String
  /// Attributes of the domain.
  public var tdattributes: String
  /// Processor features of the domain.
  public var xfam: String
  /// Measurement of the image.
  public var mrtd: String
  /// Configuration id.
  public var mrconfigid: String
  /// Owner.
  public var mrowner: String
  /// Owner's configuration.
  public var mrownerconfig: String
  /// Firmware's configuration.
  public var rtmr0: String
  /// Boot loader and kernel.
  public var rtmr1: String
  /// Kernel's arguments and initial disk.
  public var rtmr2: String
  /// The application's own register.
  public var rtmr3: String
  /// What the node committed to.
  public var reportdata: String
  /// Only in 1.5.
  public var teeTcbSvn2: String?
  /// Only in 1.5.
  public var mrservicetd: String?

  /// Creates one from its fields.
  public init(
    tdxVersion: String, teeTcbSvn: String, mrseam: String, mrsignerseam: String, seamattributes: String,
    tdattributes: String, xfam: String, mrtd: String, mrconfigid: String, mrowner: String,
    mrownerconfig: String, rtmr0: String, rtmr1: String, rtmr2: String, rtmr3: String, reportdata: String,
    teeTcbSvn2: String? = nil, mrservicetd: String? = nil
  ) {
    self.tdxVersion = tdxVersion
    self.teeTcbSvn = teeTcbSvn
    self.mrseam = mrseam
    self.mrsignerseam = mrsignerseam
    self.seamattributes = seamattributes
    self.tdattributes = tdattributes
    self.xfam = xfam
    self.mrtd = mrtd
    self.mrconfigid = mrconfigid
    self.mrowner = mrowner
    self.mrownerconfig = mrownerconfig
    self.rtmr0 = rtmr0
    self.rtmr1 = rtmr1
    self.rtmr2 = rtmr2
    self.rtmr3 = rtmr3
    self.reportdata = reportdata
    self.teeTcbSvn2 = teeTcbSvn2
    self.mrservicetd = mrservicetd
  }
}

/// Who vouches for a quote's key.
public struct QuoteCertification: Codable, Sendable, Hashable {
  /// `pckCertChain`, `qeReportCertificationData` and others.
  public var type: String
  /// By type: hex or an object.
  public var data: JSONValue

  /// Creates one from its fields.
  public init(type: String, data: JSONValue) {
    self.type = type
    self.data = data
  }
}

/// A question to the hardware of a node of a fleet.
public struct TeeRegistrationAttestRequest: Codable, Sendable, Hashable {
  /// 64 hex, fresh.
  public var nonce: String

  /// Creates the request.
  public init(nonce: String) {
    self.nonce = nonce
  }
}

/// The signed release a node says it runs, as text to verify byte for byte.
public struct TeeReleaseResponseData: Codable, Sendable, Hashable {
  /// The release.
  public var version: String
  /// The measurements file, exactly as published.
  public var publishedMrtds: String
  /// Its Sigstore bundle, exactly as published.
  public var bundle: String

  /// Creates one from its fields.
  public init(version: String, publishedMrtds: String, bundle: String) {
    self.version = version
    self.publishedMrtds = publishedMrtds
    self.bundle = bundle
  }
}

/// Which TEEs a namespace admits: by measurements, or by a signed release; never both.
public struct SetTeeAdmissionPolicyRequest: Codable, Sendable, Hashable {
  /// Hex each.
  public var allowedMrtd: [String]
  /// Hex each; may stay empty.
  public var allowedRtmr0: [String]
  /// Hex each.
  public var allowedRtmr1: [String]
  /// Hex each.
  public var allowedRtmr2: [String]
  /// Hex each.
  public var allowedRtmr3: [String]
  /// Intel's words.
  public var allowedTcbStatuses: [String]
  /// Whether quotes that are not from hardware pass.
  public var acceptMock: Bool
  /// With all lists of measurements empty.
  public var signedRelease: SignedReleaseTeePolicy?
  /// What an admitted TEE becomes.
  public var mode: TeePolicyMode

  /// Creates the request.
  public init(
    allowedMrtd: [String] = [], allowedRtmr0: [String] = [], allowedRtmr1: [String] = [],
    allowedRtmr2: [String] = [], allowedRtmr3: [String] = [], allowedTcbStatuses: [String] = [],
    acceptMock: Bool = false, signedRelease: SignedReleaseTeePolicy? = nil, mode: TeePolicyMode = .replica
  ) {
    self.allowedMrtd = allowedMrtd
    self.allowedRtmr0 = allowedRtmr0
    self.allowedRtmr1 = allowedRtmr1
    self.allowedRtmr2 = allowedRtmr2
    self.allowedRtmr3 = allowedRtmr3
    self.allowedTcbStatuses = allowedTcbStatuses
    self.acceptMock = acceptMock
    self.signedRelease = signedRelease
    self.mode = mode
  }
}

/// Which signed releases are good.
public struct SignedReleaseTeePolicy: Codable, Sendable, Hashable {
  /// Such as `locked-read-only`.
  public var allowedProfiles: [String]
  /// The oldest.
  public var minReleaseVersion: String?

  /// Creates the request.
  public init(allowedProfiles: [String], minReleaseVersion: String? = nil) {
    self.allowedProfiles = allowedProfiles
    self.minReleaseVersion = minReleaseVersion
  }
}

/// Which TEEs a namespace admits.
public struct GetTeeAdmissionPolicyResponseData: Codable, Sendable, Hashable {
  /// False when there is no policy.
  public var enabled: Bool
  /// Hex each.
  public var allowedMrtd: [String]
  /// Hex each.
  public var allowedRtmr0: [String]
  /// Hex each.
  public var allowedRtmr1: [String]
  /// Hex each.
  public var allowedRtmr2: [String]
  /// Hex each.
  public var allowedRtmr3: [String]
  /// Intel's words.
  public var allowedTcbStatuses: [String]
  /// Whether quotes that are not from hardware pass.
  public var acceptMock: Bool
  /// Which signed releases are good.
  public var signedRelease: SignedReleaseTeePolicy?
  /// What an admitted TEE becomes.
  public var mode: TeePolicyMode

  /// Creates one from its fields.
  public init(
    enabled: Bool, allowedMrtd: [String] = [], allowedRtmr0: [String] = [], allowedRtmr1: [String] = [],
    allowedRtmr2: [String] = [], allowedRtmr3: [String] = [], allowedTcbStatuses: [String] = [],
    acceptMock: Bool = false, signedRelease: SignedReleaseTeePolicy? = nil, mode: TeePolicyMode = .replica
  ) {
    self.enabled = enabled
    self.allowedMrtd = allowedMrtd
    self.allowedRtmr0 = allowedRtmr0
    self.allowedRtmr1 = allowedRtmr1
    self.allowedRtmr2 = allowedRtmr2
    self.allowedRtmr3 = allowedRtmr3
    self.allowedTcbStatuses = allowedTcbStatuses
    self.acceptMock = acceptMock
    self.signedRelease = signedRelease
    self.mode = mode
  }

  /// Reads the answer; members that some nodes leave out have a default.
  public init(from decoder: any Decoder) throws {
    let members = try decoder.container(keyedBy: CodingKeys.self)
    enabled = try members.value(.enabled)
    allowedMrtd = try members.value(.allowedMrtd, or: [])
    allowedRtmr0 = try members.value(.allowedRtmr0, or: [])
    allowedRtmr1 = try members.value(.allowedRtmr1, or: [])
    allowedRtmr2 = try members.value(.allowedRtmr2, or: [])
    allowedRtmr3 = try members.value(.allowedRtmr3, or: [])
    allowedTcbStatuses = try members.value(.allowedTcbStatuses, or: [])
    acceptMock = try members.value(.acceptMock, or: false)
    signedRelease = try members.optional(.signedRelease)
    mode = try members.value(.mode, or: .replica)
  }
}

/// Which TEEs may author as a namespace's TEE authority.
public struct SetTeeAuthoringPolicyRequest: Codable, Sendable, Hashable {
  /// Hex each.
  public var allowedMrtd: [String]
  /// Proof of the owner's root, hex; nil on a node that holds the root.
  public var rootProof: String?

  /// Creates the request.
  public init(allowedMrtd: [String], rootProof: String? = nil) {
    self.allowedMrtd = allowedMrtd
    self.rootProof = rootProof
  }
}

/// A namespace for a node of a fleet to join.
public struct FleetJoinRequest: Codable, Sendable, Hashable {
  /// 64 hex.
  public var groupId: String
  /// Where to ask; at most 64.
  public var admitterAddrs: [String]

  /// Creates the request.
  public init(groupId: String, admitterAddrs: [String] = []) {
    self.groupId = groupId
    self.admitterAddrs = admitterAddrs
  }
}

/// How a node of a fleet joined.
public struct FleetJoinResponse: Codable, Sendable, Hashable {
  /// What happened.
  public var status: String
  /// 64 hex.
  public var groupId: String?
  /// 64 hex.
  public var namespaceId: String?
  /// The node's key, 64 hex.
  public var publicKey: String?
  /// The node's account, 64 hex.
  public var account: String?
  /// Whether it is a member.
  public var admitted: Bool?
  /// Whether it follows new contexts by itself.
  public var autoFollowEnabled: Bool?
  /// As the node sent it.
  public var contextsJoined: JSONValue?

  /// Creates one from its fields.
  public init(
    status: String, groupId: String? = nil, namespaceId: String? = nil, publicKey: String? = nil,
    account: String? = nil, admitted: Bool? = nil, autoFollowEnabled: Bool? = nil,
    contextsJoined: JSONValue? = nil
  ) {
    self.status = status
    self.groupId = groupId
    self.namespaceId = namespaceId
    self.publicKey = publicKey
    self.account = account
    self.admitted = admitted
    self.autoFollowEnabled = autoFollowEnabled
    self.contextsJoined = contextsJoined
  }

  private enum CodingKeys: String, CodingKey {
    case status
    case groupId = "group_id"
    case namespaceId = "namespace_id"
    case publicKey = "public_key"
    case account
    case admitted
    case autoFollowEnabled = "auto_follow_enabled"
    case contextsJoined = "contexts_joined"
  }
}
