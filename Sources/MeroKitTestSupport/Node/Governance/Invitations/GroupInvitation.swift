import MeroCrypto
import MeroWire

/// An invitation: a bearer credential that an inviter's key signed (20 §6.7, 30 §11). Nothing is published when one is
/// made.
struct GroupInvitation: Sendable, Hashable {
  /// Longer is clamped to this, and it is the default.
  static let longestValidity: UInt64 = 86_400

  /// The signing key, hex.
  var inviterKey: String
  var groupId: String
  /// Unix seconds; 0 never ends.
  var expiresAt: Int64
  var salt: [UInt8]
  var role: GroupRole
  /// Accounts that may admit a claim; empty means anybody.
  var admitters: [String]
  var signature = ""
  // Not signed: hints for whoever joins.
  var inviterAccount: String?
  var admitterAddresses: [String] = []
  var applicationId: [UInt8]?
  var appKey: [UInt8]?

  /// What tells one invitation from another.
  var identity: String { Hex.encode(SHA256.hash(body)) }

  /// The signed bytes.
  var body: [UInt8] {
    var writer = BorshWriter()
    writer.fixed(Self.bytes(inviterKey))
    writer.fixed(Self.bytes(groupId))
    writer.u64(UInt64(bitPattern: expiresAt))
    writer.fixed(salt)
    writer.u8(role.number)
    writer.list(admitters) { $0.fixed(Self.bytes($1)) }
    return writer.bytes
  }

  /// Ids are hex wherever they are kept.
  private static func bytes(_ id: String) -> [UInt8] { (try? Hex.decode(id)) ?? [] }

  mutating func sign(with key: Ed25519.PrivateKey) throws {
    signature = Hex.encode(try key.sign(SHA256.hash(body)))
  }

  /// Says nothing about rights: anybody can sign an invitation.
  func checkSignature() throws(NodeRefusal) {
    let key = try? Ed25519.PublicKey(bytes: Self.bytes(inviterKey))
    let signature = (try? Hex.decode(signature, count: 64)) ?? []
    guard let key, key.isValid(signature, for: SHA256.hash(body)) else {
      throw Self.invalid(groupId, "the inviter's signature does not verify")
    }
  }

  static func invalid(_ group: String, _ reason: String) -> NodeRefusal {
    NodeRefusal(400, "invitation for group \(group) is invalid: \(reason)")
  }
}

// MARK: JSON

extension GroupInvitation {
  var json: JSONValue {
    var object: JSONObject = [
      "invitation": [
        "inviter_identity": .byteArray(Self.bytes(inviterKey)), "group_id": .byteArray(Self.bytes(groupId)),
        "expiration_timestamp": JSONValue(expiresAt), "secret_salt": .byteArray(salt),
        "invited_role": JSONValue(role.number), "admitters": .array(admitters.map { .string($0) }),
      ],
      "inviter_signature": .string(signature),
    ]
    object["inviter_account"] = inviterAccount.map { .string($0) }
    if !admitterAddresses.isEmpty { object["admitter_addrs"] = .array(admitterAddresses.map { .string($0) }) }
    object["application_id"] = applicationId.map { .byteArray($0) }
    object["app_key"] = appKey.map { .byteArray($0) }
    return .object(object)
  }

  /// Reads the envelope. What is not known in it is left alone: other builds add hints.
  init(_ json: JSONValue) throws(NodeRefusal) {
    guard let body = json["invitation"], body.objectValue != nil else {
      throw NodeRefusal(400, "invalid invitation: there is no invitation in it")
    }
    inviterKey = Hex.encode(try Self.key(body, "inviter_identity"))
    groupId = Hex.encode(try Self.key(body, "group_id"))
    salt = try Self.key(body, "secret_salt")
    guard let expiry = body["expiration_timestamp"]?.numberValue?.integer(UInt64.self),
      let expiresAt = Int64(exactly: expiry)
    else { throw Self.malformed("expiration_timestamp") }
    self.expiresAt = expiresAt
    role = .member
    if let number = body["invited_role"] {
      guard let role = number.numberValue?.integer(UInt8.self).flatMap(GroupRole.init(number:)), !role.isTee
      else { throw Self.malformed("invited_role") }
      self.role = role
    }
    admitters = []
    if let list = body["admitters"] {
      guard let accounts = list.arrayValue?.map({ $0.stringValue.flatMap(NodeId.read) }),
        !accounts.contains(nil)
      else { throw Self.malformed("admitters") }
      admitters = accounts.compactMap { $0 }
    }
    guard let signature = json["inviter_signature"]?.stringValue,
      (try? Hex.decode(signature, count: 64)) != nil
    else { throw Self.malformed("inviter_signature") }
    self.signature = signature
    inviterAccount = json["inviter_account"]?.stringValue.flatMap(NodeId.read)
    admitterAddresses = json["admitter_addrs"]?.arrayValue?.compactMap(\.stringValue) ?? []
    applicationId = json["application_id"]?.byteArray.flatMap { $0.count == 32 ? $0 : nil }
    appKey = json["app_key"]?.byteArray.flatMap { $0.count == 32 ? $0 : nil }
  }

  private static func key(_ body: JSONValue, _ name: String) throws(NodeRefusal) -> [UInt8] {
    guard let bytes = body[name]?.byteArray, bytes.count == 32 else { throw malformed(name) }
    return bytes
  }

  private static func malformed(_ field: String) -> NodeRefusal {
    NodeRefusal(400, "invalid invitation: malformed \(field)")
  }
}

// MARK: Borsh

extension GroupInvitation {
  /// The envelope as it stands inside a signed join.
  init(from reader: inout BorshReader) throws(WireError) {
    inviterKey = Hex.encode(try reader.fixed(32))
    groupId = Hex.encode(try reader.fixed(32))
    expiresAt = Int64(clamping: try reader.u64())
    salt = try reader.fixed(32)
    guard let role = GroupRole(number: try reader.u8()), !role.isTee else {
      throw WireError(format: "borsh", reason: "an invitation to a role that nobody is invited to")
    }
    self.role = role
    admitters = try reader.list { (reader) throws(WireError) in Hex.encode(try reader.fixed(32)) }
    signature = try reader.string()
    inviterAccount = try reader.option { (reader) throws(WireError) in Hex.encode(try reader.fixed(32)) }
    admitterAddresses = try reader.list { (reader) throws(WireError) in try reader.string() }
    applicationId = try reader.option { (reader) throws(WireError) in try reader.fixed(32) }
    appKey = try reader.option { (reader) throws(WireError) in try reader.fixed(32) }
  }
}
