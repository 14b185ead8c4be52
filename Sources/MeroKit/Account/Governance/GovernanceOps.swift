import Foundation
import MeroCrypto
import MeroWire

/// The ops of governance that a relay publishes on a member's behalf (30 §9).
///
/// An op comes in the form that can be delegated: what only the publisher can compute is left empty, and the relay fills it
/// in. Members are accounts.
///
/// ```swift
/// let op = try GovernanceOps.memberAdded(member: bob, role: .member)
/// ```
public enum GovernanceOps {
  typealias Op = Warrants.GovernanceOp

  /// The right to write on behalf of others, which no op may give: only a node's own admin grants it.
  static let forbiddenCapability: UInt32 = 512

  static func group(_ tag: UInt8, _ write: (inout BorshWriter) throws(AccountError) -> Void)
    throws(AccountError)
    -> Warrants.GovernanceOp
  {
    try op(.group, tag, write)
  }

  static func root(_ tag: UInt8, _ write: (inout BorshWriter) throws(AccountError) -> Void)
    throws(AccountError)
    -> Warrants.GovernanceOp
  {
    try op(.root, tag, write)
  }

  private static func op(
    _ plane: Warrants.Plane, _ tag: UInt8, _ write: (inout BorshWriter) throws(AccountError) -> Void
  ) throws(AccountError) -> Warrants.GovernanceOp {
    var writer = BorshWriter()
    writer.u8(tag)
    try write(&writer)
    return Warrants.GovernanceOp(plane, writer.bytes)
  }
}

// MARK: - Ops on a group

extension GovernanceOps {
  /// Makes an account a member.
  ///
  /// - Throws: ``AccountError/invalidInput(_:)`` for a role that is not given by hand, or an id that is none.
  public static func memberAdded(
    member: String, role: MemberRole = .member
  ) throws(AccountError) -> Warrants.GovernanceOp {
    try group(1) { (writer) throws(AccountError) in
      writer.fixed(try HexField.id(member, "member"))
      writer.u8(try number(of: role))
    }
  }

  /// Removes a member.
  public static func memberRemoved(member: String) throws(AccountError) -> Warrants.GovernanceOp {
    try leaving(2, member)
  }

  /// Leaves; the member must be the author.
  public static func memberLeft(member: String) throws(AccountError) -> Warrants.GovernanceOp {
    try leaving(3, member)
  }

  /// Gives a member another role.
  public static func memberRoleSet(
    member: String, role: MemberRole
  ) throws(AccountError) -> Warrants.GovernanceOp {
    try group(4) { (writer) throws(AccountError) in
      writer.fixed(try HexField.id(member, "member"))
      writer.u8(try number(of: role))
    }
  }

  /// Gives a member these capabilities in place of what it had (``Capabilities``).
  ///
  /// - Throws: ``AccountError/invalidInput(_:)`` when they include writing on behalf of others.
  public static func memberCapabilitySet(
    member: String, capabilities: UInt32
  ) throws(AccountError) -> Warrants.GovernanceOp {
    try group(5) { (writer) throws(AccountError) in
      writer.fixed(try HexField.id(member, "member"))
      writer.u32(try allowed(capabilities))
    }
  }

  /// Sets the capabilities of new members.
  ///
  /// - Throws: ``AccountError/invalidInput(_:)`` when they include writing on behalf of others.
  public static func defaultCapabilitiesSet(
    capabilities: UInt32
  ) throws(AccountError) -> Warrants.GovernanceOp {
    try group(6) { (writer) throws(AccountError) in writer.u32(try allowed(capabilities)) }
  }

  /// Sets the application of a group that has none yet.
  public static func targetApplicationSet(
    applicationId: String, package: String, version: String
  ) throws(AccountError) -> Warrants.GovernanceOp {
    guard !package.isEmpty, !version.isEmpty else {
      throw .invalidInput("an application has a package and a version")
    }
    return try group(7) { (writer) throws(AccountError) in
      writer.fixed(zeros)
      writer.fixed(try HexField.id(applicationId, "applicationId"))
      writer.string(package)
      writer.string(version)
    }
  }

