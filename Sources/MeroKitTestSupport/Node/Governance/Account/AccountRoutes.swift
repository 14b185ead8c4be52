import Foundation
import MeroCrypto
import MeroWire

/// 20 §5.13: the devices of the node's account, and what its root signs.
enum AccountRoutes {
  static let rows: [NodeRoute] = [
    NodeRoute(.get, "/admin-api/account/devices", "token:admin") { state, _ in
      let governance = state.governance
      return .flat(["devices": .array(governance.devices.all.map { governance.json($0) })])
    },
    NodeRoute(.get, "/admin-api/account/applications", "token:admin", applications),
    NodeRoute(
      .post, "/admin-api/account/sign-with-root", "token:admin", body: .strict(["domain", "payload"]),
      signWithRoot),
    NodeRoute(
      .post, "/admin-api/account/devices/{device_id}/relink", "token:admin", body: .strict(["applications"]),
      relink),
    NodeRoute(
      .put, "/admin-api/account/devices/{device_id}/scope", "token:admin", body: .strict(["scope"]), rescope),
    NodeRoute(
      .put, "/admin-api/account/devices/{device_id}/label", "token:admin", body: .strict(["label"]), label),
    NodeRoute(
      .post, "/admin-api/namespaces/{namespace_id}/account/revoke", "token:admin",
      body: .strict(["deviceId", "proof"]), revoke),
    NodeRoute(
      .post, "/admin-api/namespaces/{namespace_id}/account/link-device", "token:unknown",
      body: .strict(["credential", "scope"]), linkDevice),
    NodeRoute(
      .post, "/admin-api/groups/{group_id}/accounts/{account}/seal", "token:group:manage[{group_id}]",
      body: .strict(["plaintext"]), seal),
  ]

  private static let applications: NodeHandler = { state, _ in
    let namespaces = Dictionary(grouping: state.governance.known.map(\.log.tree)) {
      $0.root.target.applicationId
    }
    let entries = namespaces.sorted { $0.key < $1.key }.map { id, trees -> JSONValue in
      ["applicationId": .string(id), "namespaces": .array(trees.map { .string($0.id) })]
    }
    return .flat(["applications": .array(entries)])
  }

  // MARK: The root

  private static let domains = ["mdma.account-link", "mdma.account-login", "mdma.account-recovery"]

  private static let signWithRoot: NodeHandler = { state, exchange in
    let domain = try exchange.fields.string("domain")
    guard domains.contains(domain) else {
      throw NodeRefusal.invalid("domain", "must be one of \(domains.joined(separator: ", "))")
    }
    let payload = try exchange.fields.hex("payload", count: 1...4_096)
    guard let root = state.governance.secrets.root else {
      throw NodeRefusal(403, "this node does not hold the account's root")
    }
    let signature = NodeSecrets.made { try root.sign(Array(domain.utf8) + payload) }
    return .data([
      "rootPublicKey": .string(Hex.encode(root.publicKey.bytes)),
      "signature": .string(Data(signature).base64EncodedString()),
      "accountId": .string(state.governance.identity.account),
    ])
  }

  private static let seal: NodeHandler = { state, exchange in
    let group = exchange["group_id"]
    let tree = try state.governance.tree(around: group)
    guard tree.isMember(state.account(of: exchange.caller), of: group) else {
      throw NodeRefusal(403, "the caller is no member of this group")
    }
    let plaintext = try exchange.fields.hex("plaintext", count: 1...Int.max)
    guard plaintext.count <= 65_536 else { throw NodeRefusal(413, "at most 65536 bytes are sealed") }
    let account = tree.account(addressedBy: exchange["account"])
    try tree.requireMember(account, of: group)
    guard let root = tree.liveDevices(of: account).first?.rootKey, let rootKey = try? Hex.decode(root) else {
      throw NodeRefusal.notYet("the root key of this member has not arrived")
    }
    return .data(try SealedToAccount.seal(plaintext, to: rootKey, state.random))
  }

  // MARK: Devices

