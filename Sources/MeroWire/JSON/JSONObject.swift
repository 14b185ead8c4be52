/// The members of a JSON object, in the order they were written.
///
/// A name given twice keeps its first place and its last value. Names compare by code points. Two objects are
/// equal when they have the same members, in whatever order.
public struct JSONObject: Sendable {
  struct Member: Sendable {
    var name: String
    var value: JSONValue
  }

  /// Up to this many members a search from the front is faster than a table.
  static let scanLimit = 16

  private(set) var members: [Member]
  private var positions: [ExactText.Key: Int]?

  /// An object without members.
  public init() {
    members = []
  }

  /// An object of these members, in order; of equal names the last wins.
  public init(_ pairs: some Sequence<(String, JSONValue)>) {
    self.init()
    for (name, value) in pairs { self[name] = value }
  }

  /// Members as read. Names that are the same are looked for only where there is a table to find them with.
  init(_ members: [Member]) {
    self.members = members
    guard members.count > Self.scanLimit else { return }
    indexIfLarge()
    if positions?.count != members.count { self = JSONObject(repeating: members) }
  }

  /// Members of which some may have the same name.
  init(repeating members: [Member]) {
    self.init(members.lazy.map { ($0.name, $0.value) })
  }

  /// The number of members.
  public var count: Int { members.count }
  /// Whether there is no member.
  public var isEmpty: Bool { members.isEmpty }
  /// The names, in order.
  public var keys: [String] { members.map(\.name) }
  /// The values, in order.
  public var values: [JSONValue] { members.map(\.value) }

  /// The value of a member. Setting nil removes it; setting a new name appends it.
  public subscript(name: String) -> JSONValue? {
    get { position(of: name).map { members[$0].value } }
    set {
      guard let newValue else {
        removeValue(forKey: name)
        return
      }
      if let position = position(of: name) {
        members[position].value = newValue
        return
      }
      members.append(Member(name: name, value: newValue))
      if positions == nil {
        indexIfLarge()
      } else {
        positions?[ExactText.Key(text: name)] = members.count - 1
      }
    }
  }

  /// Takes a member out and returns its value, or nil when there was none.
  @discardableResult
  public mutating func removeValue(forKey name: String) -> JSONValue? {
    guard let position = position(of: name) else { return nil }
    let member = members.remove(at: position)
    indexIfLarge()
    return member.value
  }

  private func position(of name: String) -> Int? {
    if let positions { return positions[ExactText.Key(text: name)] }
    return members.firstIndex { ExactText.areEqual($0.name, name) }
  }

  private mutating func indexIfLarge() {
    positions = nil
    guard members.count > Self.scanLimit else { return }
    var table: [ExactText.Key: Int] = [:]
    table.reserveCapacity(members.count)
    for (position, member) in members.enumerated() { table[ExactText.Key(text: member.name)] = position }
    positions = table
  }
}

extension JSONObject: Hashable {
  /// Whether both have the same members, in whatever order.
  public static func == (left: JSONObject, right: JSONObject) -> Bool {
    JSONValue.object(left) == JSONValue.object(right)
  }

  /// Hashes the members without regard to their order.
  public func hash(into hasher: inout Hasher) {
    // A sum does not depend on the order of its terms.
    var sum = 0
    for member in members {
      var own = Hasher()
      own.combine(member.name)
      own.combine(member.value)
      sum &+= own.finalize()
    }
    hasher.combine(count)
    hasher.combine(sum)
  }
}

extension JSONObject: Sequence, ExpressibleByDictionaryLiteral, CustomStringConvertible {
  /// Goes through the members in order.
  public struct Iterator: IteratorProtocol {
    fileprivate var members: IndexingIterator<[Member]>

    /// The next member.
    public mutating func next() -> (key: String, value: JSONValue)? {
      members.next().map { (key: $0.name, value: $0.value) }
    }
  }

  /// Goes through the members in order.
  public func makeIterator() -> Iterator { Iterator(members: members.makeIterator()) }

  /// The number of members, known at once.
  public var underestimatedCount: Int { members.count }

  /// Members written out; of equal names the last wins.
  public init(dictionaryLiteral elements: (String, JSONValue)...) {
    self.init(elements)
  }

  /// The object as JSON text.
  public var description: String { JSONValue.object(self).text }
}
