/// One change of a namespace, as its log keeps it.
enum GovernanceOp: Sendable {
  case namespaceCreated(NamespaceBirth)
  case namespaceDeleted
  case groupCreated(GroupBirth)
  case groupReparented(String, to: String)
  /// With everything below.
  case groupDeleted(String)
  case memberAdded(String, GroupRole, in: String)
  case memberRemoved(String, from: String)
  case memberLeft(String)
  /// On an invitation, by the device that signs.
  case memberJoined(JoinClaim)
  /// An inherited member of an Open group publishes itself there.
  case memberJoinedOpen(String)
  case roleSet(String, GroupRole, in: String)
  case capabilitiesSet(String, GroupCapabilities, in: String)
  case defaultsSet(GroupCapabilities, in: String)
  case visibilitySet(isOpen: Bool, in: String)
  case metadataSet(MetadataTarget, name: String?, data: [String: String])
  case autoFollowSet(String, GroupMember.AutoFollow, in: String)
  case contextRegistered(RegisteredContext, in: String)
  case contextDetached(String, from: String)
  case targetSet(ApplicationTarget, in: String, cascade: Bool)
  case migrationAborted
  /// Ops that need the owner's root; the counter keeps a proof from serving twice.
  case ownerOp(OwnerOp, counter: UInt64)
  case teePolicySet(TeeAdmissionPolicy)
  case teeAdmitted(String, BoundDevice)
  case deviceBound(BoundDevice)
  /// Out of the scope of its account; unlike a revocation it may come back.
  case deviceUnbound(String)
  case deviceRevoked(String)

  enum MetadataTarget: Sendable, Hashable {
    case group(String)
    case member(String, in: String)
    case context(String, in: String)

    var group: String {
      switch self {
      case .group(let group), .member(_, let group), .context(_, let group): group
      }
    }
  }

  enum OwnerOp: Sendable, Hashable {
    case transferOwnership(of: String, to: String)
    case deleteGroup(String)
    case changeAdmin(to: String)
    /// nil switches the policy off.
    case setTeeAuthoring([String]?)
  }
}

/// What a namespace begins with.
struct NamespaceBirth: Sendable {
  let id: String
  let founding: NamespaceTree.Founding
  let target: ApplicationTarget
  let device: BoundDevice
  var name: String?
  /// The relay that founds for an account, and may author for members from then on.
  var relay: (account: String, device: BoundDevice)?
  /// Whether that relay is attested, and so seated as one.
  var isRelayAttested = false
  /// Whether what the relay shows is a mock quote, as on a machine without the hardware.
  var isRelayMock = false
}

/// What a subgroup begins with.
struct GroupBirth: Sendable {
  let id: String
  let parent: String
  let isOpen: Bool
  var name: String?
}

/// How an account comes in on an invitation.
struct JoinClaim: Sendable {
  let invitation: GroupInvitation
  let device: BoundDevice
  /// Unix seconds.
  let joinedAt: Int64
}
