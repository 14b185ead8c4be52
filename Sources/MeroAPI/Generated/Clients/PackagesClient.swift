// Generated from openapi/openapi.json by scripts/generate-openapi.sh; not edited by hand.

extension Client {
  /// List packages.
  ///
  /// Packages that are deployed here.
  ///
  /// `GET /packages`
  ///
  /// An API key needs `apps:read`.
  public func packageList(
    _ input: Operations.PackageList.Input = .init()
  ) async throws -> Operations.PackageList.Output {
    try await perform(input)
  }

  /// Get a package.
  ///
  /// One package.
  ///
  /// `GET /packages/{package}`
  ///
  /// An API key needs `apps:read`.
  public func packageGet(_ input: Operations.PackageGet.Input) async throws -> Operations.PackageGet.Output {
    try await perform(input)
  }

  /// List a package's versions.
  ///
  /// Its versions.
  ///
  /// `GET /packages/{package}/versions`
  ///
  /// An API key needs `apps:read`.
  public func packageVersionList(
    _ input: Operations.PackageVersionList.Input
  ) async throws -> Operations.PackageVersionList.Output {
    try await perform(input)
  }

  /// Publish a version.
  ///
  /// Uploads a signed bundle (.mpk). The manifest's signature, name and version are checked; the same bundle
  /// twice is one version.
  ///
  /// `POST /packages/{package}/versions`
  ///
  /// An API key needs `packages:publish`.
  public func packagePublish(
    _ input: Operations.PackagePublish.Input
  ) async throws -> Operations.PackagePublish.Output {
    try await perform(input)
  }

  /// Yank a version.
  ///
  /// Stops new apps from using a version; apps that run it go on.
  ///
  /// `POST /packages/{package}/versions/{version}/yank`
  ///
  /// It needs a passkey for this very request.
  ///
  /// It takes no API key.
  public func packageYank(
    _ input: Operations.PackageYank.Input
  ) async throws -> Operations.PackageYank.Output {
    try await perform(input)
  }
}
