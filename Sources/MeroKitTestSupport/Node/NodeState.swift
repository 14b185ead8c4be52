import Foundation
import MeroHTTP
import MeroWire

/// Everything a node keeps. One lock guards it; each file of routes keeps its part in a member of its own.
struct NodeState {
  var auth: NodeAuth
  var system: NodeSystem
  var applications = NodeApplications()
  var contexts = NodeContexts()
  var blobs = NodeBlobs()
  var presence = NodePresence()
  var streams = NodeStreams()
  var governance: Governance
  var links = NodeLinks()
  var counters = NodeCounters()
  var faults = NodeFaultList()
  var log = NodeLog()
  /// Where the login page may send people besides this machine and the node itself.
  var loginDestinations: Set<LoginDestination> = []
  /// What methods answer without being run.
  var rpcOutputs: [String: JSONValue] = [:]
  /// Whether syncing brings nothing until the test lets it.
  var isSyncHeld = false
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
  /// What keeps this state, for event streams that outlive the request they came with.
  weak var store: NodeStore?
  private var effects: [@Sendable () -> Void] = []

  init(random: SeededRandom, tdx: TestPKI?, now: Date) {
    self.random = random
    self.tdx = tdx
    let seconds = Int64(now.timeIntervalSince1970.rounded(.down))
    auth = NodeAuth(random: random)
    system = NodeSystem(startedAt: seconds, peerId: "12D3KooW" + Hex.encode(random.bytes(18)))
    governance = Governance(random: random, presenting: tdx == nil ? nil : .good)
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
  /// The task that ends presence in time, while there is any that ends by itself.
  private let watch = Locked<Task<Void, Never>?>(nil)

  init(clock: MeroClock, _ state: sending NodeState) {
    self.clock = clock
    self.state = Locked(state)
    self.state.withLock { $0.store = self }
  }

  deinit {
    watch.withLock { $0 }?.cancel()
  }

  func withState<Result>(_ body: (inout NodeState) throws -> Result) rethrows -> Result {
    var effects: [@Sendable () -> Void] = []
    var isPresenceWatched = false
    defer {
      effects.forEach { $0() }
      if isPresenceWatched { watchPresence() }
    }
    return try state.withLock { state in
      defer {
        state.settle(at: clock.now())
        effects = state.takeEffects()
        isPresenceWatched = state.presence.nextExpiry != nil
      }
      state.receiveDue(at: clock.now())
      return try body(&state)
    }
  }

  /// Sleeps until the next slot expires, again and again until none will.
  private func watchPresence() {
    watch.withLock { task in
      guard task == nil else { return }
      task = Task { [weak self, clock] in
        while let seconds = self?.secondsToNextExpiry() {
          guard (try? await clock.sleep(seconds)) != nil else { return }
          self?.withState { $0.expirePresence(at: clock.now()) }
        }
      }
    }
  }

  /// Ends the watch when there is nothing to watch, in one step so that none begins in between unnoticed.
  private func secondsToNextExpiry() -> TimeInterval? {
    watch.withLock { task in
      guard let expiry = state.withLock({ $0.presence.nextExpiry }) else {
        task = nil
        return nil
      }
      return max(0.001, expiry.timeIntervalSince(clock.now()))
    }
  }
}
