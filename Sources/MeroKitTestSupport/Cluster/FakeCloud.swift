import Foundation
import MeroHTTP
import MeroWire

/// A Calimero 1.0 cluster in memory: several nodes over one store, each with its own sealed channel (70 §2.25).
///
/// ```swift
/// let cloud = FakeCloud()
/// let client = CalimeroClient(
///   CalimeroClientOptions(
///     baseUrl: cloud.urls[0], nodes: Array(cloud.urls.dropFirst()), policy: .development, transport: cloud.transport))
/// cloud.nodes[0].down()   // the next call lands on the second node
/// #expect(cloud.violations.isEmpty)
/// ```
///
/// Everything a client sends is checked against the API document, and so is every answer. Time comes from the clock,
/// ids, keys and tokens from the seed when there is one, so that a test can be repeated exactly.
public final class FakeCloud: Sendable {
  /// Who may make an account.
  public enum SignupMode: String, Sendable, Hashable {
    /// Anyone.
    case open
    /// Whoever holds a code given to ``FakeCloud/admit(invite:uses:)``.
    case invite
    /// Nobody.
    case closed
  }

  /// The cluster's id, 32 bytes.
  public let clusterId: [UInt8]
  /// The seed that everything random is made from; `nil` when it comes from the system.
  public let seed: UInt64?
  /// The nodes; their URLs are `http://127.0.0.1:2501` and the ports after it unless told otherwise.
  public let nodes: [FakeCloudNode]
  /// Makes the quotes of the nodes and the releases they run; `nil` where quotes are mock ones.
  public let tdx: TestPKI?
  /// Serves the releases, also through ``transport`` at `https://cloud.calimero.network`; `nil` without ``tdx``.
  public let releaseMirror: FakeReleaseMirror?
  /// What a person should know of a cluster that was kept: apps whose code is not there.
  package let notices: [String]
  let store: ClusterStore
  private let logKeeper: LogKeeper
  let notes = ClusterNotes()

  /// A cluster with the built-in packages ``FakePackage/chat``, ``FakePackage/notes`` and ``FakePackage/kv``, and no
  /// accounts.
  ///
  /// `clusterId` is random unless given. Two clusters of one `seed` have the same keys and tokens; without one they are the
  /// system's, which nobody can foresee. With `tdx`, nodes
  /// answer as real hardware does, for clients that were given its ``TestPKI/roots``; without, with mock quotes.
  public convenience init(
    nodes: Int = 3, clusterId: [UInt8]? = nil, rpId: String = "localhost", signup: SignupMode = .open,
    clock: MeroClock = .system, seed: UInt64? = nil, tdx: TestPKI? = nil
  ) {
    let random = MeroRandom.chosen(by: seed)
    let clusterId = clusterId ?? random.bytes(32)
    precondition(clusterId.count == 32, "a cluster id has 32 bytes")
    let state = ClusterState(
      clusterId: clusterId, rpId: rpId, signup: signup, nodes: Self.urls(nodes), ids: IdMaker(random),
      now: Int64((clock.now().timeIntervalSince1970 * 1000).rounded()))
    FakePackage.builtIn.forEach(state.register)
    self.init(state, clock: clock, seed: seed, random: random, tdx: tdx)
  }

  /// A cluster whose state survives: what `keeper` kept, or a new one where that is nothing.
  ///
  /// Sealed sessions, open streams and questions to people do not survive, as they do not when a node restarts; calls
  /// that were running were not applied. `signup` counts for a new cluster only.
  package convenience init(
    keptBy keeper: any ClusterKeeper, blobBytes: any BlobBytes = MemoryBlobBytes(), nodes: Int = 3,
    rpId: String = "localhost", signup: SignupMode = .open,
    clock: MeroClock = .system, seed: UInt64? = nil, tdx: TestPKI? = nil
  ) throws {
    let rows = try keeper.load()
    // Even with the seed of the first start nothing is made twice: tokens and ids were given away.
    let seed = rows.isEmpty ? seed : nil
    let random = MeroRandom.chosen(by: seed)
    let now = Int64((clock.now().timeIntervalSince1970 * 1000).rounded())
    let state: ClusterState
    if rows.isEmpty {
      state = ClusterState(
        clusterId: random.bytes(32), rpId: rpId, signup: signup, nodes: Self.urls(nodes),
        ids: IdMaker(random),
        now: now, keeper: keeper)
      FakePackage.builtIn.forEach(state.register)
    } else {
      state = try ClusterState(
        rows, rpId: rpId, nodes: Self.urls(nodes), ids: IdMaker(random), now: now,
        packages: FakePackage.builtIn,
        keeper: keeper)
    }
    state.dropUnfinished()
    if tdx != nil { state.release = TestPKI.release }
    state.knowOwnRelease(image: tdx?.image())
    // A cluster that cannot be written down is not served at all.
    try keeper.write(state.ledger.take())
    self.init(state, blobBytes: blobBytes, clock: clock, seed: seed, random: random, tdx: tdx)
  }

