import MeroCrypto
import MeroWire

/// What only the node holds: its device's keys, and the root of its account where it is the account's first device.
struct NodeSecrets: Sendable {
  let signing: Ed25519.PrivateKey
  let delivery: X25519.PrivateKey
  /// What a sealed channel to the node is encrypted to.
  let transport: X25519.PrivateKey
  /// nil on a node that was paired to somebody else's account.
  var root: Ed25519.PrivateKey?
  var credential: DeviceCredential

  /// A new account with this node as its first device.
  init(random: SeededRandom) {
    self.init(
      root: Self.made { try Ed25519.PrivateKey(seed: random.bytes(32)) },
      signing: Self.made { try Ed25519.PrivateKey(seed: random.bytes(32)) },
      delivery: Self.made { try X25519.PrivateKey(bytes: random.bytes(32)) },
      transport: Self.made { try X25519.PrivateKey(bytes: random.bytes(32)) }, nonce: random.bytes(16))
  }

  private init(
    root: Ed25519.PrivateKey, signing: Ed25519.PrivateKey, delivery: X25519.PrivateKey,
    transport: X25519.PrivateKey, nonce: [UInt8]
  ) {
    self.signing = signing
    self.delivery = delivery
    self.transport = transport
    self.root = root
    credential = Self.certify(
      root: root, signingKey: signing.publicKey.bytes, deliveryKey: delivery.publicKey, nonce: nonce)
  }

  /// The same node with a new key for sealed channels, and with a new key of its own, certified by the same root.
  func restarted(newNodeKey: Bool, random: SeededRandom) -> NodeSecrets {
    var secrets = NodeSecrets(
      signing: newNodeKey ? Self.made { try Ed25519.PrivateKey(seed: random.bytes(32)) } : signing,
      delivery: delivery, transport: Self.made { try X25519.PrivateKey(bytes: random.bytes(32)) },
      root: root, credential: credential)
    guard newNodeKey else { return secrets }
    guard let root else {
      preconditionFailure("the node cannot certify itself: its account's root is elsewhere")
    }
    secrets.credential = Self.certify(
      root: root, signingKey: secrets.signing.publicKey.bytes, deliveryKey: delivery.publicKey,
      nonce: random.bytes(16))
    return secrets
  }

  private init(
    signing: Ed25519.PrivateKey, delivery: X25519.PrivateKey, transport: X25519.PrivateKey,
    root: Ed25519.PrivateKey?, credential: DeviceCredential
  ) {
    self.signing = signing
    self.delivery = delivery
    self.transport = transport
    self.root = root
    self.credential = credential
  }

  /// A credential by a root for a device of its account.
  static func certify(
    root: Ed25519.PrivateKey, signingKey: [UInt8], deliveryKey: [UInt8], nonce: [UInt8]
  ) -> DeviceCredential {
    let account = DeviceCredential.account(ofRoot: root.publicKey.bytes)
    return certify(
      root: root, device: DeviceCredential.deviceId(of: account, nonce: nonce), signingKey: signingKey,
      deliveryKey: deliveryKey)
  }

  static func certify(
    root: Ed25519.PrivateKey, device: [UInt8], signingKey: [UInt8], deliveryKey: [UInt8]
  ) -> DeviceCredential {
    var credential = DeviceCredential(
      rootKey: root.publicKey.bytes, account: DeviceCredential.account(ofRoot: root.publicKey.bytes),
      device: device, signingKey: signingKey, deliveryKey: deliveryKey)
    made { try credential.sign(with: root) }
    return credential
  }

  var identity: NodeIdentity {
    NodeIdentity(
      account: Hex.encode(credential.account), device: Hex.encode(credential.device),
      key: Hex.encode(signing.publicKey.bytes))
  }

  func sign(_ message: [UInt8]) -> [UInt8] { Self.made { try signing.sign(message) } }

  /// What is made of the node's own keys, which always works.
  static func made<Value>(_ make: () throws -> Value) -> Value {
    do { return try make() } catch { preconditionFailure("a node's own keys did not work: \(error)") }
  }
}
