import Foundation
import MeroHTTP

/// One thing a node tells others.
struct NodeMessage: Sendable {
  /// Names a message wherever it goes, so that a node that hears it twice takes it in once.
  struct Id: Sendable, Hashable {
    let node: String
    let number: UInt64
  }

  enum Content: Sendable {
    /// Lines of a namespace's log.
    case log(String, [LogEntry])
    /// A device was paired: the node it was made for becomes one of the account's.
    case paired(DeviceCredential)
    /// How far a device got with a migration.
    case heartbeat(MigrationHeartbeat)
    /// A context whole.
    case context(ContextHandover)
    /// A method changed a context.
    case write(ContextWrite)
    case presence(LinkedPresence)
    /// A blob that is held for a context.
    case blob(Data, context: String)
    /// A build that a group was pointed at.
    case build(FakePackage)
  }

  let id: Id
  let content: Content
}

/// The way from one node to another. What is sent arrives in order, after a delay on the clock of the node it goes to.
final class NodeWire: Sendable {
  private struct State {
    var delay: TimeInterval
    var queue: [(due: TimeInterval, message: NodeMessage)] = []
    var isCut = false
    /// Wakes the receiver when the next message is due.
    var timer: Task<Void, Never>?
  }

  let from: String
  let to: String
  private let receiver: WeakStore
  private let clock: MeroClock
  /// Protects the queue; nothing is called under it.
  private let state: Locked<State>

  init(from: String, to receiver: NodeStore, named to: String, delay: TimeInterval) {
    self.from = from
    self.to = to
    self.receiver = WeakStore(receiver)
    clock = receiver.clock
    state = Locked(State(delay: delay))
  }

  deinit { state.withLock { $0.timer?.cancel() } }

  /// The node at the end, while it exists.
  var store: NodeStore? { receiver.store }

  /// Puts a message on the way. `poke` has to follow, outside of any node's lock.
  func send(_ message: NodeMessage) {
    let now = clock.uptime()
    state.withLock { state in
      guard !state.isCut else { return }
      let due = max(now + state.delay, state.queue.last?.due ?? 0)
      state.queue.append((due, message))
    }
  }

  /// Takes out what has arrived.
  func takeDue() -> [NodeMessage] {
    let now = clock.uptime()
    return state.withLock { state in
      let count = state.queue.prefix { $0.due <= now }.count
      defer { state.queue.removeFirst(count) }
      return state.queue.prefix(count).map(\.message)
    }
  }

  /// Seconds until the next message arrives; nil when none is on its way.
  var nextArrival: TimeInterval? {
    let now = clock.uptime()
    return state.withLock { state in state.queue.first.map { max(0.001, $0.due - now) } }
  }

  var delay: TimeInterval { state.withLock { $0.delay } }

  func setDelay(_ delay: TimeInterval) { state.withLock { $0.delay = delay } }

  /// What is on the way is lost, and nothing follows.
  func cut() {
    state.withLock { state in
      state.isCut = true
      state.queue = []
      state.timer?.cancel()
      state.timer = nil
    }
  }

  /// Has the receiver take in what has arrived, now or, where nothing has, as soon as it does.
  func poke() {
    store?.receive()
    let clock = clock
    state.withLock { state in
      guard state.timer == nil, let due = state.queue.first?.due else { return }
      state.timer = Task { [weak self] in
        try? await clock.sleep(due - clock.uptime())
        guard let self, !Task.isCancelled else { return }
        self.state.withLock { $0.timer = nil }
        self.poke()
      }
    }
  }
}

/// A store that is not kept alive: nodes that are linked do not own each other.
private final class WeakStore: Sendable {
  private let box: Locked<Box>

  private struct Box {
    weak var store: NodeStore?
  }

  init(_ store: NodeStore) { box = Locked(Box(store: store)) }

  var store: NodeStore? { box.withLock { $0.store } }
}
