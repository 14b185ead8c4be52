import MeroCrypto
import MeroWire

/// What a device signed to log in: which node, from which app, over which challenge (30 §13).
struct SignedLogin: Sendable, Hashable {
  let node: [UInt8]
  /// Tag and text, as both are signed.
  let audience: [UInt8]
  let challenge: [UInt8]
  let sessionKey: [UInt8]
  let deviceKey: [UInt8]
  let issuedAt: UInt64
  let expiresAt: UInt64
  private let signature: [UInt8]

  /// Reads a statement without judging it.
  init(from reader: inout BorshReader) throws(WireError) {
    node = try reader.fixed(32)
    let tag = try reader.u8()
    switch tag {
    case 0, 1: audience = [tag] + Array(try reader.string().utf8)
    case 2: audience = [tag]
    default: throw WireError(format: "borsh", reason: "an unknown audience")
    }
    challenge = try reader.fixed(32)
    sessionKey = try reader.fixed(32)
    deviceKey = try reader.fixed(32)
    issuedAt = try reader.u64()
    expiresAt = try reader.u64()
    signature = try reader.fixed(64)
  }

  /// Reads a statement that is all there is.
  init(hex: String) throws(WireError) {
    var reader = BorshReader(try Hex.decode(hex))
    try self.init(from: &reader)
    try reader.finish()
  }

  /// Whether the device it names signed it.
  var isSigned: Bool {
    let parts = [
      node, audience, challenge, sessionKey, deviceKey, Self.u64(issuedAt), Self.u64(expiresAt),
    ]
    guard let key = try? Ed25519.PublicKey(bytes: deviceKey) else { return false }
    return key.isValid(signature, for: domainHash("calimero.auth.login.v1", parts))
  }

  /// A session's statement is good for an hour at most.
  static let longest: UInt64 = 3600

  static func u64(_ value: UInt64) -> [UInt8] {
    var writer = BorshWriter()
    writer.u64(value)
    return writer.bytes
  }
}

/// From when until when something signed is good.
struct SignedWindow {
  /// How far clocks may be apart, in seconds.
  static let skew: UInt64 = 30

  let issuedAt: UInt64
  let expiresAt: UInt64

  func isOpen(at seconds: Int64, atMost longest: UInt64) -> Bool {
    let now = UInt64(max(0, seconds))
    guard issuedAt <= expiresAt, expiresAt - issuedAt <= longest else { return false }
    return issuedAt <= now + Self.skew && now <= expiresAt.addingReportingOverflow(Self.skew).partialValue
  }
}
