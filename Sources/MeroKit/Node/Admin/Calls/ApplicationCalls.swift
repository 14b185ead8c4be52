extension AdminApi {
  /// Has the node fetch a release from its own registry and install it. Installing it again changes nothing.
  @discardableResult
  public func installApplication(
    _ request: InstallApplicationRequest
  ) async throws -> InstallApplicationResponseData {
    try await call(.post, "install-application", json(request))
  }

  /// Has the node fetch a release from its own registry and install it: `installApplication` by name and version.
  @discardableResult
  public func installFromRegistry(
    packageName: String, version: String
  ) async throws -> InstallApplicationResponseData {
    try await installApplication(InstallApplicationRequest(package: packageName, version: version))
  }

  /// Installs a signed bundle from the node's own disk.
  @discardableResult
  public func installDevApplication(
    _ request: InstallDevApplicationRequest
  ) async throws -> InstallApplicationResponseData {
    try await call(.post, "install-dev-application", json(request))
  }

  /// The applications the node has.
  public func listApplications() async throws -> ListApplicationsResponseData {
    try await get("applications")
  }

  /// One application.
  ///
  /// - Throws: ``MeroError/http(_:)`` with 404 when the node does not have it.
  public func getApplication(_ applicationId: String) async throws -> GetApplicationResponseData {
    try await get("applications/\(applicationId)")
  }

  /// Removes an application from the node.
  @discardableResult
  public func uninstallApplication(
    _ applicationId: String
  ) async throws -> UninstallApplicationResponseData {
    try await call(.delete, "applications/\(applicationId)", nil)
  }

  /// The versions of an application the node has installed.
  public func listApplicationVersions(_ applicationId: String) async throws -> [ApplicationVersionEntry] {
    try await get("applications/\(applicationId)/versions")
  }

  /// What an application's methods are, from its newest bytecode.
  ///
  /// - Parameter serviceName: which service of a bundle with several.
  public func getApplicationAbi(_ applicationId: String, serviceName: String?) async throws -> ApplicationAbi
  {
    try await get("applications/\(applicationId)/abi", query: [("service_name", serviceName)])
  }

  /// The packages the node has.
  public func listPackages() async throws -> ListPackagesResponseData { try await get("packages", .either) }

  /// The versions of a package the node has.
  public func listPackageVersions(_ package: String) async throws -> ListVersionsResponseData {
    try await get("packages/\(package)/versions", .either)
  }

  /// The newest version of a package the node has.
  public func getLatestPackageVersion(_ package: String) async throws -> GetLatestVersionResponseData {
    try await get("packages/\(package)/latest", .flat)
  }
}
