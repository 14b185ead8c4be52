import Foundation
import MeroWire

/// Everything a ``ClusterKeeper`` keeps, as it is read when a cluster starts.
package struct KeptRows: Sendable {
  /// By table and id.
  package var records: [String: [String: Data]] = [:]
  /// The elements of lists by their places.
  package var lists: [KeptList: [Int: Data]] = [:]

  package init() {}

  package var isEmpty: Bool { records.isEmpty }

  /// Takes the rows of a table out, read as JSON and sorted by their ids.
  mutating func take(_ table: String) throws -> [RecordRow] {
    guard let rows = records.removeValue(forKey: table) else { return [] }
    var pieces: [String: [String: [Int: Data]]] = [:]
    for (list, elements) in lists where list.table == table {
      pieces[list.id, default: [:]][list.name] = elements
      lists[list] = nil
    }
    return try rows.sorted { $0.key < $1.key }.map { id, data in
      guard let fields = try? JSONValue(parsingKept: data).objectValue else {
        throw RecordRow.Damage(table: table, id: id, field: "the row")
      }
      return RecordRow(table: table, id: id, fields: fields, lists: pieces[id] ?? [:])
    }
  }

  /// Takes the one row of a table out.
  mutating func takeOnly(_ table: String) throws -> RecordRow {
    let rows = try take(table)
    guard rows.count == 1 else { throw RecordRow.Damage(table: table, id: "cluster", field: "the row") }
    return rows[0]
  }

  /// Throws when something is left that nobody took.
  func requireEmpty() throws {
    if let table = records.keys.min() { throw UnknownTable(name: table) }
    if let list = lists.keys.first {
      throw RecordRow.Damage(table: list.table, id: list.id, field: list.name)
    }
  }

  /// There are rows of a kind that this program does not know.
  struct UnknownTable: Error, CustomStringConvertible {
    let name: String
    var description: String { "it has a table that this program does not know: \(name)" }
  }
}

extension RecordRow {
  /// A list of the record: where it begins, which is after what was dropped of it, and its elements.
  func list(_ name: String) throws -> (first: Int, elements: [Data]) {
    guard let elements = lists[name], let first = elements.keys.min() else { return (0, []) }
    let all = try (0..<elements.count).map { index in
      // Not by a range, which has an end: a damaged file may name the last place there is.
      guard let element = elements[first + index] else { throw damage("\(name)[\(first + index)]") }
      return element
    }
    return (first, all)
  }

  /// As ``list(_:)``, with elements that are JSON.
  func jsonList(_ name: String) throws -> (first: Int, elements: [JSONValue]) {
    let (first, elements) = try list(name)
    let values = try elements.enumerated().map { place, data in
      guard let value = try? JSONValue(parsingKept: data) else { throw damage("\(name)[\(first + place)]") }
      return value
    }
    return (first, values)
  }

  /// The names of the record's lists.
  var listNames: [String] { lists.keys.sorted() }
}
