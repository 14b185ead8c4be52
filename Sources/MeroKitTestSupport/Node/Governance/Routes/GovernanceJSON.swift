import MeroCrypto
import MeroWire

/// How the node writes what the model keeps (20 §6.4, §6.5).
extension NamespaceTree {
  /// `Namespace`
  var namespaceJSON: JSONValue {
    var object: JSONObject = [
      "namespaceId": .string(id), "appKey": .string(root.target.appKey),
      "targetApplicationId": .string(root.target.applicationId), "createdAt": JSONValue(root.createdAt),
      "memberCount": JSONValue(members(of: id).count), "contextCount": JSONValue(root.contexts.count),
      "subgroupCount": JSONValue(children(of: id).count), "founding": founding.json,
    ]
    object["name"] = root.metadata?.name.map { .string($0) }
    object["appVersion"] = root.target.version.map { .string($0) }
    return .object(object)
  }

  /// `GroupInfoResponseData`
  func infoJSON(_ group: GroupRecord, upgrade: JSONValue?) -> JSONObject {
    var object: JSONObject = [
      "groupId": .string(group.id), "appKey": .string(group.target.appKey),
      "targetApplicationId": .string(group.target.applicationId),
      "memberCount": JSONValue(members(of: group.id).count), "contextCount": JSONValue(group.contexts.count),
      "defaultCapabilities": JSONValue(group.defaults.rawValue),
      "subgroupVisibility": .string(group.isOpen ? "open" : "restricted"),
      "groupStateHash": .string(stateHash(of: group)), "namespaceId": .string(id),
      "ownerOpCounter": JSONValue(ownerOpCounter),
    ]
    object["activeUpgrade"] = upgrade
    object["metadata"] = group.metadata?.json
    return object
  }

  /// `GroupMember`
  func memberJSON(_ account: String, of group: GroupRecord) -> JSONValue {
    var object: JSONObject = [
      "identity": .string(account), "role": .string(role(of: account, in: group.id)?.rawValue ?? ""),
    ]
    object["name"] = group.memberMetadata[account]?.name.map { .string($0) }
    return .object(object)
  }

  /// `MemberDevicesEntry`
  func devicesJSON(of account: String) -> JSONValue {
    let devices = liveDevices(of: account).map { device -> JSONValue in
      ["deviceId": .string(device.id), "signingKey": .string(device.signingKey)]
    }
    return ["account": .string(account), "devices": .array(devices)]
  }

  /// A digest of all that members share about a group.
  func stateHash(of group: GroupRecord) -> String {
    let rows = members(of: group.id).map { account -> JSONValue in
      [
        memberJSON(account, of: group), JSONValue(capabilities(of: account, in: group.id)?.rawValue ?? 0),
        group.memberMetadata[account]?.json ?? .null,
      ]
    }
    let contexts = group.contexts.values.sorted { $0.id < $1.id }.map { context -> JSONValue in
      [.string(context.id), context.metadata?.json ?? .null]
    }
    let state: JSONValue = [
      .string(group.id), .string(group.parent ?? ""), .bool(group.isOpen), .string(group.owner),
      .string(group.target.applicationId), .string(group.target.appKey), JSONValue(group.defaults.rawValue),
      .array(rows), .array(contexts), group.metadata?.json ?? .null,
      .array(group.denied.sorted().map { .string($0) }), .array(group.blocked.sorted().map { .string($0) }),
      .array(children(of: group.id).map { .string($0.id) }), JSONValue(ownerOpCounter),
    ]
    return Hex.encode(SHA256.hash(state.data()))
  }
}

extension NamespaceTree.Founding {
  var json: JSONValue { ["founderAccountId": .string(account), "salt": .string(salt)] }
}
