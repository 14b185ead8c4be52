import MeroWire

// Which packages there are, who sees them, and what new apps may run (70 §2.21).

extension ClusterState {
  /// A version of a package as it is listed: one that was published, or one of the fake's own.
  struct KnownVersion {
    let manifest: PackageBundle.Manifest
    let codeHash: String
    let size: UInt64
    let signerKey: String?
    let publishedAt: Int64
    let isYanked: Bool
  }

  /// The publisher of packages that Swift code registered.
  static let clusterItself = "org_00000000000000000000000000"

  func deployment(of package: String) -> DeploymentRecord? {
    deployments.values.first { $0.package == package }
  }

  /// What a new app runs: the version asked for, else the deployment's, else the newest that was registered.
  func packageForNewApps(_ name: String, version: String?, at now: Int64) throws -> FakePackage {
    let found: FakePackage?
    if let deployment = deployment(of: name) {
      guard deployment.state(at: now) == .live else { throw Refusal.notFound("package") }
      found = versions[VersionRecord.id(name, version ?? deployment.version)]
        .flatMap { $0.isYanked ? nil : code(of: $0) }
    } else {
      found = registered(name).filter { version == nil || $0.version == version }
        .max { SemanticVersion($0.version) < SemanticVersion($1.version) }
    }
    guard let found else { throw Refusal.notFound("package") }
    return found
  }

  /// A version that an app may move to: one that new apps may run, or any that was published and not yanked.
  func packageToRun(_ name: String, version: String) -> FakePackage? {
    if let record = versions[VersionRecord.id(name, version)] {
      return record.isYanked ? nil : code(of: record)
    }
    return deployment(of: name) == nil ? registered(name).first { $0.version == version } : nil
  }

  /// The methods of a published version. One whose code the fake does not have runs as a package without any.
  func code(of version: VersionRecord) -> FakePackage {
    codes[version.codeHash]
      ?? FakePackage(
        version.manifest.package, version: version.manifest.version, publishedHash: version.codeHash)
  }

  /// Where consent for a package may send people; `nil` for one without a live deployment.
  func deployedRedirectUris(of package: String, at now: Int64) -> [String]? {
    guard let deployment = deployment(of: package), deployment.state(at: now) == .live else { return nil }
    return deployment.redirectUris
  }

  /// Throws 409 for an app whose deployment was retired: it is read only.
  func requireWritable(_ app: AppRecord, at now: Int64) throws {
    guard let deployment = deployment(of: app.package.name), deployment.isApproved(at: now),
      deployment.state(at: now) == .retired
    else { return }
    throw Refusal(
      409, "APP_NOT_READY", "the deployment of \(app.package.name) is retired: its apps are read only",
      details: ["state": "retired"])
  }

  private func registered(_ name: String) -> [FakePackage] {
    (packages[name] ?? []).filter { versions[VersionRecord.id(name, $0.version)]?.isYanked != true }
  }

  /// The versions of a package, newest first.
  func knownVersions(of package: String) -> [KnownVersion] {
    var found = versions.values.filter { $0.manifest.package == package }.map(KnownVersion.init)
    if deployment(of: package) == nil {
      for code in packages[package] ?? [] where versions[VersionRecord.id(package, code.version)] == nil {
        found.append(KnownVersion(code, at: startedAt))
      }
    }
    return found.sorted { Self.isNewer($0.manifest.version, $1.manifest.version) }
  }

  /// The version whose words stand for the package: its newest; one that was yanked counts only when there is no other.
  func latestVersion(of package: String) -> KnownVersion? {
    let versions = knownVersions(of: package)
    return versions.first { !$0.isYanked } ?? versions.first
  }

  /// What its manifest calls a package for people; `nil` where it does not.
  func displayName(of package: String) -> String? { latestVersion(of: package)?.manifest.name }

  /// The name of the organization that published a package; `nil` for one that Swift code registered.
  func publisherName(of package: String) -> String? {
    published[package].flatMap { orgs[$0.publisher]?.name }
  }

  /// By SemVer; the text decides between versions that differ only in what SemVer does not compare.
  static func isNewer(_ one: String, _ other: String) -> Bool {
    let (left, right) = (SemanticVersion(one), SemanticVersion(other))
    return left == right ? one > other : right < left
  }

  /// Whether the caller sees a package: everyone does once it is or was deployed, its publisher's members and the
  /// operators before.
  func sees(_ package: String, _ caller: Caller, at now: Int64) -> Bool {
    if let deployment = deployment(of: package), deployment.isApproved(at: now) { return true }
    if deployment(of: package) == nil, packages[package] != nil { return true }
    guard let publisher = published[package]?.publisher else { return false }
    return isOperator(caller.account) || mayKnow(publisher, caller)
  }

  /// Whether the caller belongs to an organization.
  func mayKnow(_ org: String, _ caller: Caller) -> Bool {
    guard let org = orgs[org] else { return false }
    return org.role(of: caller.account.id) != nil && caller.mayKnow(org: org)
  }
}

extension ClusterState.KnownVersion {
  init(_ record: VersionRecord) {
    self.init(
      manifest: record.manifest, codeHash: record.codeHash, size: record.size, signerKey: record.signerKey,
      publishedAt: record.publishedAt, isYanked: record.isYanked)
  }

  init(_ code: FakePackage, at time: Int64) {
    self.init(
      manifest: PackageBundle.Manifest(package: code.name, version: code.version), codeHash: code.codeHash,
      size: UInt64(code.code.count), signerKey: nil, publishedAt: time, isYanked: false)
  }

  var json: JSONValue {
    var answer: JSONObject = [
      "package": .string(manifest.package), "version": .string(manifest.version),
      "codeHash": .string(codeHash), "size": JSONValue(size), "publishedAt": JSONValue(publishedAt),
      "yanked": .bool(isYanked),
    ]
    answer["signerKey"] = signerKey.map { .string($0) }
    answer["minCore"] = manifest.minCore.map { .string($0) }
    return .object(answer)
  }
}
