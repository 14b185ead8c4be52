/// How a node is set up and what state it is in.
extension FakeNode {
  /// Where the node is between starting and stopping (20 §5.1).
  public enum Lifecycle: String, Sendable, Hashable {
    /// It serves.
    case ready
    /// It has not begun to serve: `/ready` is 503.
    case starting
    /// It is about to end: `/ready` is 503.
    case shuttingDown = "shutting_down"
  }

  /// Changes what `/ready` says.
  public func setLifecycle(_ lifecycle: Lifecycle) { store.withState { $0.system.lifecycle = lifecycle } }

  /// Says whether the datastore answers: `/health` and `/ready` are 503 without it.
  public func setStoreAvailable(_ isAvailable: Bool) {
    store.withState { $0.system.isStoreAvailable = isAvailable }
  }

  /// How many peers the node is connected to.
  public func setPeers(_ count: Int) { store.withState { $0.system.peers = count } }

  /// Whether sessions are checked. A bare development node has no guard and answers everything to anyone.
  public func setGuarded(_ isGuarded: Bool) { store.withState { $0.isGuarded = isGuarded } }

  /// Whether the node answers as one before rc.25 did where the shape of an answer changed since.
  public func setOld(_ isOld: Bool) { store.withState { $0.isOld = isOld } }

  /// Makes the node a relay, with its delegated routes open to whoever brings a warrant or not, and granted to author
  /// for others or not; ``setNoRelay()`` undoes it.
  public func setRelay(delegatedAccess: Bool = true, hasGrant: Bool = true) {
    store.withState { $0.relay = NodeRelay(isDelegatedAccessOpen: delegatedAccess, hasGrant: hasGrant) }
  }

  /// Makes the node one that serves its owner only.
  public func setNoRelay() { store.withState { $0.relay = nil } }

  /// Whether `/auth/mock-token` is served, as by debug builds that say so.
  public func setMockTokens(_ areServed: Bool) { store.withState { $0.auth.servesMockTokens = areServed } }

  /// Holds back the state that waits at peers: syncing brings nothing until this is false again.
  /// A namespace joined in the meantime is empty until then, but for the node's own membership.
  public func holdSync(_ isHeld: Bool) {
    store.withState { state in
      state.isSyncHeld = isHeld
      if !isHeld { state.releaseSync(at: store.clock.now()) }
    }
  }
}
