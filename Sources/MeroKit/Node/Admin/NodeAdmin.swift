import Foundation

/// What an app says about itself, so that its package can be found and installed.
public struct AdminAppConfig: Sendable, Hashable {
  /// The app's package in the registry.
  public var packageName: String?
  /// The version to install; the newest when nil.
  public var packageVersion: String?
  /// The registry to ask for versions; Calimero's when nil. A node installs from the registry of its own configuration.
  public var registryURL: String?

  /// What an app says about itself.
  public init(packageName: String? = nil, packageVersion: String? = nil, registryURL: String? = nil) {
    self.packageName = packageName
    self.packageVersion = packageVersion
    self.registryURL = registryURL
  }

  /// The registry to ask.
  package var registry: String { registryURL ?? RegistryVersions.defaultRegistry }
}

/// A node's admin whose `createNamespace` installs the app's package first when the node lacks it. Every other call is
/// the node's own.
public struct NodeAdmin: AdminForwarding, Sendable {
  /// The node's own calls.
  public let admin: AdminApi
  /// The app that namespaces are made for.
  public let app: AdminAppConfig

  /// A node's admin for an app.
  public init(admin: AdminApi, app: AdminAppConfig) {
    self.admin = admin
    self.app = app
  }

  package func forwarded(_ call: String) -> AdminApi { admin }

  /// Founds a namespace, another one at each call. The application is installed first when the node lacks it.
  ///
  /// - Throws: ``NodeAdminError`` when the application cannot be installed, or installs as another one; no namespace is
  ///   made then. Otherwise ``MeroError``.
  @discardableResult
  public func createNamespace(_ request: CreateNamespaceRequest) async throws -> CreateNamespaceResponseData {
    try await install(request.applicationId)
    return try await admin.createNamespace(request)
  }

  private func install(_ applicationId: String) async throws {
    let installed = try await admin.listApplications().apps
    guard !installed.contains(where: { $0.id.lowercased() == applicationId.lowercased() }) else { return }
    guard let package = app.packageName else {
      throw NodeAdminError.applicationNotInstalled(applicationId: applicationId)
    }
    let version = try await version(of: package)
    let result = try await admin.installFromRegistry(packageName: package, version: version)
    // A bundle signed by another key is another application: the namespace would be some other app's.
    guard result.applicationId.lowercased() == applicationId.lowercased() else {
      throw NodeAdminError.installedAnotherApplication(
        applicationId: applicationId, installed: result.applicationId, package: package, version: version)
    }
  }

  private func version(of package: String) async throws -> String {
    if let version = app.packageVersion { return version }
    let published = try await admin.getRegistryVersions(registryURL: app.registry, packageName: package)
    guard let newest = published.first else {
      throw NodeAdminError.nothingPublished(package: package, registry: app.registry)
    }
    return newest
  }
}

/// A node's admin for an app: every call is the node's own, except that `createNamespace` installs the app's package first
/// when the node lacks it.
public func createNodeAdmin(admin: AdminApi, app: AdminAppConfig) -> NodeAdmin {
  NodeAdmin(admin: admin, app: app)
}

/// Why a namespace's application could not be made ready on a node.
public enum NodeAdminError: Error, Sendable, Hashable {
  /// The node lacks the application, and the app names no package to install.
  case applicationNotInstalled(applicationId: String)
  /// The registry has no version of the package.
  case nothingPublished(package: String, registry: String)
  /// The package installs as another application than the one asked for: it is signed by another key.
  case installedAnotherApplication(applicationId: String, installed: String, package: String, version: String)
}

extension NodeAdminError: CustomStringConvertible, LocalizedError {
  /// What happened, and what can be done.
  public var description: String {
    switch self {
    case .applicationNotInstalled(let applicationId):
      "the node lacks application \(applicationId); install it, or name its package in AdminAppConfig"
    case .nothingPublished(let package, let registry):
      "\(registry) has no version of \(package); check the package's name"
    case .installedAnotherApplication(let applicationId, let installed, let package, let version):
      "\(package) \(version) installs as application \(installed), not \(applicationId): it is signed by another key, so "
        + "no namespace was made"
    }
  }
  /// The same as ``description``.
  public var errorDescription: String? { description }
}
