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
    /// The release it runs, when that is not the cluster's.
    var release: String?
    /// When its peers last checked its quote.
    var attestedAt: Int64
    /// How many of the cluster's changes it is behind.
    var lag: UInt64 = 0
  }

  let clusterId: [UInt8]
  let relyingParty: RelyingParty
  let document: APIDocument
  let secret: [UInt8]
  let startedAt: Int64
  var ids: IdMaker
  var nodes: [Node]
  var signup: FakeCloud.SignupMode
  var signupInvites: Set<String> = []
  /// How long a session made at one node is unknown at the others, in milliseconds.
  var sessionLag: Int64 = 0
  var eventRetention: Int64 = 7 * 86_400_000
  /// Whether nobody is asked for a passkey or an operator's signature: for tests of what lies behind those questions.
  var waivesQuestions = false
  /// What nodes say they run when nobody attests them.
  var release = "dev"
  /// Changes of all apps together.
  var changes: UInt64 = 0

  let ledger = Ledger()
  lazy var accounts = Table<AccountRecord>(ledger)
  lazy var passkeys = Table<PasskeyRecord>(ledger)
  lazy var sessions = Table<SessionRecord>(ledger)
  /// By their refresh tokens.
  lazy var tokens = Table<TokenPair>(ledger)
  lazy var apiKeys = Table<ApiKeyRecord>(ledger)
  lazy var orgs = Table<OrgRecord>(ledger)
  lazy var apps = Table<AppRecord>(ledger)
  /// What follows from the tables, to find things by.
  var accountsByName: [String: AccountRecord] = [:]
  var passkeysByCredential: [String: PasskeyRecord] = [:]
  var accessTokens: [String: TokenPair] = [:]
  /// What nobody misses after a restart.
  var ceremonies: [String: CeremonyRecord] = [:]
  var confirmations: [String: ConfirmationRecord] = [:]
  var signings: [String: SigningRecord] = [:]
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
  /// Code the fake has, by its hash.
  var codes: [String: FakePackage] = [:]
  var kept = IdempotencyTable()
  var pages = PageCursors()

  private var wakes: [@Sendable () -> Void] = []

  init(
    clusterId: [UInt8], rpId: String, signup: FakeCloud.SignupMode, nodes: [URL], ids: IdMaker, now: Int64,
    document: APIDocument = .shared
  ) {
    self.clusterId = clusterId
    self.signup = signup
    self.document = document
    relyingParty = RelyingParty(id: rpId)
    var ids = ids
    secret = ids.bytes(32)
    self.nodes = nodes.map { Node(id: ids.id("node", at: now), url: $0, attestedAt: now) }
    startedAt = now
    self.ids = ids
  }

  func register(_ package: FakePackage) {
    var versions = packages[package.name] ?? []
    versions.removeAll { $0.version == package.version }
    versions.append(package)
    packages[package.name] = versions
    codes[package.codeHash] = package
  }

  /// The changes a node has applied.
  func applied(by node: Int) -> UInt64 {
    changes - min(changes, nodes[node].lag)
  }

  /// Has this run once the lock is given up.
  func afterwards(_ wake: @escaping @Sendable () -> Void) {
    wakes.append(wake)
  }

  func takeWakes() -> [@Sendable () -> Void] {
    defer { wakes = [] }
    return wakes
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
    apps[follower.appId]?.followers[ObjectIdentifier(follower)] = nil
  }
}
