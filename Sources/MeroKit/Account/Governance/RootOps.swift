import Foundation
import MeroCrypto
import MeroHTTP
import MeroWire

/// A subgroup that is about to be made.
public struct SubgroupCreation: Sendable, Hashable {
  /// The subgroup's id, 64 hex, which follows from all else.
  public let groupId: String
  /// What makes it another than its siblings, 64 hex.
  public let salt: String
  /// The op, for the namespace.
  public let op: Warrants.GovernanceOp
}

// MARK: - Ops on a namespace

extension GovernanceOps {
  /// Makes a subgroup whose id follows from its admin, its parent and a salt.
  ///
  /// - Parameter admin: the author.
  public static func subgroupCreation(
    parentId: String, restricted: Bool, admin: String, salt: Data? = nil, random: MeroRandom = .system
  ) throws(AccountError) -> SubgroupCreation {
    let salt = Hex.encode(salt.map { Array($0) } ?? random.bytes(32))
    let groupId = try subgroupId(admin: admin, parentId: parentId, restricted: restricted, salt: salt)
    let op = try groupCreated(
      groupId: groupId, parentId: parentId, restricted: restricted, admin: admin, salt: salt)
    return SubgroupCreation(groupId: groupId, salt: salt, op: op)
  }

  /// Makes a subgroup. ``subgroupCreation(parentId:restricted:admin:salt:random:)`` finds the id.
  public static func groupCreated(
    groupId: String, parentId: String, restricted: Bool, admin: String, salt: String
  ) throws(AccountError) -> Warrants.GovernanceOp {
    try root(0) { (writer) throws(AccountError) in
      writer.fixed(try HexField.id(groupId, "groupId"))
      writer.fixed(try HexField.id(parentId, "parentId"))
      writer.bool(restricted)
      writer.fixed(try HexField.id(admin, "admin"))
      writer.fixed(try HexField.id(salt, "salt"))
    }
  }

  /// Moves a subgroup.
  public static func groupReparented(
    childGroupId: String, newParentId: String
  ) throws(AccountError) -> Warrants.GovernanceOp {
    try root(1) { (writer) throws(AccountError) in
      writer.fixed(try HexField.id(childGroupId, "childGroupId"))
      writer.fixed(try HexField.id(newParentId, "newParentId"))
    }
  }

  /// Deletes a subgroup and all below it.
  public static func groupDeleted(rootGroupId: String) throws(AccountError) -> Warrants.GovernanceOp {
    try root(2) { (writer) throws(AccountError) in
      writer.fixed(try HexField.id(rootGroupId, "rootGroupId"))
      // What the publisher finds below it: groups and contexts.
      writer.u32(0)
      writer.u32(0)
    }
  }

  /// Joins an open subgroup; the member must be the author, and the credential its own.
  public static func memberJoinedOpen(
    member: String, groupId: String, credential: String
  ) throws(AccountError) -> Warrants.GovernanceOp {
    try root(7) { (writer) throws(AccountError) in
      writer.fixed(try HexField.id(member, "member"))
      writer.fixed(try HexField.id(groupId, "groupId"))
      writer.fixed(try Self.bytes(of: credential))
    }
  }

  /// Founds a namespace, whose id is ``namespaceId(founder:salt:)``.
  public static func namespaceCreated(
    founder: String, credential: String, salt: String
  ) throws(AccountError) -> Warrants.GovernanceOp {
    try root(9) { (writer) throws(AccountError) in
      writer.fixed(try HexField.id(founder, "founder"))
      writer.fixed(try Self.bytes(of: credential))
      writer.fixed(try HexField.id(salt, "salt"))
    }
  }

  /// The id of a namespace, 64 hex: whoever holds founder and salt can prove who founded it (30 §4.7).
  public static func namespaceId(founder: String, salt: String) throws(AccountError) -> String {
    Hex.encode(
      domainHash(
        "calimero.namespace.id.v1", [try HexField.id(founder, "founder"), try HexField.id(salt, "salt")]))
  }

  /// The id of a subgroup, 64 hex (30 §4.7).
  public static func subgroupId(
    admin: String, parentId: String, restricted: Bool, salt: String
  ) throws(AccountError) -> String {
    Hex.encode(
      domainHash(
        "calimero.subgroup.id.v1",
        [
          try HexField.id(admin, "admin"), try HexField.id(parentId, "parentId"), [restricted ? 1 : 0],
          try HexField.id(salt, "salt"),
        ]))
  }

  /// A credential as it stands inside an op: its bytes, without a length.
  static func bytes(of credential: String) throws(AccountError) -> [UInt8] {
    let bytes = try HexField.bytes(credential, nil, "the credential")
    guard !bytes.isEmpty else { throw .invalidInput("the credential is empty") }
    return bytes
  }
}
