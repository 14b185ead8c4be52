import MeroCrypto
import MeroWire

@testable import MeroKitTestSupport

/// What is so on the node of an `EndpointWorld`, where no route tells.
extension EndpointWorld {
  private var tree: NamespaceTree? {
    rig.node.store.withState { $0.governance.namespaces[namespace]?.log.tree }
  }

  func owner(of group: String) -> String? { tree?.groups[group]?.owner }

  /// Whether an account is a member of a group by a row of its own.
  func hasRow(_ account: String, in group: String) -> Bool { tree?.groups[group]?.members[account] != nil }

  /// Whether an account follows the contexts of the namespace, and its subgroups.
  func follows(_ account: String) -> [Bool] {
    let flags = tree?.root.members[account]?.autoFollow
    return flags.map { [$0.contexts, $0.subgroups] } ?? []
  }

  /// The images that may author as the namespace's TEE authority; nil when there is none.
  var authoringImages: [String]? { tree?.teeAuthoring }

  /// What the node's image measures, hex.
  static var mrtd: String { Hex.encode(pki.image().mrtd) }

  /// The key the device without a node signs with.
  var deviceKey: String { device.credential.bound.signingKey }

  /// The device without a node.
  var deviceId: String { device.credential.bound.id }
}

extension EndpointWorld {
  /// Opens what was sealed to the account without a node.
  func open(_ ephemeral: String, _ nonce: String, _ ciphertext: String) throws -> [UInt8] {
    // The scalar of an Ed25519 key is the front half of the hash of its seed.
    let scalar = try X25519.PrivateKey(bytes: Array(SHA512.hash(device.rootSeed).prefix(32)))
    let ephemeral = try Hex.decode(ephemeral)
    let key = HKDFSHA256.derive(
      ikm: try scalar.sharedSecret(with: ephemeral), salt: ephemeral + device.credential.rootKey,
      info: SealedToAccount.domain, count: AESGCM.keySize)
    return try AESGCM(key: key).open(
      try Hex.decode(ciphertext), nonce: try Hex.decode(nonce), authenticating: [UInt8]())
  }
}
