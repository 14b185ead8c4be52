import Foundation
import MeroHTTP
import MeroWire
import Testing

@testable import MeroKitTestSupport

/// Keeps a cluster's rows in memory, as a database would, and can be made to fail.
final class MirrorKeeper: ClusterKeeper {
  struct Full: Error {}

  private struct State {
    var rows = KeptRows()
    var isFull = false
    var written = 0
  }

  private let state: Locked<State>

  init(_ rows: KeptRows = KeptRows()) {
    state = Locked(State(rows: rows))
  }

  /// What was written so far.
  var rows: KeptRows { state.withLock { $0.rows } }
  /// How many rows and elements of lists there are.
  var size: Int {
    state.withLock { state in
      let records = state.rows.records.values.reduce(0) { $0 + $1.count }
      return records + state.rows.lists.values.reduce(0) { $0 + $1.count }
    }
  }
  /// How many changes were written so far.
  var written: Int { state.withLock { $0.written } }

  func fill(_ isFull: Bool = true) { state.withLock { $0.isFull = isFull } }

  func change(_ body: (inout KeptRows) -> Void) { state.withLock { body(&$0.rows) } }

  func load() throws -> KeptRows { rows }

  func write(_ changes: [KeptChange]) throws {
    try state.withLock { state in
      if state.isFull { throw Full() }
      changes.forEach { state.rows.take($0) }
      state.written += changes.count
    }
  }
}

extension KeptRows {
  /// What a database does with a change.
  mutating func take(_ change: KeptChange) {
    switch change {
    case .put(let table, let id, let value): records[table, default: [:]][id] = value
    case .delete(let table, let id):
      records[table]?[id] = nil
      if records[table]?.isEmpty == true { records[table] = nil }
      for list in lists.keys where list.table == table && list.id == id { lists[list] = nil }
    case .append(let list, let place, let value):
      if lists[list]?[place] != nil { Issue.record("\(list) has an element at \(place)") }
      lists[list, default: [:]][place] = value
    case .dropFirst(let list, let place): drop(list) { $0 < place }
    case .dropLast(let list, let place): drop(list) { $0 >= place }
    }
  }

  private mutating func drop(_ list: KeptList, where isGone: (Int) -> Bool) {
    let left = lists[list]?.filter { !isGone($0.key) } ?? [:]
    lists[list] = left.isEmpty ? nil : left
  }
}

/// Everything of a cluster that survives, in a form that can be compared.
struct KeptSnapshot {
  private var parts: [String: String] = [:]

  init(_ state: ClusterState) {
    for (table, rows) in state.ledger.rows {
      for (id, row) in rows { parts["\(table) \(id)"] = Self.text(.object(row)) }
    }
    for app in state.apps.values {
      parts["document \(app.id)"] = app.now.data.document.text
      for (name, list) in app.now.data.lists {
        parts["list \(app.id) \(name)"] = JSONValue.array(Array(list)).text
      }
      parts["events \(app.id)"] = JSONValue.array(app.events.events.map(\.json)).text
      parts["changes \(app.id)"] = "\(app.events.events.map(\.change))"
      parts["org \(app.id)"] = "\(app.org.apps[app.id] === app)"
    }
    // What is found by other names must be found again.
    for account in state.accounts.values {
      parts["passkeys of \(account.id)"] = "\(account.passkeys.map(\.id))"
    }
    for (name, account) in state.accountsByName { parts["name \(name)"] = account.id }
    for (id, passkey) in state.passkeysByCredential { parts["credential \(id)"] = passkey.id }
    for (access, pair) in state.accessTokens { parts["access \(access)"] = pair.id }
    for session in state.sessions.values { parts["pair of \(session.id)"] = session.pair?.id ?? "none" }
    parts["nodes"] = "\(state.nodes.map(\.id))"
    parts["changes"] = "\(state.changes)"
    parts["cluster"] = "\(state.clusterId) \(state.secret)"
  }

  /// What is not the same in both; tokens are shortened.
  func differences(from other: KeptSnapshot) -> [String] {
    Set(parts.keys).union(other.parts.keys).filter { parts[$0] != other.parts[$0] }.sorted().map {
      "\($0.prefix(40)): \(parts[$0]?.prefix(400) ?? "missing") instead of \(other.parts[$0]?.prefix(400) ?? "missing")"
    }
  }

  /// The order of an object's members means nothing in a row that was made from a dictionary.
  private static func text(_ value: JSONValue) -> String {
    switch value {
    case .object(let members):
      return "{" + members.map { "\($0.key):\(text($0.value))" }.sorted().joined(separator: ",") + "}"
    case .array(let elements): return "[" + elements.map(text).joined(separator: ",") + "]"
    default: return value.text
    }
  }
}

extension FakeCloud {
  /// What a cluster that is started from these rows would have other than this one has now.
  func lost(in keeper: MirrorKeeper) throws -> [String] {
    // What is due is done first and kept last whenever the state is used, so that it must not be now.
    store.withState { _ in }
    return try store.withState { state in
      let now = KeptSnapshot(state)
      let again = try ClusterState(
        keeper.rows, rpId: state.relyingParty.id, nodes: state.nodes.map(\.url), ids: state.ids,
        now: store.now,
        packages: state.packages.values.flatMap { $0 }, keeper: keeper)
      return KeptSnapshot(again).differences(from: now)
    }
  }
}
