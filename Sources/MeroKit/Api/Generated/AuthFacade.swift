// Generated from openapi/openapi.json by scripts/generate-openapi.sh; not edited by hand.

import MeroAPI

extension CalimeroClient {
  /// The operations of the group `auth`, as typed methods.
  ///
  /// Each answers the success value alone and throws ``CalimeroError`` otherwise.
  public struct AuthApi: Sendable {
    let caller: any FacadeCaller

    /// Begin a sign-up.
    ///
    /// Opens a registration ceremony for a new account. Nothing exists until it is finished.
    ///
    /// `POST /auth/signup/begin`
    ///
    /// - Parameters:
    ///   - name: The account name: 2 to 32 characters of a-z 0-9 . _ -, beginning with a letter or digit.
    ///   - displayName: The name the authenticator shows; the account name when left out. At most 80
    ///     characters.
    ///   - invite: An invitation code, where the cluster wants one.
    ///   - options: What this request does differently.
    /// - Returns: An open registration ceremony.
    /// - Throws: ``CalimeroError``; of the codes of `api`, these are its own: `INVALID_ARGUMENT`,
    ///   `INVITE_EXPIRED`, `INVITE_REQUIRED`, `NAME_TAKEN`, `RATE_LIMITED`, `SIGNUP_CLOSED`.
    public func signupBegin(
      name: String,
      displayName: String? = nil,
      invite: String? = nil,
      options: RequestOptions = .init()
    ) async throws -> Components.Schemas.CreationCeremony {
      let payload = Operations.AuthSignupBegin.Input.Body.JsonPayload(
        name: name,
        displayName: displayName,
        invite: invite
      )
      let input = Operations.AuthSignupBegin.Input(body: .json(payload))
      return try await caller.json(input, options: options)
    }

    /// Finish a sign-up.
    ///
    /// Makes the account and its first passkey, and signs it in. Finishing the same ceremony again with the
    /// same credential within 60 seconds gives the same session, so a lost answer can be asked for again at
    /// any node.
    ///
    /// `POST /auth/signup/finish`
    ///
    /// - Parameters:
    ///   - ceremonyId: The ceremony.
    ///   - credential: A new passkey, as WebAuthn serialises it.
    ///   - label: A name for this device. At most 80 characters.
    ///   - options: What this request does differently.
    /// - Returns: A signed-in session: two tokens and whose they are.
    /// - Throws: ``CalimeroError``; of the codes of `api`, these are its own: `CEREMONY_EXPIRED`,
    ///   `NAME_TAKEN`, `PASSKEY_REJECTED`, `RATE_LIMITED`.
    public func signupFinish(
      ceremonyId: String,
      credential: Components.Schemas.RegistrationCredential,
      label: String? = nil,
      options: RequestOptions = .init()
    ) async throws -> Components.Schemas.Session {
      let payload = Operations.AuthSignupFinish.Input.Body.JsonPayload(
        ceremonyId: ceremonyId,
        credential: credential,
        label: label
      )
      let input = Operations.AuthSignupFinish.Input(body: .json(payload))
      return try await caller.json(input, options: options)
    }

    /// Begin a sign-in.
    ///
    /// Opens a sign-in ceremony. Without a name the authenticator offers the passkeys it can discover. The
    /// answer is the same whether or not the name exists.
    ///
    /// `POST /auth/signin/begin`
    ///
    /// - Parameters:
    ///   - name: The account name, to narrow the choice.
    ///   - options: What this request does differently.
    /// - Returns: An open sign-in ceremony.
    /// - Throws: ``CalimeroError``; of the codes of `api`, these are its own: `RATE_LIMITED`.
    public func signinBegin(
      name: String? = nil,
      options: RequestOptions = .init()
    ) async throws -> Components.Schemas.RequestCeremony {
      let payload = Operations.AuthSigninBegin.Input.Body.JsonPayload(name: name)
      let input = Operations.AuthSigninBegin.Input(body: .json(payload))
      return try await caller.json(input, options: options)
    }

