import MeroWire

/// An app's data: one JSON document, and lists that only grow.
///
/// Lists exist so that a long history costs nothing to keep: an older state is the same storage with a smaller count,
/// where an array inside the document would be copied by every change.
struct AppData {
  /// The list that holds what was put in the search index and taken out of it, in order.
  static let searchIndex = "calimero.index"

  var document: JSONValue = [:]
  private(set) var lists: [String: FakeList] = [:]

  func list(_ name: String) -> FakeList {
    lists[name] ?? FakeList()
  }

  mutating func append(_ value: JSONValue, to name: String) {
    lists[name, default: FakeList()].append(value)
  }
}

/// A list of an app's state that only grows.
public struct FakeList: RandomAccessCollection {
  /// Shared by every state of the list; each sees its first `count` elements. Only the cluster's store touches it, one
  /// thread at a time.
  private final class Storage {
    var elements: [JSONValue] = []
  }

  private var storage = Storage()
  /// How many elements there are.
  public private(set) var count = 0

  init() {}

  /// The first place.
  public var startIndex: Int { 0 }
  /// The place after the last element.
  public var endIndex: Int { count }
  /// The element at a place.
  public subscript(position: Int) -> JSONValue {
    precondition(position < count, "a list has no element at \(position)")
    return storage.elements[position]
  }

  mutating func append(_ value: JSONValue) {
    if storage.elements.count != count {
      // Another state went on from here, or a change was taken back: this one continues on its own copy.
      let copy = Storage()
      copy.elements = Array(storage.elements.prefix(count))
      storage = copy
    }
    storage.elements.append(value)
    count += 1
  }
}
