import MeroCrypto
import MeroWire

/// Makes another node a device of this node's account (20 §5.13).
enum PairingRoutes {
  static let rows: [NodeRoute] = [
    NodeRoute(
      .post, "/admin-api/account/pair-init", "token:admin",
      body: .strict(["accountRootPublicKey", "namespaces", "accountNamespace"]), begin),
    NodeRoute(
      .post, "/admin-api/account/pair-complete", "token:admin",
      body: .strict([
        "deviceId", "kemPublicKey", "signPublicKey", "statement", "confirmationCode", "applications",
      ]), complete),
  ]

  /// On the node that joins the account. Nothing is published.
  private static let begin: NodeHandler = { state, exchange in
    let root = try exchange.fields.hex("accountRootPublicKey", count: 32...32)
    let namespaces = try exchange.fields.ids("namespaces") ?? []
    let own = try exchange.fields.optionalId("accountNamespace")
    guard !namespaces.isEmpty || own != nil else {
      throw NodeRefusal.invalid("namespaces", "must name something, unless accountNamespace does")
    }
    let account = DeviceCredential.account(ofRoot: root)
    let device = DeviceCredential.deviceId(of: account, nonce: state.random.bytes(16))
    state.governance.devices.pending = AccountDevices.Pending(account: account, device: device)
    let secrets = state.governance.secrets
    let message = PairingStatement.message(
      account: account, device: device, deliveryKey: secrets.delivery.publicKey,
      signingKey: secrets.signing.publicKey.bytes)
    return .data([
      "accountId": .string(Hex.encode(account)), "deviceId": .string(Hex.encode(device)),
      "kemPublicKey": .string(Hex.encode(secrets.delivery.publicKey)),
      "signPublicKey": .string(Hex.encode(secrets.signing.publicKey.bytes)),
      "statement": .string(Hex.encode(secrets.sign(message))),
      "confirmationCode": .string(PairingStatement.code(message)),
    ])
  }

  /// On the node that holds the account's root.
  private static let complete: NodeHandler = { state, exchange in
    let fields = exchange.fields
    let device = try fields.hex("deviceId", count: 32...32)
    let delivery = try fields.hex("kemPublicKey", count: 32...32)
    let signing = try fields.hex("signPublicKey", count: 32...32)
    let statement = try fields.hex("statement", count: 64...64)
    let code = try fields.string("confirmationCode")
    let applications = try fields.ids("applications") ?? []
    try state.requireInstalled(applications)
    guard let root = state.governance.secrets.root else {
      throw NodeRefusal(403, "this node does not hold the account's root")
    }
    let account = state.governance.secrets.credential.account
    let message = PairingStatement.message(
      account: account, device: device, deliveryKey: delivery, signingKey: signing)
    guard device == DeviceCredential.deviceId(of: account, nonce: Array(device.prefix(16))),
      let key = try? Ed25519.PublicKey(bytes: signing), key.isValid(statement, for: message)
    else { throw NodeRefusal(400, "the pairing statement does not verify for this account") }
    guard PairingStatement.normal(code) == PairingStatement.normal(PairingStatement.code(message)) else {
      throw NodeRefusal(400, "the confirmation code is another one")
    }
    let id = Hex.encode(device)
    guard state.governance.devices[id]?.isRevoked != true else {
      throw NodeRefusal(403, "the device was revoked")
    }
    guard state.governance.takesPart else {
      throw NodeRefusal(409, "the account takes part in no namespace yet")
    }
    let credential = NodeSecrets.certify(
      root: root, device: device, signingKey: signing, deliveryKey: delivery)
    state.governance.devices.add(
      credential, isSelf: false, scope: applications.isEmpty ? .all : .only(Set(applications)))
    // First that it is one of us, then what it may read.
    state.publish(.paired(credential))
    let fanOut = try state.fanOut(to: id, exchange)
    return .data([
      "accountId": .string(Hex.encode(account)), "deviceId": .string(id),
      "keyDelivered": .bool(!state.links.outgoing.isEmpty && !fanOut.linked.isEmpty),
      "confirmationCode": .string(PairingStatement.code(message)), "credential": .string(credential.hex),
    ])
  }
}
