/// A permission: words joined with colons, and in brackets what it is limited to (10 §2.4).
struct NodePermission: Sendable, Hashable {
  let words: [String]
  let scope: [String]

  static let admin = NodePermission(words: ["admin"], scope: [])

  private init(words: [String], scope: [String]) {
    self.words = words
    self.scope = scope
  }

  init(_ text: String) {
    guard text.hasSuffix("]"), let open = text.firstIndex(of: "[") else {
      words = text.split(separator: ":", omittingEmptySubsequences: false).map(String.init)
      scope = []
      return
    }
    words = text[..<open].split(separator: ":", omittingEmptySubsequences: false).map(String.init)
    scope = text[text.index(after: open)...].dropLast().split(
      separator: ",", omittingEmptySubsequences: false
    ).map(String.init)
  }

  /// The permission a route's template asks for, with the path's parameters put in.
  init(template: String, parameters: [String: String]) {
    let parsed = NodePermission(template)
    words = parsed.words
    scope = parsed.scope.map { name in
      guard name.hasPrefix("{"), name.hasSuffix("}") else { return name }
      return parameters[String(name.dropFirst().dropLast())] ?? name
    }
  }

  var text: String {
    words.joined(separator: ":") + (scope.isEmpty ? "" : "[\(scope.joined(separator: ","))]")
  }

  /// Whether whoever holds this may do what needs `other`. A word covers what is below it, except `context`, which
  /// covers only itself; a permission without a scope covers every scope, one with a scope only that.
  func covers(_ other: NodePermission) -> Bool {
    if words == ["admin"] { return true }
    guard other.words.starts(with: words), other.scope.starts(with: scope) else { return false }
    return words != ["context"] || other.words == words
  }
}
