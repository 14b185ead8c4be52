// Generated from openapi/openapi.json by scripts/generate-openapi.sh; not edited by hand.

import MeroAPI

extension CalimeroClient {
  /// The operations of the group `deployments`, as typed methods.
  ///
  /// Each answers the success value alone and throws ``CalimeroError`` otherwise.
  public struct DeploymentsApi: Sendable {
    let caller: any FacadeCaller

    /// Apply to deploy.
    ///
    /// An organization asks to become a deployer. It opens a decision for the operators.
    ///
    /// `POST /deployments/signups`
    ///
    /// It takes no API key.
    ///
    /// - Parameters:
    ///   - org: The organization.
    ///   - reason: What it wants to deploy. At most 2000 characters.
    ///   - contact: How to reach it. At most 200 characters.
    ///   - options: What this request does differently.
    /// - Returns: An organization's application to deploy packages.
    /// - Throws: ``CalimeroError``; of the codes of `api`, these are its own: `ALREADY_EXISTS`, `NOT_FOUND`.
    public func signupCreate(
      org: String,
      reason: String,
      contact: String? = nil,
      options: RequestOptions = .init()
    ) async throws -> Components.Schemas.DeployerSignup {
      let payload = Operations.SignupCreate.Input.Body.JsonPayload(org: org, reason: reason, contact: contact)
      let input = Operations.SignupCreate.Input(body: .json(payload))
      return try await caller.json(input, options: options)
    }

    /// Get an application.
    ///
    /// Where it stands.
    ///
    /// `GET /deployments/signups/{signup}`
    ///
    /// An API key needs `deployments:manage`.
    ///
    /// - Parameters:
    ///   - signup: The application's id.
    ///   - options: What this request does differently.
    /// - Returns: An organization's application to deploy packages.
    /// - Throws: ``CalimeroError``; of the codes of `api`, these are its own: `NOT_FOUND`.
    public func signupGet(
      signup: String,
      options: RequestOptions = .init()
    ) async throws -> Components.Schemas.DeployerSignup {
      let input = Operations.SignupGet.Input(path: .init(signup: signup))
      return try await caller.json(input, options: options)
    }

    /// List deployers.
    ///
    /// Organizations that may deploy and that the caller belongs to; all of them for an operator.
    ///
    /// `GET /deployments/deployers`
    ///
    /// An API key needs `deployments:manage`.
    ///
    /// - Parameters:
    ///   - cursor: Where to go on: the nextCursor of the page before. At most 256 characters.
    ///   - limit: How many at most. From 1 to 200. Left out it is `50`.
    ///   - options: What this request does differently.
    /// - Returns: A page of deployers.
    /// - Throws: ``CalimeroError``; of the codes of `api`, these are its own: `INVALID_CURSOR`.
    public func deployerList(
      cursor: String? = nil,
      limit: Int32? = nil,
      options: RequestOptions = .init()
    ) async throws -> Components.Schemas.DeployerList {
      let input = Operations.DeployerList.Input(query: .init(cursor: cursor, limit: limit))
      return try await caller.json(input, options: options)
    }

    /// All that ``deployerList(cursor:limit:options:)`` lists, page after page.
    ///
    /// Nothing is asked before the sequence is read.
    ///
    /// - Parameters:
    ///   - options: What this request does differently.
    public func deployerAll(options: RequestOptions = .init()) -> Pages<Components.Schemas.Deployer> {
      Pages(of: "deployer_list") { cursor in
        let page = try await deployerList(cursor: cursor, limit: pageLimit, options: options)
        return (page.deployers, page.nextCursor)
      }
    }

