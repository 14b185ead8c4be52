// Generated from openapi/openapi.json by scripts/generate-openapi.sh; not edited by hand.

extension Client {
  /// Ask for consent.
  ///
  /// Begins a sign-in through the consent page: the app opens the page in the system browser, the person
  /// signs in there with a passkey, and the page sends a code back.
  ///
  /// `POST /consent/requests`
  public func consentRequestCreate(
    _ input: Operations.ConsentRequestCreate.Input
  ) async throws -> Operations.ConsentRequestCreate.Output {
    try await perform(input)
  }

  /// See a consent request.
  ///
  /// What the page shows the person.
  ///
  /// `GET /consent/requests/{request}`
  ///
  /// It takes no API key.
  public func consentRequestGet(
    _ input: Operations.ConsentRequestGet.Input
  ) async throws -> Operations.ConsentRequestGet.Output {
    try await perform(input)
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
  public func consentApprove(
    _ input: Operations.ConsentApprove.Input
  ) async throws -> Operations.ConsentApprove.Output {
    try await perform(input)
  }

  /// Deny a consent request.
  ///
  /// The person says no.
  ///
  /// `POST /consent/requests/{request}/deny`
  ///
  /// It takes no API key.
  public func consentDeny(
    _ input: Operations.ConsentDeny.Input
  ) async throws -> Operations.ConsentDeny.Output {
    try await perform(input)
  }

  /// Exchange a consent code.
  ///
  /// Trades the code for a session with the granted scopes. The code lives 60 seconds; the same exchange may
  /// be repeated within them.
  ///
  /// `POST /consent/token`
  public func consentToken(
    _ input: Operations.ConsentToken.Input
  ) async throws -> Operations.ConsentToken.Output {
    try await perform(input)
  }

  /// List grants.
  ///
  /// What the account has allowed packages.
  ///
  /// `GET /consent/grants`
  ///
  /// It takes no API key.
  public func consentGrantList(
    _ input: Operations.ConsentGrantList.Input = .init()
  ) async throws -> Operations.ConsentGrantList.Output {
    try await perform(input)
  }

  /// Revoke a grant.
  ///
  /// Takes the permission back and ends the sessions made with it.
  ///
  /// `DELETE /consent/grants/{grant}`
  ///
  /// It takes no API key.
  public func consentGrantRevoke(
    _ input: Operations.ConsentGrantRevoke.Input
  ) async throws -> Operations.ConsentGrantRevoke.Output {
    try await perform(input)
  }
}
