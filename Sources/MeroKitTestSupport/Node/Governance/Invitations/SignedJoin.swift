import MeroCrypto
import MeroWire

/// A join that the joiner signed whole, for a node to carry (30 §12).
struct SignedJoin: Sendable {
  /// The layout of namespace ops. A node refuses any other.
  static let schema: UInt8 = 24
  private static let domain = Array("calimero.namespace.v1".utf8)

  let namespace: String
  let invitation: GroupInvitation
  let credential: DeviceCredential
  let nonce: UInt64

  /// Reads the op and verifies what can be verified without knowing the namespace.
  init(_ bytes: [UInt8]) throws(NodeRefusal) {
    let deviceKey: [UInt8]
    let member: [UInt8]
    let signature: [UInt8]
    let signed: [UInt8]
    let hasTime: Bool
    do throws(WireError) {
      var reader = BorshReader(bytes)
      guard try reader.u8() == Self.schema else { throw Self.malformed("an unknown schema version") }
      namespace = Hex.encode(try reader.fixed(32))
      _ = try reader.list { (reader) throws(WireError) in try reader.fixed(32) }
      deviceKey = try reader.fixed(32)
      nonce = try reader.u64()
      guard try reader.u8() == 0 else { throw Self.malformed("not an op of the root") }
      let tag = try reader.u8()
      guard tag == 8 || tag == 5 else { throw Self.malformed("not a join") }
      hasTime = tag == 8
      member = try reader.fixed(32)
      invitation = try GroupInvitation(from: &reader)
      if hasTime { _ = try reader.u64() }
      credential = try DeviceCredential(from: &reader)
      signed = Array(bytes.dropLast(reader.remaining))
      signature = try reader.fixed(64)
      // An endorsement may follow; it lies outside of what the joiner signed.
      if try reader.bool() { _ = try reader.fixed(96) }
      try reader.finish()
    } catch { throw NodeRefusal(400, "signedOp is no join: \(error.reason)") }
    try credential.check("signedOp")
    guard credential.account == member, credential.signingKey == deviceKey else {
      throw NodeRefusal(400, "signedOp is of another member than its credential")
    }
    guard hasTime || invitation.expiresAt == 0 else {
      throw NodeRefusal(400, "signedOp says no time, and the invitation expires")
    }
    guard let key = try? Ed25519.PublicKey(bytes: deviceKey),
      key.isValid(signature, for: Self.domain + signed)
    else { throw NodeRefusal(400, "signedOp does not verify") }
  }

  private static func malformed(_ reason: String) -> WireError { WireError(format: "borsh", reason: reason) }
}
