import MeroWire

/// An app's data: one JSON document, and lists that only grow.
///
/// Lists exist so that a long history costs nothing to keep: an older state is the same storage with a smaller count,
/// where an array inside the document would be copied by every change.
struct AppData {
  /// The list that holds what was put in the search index and taken out of it, in order.
  static let searchIndex = "calimero.index"

  /// Stands for one text of the document: another one has another mark.
  final class Mark {}

  var document: JSONValue = [:] { didSet { mark = Mark() } }
  private(set) var mark = Mark()
  private(set) var lists: [String: FakeList] = [:]

  func list(_ name: String) -> FakeList {
    lists[name] ?? FakeList()
  }

  mutating func append(_ value: JSONValue, to name: String) {
    lists[name, default: FakeList()].append(value)
  }

  init() {}

  /// A state that was kept.
  init(document: JSONValue, lists: [String: [JSONValue]]) {
    self.document = document
    self.lists = lists.mapValues { FakeList($0) }
  }
}

/// A list of an app's state that only grows.
public struct FakeList: RandomAccessCollection {
  /// Shared by every state of the list; each sees its first `count` elements. Only the cluster's store touches it, one
  /// thread at a time.
  private final class Storage {
    var elements: [JSONValue] = []
    /// Where the elements were copied from, and how many.
    weak var origin: Storage?
    var copied = 0
  }

  private var storage = Storage()
  /// How many elements there are.
  public private(set) var count = 0

  init() {}

  init(_ elements: [JSONValue]) {
    storage.elements = elements
    count = elements.count
  }

  /// How many elements at the beginning are known to be those of another state of the list.
  func shared(with other: FakeList) -> Int {
    if storage === other.storage { return Swift.min(count, other.count) }
    return storage.origin === other.storage ? Swift.min(count, other.count, storage.copied) : 0
  }

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
      copy.origin = storage
      copy.copied = count
      storage = copy
    }
    storage.elements.append(value)
    count += 1
  }
}
