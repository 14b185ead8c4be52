import MeroWire

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
