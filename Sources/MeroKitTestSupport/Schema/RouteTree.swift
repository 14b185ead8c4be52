/// Finds the operation of a path. Literal segments win over parameters (70 §2.2).
struct RouteTree: Sendable {
  private struct Node: Sendable {
    var literals: [Substring: Int] = [:]
    var parameter: Int?
    var operations: [String: Int] = [:]
  }

  private var nodes: [Node] = [Node()]

  /// Enters a template such as `/apps/{app}/events`.
  mutating func insert(_ method: String, _ template: String, _ operation: Int) {
    var place = 0
    for segment in template.split(separator: "/") {
      let known = segment.hasPrefix("{") ? nodes[place].parameter : nodes[place].literals[segment]
      if let known {
        place = known
        continue
      }
      nodes.append(Node())
      let created = nodes.count - 1
      if segment.hasPrefix("{") {
        nodes[place].parameter = created
      } else {
        nodes[place].literals[segment] = created
      }
      place = created
    }
    nodes[place].operations[method] = operation
  }

  /// The operation and the raw values of its parameters, in order.
  func find(_ method: String, _ path: String) -> (operation: Int, values: [Substring])? {
    guard path.hasPrefix("/") else { return nil }
    let segments = path.dropFirst().split(separator: "/", omittingEmptySubsequences: false)
    return find(method, segments[...], at: 0, values: [])
  }

  private func find(
    _ method: String, _ segments: ArraySlice<Substring>, at place: Int, values: [Substring]
  ) -> (Int, [Substring])? {
    guard let segment = segments.first else {
      return nodes[place].operations[method].map { ($0, values) }
    }
    let rest = segments.dropFirst()
    if let next = nodes[place].literals[segment],
      let found = find(method, rest, at: next, values: values)
    {
      return found
    }
    guard let next = nodes[place].parameter else { return nil }
    return find(method, rest, at: next, values: values + [segment])
  }
}
