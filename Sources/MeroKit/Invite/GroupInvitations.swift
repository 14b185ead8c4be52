import Foundation
import MeroCrypto
import MeroHTTP
import MeroWire

/// Makes invitations that a device signs (30 §11).
public enum GroupInvitations {
  /// How long an invitation is good, in seconds: at most, and unless told otherwise.
  public static let longestValidity: TimeInterval = 86_400

  /// Who may let in whoever holds the invitation.
  public enum Admitters: Sendable, Hashable {
    /// These accounts.
    case accounts([String])
    /// The admins among these members.
    case admins(of: [GroupMember])
  }

  /// Signs an invitation. Nothing is published: whoever holds it may join.
  ///
  /// - Parameters:
  ///   - validFor: seconds; more than a day is a day.
  ///   - salt: 32 bytes that make it another than all before.
  /// - Throws: ``AccountError/invalidInput(_:)`` when nobody could let anyone in, and for ids that are none.
  public static func sign(
    groupId: String, inviterAccount: String, keys: DeviceKeys, admitters: Admitters, now: Date,
    validFor seconds: TimeInterval = longestValidity, role: MemberRole = .member,
    applicationId: String? = nil, appKey: String? = nil, admitterAddrs: [String] = [], salt: Data? = nil,
    random: MeroRandom = .system
  ) throws(AccountError) -> SignedGroupOpenInvitation {
    guard seconds > 0 else { throw .invalidInput("an invitation must be good for some time") }
    let salt = salt.map { Array($0) } ?? random.bytes(32)
    guard salt.count == 32 else { throw .invalidInput("the salt of an invitation is 32 bytes") }
    let expiry = UInt64(max(0, now.timeIntervalSince1970)) + UInt64(min(seconds, longestValidity))
    let body = GroupInvitationFromAdmin(
      inviterIdentity: keys.signKey, groupId: try HexField.id(groupId, "groupId"),
      expirationTimestamp: expiry,
      secretSalt: salt, invitedRole: try GovernanceOps.number(of: role), admitters: try accounts(admitters))
    let signature = try keys.sign(SHA256.hash(try NamespaceOps.encodeGroupInvitation(body)))
    var application: [UInt8]?
    var key: [UInt8]?
    if let applicationId { application = try HexField.id(applicationId, "applicationId") }
    if let appKey { key = try HexField.id(appKey, "appKey") }
    return SignedGroupOpenInvitation(
      invitation: body, inviterSignature: Hex.encode(signature),
      inviterAccount: try HexField.text(inviterAccount, "inviterAccount"), admitterAddrs: admitterAddrs,
      applicationId: application, appKey: key)
  }

  /// An empty list would mean that anybody may let people in, so it is never made.
  private static func accounts(_ admitters: Admitters) throws(AccountError) -> [String] {
    var list: [String] = []
    switch admitters {
    case .accounts(let accounts):
      for account in accounts { list.append(try HexField.text(account, "admitters")) }
    case .admins(let members):
      for member in members where member.role == .admin {
        list.append(try HexField.text(member.identity, "members"))
      }
      list = Set(list).sorted()
    }
    guard !list.isEmpty else {
      throw .invalidInput("the invitation would name nobody who may let people in")
    }
    return list
  }
}
