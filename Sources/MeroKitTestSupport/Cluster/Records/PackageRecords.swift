import MeroWire

/// A package that was published (70 §2.21), by its name.
final class PackageRecord: Record {
  /// The organization that publishes it.
  let publisher: String
  let createdAt: Int64
  /// Whether operators once let it be deployed: what is deployed later needs no decision.
  var isApproved = false { didSet { changed() } }

  init(name: String, publisher: String, createdAt: Int64) {
    self.publisher = publisher
    self.createdAt = createdAt
    super.init(id: name)
  }

  override class var table: String { "packages" }

  override func written() -> JSONObject {
    [
      "publisher": .string(publisher), "createdAt": JSONValue(createdAt), "isApproved": .bool(isApproved),
    ]
  }

  init(_ row: RecordRow) throws {
    publisher = try row.string("publisher")
    createdAt = try row.time("createdAt")
    isApproved = try row.bool("isApproved")
    super.init(id: row.id)
  }
}

/// A version that was published, by package and version.
final class VersionRecord: Record {
  let manifest: PackageBundle.Manifest
  let codeHash: String
  let signerKey: String
  /// SHA-256 of the whole bundle, so that the same one is known again.
  let bundleHash: String
  let size: UInt64
  let publishedAt: Int64
  var isYanked = false { didSet { changed() } }

  init(_ bundle: PackageBundle, hash: String, size: UInt64, publishedAt: Int64) {
    manifest = bundle.manifest
    codeHash = bundle.codeHash
    signerKey = bundle.signerKey
    bundleHash = hash
    self.size = size
    self.publishedAt = publishedAt
    super.init(id: Self.id(bundle.manifest.package, bundle.manifest.version))
  }

  static func id(_ package: String, _ version: String) -> String { "\(package)@\(version)" }

  override class var table: String { "packageVersions" }

  override func written() -> JSONObject {
    var row: JSONObject = [
      "package": .string(manifest.package), "version": .string(manifest.version),
      "codeHash": .string(codeHash), "signerKey": .string(signerKey), "bundleHash": .string(bundleHash),
      "size": JSONValue(size), "publishedAt": JSONValue(publishedAt), "isYanked": .bool(isYanked),
    ]
    row["name"] = manifest.name.map { .string($0) }
    row["summary"] = manifest.summary.map { .string($0) }
    row["icon"] = manifest.icon.map { .string($0) }
    row["minCore"] = manifest.minCore.map { .string($0) }
    return row
  }

  init(_ row: RecordRow) throws {
    manifest = PackageBundle.Manifest(
      package: try row.string("package"), version: try row.string("version"),
      name: row.optional("name")?.stringValue, summary: row.optional("summary")?.stringValue,
      icon: row.optional("icon")?.stringValue, minCore: row.optional("minCore")?.stringValue)
    codeHash = try row.string("codeHash")
    signerKey = try row.string("signerKey")
    bundleHash = try row.string("bundleHash")
    size = try row.count("size")
    publishedAt = try row.time("publishedAt")
    isYanked = try row.bool("isYanked")
    super.init(id: row.id)
  }
}
