import MeroCrypto
import MeroWire

/// A governance op in the form a device signs it (30 §9).
enum DelegatedOp: Sendable {
  /// An op as the log has it, and the group it acts on.
  case op(GovernanceOp, group: String)
  case target(applicationId: String, package: String, version: String)
  case founding(founder: String, DeviceCredential, salt: String)
  /// Which members may use what in a context; nodes of this generation keep no such list.
  case contextCapability

  /// - Parameter scope: where the warrant publishes it: the group, or for a root op the namespace.
  init(_ bytes: [UInt8], plane: UInt8, scope: String, author: String) throws(NodeRefusal) {
    do throws(WireError) {
      var reader = BorshReader(bytes)
      let tag = try reader.u8()
      self =
        plane == 0
        ? try Self.groupOp(tag, &reader, scope, author) : try Self.rootOp(tag, &reader, author)
      try reader.finish()
    } catch let error {
      if error.reason == Self.notDelegable {
        throw NodeRefusal(403, "an op of this kind cannot be delegated")
      }
      throw NodeRefusal(400, "the op does not decode: \(error.reason)")
    }
  }

  private static let notDelegable = "not delegable"
  private static var refused: WireError { WireError(format: "borsh", reason: notDelegable) }

  private static func groupOp(
    _ tag: UInt8, _ reader: inout BorshReader, _ group: String, _ author: String
  ) throws(WireError) -> DelegatedOp {
    let op: GovernanceOp
    switch tag {
    case 1: op = .memberAdded(try id(&reader), try role(&reader), in: group)
    case 2:
      op = .memberRemoved(try id(&reader), from: group)
      try cleared(&reader)
    case 3:
      guard try id(&reader) == author else {
        throw WireError(format: "borsh", reason: "only the author leaves")
      }
      op = .memberLeft(group)
      try cleared(&reader)
    case 4: op = .roleSet(try id(&reader), try role(&reader), in: group)
    case 5: op = .capabilitiesSet(try id(&reader), try mask(&reader), in: group)
    case 6: op = .defaultsSet(try mask(&reader), in: group)
    case 7:
      guard try reader.fixed(32).allSatisfy({ $0 == 0 }) else {
        throw WireError(format: "borsh", reason: "the bytecode is for the relay to fill in")
      }
      return .target(
        applicationId: try id(&reader), package: try reader.string(), version: try reader.string())
    case 9: op = .contextDetached(try id(&reader), from: group)
    case 10: op = .visibilitySet(isOpen: try reader.u8() == 0, in: group)
    case 11:
      op = .metadataSet(.group(group), name: try label(&reader), data: try reader.stringMap())
    case 12:
      op = .metadataSet(
        .member(try id(&reader), in: group), name: try label(&reader), data: try reader.stringMap())
    case 13:
      op = .metadataSet(
        .context(try id(&reader), in: group), name: try label(&reader), data: try reader.stringMap())
    case 16, 17:
      _ = try reader.fixed(65)
      return .contextCapability
    default: throw refused
    }
    return .op(op, group: group)
  }

  private static func rootOp(_ tag: UInt8, _ reader: inout BorshReader, _ author: String) throws(WireError)
    -> DelegatedOp
  {
    switch tag {
    case 0:
      let (group, parent, isOpen) = (try id(&reader), try id(&reader), try !reader.bool())
      let (admin, salt) = (try id(&reader), try id(&reader))
      let derived = NamespaceTree.subgroupId(admin: admin, parent: parent, isOpen: isOpen, salt: salt)
      guard admin == author, group == derived else {
        throw WireError(format: "borsh", reason: "the group's id is not derived from its birth")
      }
      return .op(.groupCreated(GroupBirth(id: group, parent: parent, isOpen: isOpen)), group: group)
    case 1:
      let child = try id(&reader)
      return .op(.groupReparented(child, to: try id(&reader)), group: child)
    case 2:
      let group = try id(&reader)
      _ = try reader.fixed(8)
      return .op(.groupDeleted(group), group: group)
    case 7:
      let (member, group) = (try id(&reader), try id(&reader))
      let credential = try DeviceCredential(from: &reader)
      guard member == author, Hex.encode(credential.account) == author else {
        throw WireError(format: "borsh", reason: "only the author joins")
      }
      return .op(.memberJoinedOpen(group), group: group)
    case 9:
      let founder = try id(&reader)
      let credential = try DeviceCredential(from: &reader)
      return .founding(founder: founder, credential, salt: try id(&reader))
    default: throw refused
    }
  }

  private static func id(_ reader: inout BorshReader) throws(WireError) -> String {
    Hex.encode(try reader.fixed(32))
  }

  private static func role(_ reader: inout BorshReader) throws(WireError) -> GroupRole {
    guard let role = GroupRole(number: try reader.u8()) else {
      throw WireError(format: "borsh", reason: "an unknown role")
    }
    guard !role.isTee else { throw refused }
    return role
  }

  /// Nobody lets a relay change who may author for others.
  private static func mask(_ reader: inout BorshReader) throws(WireError) -> GroupCapabilities {
    let mask = GroupCapabilities(rawValue: try reader.u32())
    guard !mask.contains(.authorOnBehalf) else { throw refused }
    return mask
  }

  private static func label(_ reader: inout BorshReader) throws(WireError) -> String? {
    try reader.option { (reader) throws(WireError) in try reader.string() }
  }

  /// What only the publisher can compute is left out.
  private static func cleared(_ reader: inout BorshReader) throws(WireError) {
    guard try reader.fixed(36).allSatisfy({ $0 == 0 }) else {
      throw WireError(format: "borsh", reason: "what is for the relay to fill in is filled in")
    }
  }

  static func hash(_ bytes: [UInt8], plane: UInt8) -> [UInt8] {
    domainHash("calimero.governance-warrant.op.v1", [[plane], bytes])
  }
}
