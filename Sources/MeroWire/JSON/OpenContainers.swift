/// The arrays and objects whose ends have not been read yet.
///
/// All their values lie on two common stacks, so that opening a container costs nothing, and closing one makes a
/// single array of exactly its size.
struct OpenContainers {
  private struct Container {
    let isObject: Bool
    /// Where its values begin on their stack.
    let start: Int
    /// One bit per name, by its length and ends: a bit not yet set spares the search for an equal name.
    var seen: UInt64 = 0
    var hasRepeatedName = false
  }

  private var containers: [Container] = []
  private var elements: [JSONValue] = []
  private var members: [JSONObject.Member] = []

  var depth: Int { containers.count }
  /// Whether the innermost one is an object.
  private(set) var isObject = false

  mutating func open(isObject: Bool) {
    containers.append(Container(isObject: isObject, start: isObject ? members.count : elements.count))
    self.isObject = isObject
  }

  /// Begins a member of the innermost object.
  mutating func append(name: String) {
    let last = containers.count - 1
    let start = containers[last].start
    // Larger objects get a table, which finds repeated names by itself.
    if members.count - start < JSONObject.scanLimit {
      let utf8 = name.utf8
      let mix = utf8.count &* 31 &+ Int(utf8.first ?? 0) &* 7 &+ Int(utf8.last ?? 0)
      let bit: UInt64 = 1 << UInt64(mix & 63)
      if containers[last].seen & bit != 0,
        members[start...].contains(where: { ExactText.areEqual($0.name, name) })
      {
        containers[last].hasRepeatedName = true
      }
      containers[last].seen |= bit
    }
    members.append(JSONObject.Member(name: name, value: .null))
  }

  /// Adds an element to the innermost array, or the value to the member begun last.
  mutating func append(_ value: JSONValue) {
    if isObject {
      members[members.count - 1].value = value
    } else {
      elements.append(value)
    }
  }

  /// Ends the innermost container and answers its value.
  mutating func close() -> JSONValue {
    let container = containers.removeLast()
    isObject = containers.last?.isObject ?? false
    if container.isObject {
      let own = Array(members[container.start...])
      members.removeLast(own.count)
      return .object(container.hasRepeatedName ? JSONObject(repeating: own) : JSONObject(own))
    }
    let own = Array(elements[container.start...])
    elements.removeLast(own.count)
    return .array(own)
  }
}
