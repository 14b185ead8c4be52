extension JSONValue: Hashable {
  /// Whether both are the same value: numbers by value, strings by code points, objects in any order.
  public static func == (left: JSONValue, right: JSONValue) -> Bool {
    // Pairs still to be compared wait here and not on the thread's stack, which 512 levels can exhaust where it is
    // small.
    var pending: [(JSONValue, JSONValue)] = []
    var pair = (left, right)
    while true {
      guard areEqual(pair.0, pair.1, pending: &pending) else { return false }
      guard let next = pending.popLast() else { return true }
      pair = next
    }
  }

  /// Compares all but what arrays and objects hold, which is added to `pending`.
  private static func areEqual(
    _ left: JSONValue, _ right: JSONValue, pending: inout [(JSONValue, JSONValue)]
  ) -> Bool {
    switch (left, right) {
    case (.null, .null): return true
    case (.bool(let left), .bool(let right)): return left == right
    case (.number(let left), .number(let right)): return left == right
    case (.string(let left), .string(let right)): return ExactText.areEqual(left, right)
    case (.array(let left), .array(let right)):
      guard left.count == right.count else { return false }
      if isSameStorage(left, right) { return true }
      pending.append(contentsOf: zip(left, right))
      return true
    case (.object(let left), .object(let right)):
      guard left.count == right.count else { return false }
      if isSameStorage(left.members, right.members) { return true }
      for member in left.members {
        guard let other = right[member.name] else { return false }
        pending.append((member.value, other))
      }
      return true
    default: return false
    }
  }

  /// Whether both are copies of one array, which spares looking inside.
  private static func isSameStorage<Element>(_ left: [Element], _ right: [Element]) -> Bool {
    left.withUnsafeBufferPointer { left in
      right.withUnsafeBufferPointer { right in left.baseAddress == right.baseAddress }
    }
  }

  /// Hashes the value, not its spelling.
  public func hash(into hasher: inout Hasher) {
    switch self {
    case .null: hasher.combine(0)
    case .bool(let value): hasher.combine(value)
    case .number(let value): hasher.combine(value)
    case .string(let value): hasher.combine(value)
    case .array(let value): hasher.combine(value)
    case .object(let value): hasher.combine(value)
    }
  }
}
