import Foundation

/// Where a cluster keeps its state so that it survives the process.
///
/// The cluster reads everything once, when it starts, and from then on writes what each request changed before its
/// answer leaves. A keeper stores rows and knows nothing of what they mean.
package protocol ClusterKeeper: Sendable {
  /// Everything that was written so far.
  func load() throws -> KeptRows
  /// Writes all of the changes, in order, or none of them.
  func write(_ changes: [KeptChange]) throws
}

/// One change of what is kept.
package enum KeptChange: Sendable {
  /// A row is new or holds something else.
  case put(table: String, id: String, Data)
  /// A row is gone, and its lists with it.
  case delete(table: String, id: String)
  /// A list of a row has one more element, at this place.
  case append(KeptList, at: Int, Data)
  /// A list lost everything before a place.
  case dropFirst(KeptList, before: Int)
  /// A list lost everything from a place on.
  case dropLast(KeptList, from: Int)
}

/// Names a list that belongs to a row and is kept an element at a time, so that a long one costs no more than a short.
package struct KeptList: Hashable, Sendable {
  package let table: String
  package let id: String
  package let name: String

  package init(table: String, id: String, name: String) {
    self.table = table
    self.id = id
    self.name = name
  }
}
