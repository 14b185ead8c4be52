import MeroCrypto
import MeroWire

// Sign-up and sign-in with a passkey (70 §2.10).

extension ClusterState {
  static let signInHandlers: [String: Handler] = [
    "auth_signup_begin": { state, _, x in try state.beginSignUp(x) },
    "auth_signup_finish": { state, _, x in try state.finishSignUp(x) },
    "auth_signin_begin": { state, _, x in try state.beginSignIn(x) },
    "auth_signin_finish": { state, _, x in try state.finishSignIn(x) },
  ]

  private func beginSignUp(_ x: Exchange) throws -> Outcome {
    let invite = signup == .invite ? x.peek("invite") : nil
    switch signup {
    case .open: break
    case .closed: throw Refusal(403, "SIGNUP_CLOSED", "the cluster takes no new accounts")
    case .invite:
      guard let invite, signupInvites.contains(invite) else {
        throw Refusal(403, "INVITE_REQUIRED", "the cluster takes new accounts by invitation only")
      }
    }
    let fields = try x.fields()
    let name = fields["name"]?.stringValue ?? ""
    try requireFree(accountName: name)
    if let invite, isUsedUp(invite) {
      throw Refusal(
        410, "INVITE_EXPIRED", "the invitation is used up",
        details: ["state": .string(InviteRecord.State.used.rawValue)])
    }
    let userHandle = ids.bytes(32)
    return .answer(
      200,
      beginCreation(
        .signUp(name: name, userHandle: userHandle, invite: invite), userHandle: userHandle, name: name,
        displayName: fields["displayName"], x))
  }

  private func finishSignUp(_ x: Exchange) throws -> Outcome {
    let fields = try x.fields()
    let ceremony = try ceremony(fields)
    guard case .signUp(let name, let userHandle, let invite) = ceremony.purpose else {
      throw Refusal.ceremonyExpired
    }
    if let kept = try keptAnswer(of: ceremony, fields, x) { return .answer(201, kept) }
    do {
      try requireFree(accountName: name)
      // Somebody else may have been quicker; whoever begins again is told so.
      if let invite, isUsedUp(invite) { throw Refusal.ceremonyExpired }
      let registration = try relyingParty.register(
        fields["credential"]?.objectValue ?? [:], challenge: ceremony.challenge)
      guard passkeysByCredential[registration.credentialId] == nil else {
        throw Refusal.passkeyRejected("the credential is registered already")
      }
      let account = AccountRecord(id: ids.id("acc", at: x.now), name: name, userHandle: userHandle)
      accounts.insert(account)
      accountsByName[name] = account
      if let invite, let left = progress.signupUsesLeft[invite] { progress.signupUsesLeft[invite] = left - 1 }
      add(registration, to: account, label: fields["label"]?.stringValue, at: x.now)
      return .answer(201, finish(ceremony, fields, account, x))
    } catch {
      ceremony.spent = .failed
      throw error
    }
  }

  private func beginSignIn(_ x: Exchange) throws -> Outcome {
    let name = try x.fields()["name"]?.stringValue
    let account = name.flatMap { accountsByName[$0] }
    let (id, ceremony) = open(.signIn(account), x)
    var allowed = account?.passkeys.map(\.credentialId) ?? []
    if let name, account == nil {
      // An unknown name must look like a known one, and the same each time it is asked for.
      allowed = [Base64URL.encode(HMACSHA256.authenticate(Array(name.utf8), key: secret).prefix(16))]
    }
    let descriptors = allowed.map { ["type": "public-key", "id": .string($0)] as JSONValue }
    return .answer(
      200,
      [
        "ceremonyId": .string(id), "expiresAt": JSONValue(ceremony.expiresAt),
        "options": [
          "challenge": .string(Base64URL.encode(ceremony.challenge)), "rpId": .string(relyingParty.id),
          "timeout": JSONValue(Self.ceremonyLifetime), "allowCredentials": .array(descriptors),
          "userVerification": "required",
        ],
      ])
  }

  private func finishSignIn(_ x: Exchange) throws -> Outcome {
    let fields = try x.fields()
    let ceremony = try ceremony(fields)
    guard case .signIn(let named) = ceremony.purpose else { throw Refusal.ceremonyExpired }
    if let kept = try keptAnswer(of: ceremony, fields, x) { return .answer(200, kept) }
    do {
      let passkey = try verify(
        fields["credential"]?.objectValue ?? [:], challenge: ceremony.challenge, of: named, at: x.now)
      if passkey.account.isSuspended { throw Refusal.suspended("account") }
      return .answer(200, finish(ceremony, fields, passkey.account, x))
    } catch {
      ceremony.spent = .failed
      throw error
    }
  }

  /// Checks an assertion against the passkey it names, which must be `account`'s when one is given.
  func verify(
    _ credential: JSONObject, challenge: [UInt8], of account: AccountRecord?, at now: Int64
  ) throws -> PasskeyRecord {
    guard let passkey = passkeysByCredential[credential["id"]?.stringValue ?? ""],
      account == nil || passkey.account === account
    else { throw Refusal.passkeyRejected("the account holds no such credential") }
    let assertion = try relyingParty.verify(
      credential, challenge: challenge,
      by: RelyingParty.Known(
        key: passkey.key, counter: passkey.counter, isBackupEligible: passkey.isBackupEligible,
        userHandle: passkey.account.userHandle))
    passkey.counter = assertion.counter
    passkey.isBackedUp = assertion.isBackedUp
    passkey.lastUsedAt = now
    return passkey
  }

  @discardableResult
  func add(
    _ registration: RelyingParty.Registration, to account: AccountRecord, label: String?, at now: Int64
  ) -> PasskeyRecord {
    let passkey = PasskeyRecord(
      id: ids.id("pk", at: now), account: account, registration, label: label, createdAt: now)
    account.passkeys.append(passkey)
    passkeys.insert(passkey)
    passkeysByCredential[passkey.credentialId] = passkey
    return passkey
  }

  /// Whether a code made as many accounts as it may.
  private func isUsedUp(_ invite: String) -> Bool { progress.signupUsesLeft[invite].map { $0 <= 0 } ?? false }

  private func requireFree(accountName name: String) throws {
    guard accountsByName[name] == nil else { throw Refusal(409, "NAME_TAKEN", "the name \(name) is in use") }
  }

  /// The same session for the same credential for a minute; `nil` for a ceremony that is still open.
  private func keptAnswer(of ceremony: CeremonyRecord, _ fields: JSONObject, _ x: Exchange) throws
    -> JSONValue?
  {
    switch ceremony.spent {
    case .finished(let credential, let pair, let at)
    where credential == fields["credential"] && x.now < at + Self.ceremonyRepeat:
      return session(pair, at: x.now)
    case .finished, .added, .failed:
      throw Refusal.ceremonyExpired
    case nil:
      guard x.now < ceremony.expiresAt else { throw Refusal.ceremonyExpired }
      return nil
    }
  }

  private func finish(
    _ ceremony: CeremonyRecord, _ fields: JSONObject, _ account: AccountRecord, _ x: Exchange
  ) -> JSONValue {
    let pair = openSession(
      for: account, kind: .passkey, scopes: ["all"], label: fields["label"]?.stringValue, x)
    ceremony.spent = .finished(credential: fields["credential"] ?? .null, pair, at: x.now)
    return session(pair, at: x.now)
  }
}
