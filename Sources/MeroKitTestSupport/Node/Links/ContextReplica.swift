import Foundation
import MeroWire

/// A method that changed a context, with all that running it again needs.
struct ContextWrite: Sendable {
  let position: LogEntry.Position
  let context: String
  let method: String
  let arguments: JSONValue
  let account: String
  let at: Date
  /// What the method's randomness came from.
  let seed: UInt64

  /// Stands for a write in the hash of the state it left.
  static func name(_ method: String, _ arguments: JSONValue) -> String { "\(method) \(arguments.text)" }
}

/// A context's state as the nodes that share it make it: where they began, and every write since, in one order.
///
/// A write that comes late is put where it belongs and what follows is run again, so that all end with the same state.
struct ContextReplica: Sendable {
  private let base: ContextState
  private(set) var writes: [ContextWrite] = []
  private(set) var current: ContextState

  init(_ base: ContextState) {
    self.base = base
    current = base
  }

  /// The time the next write gets here.
  var nextTime: UInt64 { (writes.last?.position.time ?? 0) + 1 }

  /// Keeps a write that was run here already.
  mutating func record(_ write: ContextWrite, leaving state: ContextState) {
    writes.append(write)
    current = state
  }

  /// Runs a write of another node. Answers what it emitted; nil for one that is known or did not run.
  mutating func add(_ write: ContextWrite, running package: FakePackage) -> [(kind: String, data: JSONValue)]?
  {
    guard !writes.contains(where: { $0.position == write.position }) else { return nil }
    guard let last = writes.last, write.position < last.position else {
      writes.append(write)
      return run(write, package)
    }
    writes.append(write)
    writes.sort { $0.position < $1.position }
    current = base
    var emitted: [(kind: String, data: JSONValue)]?
    for item in writes {
      let events = run(item, package)
      if item.position == write.position { emitted = events }
    }
    return emitted
  }

  private mutating func run(_ write: ContextWrite, _ package: FakePackage) -> [(
    kind: String, data: JSONValue
  )]? {
    guard let method = package.definition.methods[write.method] else { return nil }
    let source = SeededRandom(seed: write.seed)
    let run = FakeContext(
      account: write.account, now: write.at, data: current.data, random: source.bytes)
    guard (try? method.body(run, write.arguments)) != nil, run.hasWritten else { return nil }
    let hash = NodeContext.hash(
      of: run.data, after: current.hash, by: ContextWrite.name(write.method, write.arguments))
    current = ContextState(run.data, hash: hash)
    return run.events
  }
}

/// A context's state in storage that nobody else has: what goes from one node's lock to another's.
struct ContextState: Sendable {
  private let document: JSONValue
  private let lists: [String: [JSONValue]]
  let hash: String

  init(_ data: AppData, hash: String) {
    document = data.document
    lists = data.lists.mapValues { Array($0) }
    self.hash = hash
  }

  init(_ context: NodeContext) { self.init(context.data, hash: context.stateHash) }

  var data: AppData {
    var data = AppData()
    data.document = document
    for (name, list) in lists {
      for element in list { data.append(element, to: name) }
    }
    return data
  }

  var snapshot: NodeContext.Snapshot { NodeContext.Snapshot(data: data, stateHash: hash) }
}

/// A context as it is handed to a node that does not have it yet, or that fell behind.
struct ContextHandover: Sendable {
  let context: String
  let group: String
  let package: FakePackage
  let serviceName: String?
  let replica: ContextReplica
}
