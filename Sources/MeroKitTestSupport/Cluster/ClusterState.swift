import Foundation
import MeroWire

/// The cluster's whole state. Only touched under ``ClusterStore``'s lock.
final class ClusterState {
  struct Node {
    enum State: String { case joining, active, draining, down }

    let id: String
    var url: URL
    /// Where it stands among its peers.
    var state = State.active
    /// Whether its peers reach it; a fault may say otherwise.
    var isReachable = true
    /// Where its peers say it stands.
    var seen: State { isReachable ? state : .down }
    /// The release it runs, when that is not the cluster's.
    var release: String?
    /// When its peers last checked its quote.
    var attestedAt: Int64
    /// How many of the cluster's changes it is behind.
    var lag: UInt64 = 0
  }

  let identity: IdentityRecord
  let progress: ProgressRecord
  let relyingParty: RelyingParty
  let document: APIDocument
  let startedAt: Int64
  var ids: IdMaker
  var nodes: [Node]
  /// How long a session made at one node is unknown at the others, in milliseconds.
  var sessionLag: Int64 = 0
  /// Whether nobody is asked for a passkey or an operator's signature: for tests of what lies behind those questions.
  var waivesQuestions = false
  /// What nodes say they run when nobody attests them.
  var release = "dev"

  let ledger = Ledger()
  /// Where the state is kept; nil in memory only.
  let keeper: (any ClusterKeeper)?
  /// What could not be written yet. Nobody is answered while there is any.
  var unkept: [KeptChange] = []
  lazy var identities = Table<IdentityRecord>(ledger)
  lazy var progresses = Table<ProgressRecord>(ledger)
  lazy var accounts = Table<AccountRecord>(ledger)
  lazy var passkeys = Table<PasskeyRecord>(ledger)
  lazy var sessions = Table<SessionRecord>(ledger)
  /// By their refresh tokens.
  lazy var tokens = Table<TokenPair>(ledger)
  lazy var apiKeys = Table<ApiKeyRecord>(ledger)
  lazy var orgs = Table<OrgRecord>(ledger)
  lazy var invites = Table<InviteRecord>(ledger)
  lazy var apps = Table<AppRecord>(ledger)
  lazy var blobs = Table<BlobRecord>(ledger)
  lazy var uploads = Table<UploadRecord>(ledger)
  lazy var grants = Table<GrantRecord>(ledger)
  lazy var jobs = Table<JobRecord>(ledger)
  lazy var timers = Table<TimerRecord>(ledger)
  /// What follows from the tables, to find things by.
  var accountsByName: [String: AccountRecord] = [:]
  var passkeysByCredential: [String: PasskeyRecord] = [:]
  var accessTokens: [String: TokenPair] = [:]
  /// When what is over was last looked for.
  var credentialsTidiedAt: Int64 = .min
  /// What nobody misses after a restart.
  var ceremonies: [String: CeremonyRecord] = [:]
  var confirmations: [String: ConfirmationRecord] = [:]
  var signings: [String: SigningRecord] = [:]
  var consents: [String: ConsentRecord] = [:]
  /// By their keys in hex.
  lazy var operators = Table<OperatorRecord>(ledger)
  lazy var decisions = Table<DecisionRecord>(ledger)
  lazy var signups = Table<SignupRecord>(ledger)
  lazy var deployers = Table<DeployerRecord>(ledger)
  lazy var deployments = Table<DeploymentRecord>(ledger)
  /// By the nodes' ids.
  lazy var nodeRecords = Table<NodeRecord>(ledger)
  lazy var releases = Table<ReleaseRecord>(ledger)
  /// By the organizations' ids.
  lazy var quotas = Table<QuotaRecord>(ledger)
  /// Packages that were published, by name.
  lazy var published = Table<PackageRecord>(ledger)
  lazy var versions = Table<VersionRecord>(ledger)
  /// How many approvals a decision takes.
  var threshold = 1
  /// Operations that ask for a passkey besides an operator's signature.
  var confirmedToo: Set<String> = []
  /// Packages that Swift code registered, which need no deployment.
  var packages: [String: [FakePackage]] = [:]
  /// The number of the newest file.
  var lastBlobNumber: UInt64 = 0
  /// The bytes of files.
  var blobBytes: any BlobBytes = MemoryBlobBytes()
  var limits = ClusterLimits()
  /// By package.
  var redirectUriLists: [String: [String]] = [:]
  lazy var kept = IdempotencyTable(ledger)
  /// Code the fake has, by its hash.
  var codes: [String: FakePackage] = [:]
  var pages = PageCursors()

  /// Apps that are gone, for the streams that have not read to their end yet.
  var departed: [String: AppRecord] = [:]
  /// When something falls due next, in Unix milliseconds, and how often that changed.
  var nextDue: Int64?
  var dueRevision: UInt64 = 1

  private var wakes: [@Sendable () -> Void] = []
  /// What waits until everything is written down.
  private var held: [@Sendable () -> Void] = []

