import MeroWire

/// Something a cluster keeps, named by its id. It lives inside ``ClusterState`` and is only touched under the store's lock.
///
/// Every property that changes calls ``changed()`` from its `didSet`, so that a cluster that keeps its state on disk knows
/// what to write before it answers.
class Record {
  let id: String
  fileprivate var ledger: Ledger?
  fileprivate var isNoted = false

  init(id: String) {
    self.id = id
  }

  /// Says that what is kept of this record is no longer what it holds.
  final func changed() {
    guard !isNoted, let ledger else { return }
    isNoted = true
    ledger.note(self)
  }

  /// The name of the table it is kept in.
  class var table: String { preconditionFailure("\(self) names no table") }

  /// What is kept, as JSON; other records are named by their ids.
  func written() -> JSONObject { preconditionFailure("\(type(of: self)) says nothing of what is kept") }
}

/// The records of one kind by their ids.
struct Table<Kept: Record> {
  private let ledger: Ledger
  private var records: [String: Kept] = [:]

  init(_ ledger: Ledger) {
    self.ledger = ledger
  }

  subscript(id: String) -> Kept? { records[id] }

  var values: some Collection<Kept> { records.values }
  var count: Int { records.count }
  var isEmpty: Bool { records.isEmpty }

  mutating func insert(_ record: Kept) {
    records[record.id] = record
    record.ledger = ledger
    record.changed()
  }

  @discardableResult
  mutating func remove(_ id: String) -> Kept? {
    guard let record = records.removeValue(forKey: id) else { return nil }
    record.ledger = nil
    ledger.removed(record)
    return record
  }

  /// Takes a record that was read from the disk, which therefore need not be written.
  mutating func restore(_ record: Kept) {
    records[record.id] = record
    record.ledger = ledger
  }
}

/// What changed since the cluster's state was last written down.
final class Ledger {
  /// A change of a record.
  enum Entry {
    case changed(Record)
    case removed(table: String, id: String)
  }

  /// Whether anyone asks for the entries.
  var isKept = false
  private var entries: [Entry] = []

  fileprivate func note(_ record: Record) {
    guard isKept else {
      record.isNoted = false
      return
    }
    entries.append(.changed(record))
  }

  fileprivate func removed(_ record: Record) {
    guard isKept else { return }
    entries.append(.removed(table: type(of: record).table, id: record.id))
  }

  /// The changes since this was last asked, in order.
  func take() -> [Entry] {
    defer { entries = [] }
    for case .changed(let record) in entries { record.isNoted = false }
    return entries
  }
}
