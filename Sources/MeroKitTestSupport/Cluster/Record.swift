import Foundation
import MeroWire

/// Something a cluster keeps, named by its id. It lives inside ``ClusterState`` and is only touched under the store's lock.
///
/// Every property that changes calls ``changed()`` from its `didSet`, so that a cluster that keeps its state on disk knows
/// what to write before it answers.
///
/// A new kind of record takes three steps:
/// 1. a subclass with ``table``, ``written()`` and `init(_ row: RecordRow, _ state: ClusterState) throws`, which reads what
///    ``written()`` gave. Properties that only help to find things, or that nobody misses after a restart, are left out;
/// 2. `lazy var things = Table<ThingRecord>(ledger)` in ``ClusterState``;
/// 3. a line in ``ClusterState/restore(_:)``, after those of the records it names.
///
/// A row is written whole. What grows without end, or is large, is told by ``takePieces()`` instead.
class Record {
  let id: String
  fileprivate weak var ledger: Ledger?
  fileprivate var isNoted = false

  init(id: String) {
    self.id = id
  }

  /// Says that what is kept of this record is no longer what it holds.
  final func changed() {
    guard !isNoted, let ledger else { return }
    ledger.note(self)
  }

  /// The name of the table it is kept in.
  class var table: String { preconditionFailure("\(self) names no table") }

  /// What is kept, as JSON; other records are named by their ids.
  func written() -> JSONObject { preconditionFailure("\(type(of: self)) says nothing of what is kept") }

  /// What changed in the record's lists since this was last asked: a list is kept an element at a time and read with
  /// ``RecordRow/list(_:)``. An element is JSON or any other bytes.
  ///
  /// Asked only of a record that called ``changed()``, and only where something is kept on disk.
  func takePieces() -> [KeptChange] { [] }
}

/// The records of one kind by their ids.
final class Table<Kept: Record> {
  private unowned let ledger: Ledger
  private var records: [String: Kept] = [:]

  init(_ ledger: Ledger) {
    self.ledger = ledger
    ledger.enter(Kept.table) { [weak self] in self?.records.mapValues { $0.written() } ?? [:] }
  }

  subscript(id: String) -> Kept? { records[id] }

  var values: some Collection<Kept> { records.values }
  var count: Int { records.count }
  var isEmpty: Bool { records.isEmpty }

  func insert(_ record: Kept) {
    records[record.id]?.ledger = nil
    records[record.id] = record
    record.ledger = ledger
    record.changed()
  }

  @discardableResult
  func remove(_ id: String) -> Kept? {
    guard let record = records.removeValue(forKey: id) else { return nil }
    record.ledger = nil
    ledger.removed(record)
    return record
  }

  /// Takes the records of this kind out of what was kept, and answers their rows.
  @discardableResult
  func restore(_ rows: inout KeptRows, _ read: (RecordRow) throws -> Kept) throws -> [RecordRow] {
    let own = try rows.take(Kept.table)
    for row in own {
      let record = try read(row)
      records[record.id] = record
      record.ledger = ledger
    }
    return own
  }
}

/// What changed since the cluster's state was last written down.
final class Ledger {
  private enum Entry {
    case changed(Record)
    case removed(table: String, id: String)
  }

  /// Whether anyone asks for the changes.
  var isKept = false
  private var entries: [Entry] = []
  private var tables: [(name: String, rows: () -> [String: JSONObject])] = []

  /// All rows by table and id, as they are kept when nothing is left to be written. Lists are not among them.
  var rows: [String: [String: JSONObject]] {
    tables.reduce(into: [:]) { rows, table in
      let own = table.rows()
      if !own.isEmpty { rows[table.name] = own }
    }
  }

  fileprivate func enter(_ table: String, _ rows: @escaping () -> [String: JSONObject]) {
    tables.append((table, rows))
  }

  fileprivate func note(_ record: Record) {
    guard isKept else { return }
    record.isNoted = true
    entries.append(.changed(record))
  }

  fileprivate func removed(_ record: Record) {
    guard isKept else { return }
    // One that is put back is noted anew.
    record.isNoted = false
    entries.append(.removed(table: type(of: record).table, id: record.id))
  }

  /// What to write for the changes since this was last asked, in order.
  func take() -> [KeptChange] {
    guard !entries.isEmpty else { return [] }
    defer { entries = [] }
    return entries.flatMap { entry -> [KeptChange] in
      switch entry {
      case .changed(let record):
        record.isNoted = false
        let row = JSONValue.object(record.written()).data()
        return [.put(table: type(of: record).table, id: record.id, row)] + record.takePieces()
      case .removed(let table, let id):
        return [.delete(table: table, id: id)]
      }
    }
  }
}