    /// Finish a sign-in.
    ///
    /// Checks the passkey's signature and opens a session. Repeatable within 60 seconds, as a sign-up is.
    ///
    /// `POST /auth/signin/finish`
    ///
    /// - Parameters:
    ///   - ceremonyId: The ceremony.
    ///   - credential: A passkey's signature, as WebAuthn serialises it.
    ///   - label: A name for this device. At most 80 characters.
    ///   - options: What this request does differently.
    /// - Returns: A signed-in session: two tokens and whose they are.
    /// - Throws: ``CalimeroError``; of the codes of `api`, these are its own: `CEREMONY_EXPIRED`,
    ///   `PASSKEY_REJECTED`, `RATE_LIMITED`, `SUSPENDED`.
    public func signinFinish(
      ceremonyId: String,
      credential: Components.Schemas.AssertionCredential,
      label: String? = nil,
      options: RequestOptions = .init()
    ) async throws -> Components.Schemas.Session {
      let payload = Operations.AuthSigninFinish.Input.Body.JsonPayload(
        ceremonyId: ceremonyId,
        credential: credential,
        label: label
      )
      let input = Operations.AuthSigninFinish.Input(body: .json(payload))
      return try await caller.json(input, options: options)
    }

    /// Refresh a session.
    ///
    /// Trades a refresh token for a new pair. The old one may be presented again for 10 seconds and gives the
    /// same new pair; after that it revokes the session.
    ///
    /// `POST /auth/refresh`
    ///
    /// - Parameters:
    ///   - refreshToken: The refresh token.
    ///   - options: What this request does differently.
    /// - Returns: A signed-in session: two tokens and whose they are.
    /// - Throws: ``CalimeroError``; of the codes of `api`, these are its own: `RATE_LIMITED`,
    ///   `REFRESH_REUSED`, `TOKEN_EXPIRED`, `TOKEN_REVOKED`, `UNAUTHENTICATED`.
    public func refresh(
      refreshToken: String,
      options: RequestOptions = .init()
    ) async throws -> Components.Schemas.Session {
      let payload = Operations.AuthRefresh.Input.Body.JsonPayload(refreshToken: refreshToken)
      let input = Operations.AuthRefresh.Input(body: .json(payload))
      return try await caller.json(input, options: options)
    }

    /// Sign out.
    ///
    /// Ends the caller's session on every node.
    ///
    /// `POST /auth/signout`
    ///
    /// It takes no API key.
    ///
    /// - Parameters:
    ///   - options: What this request does differently.
    /// - Throws: ``CalimeroError``.
    public func signout(options: RequestOptions = .init()) async throws {
      let input = Operations.AuthSignout.Input()
      try await caller.nothing(input, options: options)
    }

    /// Who am I.
    ///
    /// Says who the caller is and what its credential may do.
    ///
    /// `GET /auth/session`
    ///
    /// - Parameters:
    ///   - options: What this request does differently.
    /// - Returns: Who the caller is and what it may do.
    /// - Throws: ``CalimeroError``.
    public func sessionGet(options: RequestOptions = .init()) async throws -> Components.Schemas.Caller {
      let input = Operations.AuthSessionGet.Input()
      return try await caller.json(input, options: options)
    }

    /// List sessions.
    ///
    /// The account's open sessions.
    ///
    /// `GET /auth/sessions`
    ///
    /// It takes no API key.
    ///
    /// - Parameters:
    ///   - cursor: Where to go on: the nextCursor of the page before. At most 256 characters.
    ///   - limit: How many at most. From 1 to 200. Left out it is `50`.
    ///   - options: What this request does differently.
    /// - Returns: A page of sessions.
    /// - Throws: ``CalimeroError``.
    public func sessionList(
      cursor: String? = nil,
      limit: Int32? = nil,
      options: RequestOptions = .init()
    ) async throws -> Components.Schemas.SessionList {
      let input = Operations.AuthSessionList.Input(query: .init(cursor: cursor, limit: limit))
      return try await caller.json(input, options: options)
    }