    /// Remove a deployer.
    ///
    /// Ends an organization's right to deploy. Its deployments are paused.
    ///
    /// `DELETE /deployments/deployers/{deployer}`
    ///
    /// It needs an operator's signature.
    ///
    /// It takes no API key.
    ///
    /// - Parameters:
    ///   - deployer: The deployer's id.
    ///   - operatorSigner: Who signs, if asked; else the client's signer.
    ///   - options: What this request does differently.
    /// - Throws: ``CalimeroError``; of the codes of `api`, these are its own: `NOT_FOUND`, `NOT_OPERATOR`,
    ///   `OPERATOR_SIGNATURE_REJECTED`, `OPERATOR_SIGNATURE_REQUIRED`.
    public func deployerRemove(
      deployer: String,
      operatorSigner: (any OperatorSigner)? = nil,
      options: RequestOptions = .init()
    ) async throws {
      let input = Operations.DeployerRemove.Input(path: .init(deployer: deployer))
      try await caller.nothing(input, operatorSigner: operatorSigner, options: options)
    }

    /// List deployments.
    ///
    /// Deployments of the caller's organizations.
    ///
    /// `GET /deployments`
    ///
    /// An API key needs `deployments:manage`.
    ///
    /// - Parameters:
    ///   - org: Only this organization's.
    ///   - cursor: Where to go on: the nextCursor of the page before. At most 256 characters.
    ///   - limit: How many at most. From 1 to 200. Left out it is `50`.
    ///   - options: What this request does differently.
    /// - Returns: A page of deployments.
    /// - Throws: ``CalimeroError``; of the codes of `api`, these are its own: `INVALID_CURSOR`.
    public func list(
      org: String? = nil,
      cursor: String? = nil,
      limit: Int32? = nil,
      options: RequestOptions = .init()
    ) async throws -> Components.Schemas.DeploymentList {
      let input = Operations.DeploymentList.Input(query: .init(org: org, cursor: cursor, limit: limit))
      return try await caller.json(input, options: options)
    }

    /// All that ``list(org:cursor:limit:options:)`` lists, page after page.
    ///
    /// Nothing is asked before the sequence is read.
    ///
    /// - Parameters:
    ///   - org: Only this organization's.
    ///   - options: What this request does differently.
    public func all(
      org: String? = nil,
      options: RequestOptions = .init()
    ) -> Pages<Components.Schemas.Deployment> {
      Pages(of: "deployment_list") { cursor in
        let page = try await list(org: org, cursor: cursor, limit: pageLimit, options: options)
        return (page.deployments, page.nextCursor)
      }
    }

    /// Deploy a package.
    ///
    /// Makes a published version available. The first deployment of a package waits for a decision; later
    /// ones go live at once.
    ///
    /// `POST /deployments`
    ///
    /// It needs a passkey for this very request.
    ///
    /// It takes no API key.
    ///
    /// With `idempotencyKey` it is safe to repeat.
    ///
    /// - Parameters:
    ///   - package: The package.
    ///   - version: The version.
    ///   - org: The deployer.
    ///   - autoUpgrade: Whether its apps follow the version. Left out it is `false`.
    ///   - redirectUris: Redirect URIs for consent.
    ///   - siteBlob: SHA-256 of an uploaded archive to host as the web app.
    ///   - idempotencyKey: Makes a repeat of this request safe: 1 to 64 characters of A-Z a-z 0-9 - and _.
    ///   - passkey: Who confirms, if asked; else the client's provider.
    ///   - options: What this request does differently.
    /// - Returns: A package made available on the cluster.
    /// - Throws: ``CalimeroError``; of the codes of `api`, these are its own: `ALREADY_EXISTS`,
    ///   `CONFIRM_REJECTED`, `CONFIRM_REQUIRED`, `HUMAN_REQUIRED`, `IDEMPOTENCY_KEY_REUSED`,
    ///   `INVALID_ARGUMENT`, `NOT_FOUND`.
    public func create(
      package: String,
      version: String,
      org: String,
      autoUpgrade: Bool? = nil,
      redirectUris: [String]? = nil,
      siteBlob: String? = nil,
      idempotencyKey: String? = nil,
      passkey: (any PasskeyProvider)? = nil,
      options: RequestOptions = .init()
    ) async throws -> Components.Schemas.Deployment {
      let payload = Operations.DeploymentCreate.Input.Body.JsonPayload(
        package: package,
        version: version,
        org: org,
        autoUpgrade: autoUpgrade,
        redirectUris: redirectUris,
        siteBlob: siteBlob,
        idempotencyKey: idempotencyKey
      )
      let input = Operations.DeploymentCreate.Input(body: .json(payload))
      return try await caller.json(input, passkey: passkey, options: options)
    }