  private static let relink: NodeHandler = { state, exchange in
    let device = try state.device(exchange)
    let applications = try exchange.fields.ids("applications") ?? []
    try state.requireInstalled(applications)
    if case .only(let ids) = device.scope, !applications.isEmpty {
      state.governance.devices[device.id]?.scope = .only(ids.union(applications))
    }
    let fanOut = try state.fanOut(to: device.id, exchange)
    return .data(.object(state.scopeAnswer(device.id, fanOut)))
  }

  private static let rescope: NodeHandler = { state, exchange in
    let device = try state.device(exchange)
    let scope = try scope(exchange.fields)
    guard !device.isSelf || state.governance.secrets.root == nil else {
      throw NodeRefusal(403, "the device that holds the account's root follows everything")
    }
    try state.requireInstalled(scope.ids)
    state.governance.devices[device.id]?.scope = scope
    var descoped: [JSONValue] = []
    for namespace in state.governance.known {
      let tree = namespace.log.tree
      guard tree.devices[device.id] != nil, !scope.holds(tree.root.target.applicationId) else { continue }
      try state.govern(.deviceUnbound(device.id), in: tree.id, exchange)
      descoped.append(["namespaceId": .string(tree.id), "keyRotated": true])
    }
    var answer = state.scopeAnswer(device.id, try state.fanOut(to: device.id, exchange))
    answer["descoped"] = .array(descoped)
    return .data(.object(answer))
  }

  private static func scope(_ fields: NodeFields) throws(NodeRefusal) -> DeviceScope {
    let value = try fields.required("scope")
    if value.stringValue == "all" { return .all }
    guard let object = value.objectValue, object.keys == ["only"],
      let ids = try NodeFields(object).ids("only")
    else { throw .invalid("scope", "must be \"all\" or {\"only\": [...]}") }
    guard !ids.isEmpty else { throw .invalid("scope", "must not be empty") }
    return .only(Set(ids))
  }

  private static let label: NodeHandler = { state, exchange in
    let text = try exchange.fields.string("label").trimmingCharacters(in: .whitespacesAndNewlines)
    guard (1...64).contains(text.utf8.count),
      !text.unicodeScalars.contains(where: { $0.properties.generalCategory == .control })
    else { throw NodeRefusal.invalid("label", "must have 1 to 64 bytes and no control characters") }
    let id = exchange["device_id"]
    guard let device = state.governance.devices[id] else {
      throw NodeRefusal(403, "the device is not one of this account's")
    }
    guard state.governance.accountNamespace != nil || !state.governance.known.isEmpty else {
      throw NodeRefusal(409, "the label is unavailable: the account takes part in no namespace yet")
    }
    if let last = device.labelledAt, exchange.seconds - last < AccountDevices.labelPause {
      throw NodeRefusal(429, "the device was renamed too recently")
    }
    state.governance.devices[id]?.label = text
    state.governance.devices[id]?.labelEpoch += 1
    state.governance.devices[id]?.labelledAt = exchange.seconds
    return .data([
      "accountId": .string(state.governance.identity.account), "deviceId": .string(id),
      "label": .string(text), "labelEpoch": JSONValue(device.labelEpoch + 1),
    ])
  }

  private static let revoke: NodeHandler = { state, exchange in
    let id = try exchange.fields.id("deviceId")
    let namespace = try state.governance.namespace(exchange["namespace_id"])
    guard id != state.governance.identity.device else {
      throw NodeRefusal(403, "a node does not revoke its own device")
    }
    guard let bound = namespace.log.tree.devices[id] else { throw NodeRefusal.notFound("Device") }
    if let bytes = try exchange.fields.optionalHex("proof", count: 1...4_096) {
      try DeviceRevocation(bytes).check(id, of: bound.account)
    } else {
      guard state.governance.secrets.root != nil, bound.account == state.governance.identity.account else {
        throw NodeRefusal(403, "a revocation by the account's root is required")
      }
    }
    state.governance.devices[id]?.isRevoked = true
    var revokedIn: [JSONValue] = []
    for other in state.governance.known where other.log.tree.devices[id]?.isRevoked == false {
      try state.govern(.deviceRevoked(id), in: other.id, exchange)
      revokedIn.append(["namespaceId": .string(other.id), "keyRotated": true])
    }
    return .data([
      "accountId": .string(bound.account), "deviceId": .string(id), "keyRotated": true,
      "revokedIn": .array(revokedIn),
    ])
  }