    /// All that ``sessionList(cursor:limit:options:)`` lists, page after page.
    ///
    /// Nothing is asked before the sequence is read.
    ///
    /// - Parameters:
    ///   - options: What this request does differently.
    public func sessionAll(options: RequestOptions = .init()) -> Pages<Components.Schemas.SessionInfo> {
      Pages(of: "auth_session_list") { cursor in
        let page = try await sessionList(cursor: cursor, limit: pageLimit, options: options)
        return (page.sessions, page.nextCursor)
      }
    }

    /// Revoke a session.
    ///
    /// Ends one of the account's sessions.
    ///
    /// `DELETE /auth/sessions/{session}`
    ///
    /// It takes no API key.
    ///
    /// - Parameters:
    ///   - session: The session's id.
    ///   - options: What this request does differently.
    /// - Throws: ``CalimeroError``; of the codes of `api`, these are its own: `NOT_FOUND`.
    public func sessionRevoke(session: String, options: RequestOptions = .init()) async throws {
      let input = Operations.AuthSessionRevoke.Input(path: .init(session: session))
      try await caller.nothing(input, options: options)
    }

    /// List passkeys.
    ///
    /// The account's passkeys.
    ///
    /// `GET /auth/passkeys`
    ///
    /// It takes no API key.
    ///
    /// - Parameters:
    ///   - options: What this request does differently.
    /// - Returns: The account's passkeys.
    /// - Throws: ``CalimeroError``.
    public func passkeyList(
      options: RequestOptions = .init()
    ) async throws -> Components.Schemas.PasskeyList {
      let input = Operations.AuthPasskeyList.Input()
      return try await caller.json(input, options: options)
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
    ///
    /// - Parameters:
    ///   - label: A name for it. At most 80 characters.
    ///   - passkey: Who confirms, if asked; else the client's provider.
    ///   - options: What this request does differently.
    /// - Returns: An open registration ceremony.
    /// - Throws: ``CalimeroError``; of the codes of `api`, these are its own: `CONFIRM_REJECTED`,
    ///   `CONFIRM_REQUIRED`, `HUMAN_REQUIRED`.
    public func passkeyBegin(
      label: String? = nil,
      passkey: (any PasskeyProvider)? = nil,
      options: RequestOptions = .init()
    ) async throws -> Components.Schemas.CreationCeremony {
      let payload = Operations.AuthPasskeyBegin.Input.Body.JsonPayload(label: label)
      let input = Operations.AuthPasskeyBegin.Input(body: .json(payload))
      return try await caller.json(input, passkey: passkey, options: options)
    }

    /// Finish adding a passkey.
    ///
    /// Adds the passkey.
    ///
    /// `POST /auth/passkeys/finish`
    ///
    /// It takes no API key.
    ///
    /// - Parameters:
    ///   - ceremonyId: The ceremony.
    ///   - credential: A new passkey, as WebAuthn serialises it.
    ///   - label: A name for it. At most 80 characters.
    ///   - options: What this request does differently.
    /// - Returns: A passkey the account holds.
    /// - Throws: ``CalimeroError``; of the codes of `api`, these are its own: `CEREMONY_EXPIRED`,
    ///   `PASSKEY_REJECTED`.
    public func passkeyFinish(
      ceremonyId: String,
      credential: Components.Schemas.RegistrationCredential,
      label: String? = nil,
      options: RequestOptions = .init()
    ) async throws -> Components.Schemas.Passkey {
      let payload = Operations.AuthPasskeyFinish.Input.Body.JsonPayload(
        ceremonyId: ceremonyId,
        credential: credential,
        label: label
      )
      let input = Operations.AuthPasskeyFinish.Input(body: .json(payload))
      return try await caller.json(input, options: options)
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
    ///
    /// - Parameters:
    ///   - passkey: The passkey's id.
    ///   - provider: Who confirms, if asked; else the client's provider.
    ///   - options: What this request does differently.
    /// - Throws: ``CalimeroError``; of the codes of `api`, these are its own: `CONFIRM_REJECTED`,
    ///   `CONFIRM_REQUIRED`, `HUMAN_REQUIRED`, `LAST_PASSKEY`, `NOT_FOUND`.
    public func passkeyRemove(
      passkey: String,
      passkey provider: (any PasskeyProvider)? = nil,
      options: RequestOptions = .init()
    ) async throws {
      let input = Operations.AuthPasskeyRemove.Input(path: .init(passkey: passkey))
      try await caller.nothing(input, passkey: provider, options: options)
    }

    /// List API keys.
    ///
    /// The account's API keys.
    ///
    /// `GET /auth/api-keys`
    ///
    /// It takes no API key.
    ///
    /// - Parameters:
    ///   - cursor: Where to go on: the nextCursor of the page before. At most 256 characters.
    ///   - limit: How many at most. From 1 to 200. Left out it is `50`.
    ///   - options: What this request does differently.
    /// - Returns: The account's API keys.
    /// - Throws: ``CalimeroError``.
    public func keyList(
      cursor: String? = nil,
      limit: Int32? = nil,
      options: RequestOptions = .init()
    ) async throws -> Components.Schemas.ApiKeyList {
      let input = Operations.AuthKeyList.Input(query: .init(cursor: cursor, limit: limit))
      return try await caller.json(input, options: options)
    }

    /// All that ``keyList(cursor:limit:options:)`` lists, page after page.
    ///
    /// Nothing is asked before the sequence is read.
    ///
    /// - Parameters:
    ///   - options: What this request does differently.
    public func keyAll(options: RequestOptions = .init()) -> Pages<Components.Schemas.ApiKey> {
      Pages(of: "auth_key_list") { cursor in
        let page = try await keyList(cursor: cursor, limit: pageLimit, options: options)
        return (page.keys, page.nextCursor)
      }
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
    ///
    /// - Parameters:
    ///   - label: 1 to 80 characters, no control characters, no leading or trailing spaces.
    ///   - scopes: At least one scope.
    ///   - apps: Limit it to these apps.
    ///   - orgs: Limit it to these organizations.
    ///   - expiresAt: Unix milliseconds when it ends.
    ///   - passkey: Who confirms, if asked; else the client's provider.
    ///   - options: What this request does differently.
    /// - Returns: A new API key with its secret, which is shown this once.
    /// - Throws: ``CalimeroError``; of the codes of `api`, these are its own: `CONFIRM_REJECTED`,
    ///   `CONFIRM_REQUIRED`, `HUMAN_REQUIRED`, `INVALID_ARGUMENT`, `QUOTA_EXCEEDED`.
    public func keyCreate(
      label: String,
      scopes: [String],
      apps: [String]? = nil,
      orgs: [String]? = nil,
      expiresAt: Int64? = nil,
      passkey: (any PasskeyProvider)? = nil,
      options: RequestOptions = .init()
    ) async throws -> Components.Schemas.ApiKeyCreated {
      let payload = Operations.AuthKeyCreate.Input.Body.JsonPayload(
        label: label,
        scopes: scopes,
        apps: apps,
        orgs: orgs,
        expiresAt: expiresAt
      )
      let input = Operations.AuthKeyCreate.Input(body: .json(payload))
      return try await caller.json(input, passkey: passkey, options: options)
    }

    /// Revoke an API key.
    ///
    /// Ends an API key at once.
    ///
    /// `DELETE /auth/api-keys/{key}`
    ///
    /// It takes no API key.
    ///
    /// - Parameters:
    ///   - key: The key's id.
    ///   - options: What this request does differently.
    /// - Throws: ``CalimeroError``; of the codes of `api`, these are its own: `NOT_FOUND`.
    public func keyRevoke(key: String, options: RequestOptions = .init()) async throws {
      let input = Operations.AuthKeyRevoke.Input(path: .init(key: key))
      try await caller.nothing(input, options: options)
    }
  }
}
