import MeroWire

// An account's passkeys: another one, the list, one less (70 §2.10).

extension ClusterState {
  static let passkeyHandlers: [String: Handler] = [
    "auth_passkey_begin": { state, _, x in try state.beginPasskey(x) },
    "auth_passkey_finish": { state, _, x in try state.finishPasskey(x) },
    "auth_passkey_list": { state, _, x in try state.listPasskeys(x) },
    "auth_passkey_remove": { state, _, x in try state.removePasskey(x) },
  ]

  private func beginPasskey(_ x: Exchange) throws -> Outcome {
    let caller = try caller(x)
    let fields = try x.fields()
    try requireConfirmation(x, by: caller)
    let account = caller.account
    return .answer(
      200,
      beginCreation(
        .addPasskey(account, label: fields["label"]?.stringValue), userHandle: account.userHandle,
        name: account.name, excluding: account.passkeys, x))
  }

  private func finishPasskey(_ x: Exchange) throws -> Outcome {
    let caller = try caller(x)
    let fields = try x.fields()
    let ceremony = try ceremony(fields)
    guard case .addPasskey(let account, let label) = ceremony.purpose, account === caller.account else {
      throw Refusal.ceremonyExpired
    }
    switch ceremony.spent {
    case .added(let credential, let passkey, let at)
    where credential == fields["credential"] && x.now < at + Self.ceremonyRepeat:
      return .answer(201, describe(passkey))
    case .added, .finished, .failed: throw Refusal.ceremonyExpired
    case nil: guard x.now < ceremony.expiresAt else { throw Refusal.ceremonyExpired }
    }
    do {
      let registration = try relyingParty.register(
        fields["credential"]?.objectValue ?? [:], challenge: ceremony.challenge)
      guard passkeysByCredential[registration.credentialId] == nil else {
        throw Refusal.passkeyRejected("the credential is registered already")
      }
      let passkey = add(
        registration, to: account, label: fields["label"]?.stringValue ?? label, at: x.now)
      ceremony.spent = .added(credential: fields["credential"] ?? .null, passkey, at: x.now)
      return .answer(201, describe(passkey))
    } catch {
      ceremony.spent = .failed
      throw error
    }
  }

  private func listPasskeys(_ x: Exchange) throws -> Outcome {
    let caller = try caller(x)
    _ = try x.fields()
    return .answer(200, ["passkeys": .array(caller.account.passkeys.map(describe))])
  }

  private func removePasskey(_ x: Exchange) throws -> Outcome {
    let caller = try caller(x)
    let account = caller.account
    guard let passkey = passkeys[x.path["passkey"] ?? ""], passkey.account === account else {
      throw Refusal.notFound("passkey")
    }
    _ = try x.fields()
    guard account.passkeys.count > 1 else {
      throw Refusal(409, "LAST_PASSKEY", "an account keeps at least one passkey")
    }
    try requireConfirmation(x, by: caller)
    account.passkeys.removeAll { $0 === passkey }
    passkeysByCredential[passkey.credentialId] = nil
    passkeys.remove(passkey.id)
    return .answer(204, nil)
  }

  private func describe(_ passkey: PasskeyRecord) -> JSONValue {
    var answer: JSONObject = [
      "passkeyId": .string(passkey.id), "credentialId": .string(passkey.credentialId),
      "algorithm": JSONValue(passkey.key.algorithm), "backedUp": .bool(passkey.isBackedUp),
      "createdAt": JSONValue(passkey.createdAt),
    ]
    answer["label"] = passkey.label.map { .string($0) }
    answer["lastUsedAt"] = passkey.lastUsedAt.map { JSONValue($0) }
    return .object(answer)
  }
}