    /// Get a deployment.
    ///
    /// One deployment.
    ///
    /// `GET /deployments/{deployment}`
    ///
    /// An API key needs `deployments:manage`.
    ///
    /// - Parameters:
    ///   - deployment: The deployment's id.
    ///   - options: What this request does differently.
    /// - Returns: A package made available on the cluster.
    /// - Throws: ``CalimeroError``; of the codes of `api`, these are its own: `NOT_FOUND`.
    public func get(
      deployment: String,
      options: RequestOptions = .init()
    ) async throws -> Components.Schemas.Deployment {
      let input = Operations.DeploymentGet.Input(path: .init(deployment: deployment))
      return try await caller.json(input, options: options)
    }

    /// Change a deployment.
    ///
    /// Changes the version new apps start with, its state or its web app. Going to an older version is how it
    /// is rolled back.
    ///
    /// `PATCH /deployments/{deployment}`
    ///
    /// It needs a passkey for this very request.
    ///
    /// It takes no API key.
    ///
    /// - Parameters:
    ///   - deployment: The deployment's id.
    ///   - version: The version.
    ///   - state: Where a deployment stands.
    ///   - autoUpgrade: Whether its apps follow.
    ///   - redirectUris: Redirect URIs for consent.
    ///   - siteBlob: SHA-256 of the web app's archive.
    ///   - passkey: Who confirms, if asked; else the client's provider.
    ///   - options: What this request does differently.
    /// - Returns: A package made available on the cluster.
    /// - Throws: ``CalimeroError``; of the codes of `api`, these are its own: `CONFIRM_REJECTED`,
    ///   `CONFIRM_REQUIRED`, `CONFLICT`, `HUMAN_REQUIRED`, `NOT_FOUND`, `VERSION_CONFLICT`.
    public func update(
      deployment: String,
      version: String? = nil,
      state: Components.Schemas.DeploymentState? = nil,
      autoUpgrade: Bool? = nil,
      redirectUris: [String]? = nil,
      siteBlob: String? = nil,
      passkey: (any PasskeyProvider)? = nil,
      options: RequestOptions = .init()
    ) async throws -> Components.Schemas.Deployment {
      let payload = Operations.DeploymentUpdate.Input.Body.JsonPayload(
        version: version,
        state: state,
        autoUpgrade: autoUpgrade,
        redirectUris: redirectUris,
        siteBlob: siteBlob
      )
      let input = Operations.DeploymentUpdate.Input(path: .init(deployment: deployment), body: .json(payload))
      return try await caller.json(input, passkey: passkey, options: options)
    }

    /// Delete a deployment.
    ///
    /// Deletes a deployment that no app uses.
    ///
    /// `DELETE /deployments/{deployment}`
    ///
    /// It needs a passkey for this very request.
    ///
    /// It takes no API key.
    ///
    /// - Parameters:
    ///   - deployment: The deployment's id.
    ///   - passkey: Who confirms, if asked; else the client's provider.
    ///   - options: What this request does differently.
    /// - Throws: ``CalimeroError``; of the codes of `api`, these are its own: `CONFIRM_REJECTED`,
    ///   `CONFIRM_REQUIRED`, `CONFLICT`, `HUMAN_REQUIRED`, `NOT_FOUND`.
    public func delete(
      deployment: String,
      passkey: (any PasskeyProvider)? = nil,
      options: RequestOptions = .init()
    ) async throws {
      let input = Operations.DeploymentDelete.Input(path: .init(deployment: deployment))
      try await caller.nothing(input, passkey: passkey, options: options)
    }
  }
}
