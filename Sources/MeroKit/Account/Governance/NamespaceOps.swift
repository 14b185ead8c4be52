import Foundation
import MeroCrypto
import MeroWire

/// A signed op of a namespace: how an account that has no node joins (30 §12).
public enum NamespaceOps {
  /// The version of the op's layout; a node refuses any other.
  public static let schemaVersion: UInt8 = 24

  /// An op that was signed, and its parts.
  public struct SignedJoin: Sendable, Hashable {
    /// What was signed, without the domain before it.
    public let signable: Data
    /// The device's signature, 64 bytes.
    public let signature: Data
    /// The op as it is sent, hex. A node that admits adds its word at the end, which the signature does not cover.
    public var text: String { Hex.encode(signable + signature + [0]) }
  }

  /// What an inviter signs, as bytes (30 §11).
  public static func encodeGroupInvitation(
    _ invitation: GroupInvitationFromAdmin
  ) throws(AccountError) -> Data {
    var writer = BorshWriter()
    try write(invitation, to: &writer)
    return Data(writer.bytes)
  }

  /// A whole invitation, as bytes (30 §11).
  public static func encodeSignedInvitation(
    _ invitation: SignedGroupOpenInvitation
  ) throws(AccountError) -> Data {
    var writer = BorshWriter()
    try write(invitation.invitation, to: &writer)
    writer.string(invitation.inviterSignature)
    let account = try invitation.inviterAccount.map { (text) throws(AccountError) in
      try HexField.id(text, "inviter_account")
    }
    writer.option(account) { $0.fixed($1) }
    writer.list(invitation.admitterAddrs) { $0.string($1) }
    writer.option(invitation.applicationId) { $0.fixed($1) }
    writer.option(invitation.appKey) { $0.fixed($1) }
    return Data(writer.bytes)
  }

  /// Signs the join of an account by an invitation.
  ///
  /// - Parameters:
  ///   - member: the account that joins, which the credential must be of.
  ///   - nonce: of the account's sequence of joins.
  ///   - joinedAt: Unix seconds. An invitation that never expires has no place for it.
  ///   - parents: heads of the namespace's log, 64 hex each; none for who follows no log.
  /// - Throws: ``AccountError/invalidInput(_:)`` when the credential is another account's or certifies another key.
  public static func signMemberJoinOp(
    namespaceId: String, member: String, invitation: SignedGroupOpenInvitation, credential: String,
    keys: DeviceKeys, nonce: UInt64, joinedAt: UInt64, parents: [String] = [],
    schemaVersion: UInt8 = schemaVersion
  ) throws(AccountError) -> SignedJoin {
    let certified = try DeviceCertificates.parse(credential)
    let member = try HexField.text(member, "member")
    guard certified.account == member else {
      throw .invalidInput("the credential is of another account than the one that joins")
    }
    guard certified.signPublicKey == keys.signPublicKey else {
      throw .invalidInput("the credential certifies another key than this device's")
    }
    let expires = invitation.invitation.expirationTimestamp != 0
    var writer = BorshWriter()
    writer.u8(schemaVersion)
    writer.fixed(try HexField.id(namespaceId, "namespaceId"))
    var heads: [[UInt8]] = []
    for parent in parents { heads.append(try HexField.id(parent, "parents")) }
    writer.list(heads) { $0.fixed($1) }
    writer.fixed(keys.signKey)
    writer.u64(nonce)
    writer.u8(rootOp)
    writer.u8(expires ? joinedAtTag : joinedTag)
    writer.fixed(try HexField.id(member, "member"))
    writer.fixed(try encodeSignedInvitation(invitation))
    if expires { writer.u64(joinedAt) }
    writer.fixed(try GovernanceOps.bytes(of: certified.text))
    // Signed raw, behind the domain, which is not part of the op.
    let signature = try keys.sign(Array("calimero.namespace.v1".utf8) + writer.bytes)
    return SignedJoin(signable: Data(writer.bytes), signature: Data(signature))
  }

  private static let rootOp: UInt8 = 0
  private static let joinedTag: UInt8 = 5
  private static let joinedAtTag: UInt8 = 8

  private static func write(
    _ invitation: GroupInvitationFromAdmin, to writer: inout BorshWriter
  ) throws(AccountError) {
    for (bytes, name) in [
      (invitation.inviterIdentity, "inviter_identity"), (invitation.groupId, "group_id"),
      (invitation.secretSalt, "secret_salt"),
    ] where bytes.count != 32 { throw .invalidInput("the invitation's \(name) is not 32 bytes") }
    var admitters: [[UInt8]] = []
    for account in invitation.admitters { admitters.append(try HexField.id(account, "admitters")) }
    writer.fixed(invitation.inviterIdentity)
    writer.fixed(invitation.groupId)
    writer.u64(invitation.expirationTimestamp)
    writer.fixed(invitation.secretSalt)
    writer.u8(invitation.invitedRole)
    writer.list(admitters) { $0.fixed($1) }
  }
}

extension Optional {
  /// `map` that keeps the type of what is thrown.
  fileprivate func map<T, E: Error>(_ transform: (Wrapped) throws(E) -> T) throws(E) -> T? {
    guard let value = self else { return nil }
    return try transform(value)
  }
}
