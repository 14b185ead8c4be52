import MeroWire

/// An organization's application to deploy (70 §2.21). Where it stands is its decision's to say.
final class SignupRecord: Record {
  let org: String
  let reason: String
  let contact: String?
  let decision: DecisionRecord
  let createdAt: Int64

  init(
    id: String, org: String, reason: String, contact: String?, decision: DecisionRecord, createdAt: Int64
  ) {
    self.org = org
    self.reason = reason
    self.contact = contact
    self.decision = decision
    self.createdAt = createdAt
    super.init(id: id)
  }

  override class var table: String { "signups" }

  override func written() -> JSONObject {
    var row: JSONObject = [
      "org": .string(org), "reason": .string(reason), "decision": .string(decision.id),
      "createdAt": JSONValue(createdAt),
    ]
    row["contact"] = contact.map { .string($0) }
    return row
  }

  init(_ row: RecordRow, _ state: ClusterState) throws {
    org = try row.string("org")
    reason = try row.string("reason")
    contact = row.optional("contact")?.stringValue
    decision = try row.record("decision", in: state.decisions)
    createdAt = try row.time("createdAt")
    super.init(id: row.id)
  }
}

/// An organization that may deploy.
final class DeployerRecord: Record {
  let org: String
  let approvedAt: Int64
  /// Prefixes of package names it may publish under; empty for any name.
  var packages: [String] = [] { didSet { changed() } }

  init(id: String, org: String, approvedAt: Int64) {
    self.org = org
    self.approvedAt = approvedAt
    super.init(id: id)
  }

  /// A prefix is a whole name or the beginning of one, up to a dot.
  func mayPublish(_ package: String) -> Bool {
    packages.isEmpty
      || packages.contains { prefix in
        package == prefix || package.hasPrefix(prefix.hasSuffix(".") ? prefix : prefix + ".")
      }
  }

  override class var table: String { "deployers" }

  override func written() -> JSONObject {
    [
      "org": .string(org), "approvedAt": JSONValue(approvedAt),
      "packages": .array(packages.map { .string($0) }),
    ]
  }

  init(_ row: RecordRow) throws {
    org = try row.string("org")
    approvedAt = try row.time("approvedAt")
    packages = try row.strings("packages")
    super.init(id: row.id)
  }
}

/// A package that is made available to new apps. A package has one.
final class DeploymentRecord: Record {
  enum State: String { case pending, live, paused, retired }

  let package: String
  let org: String
  /// What it waits for, when it is the package's first.
  let decision: DecisionRecord?
  let createdAt: Int64
  var version: String { didSet { changed() } }
  var autoUpgrade: Bool { didSet { changed() } }
  var redirectUris: [String] { didSet { changed() } }
  var siteBlob: String? { didSet { changed() } }
  var updatedAt: Int64? { didSet { changed() } }
  /// What it is once operators have said yes.
  var wanted: State = .live { didSet { changed() } }

  init(
    id: String, package: String, version: String, org: String, decision: DecisionRecord?, autoUpgrade: Bool,
    redirectUris: [String], siteBlob: String?, createdAt: Int64
  ) {
    self.package = package
    self.version = version
    self.org = org
    self.decision = decision
    self.autoUpgrade = autoUpgrade
    self.redirectUris = redirectUris
    self.siteBlob = siteBlob
    self.createdAt = createdAt
    super.init(id: id)
  }

  /// Whether operators let it be: they did, or were not asked.
  func isApproved(at now: Int64) -> Bool { decision.map { $0.state(at: now) == .approved } ?? true }

  /// Where it stands. One that operators rejected, or did not decide on in time, is retired.
  func state(at now: Int64) -> State {
    switch decision?.state(at: now) {
    case .pending: .pending
    case .rejected, .expired: .retired
    case .approved, nil: wanted
    }
  }

  override class var table: String { "deployments" }

  override func written() -> JSONObject {
    var row: JSONObject = [
      "package": .string(package), "version": .string(version), "org": .string(org),
      "autoUpgrade": .bool(autoUpgrade), "redirectUris": .array(redirectUris.map { .string($0) }),
      "createdAt": JSONValue(createdAt), "wanted": .string(wanted.rawValue),
    ]
    row["decision"] = decision.map { .string($0.id) }
    row["siteBlob"] = siteBlob.map { .string($0) }
    row["updatedAt"] = updatedAt.map { JSONValue($0) }
    return row
  }

  init(_ row: RecordRow, _ state: ClusterState) throws {
    package = try row.string("package")
    version = try row.string("version")
    org = try row.string("org")
    decision = try row.optional("decision").map { _ in try row.record("decision", in: state.decisions) }
    autoUpgrade = try row.bool("autoUpgrade")
    redirectUris = try row.strings("redirectUris")
    siteBlob = row.optional("siteBlob")?.stringValue
    createdAt = try row.time("createdAt")
    updatedAt = row.optional("updatedAt")?.int64
    wanted = try row.word("wanted")
    super.init(id: row.id)
  }
}
