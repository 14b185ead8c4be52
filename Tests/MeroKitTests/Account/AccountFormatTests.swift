import Foundation
import MeroCrypto
import MeroWire
import Testing

@testable import MeroKit

@Suite("What an account signs")
struct AccountFormatTests {
  @Test("keys are written for a store alone: no text and no dump shows a secret")
  func secrets() throws {
    let keys = try AccountFixture.keys()
    let stored = String(decoding: try JSONEncoder().encode(keys), as: UTF8.self)
    let secret = String(repeating: "6d", count: 32)
    #expect(stored.contains(secret))
    #expect(try JSONDecoder().decode(DeviceKeys.self, from: Data(stored.utf8)) == keys)
    var dumped = ""
    dump(keys, to: &dumped)
    for text in ["\(keys)", String(reflecting: keys), dumped, "\([keys])"] { #expect(!text.contains(secret)) }
    #expect(throws: AccountError.self) { try DeviceKeys(signSecret: Data(), kemSecret: Data()) }
  }

  @Test("any one bit of a credential that changes makes it another account's or no credential")
  func credentialBits() throws {
    let good = try Hex.decode(try AccountFixture.credential(try AccountFixture.keys()).text)
    for position in good.indices {
      var bytes = good
      bytes[position] ^= 1 << UInt8(position % 8)
      #expect(throws: AccountError.self, "byte \(position)") {
        try DeviceCertificates.verify(Hex.encode(bytes))
      }
    }
  }

  @Test("arguments that a relay would change are refused with the path of the number, and nothing is signed")
  func changedNumbers() throws {
    for (arguments, path) in [
      (#"{"a":[1,18446744073709551616]}"#, "a[1]"), (#"{"a":{"b":0.1234567890123456789}}"#, "a.b"),
      (#"{"a":1e400}"#, "a"),
    ] {
      #expect {
        _ = try Warrants.intentHash(method: "set", arguments: try JSONValue(parsing: arguments))
      } throws: { error in
        guard case AccountError.invalidInput(let text) = error else { return false }
        return text.contains(path)
      }
    }
  }

  @Test("a capability that lets others be written for cannot be given")
  func forbiddenCapability() {
    for mask in [UInt32(512), 231 | 512, .max] {
      #expect {
        _ = try GovernanceOps.defaultCapabilitiesSet(capabilities: mask)
      } throws: { "\($0)".contains("CAN_AUTHOR_ON_BEHALF") }
    }
  }

  @Test("roles that come from hardware are not given, and neither are unknown words")
  func roles() {
    for role in [MemberRole.relayTee, .readOnlyTee, "Owner", ""] {
      #expect(throws: AccountError.self) {
        try GovernanceOps.memberAdded(member: AccountFixture.id(1), role: role)
      }
    }
  }

  @Test("a join is signed for the account and the keys of the credential only")
  func foreignJoin() throws {
    let keys = try AccountFixture.keys()
    let credential = try AccountFixture.credential(keys)
    let invitation = try GroupInvitations.sign(
      groupId: AccountFixture.id(0x42), inviterAccount: AccountFixture.id(0xCC), keys: keys,
      admitters: .accounts([AccountFixture.id(0x0A)]), now: Date(timeIntervalSince1970: 1_790_000_000))
    func join(_ member: String, _ keys: DeviceKeys) throws {
      _ = try NamespaceOps.signMemberJoinOp(
        namespaceId: AccountFixture.id(0x42), member: member, invitation: invitation,
        credential: credential.text, keys: keys, nonce: 1, joinedAt: 1)
    }
    try join(credential.account, keys)
    #expect(throws: AccountError.self) { try join(AccountFixture.id(0xCC), keys) }
    #expect(throws: AccountError.self) { try join(credential.account, try AccountFixture.keys(9)) }
  }

  @Test("40 §19 #111: an invitation names relays, or admins, and never nobody")
  func admitters() throws {
    func sign(_ admitters: GroupInvitations.Admitters) throws -> [String] {
      try GroupInvitations.sign(
        groupId: AccountFixture.id(0x42), inviterAccount: AccountFixture.id(0xCC),
        keys: AccountFixture.keys(),
        admitters: admitters, now: Date(timeIntervalSince1970: 1_790_000_000)
      ).invitation.admitters
    }
    let (one, two) = (AccountFixture.id(2), AccountFixture.id(1))
    #expect(try sign(.accounts([one.uppercased(), " \(two) "])) == [one, two])
    let members = [
      GroupMember(identity: one.uppercased(), role: .admin), GroupMember(identity: two, role: .admin),
      GroupMember(identity: AccountFixture.id(3), role: .member),
    ]
    #expect(try sign(.admins(of: members)) == [two, one])
    for nobody in [GroupInvitations.Admitters.accounts([]), .admins(of: []), .admins(of: [members[2]])] {
      #expect(throws: AccountError.self) { try sign(nobody) }
    }
  }

  @Test("an invitation's time is a day at most")
  func validity() throws {
    func expiry(_ seconds: TimeInterval) throws -> UInt64 {
      try GroupInvitations.sign(
        groupId: AccountFixture.id(0x42), inviterAccount: AccountFixture.id(0xCC),
        keys: AccountFixture.keys(),
        admitters: .accounts([AccountFixture.id(1)]), now: Date(timeIntervalSince1970: 1_790_000_000),
        validFor: seconds
      ).invitation.expirationTimestamp
    }
    #expect(try expiry(60) == 1_790_000_060)
    #expect(try expiry(1e300) == 1_790_086_400)
    #expect(throws: AccountError.self) { try expiry(0) }
    #expect(throws: AccountError.self) { try expiry(.nan) }
  }
}

