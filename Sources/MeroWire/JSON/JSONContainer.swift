/// An array or object whose end has not been read yet.
struct JSONContainer {
  let isObject: Bool
  /// The name of the member whose value comes next.
  var name = ""
  private var elements: [JSONValue] = []
  private var members: [JSONObject.Member] = []
  /// One bit per name seen, by length and ends: a bit not yet set spares the search for an equal name.
  private var seen: UInt64 = 0
  /// Takes over when an object is too large to be searched from the front.
  private var large: JSONObject?

  /// What encloses the outermost value.
  static let none = JSONContainer(isObject: false)

  init(isObject: Bool) {
    self.isObject = isObject
  }

  mutating func append(_ value: JSONValue) {
    guard isObject else {
      elements.append(value)
      return
    }
    if large != nil {
      large?[name] = value
      return
    }
    let utf8 = name.utf8
    let mix = utf8.count &* 31 &+ Int(utf8.first ?? 0) &* 7 &+ Int(utf8.last ?? 0)
    let bit: UInt64 = 1 << UInt64(mix & 63)
    if seen & bit != 0, let position = members.firstIndex(where: { ExactText.areEqual($0.name, name) }) {
      members[position].value = value
      return
    }
    seen |= bit
    members.append(JSONObject.Member(name: name, value: value))
    if members.count > JSONObject.scanLimit {
      large = JSONObject(distinct: members)
      members = []
    }
  }

  func finish() -> JSONValue {
    guard isObject else { return .array(elements) }
    return .object(large ?? JSONObject(distinct: members))
  }
}
