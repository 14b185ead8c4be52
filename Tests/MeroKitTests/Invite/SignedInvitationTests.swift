import Foundation
import MeroKit
import MeroWire
import Testing

@Suite("A signed invitation")
struct SignedInvitationTests {
  @Test("20 §6.7: it is sent as it was received, with all that is not known here and every digit")
  func passedOn() throws {
    let received = try JSONValue(parsing: Invitations.text)
    let invitation: SignedGroupOpenInvitation = try received.decode()
    #expect(try JSONValue(encoding: invitation).text == received.text)
    #expect(try JSONValue(encoding: invitation.invitation).text == received["invitation"]?.text)
    #expect(invitation.invitation.expirationTimestamp == .max)
    #expect(received.text.contains(#""n":12345678901234567890"#) && received.text.contains("[1.50]"))
  }

  @Test("20 §6.7: what it says can be shown")
  func shown() throws {
    let invitation = Invitations.invitation
    #expect(invitation.invitation.namespaceId == String(repeating: "42", count: 32))
    #expect(invitation.invitation.inviterIdentity == [UInt8](repeating: 1, count: 32))
    #expect(invitation.invitation.invitedRole == 1)
    #expect(invitation.invitation.admitters == [Ids.id(0x0A)])
    #expect(invitation.inviterAccount == Ids.id(0xCC))
    #expect(invitation.admitterAddrs == ["/dns4/relay/tcp/1/p2p/Qm"])
    #expect(invitation.applicationId == [UInt8](repeating: 0xA1, count: 32))
    #expect(invitation.appKey == [UInt8](repeating: 0xB1, count: 32))
  }

  @Test("one made of its parts is written with the wire's names and without what it lacks")
  func made() throws {
    let body = GroupInvitationFromAdmin(
      inviterIdentity: [UInt8](repeating: 1, count: 32), groupId: [UInt8](repeating: 2, count: 32),
      expirationTimestamp: 1_790_000_000, secretSalt: [UInt8](repeating: 3, count: 32), admitters: ["aa"])
    let invitation = SignedGroupOpenInvitation(invitation: body, inviterSignature: "ff")
    #expect(invitation.json.keys == ["invitation", "inviter_signature"])
    #expect(
      body.json.keys == [
        "inviter_identity", "group_id", "expiration_timestamp", "secret_salt", "invited_role", "admitters",
      ])
    #expect(try JSONValue(encoding: invitation).decode(SignedGroupOpenInvitation.self) == invitation)
    #expect(body.expiresAt == Date(timeIntervalSince1970: 1_790_000_000))
  }

  @Test("an old one without a role invites a member, and one without an end has none")
  func defaults() throws {
    var body = Invitations.invitation.invitation.json
    body["invited_role"] = nil
    body["admitters"] = nil
    body["expiration_timestamp"] = 0
    let read = try GroupInvitationFromAdmin(json: body)
    #expect(read.invitedRole == 1)
    #expect(read.admitters.isEmpty)
    #expect(read.expiresAt == nil)
  }

  @Test("older clients' spelling is read too")
  func camelCase() throws {
    let body = Invitations.invitation.invitation.json
    let older: JSONObject = [
      "invitation": [
        "inviterIdentity": body["inviter_identity"] ?? nil, "groupId": .string(Ids.id(0x42)),
        "expirationTimestamp": 5, "secretSalt": body["secret_salt"] ?? nil, "invitedRole": 2,
      ], "inviterSignature": "ff",
    ]
    let invitation = try SignedGroupOpenInvitation(json: older)
    #expect(invitation.invitation.namespaceId == Ids.id(0x42))
    #expect(invitation.invitation.invitedRole == 2)
    #expect(invitation.json == older)
  }

  @Test("a hint that cannot be read is no reason to refuse an invitation, and is passed on")
  func oddHints() throws {
    var json = Invitations.invitation.json
    json["application_id"] = [256]
    json["app_key"] = "short"
    json["inviter_account"] = 5
    json["admitter_addrs"] = ["a", 1]
    let invitation = try SignedGroupOpenInvitation(json: json)
    #expect(invitation.applicationId == nil && invitation.appKey == nil && invitation.inviterAccount == nil)
    #expect(invitation.admitterAddrs == ["a"])
    #expect(invitation.json == json)
  }

  @Test(
    "what is signed has to fit",
    arguments: [
      "inviter_identity", "group_id", "expiration_timestamp", "secret_salt", "invited_role", "admitters",
    ])
  func broken(_ field: String) throws {
    for value in ["x", 1.5, -1, [1], [:], 256] as [JSONValue] {
      var json = Invitations.invitation.json
      var body = Invitations.invitation.invitation.json
      body[field] = value
      json["invitation"] = .object(body)
      if field == "expiration_timestamp", value == 256 { continue }
      let error = #expect(throws: WireError.self) { try SignedGroupOpenInvitation(json: json) }
      #expect(error?.path == "invitation.\(field)")
    }
    #expect(throws: WireError.self) { try SignedGroupOpenInvitation(json: ["inviter_signature": "ff"]) }
    #expect(throws: WireError.self) {
      try SignedGroupOpenInvitation(json: ["invitation": .object(Invitations.invitation.invitation.json)])
    }
  }

  @Test("whoever prints an invitation, or a request with one, shows no credential")
  func printing() {
    let request = JoinNamespaceRequest(invitation: Invitations.invitation)
    for text in ["\(Invitations.invitation)", "\(request)"] {
      #expect(!text.contains("abab"))
      #expect(text.contains("4242"))
    }
  }
}
