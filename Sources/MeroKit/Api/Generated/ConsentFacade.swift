// Generated from openapi/openapi.json by scripts/generate-openapi.sh; not edited by hand.

import MeroAPI

extension CalimeroClient {
  /// The operations of the group `consent`, as typed methods.
  ///
  /// Each answers the success value alone and throws ``CalimeroError`` otherwise.
  public struct ConsentApi: Sendable {
    let caller: any FacadeCaller

    /// Ask for consent.
    ///
    /// Begins a sign-in through the consent page: the app opens the page in the system browser, the person
    /// signs in there with a passkey, and the page sends a code back.
    ///
    /// `POST /consent/requests`
    ///
    /// - Parameters:
    ///   - package: The package that asks.
    ///   - scopes: What it asks for.
    ///   - redirectUri: Where the answer goes; one the deployment lists.
    ///   - state: At least 22 random characters, given back unchanged. At most 128 characters.
    ///   - codeChallenge: base64url of SHA-256 of the code verifier. At most 43 characters.
    ///   - apps: Apps it asks for.
    ///   - label: A name for this device. At most 80 characters.
    ///   - options: What this request does differently.
    /// - Returns: A consent request, and the page to open for it.
    /// - Throws: ``CalimeroError``; of the codes of `api`, these are its own: `INVALID_ARGUMENT`,
    ///   `NOT_FOUND`, `RATE_LIMITED`.
    public func requestCreate(
      package: String,
      scopes: [String],
      redirectUri: String,
      state: String,
      codeChallenge: String,
      apps: [String]? = nil,
      label: String? = nil,
      options: RequestOptions = .init()
    ) async throws -> Components.Schemas.ConsentCreated {
      let payload = Operations.ConsentRequestCreate.Input.Body.JsonPayload(
        package: package,
        scopes: scopes,
        apps: apps,
        redirectUri: redirectUri,
        state: state,
        codeChallenge: codeChallenge,
        label: label
      )
      let input = Operations.ConsentRequestCreate.Input(body: .json(payload))
      return try await caller.json(input, options: options)
    }

    /// See a consent request.
    ///
    /// What the page shows the person.
    ///
    /// `GET /consent/requests/{request}`
    ///
    /// It takes no API key.
    ///
    /// - Parameters:
    ///   - request: The request's id.
    ///   - options: What this request does differently.
    /// - Returns: A request as the consent page shows it.
    /// - Throws: ``CalimeroError``; of the codes of `api`, these are its own: `CONSENT_EXPIRED`, `NOT_FOUND`.
    public func requestGet(
      request: String,
      options: RequestOptions = .init()
    ) async throws -> Components.Schemas.ConsentRequest {
      let input = Operations.ConsentRequestGet.Input(path: .init(request: request))
      return try await caller.json(input, options: options)
    }

    /// Approve a consent request.
    ///
    /// The person says yes, with a passkey, and may leave scopes or apps out.
    ///
    /// `POST /consent/requests/{request}/approve`
    ///
    /// It needs a passkey for this very request.
    ///
    /// It takes no API key.
    ///
    /// - Parameters:
    ///   - request: The request's id.
    ///   - scopes: At most those asked for.
    ///   - apps: Apps granted.
    ///   - passkey: Who confirms, if asked; else the client's provider.
    ///   - options: What this request does differently.
    /// - Returns: Where the page sends the browser after the person answered.
    /// - Throws: ``CalimeroError``; of the codes of `api`, these are its own: `CONFIRM_REJECTED`,
    ///   `CONFIRM_REQUIRED`, `CONSENT_EXPIRED`, `HUMAN_REQUIRED`, `INVALID_ARGUMENT`, `NOT_FOUND`.
    public func approve(
      request: String,
      scopes: [String],
      apps: [String]? = nil,
      passkey: (any PasskeyProvider)? = nil,
      options: RequestOptions = .init()
    ) async throws -> Components.Schemas.ConsentAnswer {
      let payload = Operations.ConsentApprove.Input.Body.JsonPayload(scopes: scopes, apps: apps)
      let input = Operations.ConsentApprove.Input(path: .init(request: request), body: .json(payload))
      return try await caller.json(input, passkey: passkey, options: options)
    }

