/// What the node says about itself and the network.
struct NodeSystem: Sendable {
  let startedAt: Int64
  let peerId: String
  var lifecycle = FakeNode.Lifecycle.ready
  var isStoreAvailable = true
  var peers = 2
}

/// How often what was called.
struct NodeCounters: Sendable {
  var tokenCalls = 0
  var refreshCalls = 0
  var logoutCalls = 0
  var rpcCalls = 0
  var protectedCalls = 0
  var streams = 0
}

/// How a relay serves accounts (20 §9).
struct NodeRelay: Sendable {
  /// Whether the delegated routes are open to whoever brings a warrant.
  var isDelegatedAccessOpen = true
  /// Whether the relay was granted to author for others.
  var hasGrant = true
  /// Whether an account may prove itself in a request of its own. A proxy in front of a relay asks for a session.
  var takesProofs = false
  /// Whom the relay says to be as a warrant's executor, where that is not the truth.
  var claimed = Claimed()

  /// An executor's account and key, 64 hex each; nil for the relay's own.
  struct Claimed: Sendable {
    var account: String?
    var key: String?
  }
}
