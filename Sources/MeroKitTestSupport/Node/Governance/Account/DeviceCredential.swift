import MeroCrypto
import MeroWire

/// `AccountProof<DeviceCert>`: an account's root says that a device is one of the account's (30 §5.1).
struct DeviceCredential: Sendable, Hashable {
  var rootKey: [UInt8]
  var account: [UInt8]
  var device: [UInt8]
  var signingKey: [UInt8]
  var deliveryKey: [UInt8]
  var keyEpoch: UInt32 = 0
  var deviceEpoch: UInt32 = 0
  var signature: [UInt8] = []

  /// 30 §4.4.
  static func account(ofRoot rootKey: [UInt8]) -> [UInt8] {
    domainHash("calimero.account.genesis.v1", [[2] + rootKey])
  }

  /// 30 §4.5.
  static func deviceId(of account: [UInt8], nonce: [UInt8]) -> [UInt8] {
    nonce + domainHash("calimero.device.id.v1", [account, nonce]).prefix(16)
  }

  private var payload: [UInt8] {
    var epochs = (BorshWriter(), BorshWriter())
    epochs.0.u32(keyEpoch)
    epochs.1.u32(deviceEpoch)
    return domainHash(
      "calimero.device.cert.v1",
      [account, device, signingKey, deliveryKey, epochs.0.bytes, epochs.1.bytes])
  }

  mutating func sign(with root: Ed25519.PrivateKey) throws {
    signature = try root.sign(payload)
  }

  var bytes: [UInt8] {
    var writer = BorshWriter()
    writer.u8(2)
    writer.fixed(rootKey)
    writer.u32(0)
    for part in [account, device, signingKey, deliveryKey] { writer.fixed(part) }
    writer.u32(keyEpoch)
    writer.u32(deviceEpoch)
    writer.fixed(signature)
    return writer.bytes
  }

  var hex: String { Hex.encode(bytes) }

  /// The device as a namespace keeps it.
  var bound: BoundDevice {
    BoundDevice(
      id: Hex.encode(device), account: Hex.encode(account), signingKey: Hex.encode(signingKey),
      rootKey: Hex.encode(rootKey))
  }

  /// Reads a credential without judging it.
  init(from reader: inout BorshReader) throws(WireError) {
    guard try reader.u8() == 2 else {
      throw WireError(format: "borsh", reason: "the account's genesis is not of version 2")
    }
    rootKey = try reader.fixed(32)
    guard try reader.u32() == 0 else {
      throw WireError(format: "borsh", reason: "too many root handoffs")
    }
    account = try reader.fixed(32)
    device = try reader.fixed(32)
    signingKey = try reader.fixed(32)
    deliveryKey = try reader.fixed(32)
    keyEpoch = try reader.u32()
    deviceEpoch = try reader.u32()
    signature = try reader.fixed(64)
  }

  init(
    rootKey: [UInt8], account: [UInt8], device: [UInt8], signingKey: [UInt8], deliveryKey: [UInt8]
  ) {
    self.rootKey = rootKey
    self.account = account
    self.device = device
    self.signingKey = signingKey
    self.deliveryKey = deliveryKey
  }

  /// A credential from a request that holds up: 400 for anything else.
  init(hex: String, field: String) throws(NodeRefusal) {
    do throws(WireError) {
      var reader = BorshReader(try Hex.decode(hex))
      try self.init(from: &reader)
      try reader.finish()
    } catch { throw .invalid(field, "is no credential: \(error.reason)") }
    try check(field)
  }

  /// Whether the account, the device and the signature belong together (30 §5.2).
  func check(_ field: String) throws(NodeRefusal) {
    guard account == Self.account(ofRoot: rootKey) else {
      throw .invalid(field, "names an account that is not its root's")
    }
    guard device == Self.deviceId(of: account, nonce: Array(device.prefix(16))) else {
      throw .invalid(field, "names a device that was not made for its account")
    }
    guard let root = try? Ed25519.PublicKey(bytes: rootKey), root.isValid(signature, for: payload) else {
      throw .invalid(field, "is not signed by the account's root")
    }
  }
}