  private init(
    _ state: sending ClusterState, blobBytes: any BlobBytes = MemoryBlobBytes(), clock: MeroClock,
    seed: UInt64?,
    random: MeroRandom, tdx: TestPKI?
  ) {
    precondition(!state.nodes.isEmpty, "a cluster has at least one node")
    if tdx != nil { state.release = TestPKI.release }
    state.knowOwnRelease(image: tdx?.image())
    let (origins, clusterId) = (state.nodes.map { ($0.id, $0.url) }, state.clusterId)
    notices = state.missingCode
    let store = ClusterStore(clock: clock, blobBytes: blobBytes, state)
    let (log, notes) = (LogKeeper(), notes)
    logKeeper = log
    self.clusterId = clusterId
    self.seed = seed
    self.tdx = tdx
    releaseMirror = tdx.map { FakeReleaseMirror($0) }
    self.store = store
    nodes = origins.enumerated().map { index, origin in
      FakeCloudNode(
        index: index, id: origin.0, url: origin.1, clusterId: clusterId, store: store, document: .shared,
        log: log, notes: notes, random: random.branch(isSeeded: seed != nil), tdx: tdx)
    }
  }

  deinit {
    store.paused.cancel()
  }

  private static func urls(_ count: Int) -> [URL] {
    (0..<count).compactMap { URL(string: "http://127.0.0.1:\(2501 + $0)") }
  }

  /// Where the nodes are reached, in order.
  public var urls: [String] { nodes.map(\.url.absoluteString) }

  /// Reaches the nodes without sockets, by the scheme, host and port of a request. An address that is no node's refuses
  /// the connection.
  public var transport: any HTTPTransport { FakeCloudTransport(cloud: self) }

  /// Says where the nodes are reached from now on, one URL for each: for listeners whose ports the system chose.
  public func rememberOrigins(_ urls: [URL]) {
    precondition(urls.count == nodes.count, "every node needs its URL")
    for (node, url) in zip(nodes, urls) {
      node.address.withLock { $0 = NodeAddress(url) }
      store.withState { $0.nodes[node.index].url = url }
    }
  }

  /// Makes a version of a package available to new apps, without anybody publishing or deploying it. The same version
  /// again replaces it. Once the package has a deployment, that alone decides what new apps may run (70 §2.21).
  public func register(_ package: FakePackage) {
    store.withState { $0.register(package) }
  }

  /// Gives the cluster the code of a package that is yet to be published: no app can run it before its
  /// ``FakePackage/bundle(signedBy:name:summary:icon:minCore:)`` is published and deployed.
  public func provideCode(of package: FakePackage) {
    store.withState { $0.codes[package.codeHash] = package }
  }

  /// What went to the nodes so far.
  public var log: FakeCloudLog { logKeeper.log }

  /// Forgets the log, ``lapses`` and ``unfitRequests``, to look only at what comes next.
  public func clearLog() {
    logKeeper.clear()
    notes.lapses.clear()
    notes.unfit.clear()
  }

  /// Answers of the fake that did not fit the API document: successes, refusals with their details, frames of event
  /// streams; the first thousand. A test should end with none.
  public var violations: [String] { notes.violations.all }

  /// Requests that did not fit the API document: the operation and what about it does not fit, without any value that
  /// was sent; the first thousand. Each was refused, mostly with 400, so a client that never sends what a node must refuse
  /// ends a test with none.
  public var unfitRequests: [String] { notes.unfit.all }

  /// What clients left out of the headers that every sealed request owes (70 §2.2), in words; the first thousand. Nothing is
  /// refused for it. A test of a client should end with none.
  public var lapses: [String] { notes.lapses.all }

  /// How often a method of an app ran, runs that failed included.
  public func runs(of method: String, in app: String) -> Int {
    store.withState { $0.apps[app]?.runs[method] ?? 0 }
  }

