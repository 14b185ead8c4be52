import Foundation
import MeroWire

/// An invitation to a group or namespace: whoever holds it may join (20 §6.7, 30 §11).
///
/// It is good for one account, the first that joins by it, until ``GroupInvitationFromAdmin/expiresAt``. That account may join
/// again; another one is refused.
///
/// It is passed on as it was received. Members that this version does not know are kept and sent along, since some of
/// them are signed and others help the one who joins; the typed properties are for showing.
public struct SignedGroupOpenInvitation: Sendable, Hashable {
  /// The invitation as it was received, and as it is sent.
  public let json: JSONObject
  /// What the inviter signed.
  public let invitation: GroupInvitationFromAdmin
  /// The inviter's signature, hex.
  public let inviterSignature: String
  /// The inviter's account, 64 hex. Not signed: a hint that grants nothing.
  public let inviterAccount: String?
  /// Where the admitters may be reached. Not signed.
  public let admitterAddrs: [String]
  /// The application to install, 32 bytes. Not signed.
  public let applicationId: [UInt8]?
  /// The bytecode to run, 32 bytes. Not signed.
  public let appKey: [UInt8]?

  /// An invitation made of its parts.
  public init(
    invitation: GroupInvitationFromAdmin, inviterSignature: String, inviterAccount: String? = nil,
    admitterAddrs: [String] = [], applicationId: [UInt8]? = nil, appKey: [UInt8]? = nil
  ) {
    var json: JSONObject = [
      "invitation": .object(invitation.json), "inviter_signature": .string(inviterSignature),
    ]
    json["inviter_account"] = inviterAccount.map(JSONValue.string)
    if !admitterAddrs.isEmpty { json["admitter_addrs"] = .array(admitterAddrs.map(JSONValue.string)) }
    json["application_id"] = applicationId.map(JSONValue.bytes)
    json["app_key"] = appKey.map(JSONValue.bytes)
    self.json = json
    self.invitation = invitation
    self.inviterSignature = inviterSignature
    self.inviterAccount = inviterAccount
    self.admitterAddrs = admitterAddrs
    self.applicationId = applicationId
    self.appKey = appKey
  }

  /// An invitation as it was received.
  ///
  /// Members that are not signed are hints: one that cannot be read is nil here, and still passed on.
  ///
  /// - Throws: `WireError` for an object that is none.
  public init(json: JSONObject) throws(WireError) {
    guard case .object(let body)? = json["invitation"] else {
      throw .invitation("it has no signed part", "invitation")
    }
    guard let signature = (json["inviter_signature"] ?? json["inviterSignature"])?.stringValue else {
      throw .invitation("it has no signature", "inviter_signature")
    }
    self.json = json
    invitation = try GroupInvitationFromAdmin(json: body)
    inviterSignature = signature
    inviterAccount = (json["inviter_account"] ?? json["inviterAccount"])?.stringValue
    let addresses = (json["admitter_addrs"] ?? json["admitterAddrs"])?.arrayValue ?? []
    admitterAddrs = addresses.compactMap(\.stringValue)
    applicationId = (json["application_id"] ?? json["applicationId"])?.bytes32
    appKey = (json["app_key"] ?? json["appKey"])?.bytes32
  }
}

extension SignedGroupOpenInvitation: Codable {
  /// Reads an invitation and keeps everything that is in it.
  public init(from decoder: any Decoder) throws {
    try self.init(json: decoder.singleValueContainer().decode(JSONObject.self))
  }

  /// Writes the invitation as it was received.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(json)
  }
}

extension SignedGroupOpenInvitation: CustomStringConvertible {
  /// What it invites to. Whoever holds an invitation may use it, so the rest of it is not shown.
  public var description: String { "an invitation to \(invitation.namespaceId)" }
}

/// What an inviter signed (20 §6.7).
public struct GroupInvitationFromAdmin: Sendable, Hashable {
  /// The signed part as it was received.
  public let json: JSONObject
  /// The key that signed, 32 bytes. It is no account.
  public let inviterIdentity: [UInt8]
  /// The group or namespace one is invited to, 32 bytes.
  public let groupId: [UInt8]
  /// Unix seconds; 0 for never.
  public let expirationTimestamp: UInt64
  /// Makes each invitation another one, 32 bytes; not a secret.
  public let secretSalt: [UInt8]
  /// What one becomes: 0 admin, 1 member, 2 read-only.
  public let invitedRole: UInt8
  /// The accounts that may admit one, 64 hex each.
  public let admitters: [String]

