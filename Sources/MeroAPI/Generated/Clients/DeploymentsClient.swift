// Generated from openapi/openapi.json by scripts/generate-openapi.sh; not edited by hand.

extension Client {
  /// Apply to deploy.
  ///
  /// An organization asks to become a deployer. It opens a decision for the operators.
  ///
  /// `POST /deployments/signups`
  ///
  /// It takes no API key.
  public func signupCreate(
    _ input: Operations.SignupCreate.Input
  ) async throws -> Operations.SignupCreate.Output {
    try await perform(input)
  }

  /// Get an application.
  ///
  /// Where it stands.
  ///
  /// `GET /deployments/signups/{signup}`
  ///
  /// An API key needs `deployments:manage`.
  public func signupGet(_ input: Operations.SignupGet.Input) async throws -> Operations.SignupGet.Output {
    try await perform(input)
  }

  /// List deployers.
  ///
  /// Organizations that may deploy and that the caller belongs to; all of them for an operator.
  ///
  /// `GET /deployments/deployers`
  ///
  /// An API key needs `deployments:manage`.
  public func deployerList(
    _ input: Operations.DeployerList.Input = .init()
  ) async throws -> Operations.DeployerList.Output {
    try await perform(input)
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
  public func deployerRemove(
    _ input: Operations.DeployerRemove.Input
  ) async throws -> Operations.DeployerRemove.Output {
    try await perform(input)
  }

  /// List deployments.
  ///
  /// Deployments of the caller's organizations.
  ///
  /// `GET /deployments`
  ///
  /// An API key needs `deployments:manage`.
  public func deploymentList(
    _ input: Operations.DeploymentList.Input = .init()
  ) async throws -> Operations.DeploymentList.Output {
    try await perform(input)
  }

  /// Deploy a package.
  ///
  /// Makes a published version available. The first deployment of a package waits for a decision; later ones
  /// go live at once.
  ///
  /// `POST /deployments`
  ///
  /// It needs a passkey for this very request.
  ///
  /// It takes no API key.
  ///
  /// With `idempotencyKey` it is safe to repeat.
  public func deploymentCreate(
    _ input: Operations.DeploymentCreate.Input
  ) async throws -> Operations.DeploymentCreate.Output {
    try await perform(input)
  }

  /// Get a deployment.
  ///
  /// One deployment.
  ///
  /// `GET /deployments/{deployment}`
  ///
  /// An API key needs `deployments:manage`.
  public func deploymentGet(
    _ input: Operations.DeploymentGet.Input
  ) async throws -> Operations.DeploymentGet.Output {
    try await perform(input)
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
  public func deploymentUpdate(
    _ input: Operations.DeploymentUpdate.Input
  ) async throws -> Operations.DeploymentUpdate.Output {
    try await perform(input)
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
  public func deploymentDelete(
    _ input: Operations.DeploymentDelete.Input
  ) async throws -> Operations.DeploymentDelete.Output {
    try await perform(input)
  }
}
