import MeroCrypto
import MeroWire

/// `AccountProof<DeviceRevocation>`: an account's root withdraws a device, for good (30 §5.4).
struct DeviceRevocation: Sendable {
  private let rootKey: [UInt8]
  private let account: [UInt8]
  private let device: [UInt8]

  /// Reads and verifies a revocation: 400 for anything else.
  init(_ bytes: [UInt8]) throws(NodeRefusal) {
    let epoch: UInt32
    let signature: [UInt8]
    do throws(WireError) {
      var reader = BorshReader(bytes)
      guard try reader.u8() == 2 else {
        throw WireError(format: "borsh", reason: "not a genesis of version 2")
      }
      rootKey = try reader.fixed(32)
      guard try reader.u32() == 0 else { throw WireError(format: "borsh", reason: "too many root handoffs") }
      account = try reader.fixed(32)
      device = try reader.fixed(32)
      epoch = try reader.u32()
      signature = try reader.fixed(64)
      try reader.finish()
    } catch { throw .invalid("proof", "is no revocation: \(error.reason)") }
    var number = BorshWriter()
    number.u32(epoch)
    let payload = domainHash("calimero.device.revocation.v1", [account, device, number.bytes])
    guard account == DeviceCredential.account(ofRoot: rootKey),
      let key = try? Ed25519.PublicKey(bytes: rootKey), key.isValid(signature, for: payload)
    else { throw .invalid("proof", "is not signed by the account's root") }
  }

  /// Whether it withdraws this device.
  func check(_ device: String, of account: String) throws(NodeRefusal) {
    guard Hex.encode(self.device) == device else { throw .invalid("proof", "is for another device") }
    guard Hex.encode(self.account) == account else {
      throw NodeRefusal(403, "the revocation is by another account")
    }
  }
}