  /// A signed part made of its fields.
  public init(
    inviterIdentity: [UInt8], groupId: [UInt8], expirationTimestamp: UInt64, secretSalt: [UInt8],
    invitedRole: UInt8 = 1, admitters: [String]
  ) {
    json = [
      "inviter_identity": .bytes(inviterIdentity), "group_id": .bytes(groupId),
      "expiration_timestamp": .number(JSONNumber(expirationTimestamp)), "secret_salt": .bytes(secretSalt),
      "invited_role": .number(JSONNumber(UInt64(invitedRole))),
      "admitters": .array(admitters.map(JSONValue.string)),
    ]
    self.inviterIdentity = inviterIdentity
    self.groupId = groupId
    self.expirationTimestamp = expirationTimestamp
    self.secretSalt = secretSalt
    self.invitedRole = invitedRole
    self.admitters = admitters
  }

  /// A signed part as it was received.
  ///
  /// - Throws: `WireError` that names the field that does not fit.
  public init(json: JSONObject) throws(WireError) {
    func field(_ name: String, _ older: String) -> JSONValue? { json[name] ?? json[older] }
    func key(_ name: String, _ older: String) throws(WireError) -> [UInt8] {
      guard let bytes = field(name, older)?.bytes32 else {
        throw .invitation("it is not 32 bytes", "invitation.\(name)")
      }
      return bytes
    }
    self.json = json
    inviterIdentity = try key("inviter_identity", "inviterIdentity")
    groupId = try key("group_id", "groupId")
    secretSalt = try key("secret_salt", "secretSalt")
    guard let expiration = field("expiration_timestamp", "expirationTimestamp")?.uint64 else {
      throw .invitation("it is not a time in seconds", "invitation.expiration_timestamp")
    }
    expirationTimestamp = expiration
    switch field("invited_role", "invitedRole") {
    case nil: invitedRole = 1
    case let role?:
      guard let role = role.uint64.flatMap(UInt8.init(exactly:)) else {
        throw .invitation("it is not a role", "invitation.invited_role")
      }
      invitedRole = role
    }
    switch json["admitters"] {
    case nil, .null?: admitters = []
    case let accounts?:
      guard let accounts = accounts.arrayValue?.map(\.stringValue), !accounts.contains(nil) else {
        throw .invitation("it is not a list of accounts", "invitation.admitters")
      }
      admitters = accounts.compactMap { $0 }
    }
  }

  /// The group or namespace one is invited to, 64 hex.
  public var namespaceId: String { Hex.encode(groupId) }

  /// When it stops to be good; nil for never.
  public var expiresAt: Date? {
    expirationTimestamp == 0 ? nil : Date(timeIntervalSince1970: TimeInterval(expirationTimestamp))
  }
}

extension GroupInvitationFromAdmin: Codable {
  /// Reads a signed part and keeps everything that is in it.
  public init(from decoder: any Decoder) throws {
    try self.init(json: decoder.singleValueContainer().decode(JSONObject.self))
  }

  /// Writes the signed part as it was received.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(json)
  }
}

extension WireError {
  fileprivate static func invitation(_ reason: String, _ path: String) -> WireError {
    WireError(format: "json", reason: "this is not an invitation: \(reason)", path: path)
  }
}

extension JSONValue {
  /// Bytes as nodes write keys in invitations: one number each.
  fileprivate static func bytes(_ bytes: [UInt8]) -> JSONValue {
    .array(bytes.map { .number(JSONNumber(UInt64($0))) })
  }

  /// 32 bytes, as numbers or as hex; nil for anything else.
  fileprivate var bytes32: [UInt8]? {
    if let text = stringValue { return try? Hex.decode(text, count: 32) }
    guard let elements = arrayValue, elements.count == 32 else { return nil }
    let bytes = elements.compactMap { $0.uint64.flatMap(UInt8.init(exactly:)) }
    return bytes.count == 32 ? bytes : nil
  }
}