  private static let linkDevice: NodeHandler = { state, exchange in
    let id = exchange["namespace_id"]
    let tree = try state.governance.namespace(id).log.tree
    let credential = try DeviceCredential(hex: try exchange.fields.string("credential"), field: "credential")
    // The scope is a statement of the same root; what it says beyond that is the wallet's business.
    let scope = try exchange.fields.hex("scope", count: 37...4_096)
    guard scope[0] == 2, Array(scope[1..<33]) == credential.rootKey else {
      throw NodeRefusal.invalid("scope", "is not of the credential's account")
    }
    let device = credential.bound
    guard tree.groups.keys.contains(where: { tree.isMember(device.account, of: $0) }) else {
      throw NodeRefusal(403, "the account is unknown in this namespace")
    }
    let isBound = tree.devices[device.id] == device
    if !isBound { try state.govern(.deviceBound(device), in: id, exchange) }
    return .data([
      "accountId": .string(device.account), "deviceId": .string(device.id), "alreadyBound": .bool(isBound),
    ])
  }
}

extension Governance {
  /// `AccountDeviceEntry`
  fileprivate func json(_ device: AccountDevices.Device) -> JSONValue {
    let bound = device.credential.bound
    let namespaces = known.filter { $0.log.tree.devices[bound.id] != nil }.map(\.id)
    var entry: JSONObject = [
      "deviceId": .string(bound.id), "signingKey": .string(bound.signingKey), "isSelf": .bool(device.isSelf),
      "revoked": .bool(device.isRevoked), "applications": .array(device.scope.ids.map { .string($0) }),
      "namespaces": .array(namespaces.map { .string($0) }),
    ]
    entry["label"] = device.label.map { .string($0) }
    return .object(entry)
  }
}

extension NodeState {
  fileprivate func device(_ exchange: NodeExchange) throws(NodeRefusal) -> AccountDevices.Device {
    guard let device = governance.devices[exchange["device_id"]] else { throw .notFound("Device") }
    return device
  }

  func requireInstalled(_ applications: [String]) throws(NodeRefusal) {
    for id in applications where self.applications[id] == nil {
      throw NodeRefusal(400, "the scope names an application that is unknown here: \(id)")
    }
  }

  typealias FanOut = (linked: [JSONValue], skipped: [JSONValue])

  /// Binds a device in every namespace of its scope that does not bind it yet.
  mutating func fanOut(to id: String, _ exchange: NodeExchange) throws(NodeRefusal) -> FanOut {
    guard let device = governance.devices[id] else { throw .notFound("Device") }
    var done: FanOut = ([], [])
    for namespace in governance.known {
      let tree = namespace.log.tree
      let reason: String? =
        if device.isSelf {
          "ownDevice"
        } else if device.isRevoked || tree.isRevoked(id) {
          "revoked"
        } else if !device.scope.holds(tree.root.target.applicationId) {
          "outOfScope"
        } else if tree.devices[id] != nil {
          "alreadyBound"
        } else {
          nil
        }
      if let reason {
        done.skipped.append(["namespaceId": .string(tree.id), "reason": .string(reason)])
        continue
      }
      try govern(.deviceBound(device.credential.bound), in: tree.id, exchange)
      done.linked.append([
        "namespaceId": .string(tree.id), "keyDelivered": .bool(!links.outgoing.isEmpty),
      ])
    }
    return done
  }

  fileprivate func scopeAnswer(_ id: String, _ fanOut: FanOut) -> JSONObject {
    [
      "accountId": .string(governance.identity.account), "deviceId": .string(id),
      "applications": .array((governance.devices[id]?.scope.ids ?? []).map { .string($0) }),
      "linkedIn": .array(fanOut.linked), "skipped": .array(fanOut.skipped),
    ]
  }
}
