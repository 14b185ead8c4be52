import Foundation
import MeroCrypto
import MeroKit
import MeroWire

/// Invitations, joins, codes and links (30 §11, §12, §17).
enum InvitationVectors {
  static let checks: [String: @Sendable (AccountCase) throws -> Void] = [
    "invitation": invitation, "memberJoin": memberJoin, "inviteCodec": inviteCodec, "inviteLink": inviteLink,
  ]

  private static let invitation: @Sendable (AccountCase) throws -> Void = { test in
    let input = test.input
    let keys = try test.keys()
    let admitters: GroupInvitations.Admitters
    if input.has("members") {
      admitters = .admins(
        of: try input.objects("members").map { member in
          let row = GroupMember(
            identity: try member.text("identity"), role: MemberRole(rawValue: try member.text("role")))
          try member.finish()
          return row
        })
    } else {
      admitters = .accounts(try input.texts("admitters"))
    }
    let roles: [MemberRole] = [.admin, .member, .readOnly]
    let role = input.has("invitedRole") ? try input.number("invitedRole") : 1
    guard roles.indices.contains(role) else { throw Mismatch("nobody knows the role \(role)") }
    let validity =
      input.has("validForSecs")
      ? TimeInterval(try input.number("validForSecs")) : GroupInvitations.longestValidity
    let made = try GroupInvitations.sign(
      groupId: try input.text("groupId"), inviterAccount: try input.text("inviterAccount"), keys: keys,
      admitters: admitters, now: Date(timeIntervalSince1970: TimeInterval(try input.number("now"))),
      validFor: validity, role: roles[role], applicationId: try input.optionalText("applicationId"),
      appKey: try input.optionalText("appKey"),
      admitterAddrs: input.has("admitterAddrs") ? try input.texts("admitterAddrs") : [],
      salt: Data(try input.bytes("secretSalt", count: 32)))
    let body = try NamespaceOps.encodeGroupInvitation(made.invitation)
    try test.require("borsh", body)
    let hash = SHA256.hash(body)
    try test.require("hash", hash)
    let signature = try test.expect.bytes("inviterSignature")
    try test.requireSignature(
      "the signature", try Hex.decode(made.inviterSignature), is: signature,
      by: try Hex.decode(keys.signPublicKey), of: hash)

    // From here on with the file's signature, and what was read in place of what was made.
    let text = try test.expect.text("jsonText")
    guard let json = try JSONValue(parsing: text).objectValue else { throw Mismatch("jsonText is no object") }
    try require("json", try test.expect.value("json"), is: .object(json))
    let read = try SignedGroupOpenInvitation(json: json)
    try require("what is sent on", JSONValue.object(read.json).text, is: text)
    try require("what was signed", read.invitation, is: made.invitation)
    var own = made.json
    try require("the signature's text", read.inviterSignature, is: Hex.encode(signature))
    own["inviter_signature"] = .string(read.inviterSignature)
    try require("what is made", JSONValue.object(own).text, is: text)
    try test.require("signedBorsh", try NamespaceOps.encodeSignedInvitation(read))
  }

  private static let memberJoin: @Sendable (AccountCase) throws -> Void = { test in
    let input = test.input
    let keys = try test.keys()
    guard let json = try input.value("invitation").objectValue,
      let version = UInt8(exactly: try input.number("schemaVersion"))
    else { throw Mismatch("the case has no invitation or no version") }
    let join = try NamespaceOps.signMemberJoinOp(
      namespaceId: try input.text("namespaceId"), member: try input.text("member"),
      invitation: try SignedGroupOpenInvitation(json: json), credential: try input.text("credential"),
      keys: keys, nonce: try input.decimal("nonce"), joinedAt: try input.decimal("joinedAt"),
      parents: try input.texts("parentOpHashes"), schemaVersion: version)
    try require("the version", NamespaceOps.schemaVersion, is: version)
    try test.require("signable", join.signable)
    let signature = try test.expect.bytes("signature")
    try test.requireSignature(
      "the signature", join.signature, is: signature, by: try Hex.decode(keys.signPublicKey),
      of: Array("calimero.namespace.v1".utf8) + Array(join.signable))
    try require(
      "the op", Hex.encode(Array(join.signable) + signature + [0]), is: try test.expect.text("signedOp"))
    try require(
      "the op's text", join.text, is: Hex.encode(Array(join.signable) + Array(join.signature) + [0]))
  }

  private static let inviteCodec: @Sendable (AccountCase) throws -> Void = { test in
    let text = InviteCodec.text(of: try test.input.text("token"))
    let expected = try test.expect.value("text")
    try require("the text", text.map { .string($0) } ?? .null, is: expected)
    guard let text else { return }
    let code = InviteCodec.encode(text: text)
    _ = try Base58.decode(code)
    try require("the text of a new code", InviteCodec.text(of: code), is: text)
    try require("the object", InviteCodec.decode(code), is: try JSONValue(parsing: text))
  }

  private static let inviteLink: @Sendable (AccountCase) throws -> Void = { test in
    let input = test.input
    switch try input.text("op") {
    case "build":
      let url = InviteLink.url(
        slug: try input.text("slug"), token: try input.text("token"),
        host: try input.optionalText("host") ?? InviteLink.defaultHost)
      try test.require("url", url)
    case "parse":
      let token = InviteLink.token(
        fromPasted: try input.text("pasted"), expectedSlug: try input.optionalText("expectedSlug"))
      try require("the token", token.map { .string($0) } ?? .null, is: try test.expect.value("token"))
    case let operation: throw Mismatch("nobody knows the operation \(operation)")
    }
  }
}