  /// Takes a context out of its group.
  public static func contextDetached(contextId: String) throws(AccountError) -> Warrants.GovernanceOp {
    try group(9) { (writer) throws(AccountError) in writer.fixed(try HexField.id(contextId, "contextId")) }
  }

  /// Says whether members of the parent are members here.
  public static func subgroupVisibilitySet(
    _ visibility: GroupVisibility
  ) throws(AccountError) -> Warrants.GovernanceOp {
    let mode: UInt8
    switch visibility {
    case .open: mode = 0
    case .restricted: mode = 1
    default:
      throw .invalidInput("a group is open or restricted, not \(Excerpt.of(visibility.rawValue, upTo: 40))")
    }
    return try group(10) { (writer) throws(AccountError) in writer.u8(mode) }
  }

  /// Replaces a group's name and data.
  public static func groupMetadataSet(
    name: String? = nil, data: [String: String] = [:]
  ) throws(AccountError) -> Warrants.GovernanceOp {
    try group(11) { (writer) throws(AccountError) in metadata(name, data, &writer) }
  }

  /// Replaces a member's name and data in a group.
  public static func memberMetadataSet(
    member: String, name: String? = nil, data: [String: String] = [:]
  ) throws(AccountError) -> Warrants.GovernanceOp {
    try group(12) { (writer) throws(AccountError) in
      writer.fixed(try HexField.id(member, "member"))
      metadata(name, data, &writer)
    }
  }

  /// Replaces a context's name and data.
  public static func contextMetadataSet(
    contextId: String, name: String? = nil, data: [String: String] = [:]
  ) throws(AccountError) -> Warrants.GovernanceOp {
    try group(13) { (writer) throws(AccountError) in
      writer.fixed(try HexField.id(contextId, "contextId"))
      metadata(name, data, &writer)
    }
  }

  /// Gives a member a capability in one context.
  public static func contextCapabilityGranted(
    contextId: String, member: String, capability: UInt8
  ) throws(AccountError) -> Warrants.GovernanceOp {
    try contextCapability(16, contextId, member, capability)
  }

  /// Takes a capability in one context from a member.
  public static func contextCapabilityRevoked(
    contextId: String, member: String, capability: UInt8
  ) throws(AccountError) -> Warrants.GovernanceOp {
    try contextCapability(17, contextId, member, capability)
  }

  // MARK: Fields

  private static let zeros = [UInt8](repeating: 0, count: 32)

  /// Who leaves, and where the publisher puts the state it saw.
  private static func leaving(_ tag: UInt8, _ member: String) throws(AccountError) -> Warrants.GovernanceOp {
    try group(tag) { (writer) throws(AccountError) in
      writer.fixed(try HexField.id(member, "member"))
      writer.fixed(zeros)
      writer.u32(0)
    }
  }

  private static func contextCapability(
    _ tag: UInt8, _ contextId: String, _ member: String, _ capability: UInt8
  ) throws(AccountError) -> Warrants.GovernanceOp {
    guard capability > 0 else { throw .invalidInput("a capability of a context is a number from 1 to 255") }
    return try group(tag) { (writer) throws(AccountError) in
      writer.fixed(try HexField.id(contextId, "contextId"))
      writer.fixed(try HexField.id(member, "member"))
      writer.u8(capability)
    }
  }

  private static func metadata(_ name: String?, _ data: [String: String], _ writer: inout BorshWriter) {
    writer.option(name) { $0.string($1) }
    writer.stringMap(data)
  }

  private static func allowed(_ capabilities: UInt32) throws(AccountError) -> UInt32 {
    guard capabilities & forbiddenCapability == 0 else {
      throw .invalidInput(
        "CAN_AUTHOR_ON_BEHALF (512) cannot be given this way: it lets a member write in the name of others")
    }
    return capabilities
  }

  static func number(of role: MemberRole) throws(AccountError) -> UInt8 {
    switch role {
    case .admin: return 0
    case .member: return 1
    case .readOnly: return 2
    default:
      throw .invalidInput(
        "a role that can be given is Admin, Member or ReadOnly, not \(Excerpt.of(role.rawValue, upTo: 40))")
    }
  }
}