  /// How many event streams of an app are open.
  public func openStreams(of app: String) -> Int {
    store.withState { $0.apps[app]?.followers.count ?? 0 }
  }

  /// Lets whoever holds this code sign up while the mode is `invite`: any number of people, or as many as `uses` says.
  /// Whoever comes then is told that it is used up.
  public func admit(invite code: String, uses: Int? = nil) {
    store.withState { state in
      state.signupInvites.insert(code)
      state.progress.signupUsesLeft[code] = uses
    }
  }

  /// Changes who may make an account.
  public func setSignup(_ mode: SignupMode) {
    store.withState { $0.signup = mode }
  }

  /// How long a session made at one node is unknown at the others: they answer 401 `UNAUTHENTICATED` until then.
  public func setSessionLag(milliseconds: Int64) {
    store.withState { $0.sessionLag = milliseconds }
  }

  /// Suspends an account by its name, or lifts that.
  public func suspend(account name: String, _ isSuspended: Bool = true) {
    store.withState { $0.accountsByName[name]?.isSuspended = isSuspended }
  }

  /// Suspends an organization, or lifts that.
  public func suspend(org: String, _ isSuspended: Bool = true) {
    store.withState { state in
      state.orgs[org]?.isSuspended = isSuspended
      // Its apps' jobs waited.
      state.schedule(at: store.now)
    }
  }

  /// Makes an account a member of an organization, or changes its role: `owner`, `admin`, `member` or `viewer`.
  public func join(_ name: String, org: String, as role: String) {
    store.withState { state in
      guard let account = state.accountsByName[name], let org = state.orgs[org] else { return }
      guard let role = OrgRole(rawValue: role) else { preconditionFailure("\(role) is no role") }
      org.members[account.id] = OrgRecord.Member(role: role, joinedAt: org.createdAt)
    }
  }

  /// Gives an account a role of its own in an app: `manager`, `writer` or `reader`; `nil` takes it away.
  public func share(_ app: String, with name: String, as role: String?) {
    store.withState { state in
      guard let account = state.accountsByName[name], let app = state.apps[app] else { return }
      guard let role else {
        app.members[account.id] = nil
        return
      }
      guard let role = AppRole(rawValue: role) else { preconditionFailure("\(role) is no role") }
      app.members[account.id] = AppRecord.Member(role: role, addedAt: app.createdAt)
    }
  }

  /// Puts an app in a state, as an operator may: `creating`, `ready`, `upgrading`, `suspended` or `deleting`. Its streams
  /// hear of it. One that is ready follows its deployment, if that moved on meanwhile.
  public func setState(_ state: String, ofApp app: String) {
    guard let state = AppState(rawValue: state) else { preconditionFailure("\(state) is no state of an app") }
    store.withState { cluster in
      guard let app = cluster.apps[app] else { return }
      cluster.move(app, to: state, at: store.now)
      cluster.follow(app, at: store.now)
    }
  }

  /// Revokes every session of an account by its name, as an operator would.
  public func revokeSessions(of name: String) {
    store.withState { state in
      for session in state.sessions.values where session.account.name == name { state.revoke(session) }
    }
  }

  /// Drops all but the newest `count` events of an app, as time would: older cursors are then `CURSOR_EXPIRED`.
  public func forgetEvents(of app: String, keeping count: Int = 0) {
    store.withState { $0.apps[app]?.events.forget(keeping: count) }
  }

  /// Forgets the answers kept for idempotency keys, as a day would: a repeat runs again.
  public func forgetAnswers() {
    store.withState { $0.kept.forgetAll() }
  }
}

/// Routes requests to the nodes of a cluster.
private struct FakeCloudTransport: HTTPTransport {
  let cloud: FakeCloud

  func send(_ request: HTTPRequest) async throws -> HTTPResponse {
    if request.url.host == "cloud.calimero.network", request.url.scheme == "https",
      let mirror = cloud.releaseMirror
    {
      return try await mirror.handle(request)
    }
    let node = cloud.nodes.first { $0.address.withLock { $0 }.isOrigin(of: request.url) }
    guard let node else {
      throw TransportError(
        kind: .cannotConnect, text: "no node listens at \(request.url.host ?? "this address")",
        mayHaveBeenSent: false)
    }
    try Task.checkCancellation()
    return try await node.handle(request)
  }
}
