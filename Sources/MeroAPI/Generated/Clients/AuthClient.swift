// Generated from openapi/openapi.json by scripts/generate-openapi.sh; not edited by hand.

extension Client {
  /// Begin a sign-up.
  ///
  /// Opens a registration ceremony for a new account. Nothing exists until it is finished.
  ///
  /// `POST /auth/signup/begin`
  public func authSignupBegin(
    _ input: Operations.AuthSignupBegin.Input
  ) async throws -> Operations.AuthSignupBegin.Output {
    try await perform(input)
  }

  /// Finish a sign-up.
  ///
  /// Makes the account and its first passkey, and signs it in. Finishing the same ceremony again with the
  /// same credential within 60 seconds gives the same session, so a lost answer can be asked for again at any
  /// node.
  ///
  /// `POST /auth/signup/finish`
  public func authSignupFinish(
    _ input: Operations.AuthSignupFinish.Input
  ) async throws -> Operations.AuthSignupFinish.Output {
    try await perform(input)
  }

  /// Begin a sign-in.
  ///
  /// Opens a sign-in ceremony. Without a name the authenticator offers the passkeys it can discover. The
  /// answer is the same whether or not the name exists.
  ///
  /// `POST /auth/signin/begin`
  public func authSigninBegin(
    _ input: Operations.AuthSigninBegin.Input = .init()
  ) async throws -> Operations.AuthSigninBegin.Output {
    try await perform(input)
  }

  /// Finish a sign-in.
  ///
  /// Checks the passkey's signature and opens a session. Repeatable within 60 seconds, as a sign-up is.
  ///
  /// `POST /auth/signin/finish`
  public func authSigninFinish(
    _ input: Operations.AuthSigninFinish.Input
  ) async throws -> Operations.AuthSigninFinish.Output {
    try await perform(input)
  }

  /// Refresh a session.
  ///
  /// Trades a refresh token for a new pair. The old one may be presented again for 10 seconds and gives the
  /// same new pair; after that it revokes the session.
  ///
  /// `POST /auth/refresh`
  public func authRefresh(
    _ input: Operations.AuthRefresh.Input
  ) async throws -> Operations.AuthRefresh.Output {
    try await perform(input)
  }

  /// Sign out.
  ///
  /// Ends the caller's session on every node.
  ///
  /// `POST /auth/signout`
  ///
  /// It takes no API key.
  public func authSignout(
    _ input: Operations.AuthSignout.Input = .init()
  ) async throws -> Operations.AuthSignout.Output {
    try await perform(input)
  }

  /// Who am I.
  ///
  /// Says who the caller is and what its credential may do.
  ///
  /// `GET /auth/session`
  public func authSessionGet(
    _ input: Operations.AuthSessionGet.Input = .init()
  ) async throws -> Operations.AuthSessionGet.Output {
    try await perform(input)
  }

  /// List sessions.
  ///
  /// The account's open sessions.
  ///
  /// `GET /auth/sessions`
  ///
  /// It takes no API key.
  public func authSessionList(
    _ input: Operations.AuthSessionList.Input = .init()
  ) async throws -> Operations.AuthSessionList.Output {
    try await perform(input)
  }

  /// Revoke a session.
  ///
  /// Ends one of the account's sessions.
  ///
  /// `DELETE /auth/sessions/{session}`
  ///
  /// It takes no API key.
  public func authSessionRevoke(
    _ input: Operations.AuthSessionRevoke.Input
  ) async throws -> Operations.AuthSessionRevoke.Output {
    try await perform(input)
  }

  /// List passkeys.
  ///
  /// The account's passkeys.
  ///
  /// `GET /auth/passkeys`
  ///
  /// It takes no API key.
  public func authPasskeyList(
    _ input: Operations.AuthPasskeyList.Input = .init()
  ) async throws -> Operations.AuthPasskeyList.Output {
    try await perform(input)
  }

  /// Begin adding a passkey.
  ///
  /// Opens a registration ceremony for another passkey. A passkey the account holds confirms it.
  ///
  /// `POST /auth/passkeys/begin`
  ///
  /// It needs a passkey for this very request.
  ///
  /// It takes no API key.
  public func authPasskeyBegin(
    _ input: Operations.AuthPasskeyBegin.Input = .init()
  ) async throws -> Operations.AuthPasskeyBegin.Output {
    try await perform(input)
  }

  /// Finish adding a passkey.
  ///
  /// Adds the passkey.
  ///
  /// `POST /auth/passkeys/finish`
  ///
  /// It takes no API key.
  public func authPasskeyFinish(
    _ input: Operations.AuthPasskeyFinish.Input
  ) async throws -> Operations.AuthPasskeyFinish.Output {
    try await perform(input)
  }

  /// Remove a passkey.
  ///
  /// Removes a passkey. The last one stays.
  ///
  /// `DELETE /auth/passkeys/{passkey}`
  ///
  /// It needs a passkey for this very request.
  ///
  /// It takes no API key.
  public func authPasskeyRemove(
    _ input: Operations.AuthPasskeyRemove.Input
  ) async throws -> Operations.AuthPasskeyRemove.Output {
    try await perform(input)
  }

  /// List API keys.
  ///
  /// The account's API keys.
  ///
  /// `GET /auth/api-keys`
  ///
  /// It takes no API key.
  public func authKeyList(
    _ input: Operations.AuthKeyList.Input = .init()
  ) async throws -> Operations.AuthKeyList.Output {
    try await perform(input)
  }

  /// Make an API key.
  ///
  /// Makes an API key. Its scopes are never more than the account's own rights when it is used.
  ///
  /// `POST /auth/api-keys`
  ///
  /// It needs a passkey for this very request.
  ///
  /// It takes no API key.
  public func authKeyCreate(
    _ input: Operations.AuthKeyCreate.Input
  ) async throws -> Operations.AuthKeyCreate.Output {
    try await perform(input)
  }

  /// Revoke an API key.
  ///
  /// Ends an API key at once.
  ///
  /// `DELETE /auth/api-keys/{key}`
  ///
  /// It takes no API key.
  public func authKeyRevoke(
    _ input: Operations.AuthKeyRevoke.Input
  ) async throws -> Operations.AuthKeyRevoke.Output {
    try await perform(input)
  }
}
