/// One step from a value to a value inside it.
enum CodingStep {
  case top
  case name(any CodingKey)
  case index(Int)

  var key: (any CodingKey)? {
    switch self {
    case .top: return nil
    case .name(let key): return key
    case .index(let index): return IndexKey(index: index)
    }
  }

  /// A path as text, such as `members[3].joinedAt`; nil at the top.
  static func text(of path: [any CodingKey]) -> String? {
    guard !path.isEmpty else { return nil }
    var text = ""
    for key in path {
      if let index = (key as? IndexKey)?.index {
        text += "[\(index)]"
      } else {
        // Names come from outside; an error stays readable whatever their length.
        text += (text.isEmpty ? "" : ".") + key.stringValue.prefix(80)
      }
    }
    return text
  }
}

/// The position of an element as a coding key.
struct IndexKey: CodingKey {
  let index: Int

  init(index: Int) { self.index = index }
  init?(intValue: Int) { index = intValue }
  init?(stringValue: String) { return nil }

  var intValue: Int? { index }
  var stringValue: String { "Index \(index)" }
}

/// The member under which a superclass keeps its own.
struct NameKey: CodingKey {
  let stringValue: String

  static let superclass = NameKey(stringValue: "super")

  init(stringValue: String) { self.stringValue = stringValue }
  init?(intValue: Int) { stringValue = String(intValue) }

  var intValue: Int? { nil }
}
