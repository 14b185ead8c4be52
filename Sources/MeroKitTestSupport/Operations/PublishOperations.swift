import MeroWire

// Publishing versions and yanking them (70 §2.21).

extension ClusterState {
  static let publishHandlers: [String: Handler] = [
    "package_publish": { state, _, x in try state.publish(x) },
    "package_yank": { state, _, x in try state.yank(x) },
  ]

  private static let bundleLimit = 32 << 20

  private func publish(_ x: Exchange) throws -> Outcome {
    let caller = try caller(x)
    let name = x.path["package"] ?? ""
    let found = try x.query["org"].map { try org($0, for: caller) }
    if let (org, role) = found {
      let deployer = try requireDeployer(org, role, to: "publish packages")
      guard deployer.mayPublish(name), published[name].map({ $0.publisher == org.id }) ?? true else {
        throw Refusal.forbidden("publish as \(name)")
      }
    }
    _ = try x.fields()
    guard let (org, _) = found else { throw Refusal.notFound("organization") }
    guard x.body.count <= Self.bundleLimit else { throw Refusal.tooLarge(Self.bundleLimit) }
    let bundle = try PackageBundle(x.body)
    guard bundle.manifest.package == name else {
      throw Refusal.packageInvalid("its manifest names \(bundle.manifest.package)")
    }
    let hash = Hex.encode(x.bodyHash ?? [])
    if let known = versions[VersionRecord.id(name, bundle.manifest.version)] {
      guard known.bundleHash == hash else {
        throw Refusal(
          409, "ALREADY_EXISTS", "\(name) \(bundle.manifest.version) was published with other bytes")
      }
      return .answer(201, KnownVersion(known).json)
    }
    let before = versions.values.filter { $0.manifest.package == name }.max {
      $0.publishedAt < $1.publishedAt
    }
    guard before.map({ $0.signerKey == bundle.signerKey }) ?? true else {
      throw Refusal.packageInvalid("the version before was signed with another key")
    }
    if published[name] == nil {
      published.insert(PackageRecord(name: name, publisher: org.id, createdAt: x.now))
    }
    let version = VersionRecord(bundle, hash: hash, size: UInt64(x.body.count), publishedAt: x.now)
    versions.insert(version)
    return .answer(201, KnownVersion(version).json)
  }

  private func yank(_ x: Exchange) throws -> Outcome {
    let caller = try caller(x)
    let (name, number) = (x.path["package"] ?? "", x.path["version"] ?? "")
    guard sees(name, caller, at: x.now),
      knownVersions(of: name).contains(where: { $0.manifest.version == number })
    else { throw Refusal.notFound("version") }
    guard let version = versions[VersionRecord.id(name, number)],
      let org = orgs[published[name]?.publisher ?? ""],
      caller.mayKnow(org: org), let role = org.role(of: caller.account.id),
      role.strength >= OrgRole.admin.strength
    else { throw Refusal.forbidden("yank versions of \(name)") }
    if org.isSuspended { throw Refusal.suspended("organization") }
    _ = try x.fields()
    try requireConfirmation(x, by: caller)
    version.isYanked = true
    return .answer(200, KnownVersion(version).json)
  }

  /// Frees the names under which an organization published that is gone: nobody could publish or deploy under them again. A
  /// package that apps of others run stays as it is.
  func forgetPackages(of org: OrgRecord) {
    let used = Set(apps.values.map(\.package.name))
    let unused = Set(published.values.filter { $0.publisher == org.id && !used.contains($0.id) }.map(\.id))
    for deployment in Array(deployments.values) where unused.contains(deployment.package) {
      deployments.remove(deployment.id)
    }
    for version in Array(versions.values) where unused.contains(version.manifest.package) {
      versions.remove(version.id)
    }
    for name in unused { published.remove(name) }
  }
}
