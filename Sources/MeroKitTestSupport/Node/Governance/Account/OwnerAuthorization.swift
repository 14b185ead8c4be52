import MeroCrypto
import MeroWire

/// `AccountProof<OwnerOpAuthorization>`: an owner's root allows one op, once (20 §3.4).
///
/// The bytes are not published; these follow the other statements of a root: genesis, chain, fields, signature.
struct OwnerAuthorization: Sendable, Hashable {
  var rootKey: [UInt8]
  var namespace: [UInt8]
  var counter: UInt64
  var opHash: [UInt8]
  var signature: [UInt8] = []

  var account: String { Hex.encode(DeviceCredential.account(ofRoot: rootKey)) }

  private var payload: [UInt8] {
    var number = BorshWriter()
    number.u64(counter)
    return domainHash(
      "calimero.owner-op.v1",
      [DeviceCredential.account(ofRoot: rootKey), namespace, number.bytes, opHash])
  }

  static func hash(_ op: GovernanceOp.OwnerOp, in namespace: String) -> [UInt8] {
    let words: [String] =
      switch op {
      case .transferOwnership(let group, let account): ["transferOwnership", group, account]
      case .deleteGroup(let group): ["ownerDeleteGroup", group]
      case .changeAdmin(let account): ["changeNamespaceAdmin", namespace, account]
      case .setTeeAuthoring(let images?): ["setTeeAuthoringPolicy", namespace] + images
      case .setTeeAuthoring(nil): ["disableTeeAuthoringPolicy", namespace]
      }
    return domainHash("calimero.owner-op.op.v1", words.map { Array($0.utf8) })
  }

  init(root: Ed25519.PrivateKey, _ op: GovernanceOp.OwnerOp, in namespace: String, counter: UInt64) {
    rootKey = root.publicKey.bytes
    self.namespace = (try? Hex.decode(namespace)) ?? []
    self.counter = counter
    opHash = Self.hash(op, in: namespace)
    signature = NodeSecrets.made { try root.sign(payload) }
  }

  var hex: String {
    var writer = BorshWriter()
    writer.u8(2)
    writer.fixed(rootKey)
    writer.u32(0)
    writer.fixed(namespace)
    writer.u64(counter)
    writer.fixed(opHash)
    writer.fixed(signature)
    return Hex.encode(writer.bytes)
  }

  init(_ bytes: [UInt8]) throws(NodeRefusal) {
    do throws(WireError) {
      var reader = BorshReader(bytes)
      guard try reader.u8() == 2 else {
        throw WireError(format: "borsh", reason: "not a genesis of version 2")
      }
      rootKey = try reader.fixed(32)
      guard try reader.u32() == 0 else { throw WireError(format: "borsh", reason: "a forked chain") }
      namespace = try reader.fixed(32)
      counter = try reader.u64()
      opHash = try reader.fixed(32)
      signature = try reader.fixed(64)
      try reader.finish()
    } catch { throw .invalid("rootProof", "is malformed: \(error.reason)") }
    guard let key = try? Ed25519.PublicKey(bytes: rootKey), key.isValid(signature, for: payload) else {
      throw .invalid("rootProof", "is not signed by the root it names")
    }
  }
}

extension NodeState {
  /// Does an op that needs the owner's root: the node's own where it holds it, else a proof in the request.
  mutating func governAsOwner(_ op: GovernanceOp.OwnerOp, in group: String, _ exchange: NodeExchange)
    throws(NodeRefusal)
  {
    let tree = try governance.tree(around: group)
    let author: String
    let counter: UInt64
    if let bytes = try exchange.fields.optionalHex("rootProof", count: 1...4_096) {
      let proof = try OwnerAuthorization(bytes)
      guard proof.opHash == OwnerAuthorization.hash(op, in: tree.id), Hex.encode(proof.namespace) == tree.id
      else { throw .invalid("rootProof", "is for another op") }
      (author, counter) = (proof.account, proof.counter)
    } else {
      guard governance.secrets.root != nil else {
        throw NodeRefusal(403, "a proof by the owner's root is required")
      }
      (author, counter) = (governance.identity.account, tree.ownerOpCounter)
    }
    try governance.write(
      .ownerOp(op, counter: counter), in: group, by: author, at: exchange.milliseconds)
    settle(at: exchange.now)
  }
}