    /// Deny a consent request.
    ///
    /// The person says no.
    ///
    /// `POST /consent/requests/{request}/deny`
    ///
    /// It takes no API key.
    ///
    /// - Parameters:
    ///   - request: The request's id.
    ///   - options: What this request does differently.
    /// - Returns: Where the page sends the browser after the person answered.
    /// - Throws: ``CalimeroError``; of the codes of `api`, these are its own: `CONSENT_EXPIRED`, `NOT_FOUND`.
    public func deny(
      request: String,
      options: RequestOptions = .init()
    ) async throws -> Components.Schemas.ConsentAnswer {
      let input = Operations.ConsentDeny.Input(path: .init(request: request))
      return try await caller.json(input, options: options)
    }

    /// Exchange a consent code.
    ///
    /// Trades the code for a session with the granted scopes. The code lives 60 seconds; the same exchange
    /// may be repeated within them.
    ///
    /// `POST /consent/token`
    ///
    /// - Parameters:
    ///   - requestId: The request.
    ///   - code: The code from the redirect.
    ///   - codeVerifier: The verifier whose hash the request carried. At most 128 characters.
    ///   - options: What this request does differently.
    /// - Returns: A signed-in session: two tokens and whose they are.
    /// - Throws: ``CalimeroError``; of the codes of `api`, these are its own: `CONSENT_EXPIRED`, `NOT_FOUND`,
    ///   `RATE_LIMITED`, `UNAUTHENTICATED`.
    public func token(
      requestId: String,
      code: String,
      codeVerifier: String,
      options: RequestOptions = .init()
    ) async throws -> Components.Schemas.Session {
      let payload = Operations.ConsentToken.Input.Body.JsonPayload(
        requestId: requestId,
        code: code,
        codeVerifier: codeVerifier
      )
      let input = Operations.ConsentToken.Input(body: .json(payload))
      return try await caller.json(input, options: options)
    }

    /// List grants.
    ///
    /// What the account has allowed packages.
    ///
    /// `GET /consent/grants`
    ///
    /// It takes no API key.
    ///
    /// - Parameters:
    ///   - cursor: Where to go on: the nextCursor of the page before. At most 256 characters.
    ///   - limit: How many at most. From 1 to 200. Left out it is `50`.
    ///   - options: What this request does differently.
    /// - Returns: The account's grants.
    /// - Throws: ``CalimeroError``; of the codes of `api`, these are its own: `INVALID_CURSOR`.
    public func grantList(
      cursor: String? = nil,
      limit: Int32? = nil,
      options: RequestOptions = .init()
    ) async throws -> Components.Schemas.ConsentGrantList {
      let input = Operations.ConsentGrantList.Input(query: .init(cursor: cursor, limit: limit))
      return try await caller.json(input, options: options)
    }

    /// All that ``grantList(cursor:limit:options:)`` lists, page after page.
    ///
    /// Nothing is asked before the sequence is read.
    ///
    /// - Parameters:
    ///   - options: What this request does differently.
    public func grantAll(options: RequestOptions = .init()) -> Pages<Components.Schemas.ConsentGrant> {
      Pages(of: "consent_grant_list") { cursor in
        let page = try await grantList(cursor: cursor, limit: pageLimit, options: options)
        return (page.grants, page.nextCursor)
      }
    }

    /// Revoke a grant.
    ///
    /// Takes the permission back and ends the sessions made with it.
    ///
    /// `DELETE /consent/grants/{grant}`
    ///
    /// It takes no API key.
    ///
    /// - Parameters:
    ///   - grant: The grant's id.
    ///   - options: What this request does differently.
    /// - Throws: ``CalimeroError``; of the codes of `api`, these are its own: `NOT_FOUND`.
    public func grantRevoke(grant: String, options: RequestOptions = .init()) async throws {
      let input = Operations.ConsentGrantRevoke.Input(path: .init(grant: grant))
      try await caller.nothing(input, options: options)
    }
  }
}
