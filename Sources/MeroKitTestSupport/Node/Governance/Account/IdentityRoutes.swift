import MeroWire

/// 20 §5.13: who the node is.
enum IdentityRoutes {
  static let rows: [NodeRoute] = [
    NodeRoute(.get, "/admin-api/identity", "token:namespace:list", identity)
  ]

  private static let identity: NodeHandler = { state, _ in
    let governance = state.governance
    guard governance.takesPart else { throw NodeRefusal(404, "the node takes part in no namespace yet") }
    let secrets = governance.secrets
    let identity = governance.identity
    var answer: JSONObject = [
      "accountId": .string(identity.account), "deviceId": .string(identity.device),
      "publicKey": .string(identity.key),
      "accountRootPublicKey": .string(Hex.encode(secrets.credential.rootKey)),
      "deviceAgreementKey": .string(Hex.encode(secrets.credential.deliveryKey)),
      "holdsAccountRoot": .bool(secrets.root != nil),
      "deviceCertified": .bool(governance.devices.pending == nil),
    ]
    answer["accountNamespaceId"] = governance.accountNamespace.map { .string($0) }
    if governance.devices[identity.device]?.isRevoked == true {
      answer["revokedFrom"] = ["accountId": .string(identity.account), "deviceId": .string(identity.device)]
    }
    return .data(.object(answer))
  }
}

extension Governance {
  /// Where the account keeps what its devices share: the first namespace it founded.
  var accountNamespace: String? {
    known.filter { $0.log.tree.founding.account == identity.account }.min {
      ($0.log.entries[0].at, $0.id) < ($1.log.entries[0].at, $1.id)
    }?.id
  }
}
