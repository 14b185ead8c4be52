import Foundation
import MeroCrypto
import MeroWire

/// A context as the node keeps it: one replicated instance of an app's state, owned by a group.
struct NodeContext {
  let id: String
  var groupId: String
  var applicationId: String
  /// The bytecode it executes.
  var blobId: String
  var serviceName: String?
  var data = AppData()
  /// Stands for the state: changes with every write, equal where the same writes were done in the same order.
  var stateHash = NodeContext.noState
  /// Whether this node takes part with an identity of its own.
  var isJoined = true
  /// Whether the state has arrived.
  var isInitialised = true
  /// Whether the group's key has yet to be delivered.
  var isKeyPending = false
  /// The keys this node takes part with.
  var identities: [String]
  var sync = SyncStatus()
  /// State that waits at a peer until the next sync.
  var arriving: Snapshot?

  static let noState = String(repeating: "0", count: 64)

  /// A state on its way from one node to another.
  struct Snapshot {
    let data: AppData
    let stateHash: String
  }

  /// How syncing goes, in the words of 10 §3.
  struct SyncStatus: Sendable {
    var state: JSONValue = ["state": "idle"]
    var failures = 0
    var lastError: String?

    var json: JSONObject {
      var object: JSONObject = ["syncState": state, "failureCount": JSONValue(failures)]
      object["lastError"] = lastError.map { .string($0) }
      return object
    }
  }

  /// Keeps what a write left behind.
  mutating func commit(_ data: AppData, by write: String) {
    self.data = data
    stateHash = Self.hash(of: data, after: stateHash, by: write)
  }

  static func hash(of data: AppData, after hash: String, by write: String) -> String {
    Hex.encode(SHA256.hash(Array("\(hash)\n\(write)\n\(data.document.text)".utf8)))
  }

  /// Takes a peer's state in place of its own.
  mutating func adopt(_ snapshot: Snapshot) {
    data = snapshot.data
    stateHash = snapshot.stateHash
    isInitialised = true
    arriving = nil
  }
}

/// The contexts a node knows, in the order they came.
struct NodeContexts {
  private var byId: [String: NodeContext] = [:]
  private(set) var ids: [String] = []

  subscript(id: String) -> NodeContext? {
    get { byId[id] }
    set {
      if byId[id] == nil, newValue != nil { ids.append(id) }
      if newValue == nil { ids.removeAll { $0 == id } }
      byId[id] = newValue
    }
  }

  /// Changes a context in place, if there is one.
  mutating func update(_ id: String, _ change: (inout NodeContext) -> Void) {
    guard byId[id] != nil else { return }
    change(&byId[id]!)  // the line before found it
  }

  var all: [NodeContext] { ids.compactMap { byId[$0] } }

  func inGroup(_ group: String) -> [NodeContext] { all.filter { $0.groupId == group } }
}
