import Foundation
import MeroCrypto
import MeroHTTP
import MeroWire

/// The registry that applications are published in (40 §16).
///
/// An account installs nothing, so it learns an application's id from here and not from a node.
///
/// ```swift
/// let app = try await ApplicationRegistry.resolve(package: "com.example.notes")
/// print(app.applicationId, app.version)
/// ```
public enum ApplicationRegistry {
  /// Where packages are published unless the app says otherwise.
  public static let defaultURL = RegistryVersions.defaultRegistry

  private static let patience: TimeInterval = 15

  /// The id of an application, 64 hex: its package and whoever publishes it. Every version is the same application
  /// (30 §4.6).
  ///
  /// - Parameter signerId: the publisher, as in `did:key:…`.
  public static func applicationId(package: String, signerId: String) -> String {
    var writer = BorshWriter()
    writer.string(package)
    writer.string(signerId)
    return Hex.encode(SHA256.hash(writer.bytes))
  }

  /// Every published version of a package, those that were withdrawn among them.
  ///
  /// - Throws: ``MeroError``.
  public static func bundles(
    registryURL: String = defaultURL, package: String,
    transport: any HTTPTransport = URLSessionTransport(), clock: MeroClock = .system
  ) async throws -> [RegistryBundleManifest] {
    try await registry(registryURL, transport, clock).value(
      NodeRequest(.get, "/api/v2/bundles", query: [("package", package)]), [RegistryBundleManifest].self,
      .flat)
  }

  /// One version of a package.
  ///
  /// - Throws: ``MeroError``.
  public static func manifest(
    registryURL: String = defaultURL, package: String, version: String,
    transport: any HTTPTransport = URLSessionTransport(), clock: MeroClock = .system
  ) async throws -> RegistryBundleManifest {
    let path = "/api/v2/bundles/\(NodePath.segment(package))/\(NodePath.segment(version))"
    return try await registry(registryURL, transport, clock).value(
      NodeRequest(.get, path), RegistryBundleManifest.self, .flat)
  }

  /// The newest version of a package that was not withdrawn.
  ///
  /// - Throws: ``MeroError``, or ``AccountError/invalidInput(_:)`` when there is none.
  public static func latestVersion(
    registryURL: String = defaultURL, package: String,
    transport: any HTTPTransport = URLSessionTransport(), clock: MeroClock = .system
  ) async throws -> String {
    let bundles = try await bundles(
      registryURL: registryURL, package: package, transport: transport, clock: clock)
    return try latest(of: bundles, package: package).version
  }

  /// The newest version of a package, and the id that its publisher gives the application.
  ///
  /// - Throws: ``MeroError``, or ``AccountError/invalidInput(_:)`` when no version is there, or nobody can tell whose
  ///   application it is: whoever founds a namespace signs the id, so it is never guessed.
  public static func resolve(
    registryURL: String = defaultURL, package: String,
    transport: any HTTPTransport = URLSessionTransport(), clock: MeroClock = .system
  ) async throws -> ResolvedApplication {
    let bundles = try await bundles(
      registryURL: registryURL, package: package, transport: transport, clock: clock)
    let publishers = Set(bundles.filter { !$0.yanked }.compactMap(\.publisher))
    guard publishers.count <= 1 else {
      throw AccountError.invalidInput(
        "\(publishers.count) publishers have a package named \(package), so it names no one application")
    }
    let latest = try latest(of: bundles, package: package)
    guard let signerId = latest.bundle.publisher else {
      throw AccountError.invalidInput("the registry does not say who publishes \(package) \(latest.version)")
    }
    return ResolvedApplication(
      applicationId: applicationId(package: package, signerId: signerId), signerId: signerId,
      version: latest.version)
  }

  /// The newest of these versions that was not withdrawn; of equal ones the first.
  public static func selectLatest(_ bundles: [RegistryBundleManifest]) -> RegistryBundleManifest? {
    bundles.reduce(nil) { best, bundle in
      guard !bundle.yanked, let version = bundle.version else { return best }
      guard let known = best?.version else { return bundle }
      return RegistryVersions.isNewer(version, known) ? bundle : best
    }
  }

  private static func latest(
    of bundles: [RegistryBundleManifest], package: String
  ) throws(AccountError) -> (bundle: RegistryBundleManifest, version: String) {
    guard let bundle = selectLatest(bundles), let version = bundle.version else {
      throw .invalidInput("the registry has no version of \(package) that can be used")
    }
    return (bundle, version)
  }

  private static func registry(
    _ address: String, _ transport: any HTTPTransport, _ clock: MeroClock
  ) throws(MeroError) -> NodeHTTP {
    guard let url = URL(string: RelayOrigin.of(address)) else {
      throw .network("the registry's address is not an http or https address with a host")
    }
    return NodeHTTP(baseURL: url, transport: transport, timeout: patience, clock: clock)
  }
}

/// A package as it stands in a registry: which application it is, and its newest version.
public struct ResolvedApplication: Sendable, Hashable {
  /// The application, 64 hex.
  public let applicationId: String
  /// Who publishes it.
  public let signerId: String
  /// The newest version.
  public let version: String

  /// An application of these parts.
  public init(applicationId: String, signerId: String, version: String) {
    self.applicationId = applicationId
    self.signerId = signerId
    self.version = version
  }
}

extension RegistryBundleManifest {
  fileprivate var version: String? { appVersion.flatMap { $0.isEmpty ? nil : $0 } }
  fileprivate var publisher: String? { signerId.flatMap { $0.isEmpty ? nil : $0 } }
}
