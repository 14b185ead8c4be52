import Foundation
import MeroHTTP
import MeroWire

/// Everything a node keeps. One lock guards it; each file of routes keeps its part in a member of its own.
struct NodeState {
  var auth: NodeAuth
  var system: NodeSystem
  var contexts = NodeContexts()
  var governance: Governance
  var counters = NodeCounters()
  /// How the node serves accounts; nil for a node that is no relay.
  var relay: NodeRelay?
  /// Whether the node answers as one before rc.25 did where the shape of an answer changed.
  var isOld = false
  /// Whether sessions are checked; a bare development node answers everything to anyone.
  var isGuarded = true
  /// Makes the node's quotes; nil off such hardware.
  let tdx: TestPKI?
  /// Everything random comes from here.
  let random: SeededRandom
  private var effects: [@Sendable () -> Void] = []

  init(random: SeededRandom, tdx: TestPKI?, now: Date) {
    self.random = random
    self.tdx = tdx
    let seconds = Int64(now.timeIntervalSince1970.rounded(.down))
    auth = NodeAuth(random: random)
    system = NodeSystem(startedAt: seconds)
    governance = Governance(random: random)
  }

  /// The account a caller acts as: its own, or the node's for the node's sessions.
  func account(of caller: NodeCaller) -> String { caller.account ?? governance.identity.account }

  /// A new id: 32 random bytes in hex.
  func makeId() -> String { Hex.encode(random.bytes(32)) }

  /// Runs `effect` once the lock is given up. Waking a reader, or telling another node, must not happen under it.
  mutating func afterwards(_ effect: @escaping @Sendable () -> Void) { effects.append(effect) }

  mutating func takeEffects() -> [@Sendable () -> Void] {
    defer { effects = [] }
    return effects
  }
}

/// Keeps a node's state behind its lock.
final class NodeStore: Sendable {
  let clock: MeroClock
  /// Guards the whole state; work under it is synchronous and short, methods of contracts included.
  private let state: Locked<NodeState>

  init(clock: MeroClock, _ state: sending NodeState) {
    self.clock = clock
    self.state = Locked(state)
  }

  func withState<Result>(_ body: (inout NodeState) throws -> Result) rethrows -> Result {
    var effects: [@Sendable () -> Void] = []
    defer { effects.forEach { $0() } }
    return try state.withLock { state in
      defer { effects = state.takeEffects() }
      return try body(&state)
    }
  }
}