@Suite("Codes of invitations")
struct InviteCodecTests {
  @Test("a code gives the invitation, and a code of anything else is refused in words")
  func decodesInvitation() throws {
    let body = GroupInvitationFromAdmin(
      inviterIdentity: [UInt8](repeating: 1, count: 32), groupId: [UInt8](repeating: 2, count: 32),
      expirationTimestamp: 1_790_000_000, secretSalt: [UInt8](repeating: 3, count: 32), admitters: [])
    let invitation = SignedGroupOpenInvitation(invitation: body, inviterSignature: "ff")
    #expect(try InviteCodec.decodeInvitation(InviteCodec.encode(invitation)) == invitation)
    for code in ["", "x", try InviteCodec.encode(["invitation": [:]])] {
      #expect(throws: AccountError.self) { try InviteCodec.decodeInvitation(code) }
    }
  }

  @Test("a code that would expand without end is refused, and so is one that is too long")
  func bombs() {
    let bomb = Base58.encode(Deflate.compress([UInt8](repeating: 0x20, count: 8 << 20)))
    #expect(bomb.utf8.count < 65_536)
    #expect(InviteCodec.decode(bomb) == nil)
    #expect(InviteCodec.decode(String(repeating: "2", count: 65_537)) == nil)
  }

  @Test("random texts and broken codes are no invitations, and never more than that")
  func noise() {
    var random = Seeded(seed: 5)
    let good = InviteCodec.encode(text: #"{"a":[1,2,3],"b":"text"}"#)
    for _ in 0..<3_000 {
      var bytes = Array(good.utf8)
      for _ in 0...Int.random(in: 0..<3, using: &random) {
        let position = Int.random(in: bytes.indices, using: &random)
        switch Int.random(in: 0..<3, using: &random) {
        case 0: bytes[position] = UInt8.random(in: 0x21...0x7E, using: &random)
        case 1: bytes.remove(at: position)
        default: bytes.insert(UInt8.random(in: .min ... .max, using: &random), at: position)
        }
      }
      _ = InviteCodec.decode(String(decoding: bytes, as: UTF8.self))
    }
    #expect(InviteCodec.decode(good)?["b"] == "text")
  }

  @Test("texts of any length go through the compressor and back")
  func roundTrip() {
    for count in [1, 2, 100, 65_535, 65_536, 200_000] {
      let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 31 ^ ($0 >> 3)) }
      #expect(Deflate.expand(Deflate.compress(bytes), upTo: 1 << 20) == bytes)
    }
    #expect(Deflate.expand([], upTo: 10) == nil)
    #expect(Deflate.expand(Deflate.compress([1, 2, 3]), upTo: 2) == nil)
  }
}
