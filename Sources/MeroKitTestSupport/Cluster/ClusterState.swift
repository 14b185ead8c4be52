import Foundation
import MeroWire

/// The cluster's whole state. Only touched under ``ClusterStore``'s lock.
final class ClusterState {
  struct Node {
    let id: String
    var url: URL
    var state = "active"
    /// How many of the cluster's changes it is behind.
    var lag: UInt64 = 0
  }

  let clusterId: [UInt8]
  let relyingParty: RelyingParty
  let document: APIDocument
  let secret: [UInt8]
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
  lazy var invites = Table<InviteRecord>(ledger)
  lazy var apps = Table<AppRecord>(ledger)
  lazy var jobs = Table<JobRecord>(ledger)
  lazy var timers = Table<TimerRecord>(ledger)
  lazy var blobs = Table<BlobRecord>(ledger)
  lazy var uploads = Table<UploadRecord>(ledger)
  lazy var grants = Table<GrantRecord>(ledger)
  /// What follows from the tables, to find things by.
  var accountsByName: [String: AccountRecord] = [:]
  var passkeysByCredential: [String: PasskeyRecord] = [:]
  var accessTokens: [String: TokenPair] = [:]
  /// What nobody misses after a restart.
  var ceremonies: [String: CeremonyRecord] = [:]
  var confirmations: [String: ConfirmationRecord] = [:]
  var signings: [String: SigningRecord] = [:]
  var consents: [String: ConsentRecord] = [:]
  /// Apps that are gone, for the streams that have not read to their end yet.
  var departed: [String: AppRecord] = [:]
  /// By their keys in hex.
  lazy var operators = Table<OperatorRecord>(ledger)
  var packages: [String: [FakePackage]] = [:]
  var limits = ClusterLimits()
  /// By package.
  var redirectUriLists: [String: [String]] = [:]
  var kept = IdempotencyTable()
  var pages = PageCursors()

  /// When something falls due next, in Unix milliseconds, and how often that changed.
  var nextDue: Int64?
  var dueRevision: UInt64 = 1

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
    self.nodes = nodes.map { Node(id: ids.id("node", at: now), url: $0) }
    self.ids = ids
  }

  func register(_ package: FakePackage) {
    var versions = packages[package.name] ?? []
    versions.removeAll { $0.version == package.version }
    versions.append(package)
    packages[package.name] = versions
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
    let app = apps[follower.appId] ?? departed[follower.appId]
    app?.followers[ObjectIdentifier(follower)] = nil
    if app?.followers.isEmpty ?? true { departed[follower.appId] = nil }
  }
}
