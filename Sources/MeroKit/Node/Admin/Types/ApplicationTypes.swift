import MeroWire

/// Which release of a package a node should fetch from its registry and install.
public struct InstallApplicationRequest: Codable, Sendable, Hashable {
  /// Name of the package, 1 to 128 characters.
  public var package: String
  /// Its version, 1 to 64 characters.
  public var version: String

  /// Creates the request.
  public init(package: String, version: String) {
    self.package = package
    self.version = version
  }
}

/// A signed bundle on a node's own disk.
public struct InstallDevApplicationRequest: Codable, Sendable, Hashable {
  /// Path of the `.mpk` file on the node, without `..`.
  public var path: String

  /// Creates the request.
  public init(path: String) {
    self.path = path
  }
}

/// The application an install ended in.
public struct InstallApplicationResponseData: Codable, Sendable, Hashable {
  /// 64 hex; the same for all versions of one package and signer.
  public var applicationId: String

  /// Creates one from its fields.
  public init(applicationId: String) {
    self.applicationId = applicationId
  }
}

/// The application that was removed.
public struct UninstallApplicationResponseData: Codable, Sendable, Hashable {
  /// 64 hex.
  public var applicationId: String

  /// Creates one from its fields.
  public init(applicationId: String) {
    self.applicationId = applicationId
  }
}

/// The two blobs of one service of an application.
public struct ApplicationBlob: Codable, Sendable, Hashable {
  /// Blob id of the bytecode, 64 hex.
  public var bytecode: String
  /// Blob id of its compiled form, 64 hex.
  public var compiled: String

  /// Creates one from its fields.
  public init(bytecode: String, compiled: String) {
    self.bytecode = bytecode
    self.compiled = compiled
  }
}

/// An application a node has, or knows of.
public struct Application: Codable, Sendable, Hashable {
  /// 64 hex.
  public var id: String
  /// Its bytecode; of a bundle with several services, the first one's.
  public var blob: ApplicationBlob
  /// Bytes; 0 when the application is known and its bytes have not arrived.
  public var size: UInt64
  /// Where it came from.
  public var source: String
  /// Bytes the bundle carries, often JSON.
  public var metadata: [UInt8]
  /// Who signed the bundle.
  public var signerId: String?
  /// Its package; nil while its bytes have not arrived.
  public var package: String?
  /// Its version; nil when it has none.
  public var version: String?
  /// By name; nil for an application with one service.
  public var services: [String: ApplicationBlob]?

  /// Creates one from its fields.
  public init(
    id: String, blob: ApplicationBlob, size: UInt64, source: String, metadata: [UInt8] = [],
    signerId: String? = nil, package: String? = nil, version: String? = nil,
    services: [String: ApplicationBlob]? = nil
  ) {
    self.id = id
    self.blob = blob
    self.size = size
    self.source = source
    self.metadata = metadata
    self.signerId = signerId
    self.package = package
    self.version = version
    self.services = services
  }

  /// Reads the answer; members that some nodes leave out have a default.
  public init(from decoder: any Decoder) throws {
    let members = try decoder.container(keyedBy: CodingKeys.self)
    id = try members.value(.id)
    blob = try members.value(.blob)
    size = try members.value(.size)
    source = try members.value(.source)
    metadata = try members.value(.metadata, or: [])
    signerId = try members.optional(.signerId)
    package = try members.optional(.package)
    version = try members.optional(.version)
    services = try members.optional(.services)
  }

  private enum CodingKeys: String, CodingKey {
    case id
    case blob
    case size
    case source
    case metadata
    case signerId = "signer_id"
    case package
    case version
    case services
  }
}

/// The applications of a node.
public struct ListApplicationsResponseData: Codable, Sendable, Hashable {
  /// In no particular order.
  public var apps: [Application]

  /// Creates one from its fields.
  public init(apps: [Application]) {
    self.apps = apps
  }
}

/// One application.
public struct GetApplicationResponseData: Codable, Sendable, Hashable {
  /// Nil from older nodes that do not have it; newer ones answer 404.
  public var application: Application?

  /// Creates one from its fields.
  public init(application: Application? = nil) {
    self.application = application
  }
}

/// A version of an application that a node has installed.
public struct ApplicationVersionEntry: Codable, Sendable, Hashable {
  /// The version.
  public var version: String
  /// Its bytecode, which `appKey` of a request takes to pin this version.
  public var blobId: String
  /// Bytes.
  public var size: UInt64
  /// The package.
  public var package: String

  /// Creates one from its fields.
  public init(version: String, blobId: String, size: UInt64, package: String) {
    self.version = version
    self.blobId = blobId
    self.size = size
    self.package = package
  }
}

/// The `wasm-abi/1` manifest of an application, as the node wrote it.
public typealias ApplicationAbi = JSONObject

/// The packages a node has.
public struct ListPackagesResponseData: Codable, Sendable, Hashable {
  /// Names.
  public var packages: [String]

  /// Creates one from its fields.
  public init(packages: [String]) {
    self.packages = packages
  }
}

/// The versions of a package a node has.
public struct ListVersionsResponseData: Codable, Sendable, Hashable {
  /// As published.
  public var versions: [String]

  /// Creates one from its fields.
  public init(versions: [String]) {
    self.versions = versions
  }
}

/// The newest version of a package a node has.
public struct GetLatestVersionResponseData: Codable, Sendable, Hashable {
  /// Nil when the package is not installed.
  public var applicationId: String?
  /// Nil when the package is not installed.
  public var version: String?

  /// Creates one from its fields.
  public init(applicationId: String? = nil, version: String? = nil) {
    self.applicationId = applicationId
    self.version = version
  }
}

/// One published version of a package, as the registry describes it.
public struct RegistryBundleManifest: Codable, Sendable, Hashable {
  /// The package.
  public var package: String?
  /// The version.
  public var appVersion: String?
  /// Who signed it.
  public var signerId: String?
  /// Whether it was withdrawn.
  public var yanked: Bool
  /// How state of an older version becomes this one's.
  public var migration: BundleMigration?

  /// Creates one from its fields.
  public init(
    package: String? = nil, appVersion: String? = nil, signerId: String? = nil, yanked: Bool = false,
    migration: BundleMigration? = nil
  ) {
    self.package = package
    self.appVersion = appVersion
    self.signerId = signerId
    self.yanked = yanked
    self.migration = migration
  }

  /// Reads the answer; members that some nodes leave out have a default.
  public init(from decoder: any Decoder) throws {
    let members = try decoder.container(keyedBy: CodingKeys.self)
    package = try members.optional(.package)
    appVersion = try members.optional(.appVersion)
    signerId = try members.optional(.signerId)
    yanked = try members.value(.yanked, or: false)
    migration = try members.optional(.migration)
  }
}

/// How a bundle migrates state of older versions.
public struct BundleMigration: Codable, Sendable, Hashable {
  /// The method that does it.
  public var method: String
  /// Version of the state's schema, not of the bundle.
  public var toSchemaVersion: Int
  /// Version of the bundle.
  public var toVersion: String?

  /// Creates one from its fields.
  public init(method: String, toSchemaVersion: Int, toVersion: String? = nil) {
    self.method = method
    self.toSchemaVersion = toSchemaVersion
    self.toVersion = toVersion
  }
}