  /// A new cluster.
  convenience init(
    clusterId: [UInt8], rpId: String, signup: FakeCloud.SignupMode, nodes: [URL], ids: IdMaker, now: Int64,
    keeper: (any ClusterKeeper)? = nil
  ) {
    let identity = IdentityRecord(clusterId: clusterId, secret: ids.bytes(32), nodeIds: [])
    self.init(
      identity, ProgressRecord(signup: signup), rpId: rpId, nodes: nodes, ids: ids, now: now, keeper: keeper)
    identities.insert(identity)
    progresses.insert(progress)
  }

  /// A cluster as it was kept. Its apps run the code of these packages.
  convenience init(
    _ rows: KeptRows, rpId: String, nodes: [URL], ids: IdMaker, now: Int64, packages: [FakePackage],
    keeper: any ClusterKeeper
  ) throws {
    var rows = rows
    let identityRow = try rows.takeOnly(IdentityRecord.table)
    let progressRow = try rows.takeOnly(ProgressRecord.table)
    self.init(
      try IdentityRecord(identityRow), try ProgressRecord(progressRow), rpId: rpId, nodes: nodes, ids: ids,
      now: now, keeper: keeper)
    // Reading is no change.
    ledger.isKept = false
    packages.forEach(register)
    identities.insert(identity)
    progresses.insert(progress)
    try restore(&rows)
    ledger.isKept = true
    // There may be more nodes than before.
    identity.changed()
  }

  private init(
    _ identity: IdentityRecord, _ progress: ProgressRecord, rpId: String, nodes: [URL], ids: IdMaker,
    now: Int64,
    keeper: (any ClusterKeeper)?
  ) {
    self.identity = identity
    self.progress = progress
    self.keeper = keeper
    document = .shared
    relyingParty = RelyingParty(id: rpId)
    var ids = ids
    while identity.nodeIds.count < nodes.count { identity.nodeIds.append(ids.id("node", at: now)) }
    self.nodes = zip(nodes, identity.nodeIds).map { Node(id: $1, url: $0, attestedAt: now) }
    startedAt = now
    self.ids = ids
    ledger.isKept = keeper != nil
  }

  var clusterId: [UInt8] { identity.clusterId }
  var secret: [UInt8] { identity.secret }

  /// Changes of all apps together.
  var changes: UInt64 {
    get { progress.changes }
    set { progress.changes = newValue }
  }

  var signup: FakeCloud.SignupMode {
    get { progress.signup }
    set { progress.signup = newValue }
  }

  var signupInvites: Set<String> {
    get { progress.signupInvites }
    set { progress.signupInvites = newValue }
  }

  /// The code a kept app runs, or what stands for it.
  func package(kept name: String, version: String) -> FakePackage {
    versions[VersionRecord.id(name, version)].map(code(of:))
      ?? packages[name]?.first { $0.version == version } ?? FakePackage(unknown: name, version: version)
  }

  func register(_ package: FakePackage) {
    var versions = packages[package.name] ?? []
    versions.removeAll { $0.version == package.version }
    versions.append(package)
    packages[package.name] = versions
    for app in apps.values where app.package.name == package.name {
      if app.package.isUnknown, app.package.version == package.version { app.package = package }
      if let version = app.upgrade?.version, version.isUnknown, version.version == package.version {
        app.upgrade?.version = package
      }
    }
    codes[package.codeHash] = package
    // What waited for the code is due again.
    scheduleAll()
  }

  /// The changes a node has applied.
  func applied(by node: Int) -> UInt64 {
    changes - min(changes, nodes[node].lag)
  }

  /// Has this run once the lock is given up.
  func afterwards(_ wake: @escaping @Sendable () -> Void) {
    wakes.append(wake)
  }

  /// Has this run once the lock is given up and what changed is written down, which may be much later than this request: for
  /// what a cluster that goes on from what was written must find.
  func onceKept(_ work: @escaping @Sendable () -> Void) {
    held.append(work)
  }

  func takeWakes() -> [@Sendable () -> Void] {
    defer { wakes = [] }
    guard unkept.isEmpty else { return wakes }
    defer { held = [] }
    return wakes + held
  }

  /// Tells streams and waiting requests of an app that it moved on.
  func announce(_ app: AppRecord) {
    for follower in app.followers.values { afterwards { follower.wake() } }
    for waiter in app.waiters { afterwards { waiter.wake() } }
    app.waiters = []
  }

  /// Tells everyone at a node, whose view of things changed.
  func announceAll() {
    apps.values.forEach(announce)
  }

  /// Ends the streams of one node, or of one session.
  func endStreams(_ ending: EventFollower.Ending, where isMeant: (EventFollower) -> Bool) {
    for app in apps.values {
      for follower in app.followers.values where isMeant(follower) {
        afterwards { follower.end(ending) }
      }
    }
  }

  func remove(_ waiter: Waiter) {
    apps[waiter.appId]?.waiters.removeAll { $0 === waiter }
  }

  func remove(_ follower: EventFollower) {
    let app = apps[follower.appId] ?? departed[follower.appId]
    app?.followers[ObjectIdentifier(follower)] = nil
    if app?.followers.isEmpty ?? true { departed[follower.appId] = nil }
  }
}
