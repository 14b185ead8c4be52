import MeroCrypto
import MeroWire

// Keys for machines (70 §2.13).

extension ClusterState {
  static let apiKeyHandlers: [String: Handler] = [
    "auth_key_create": { state, _, x in try state.createKey(x) },
    "auth_key_list": { state, _, x in try state.listKeys(x) },
    "auth_key_revoke": { state, _, x in try state.revokeKey(x) },
  ]

  private static let keysPerAccount = 50

  private func createKey(_ x: Exchange) throws -> Outcome {
    let caller = try caller(x)
    let fields = try x.fields()
    let label = fields["label"]?.stringValue ?? ""
    try requireName(label, field: "label")
    let scopes = fields.texts("scopes")
    for scope in scopes where scope == "all" || !document.scopes.contains(scope) {
      throw Refusal.invalidArgument("scopes", "has \(scope), which no key can have")
    }
    let (apps, orgs) = (fields.texts("apps"), fields.texts("orgs"))
    // What the account may not know of cannot be told from what is not there.
    guard orgs.allSatisfy({ self.orgs[$0]?.role(of: caller.account.id) != nil }) else {
      throw Refusal.invalidArgument("orgs", "names an organization the account does not belong to")
    }
    guard apps.allSatisfy({ self.apps[$0]?.role(of: caller.account) != nil }) else {
      throw Refusal.invalidArgument("apps", "names an app the account has no part in")
    }
    let expiresAt = fields["expiresAt"]?.int64
    if let expiresAt, expiresAt <= x.now { throw Refusal.invalidArgument("expiresAt", "is over already") }
    try requireConfirmation(x, by: caller)
    guard keys(of: caller.account).count < Self.keysPerAccount else {
      throw Refusal(
        403, "QUOTA_EXCEEDED", "an account has at most \(Self.keysPerAccount) API keys",
        details: ["quota": "apiKeys"])
    }
    let id = ids.id("key", at: x.now)
    let secret = ids.token("cmk_\(id.dropFirst("key_".count))_")
    let key = ApiKeyRecord(
      id: id, account: caller.account, secretHash: SHA256.hash(Array(secret.utf8)), label: label,
      scopes: scopes, apps: apps, orgs: orgs, createdAt: x.now, expiresAt: expiresAt)
    apiKeys.insert(key)
    return .answer(201, ["key": describe(key), "secret": .string(secret)])
  }

  private func listKeys(_ x: Exchange) throws -> Outcome {
    let caller = try caller(x)
    _ = try x.fields()
    return try list(
      "keys", keys(of: caller.account), x, for: caller, by: \.id, isBefore: >, describe)
  }

  /// A key that was revoked stays on record for a month, so that a repeat of this finds it and its use is told from a
  /// stranger's.
  private func revokeKey(_ x: Exchange) throws -> Outcome {
    let caller = try caller(x)
    guard let key = apiKeys[x.path["key"] ?? ""], key.account === caller.account else {
      throw Refusal.notFound("API key")
    }
    _ = try x.fields()
    key.revokedAt = key.revokedAt ?? x.now
    endStreams(.ended) { $0.credential == key.id }
    return .answer(204, nil)
  }

  private func keys(of account: AccountRecord) -> [ApiKeyRecord] {
    apiKeys.values.filter { $0.account === account && !$0.isRevoked }
  }

  private func describe(_ key: ApiKeyRecord) -> JSONValue {
    func texts(_ list: [String]) -> JSONValue { .array(list.map { .string($0) }) }
    var answer: JSONObject = [
      "keyId": .string(key.id), "label": .string(key.label), "scopes": texts(key.scopes),
      "apps": texts(key.apps), "orgs": texts(key.orgs), "createdAt": JSONValue(key.createdAt),
    ]
    answer["expiresAt"] = key.expiresAt.map { JSONValue($0) }
    answer["lastUsedAt"] = key.lastUsedAt.map { JSONValue($0) }
    return .object(answer)
  }
}
