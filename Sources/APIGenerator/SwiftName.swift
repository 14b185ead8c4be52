/// Swift names for the document's names.
enum SwiftName {
  /// `org_get` and `pck_crl` as `orgGet` and `pckCrl`; a name without separators keeps its inner capitals.
  static func lowerCamel(_ name: String) -> String {
    let parts = split(name)
    guard let first = parts.first else { return name }
    return lowerFirst(first) + parts.dropFirst().map(capitalized).joined()
  }

  /// `org_get` as `OrgGet`.
  static func upperCamel(_ name: String) -> String {
    split(name).map(capitalized).joined()
  }

  /// A code in capitals, `NOT_FOUND`, as `notFound`.
  static func code(_ code: String) -> String {
    lowerCamel(code.lowercased())
  }

  /// `x-calimero-min-seq` as `minSeq`, `Range` as `range`.
  static func parameter(_ name: String) -> String {
    let prefix = "x-calimero-"
    return lowerCamel(name.hasPrefix(prefix) ? String(name.dropFirst(prefix.count)) : name)
  }

  static func capitalized(_ name: String) -> String {
    name.prefix(1).uppercased() + name.dropFirst()
  }

  /// A name where it is declared or used: in back-ticks if Swift keeps the word for itself.
  static func quoted(_ name: String) -> String {
    keywords.contains(name) ? "`\(name)`" : name
  }

  /// A name as an argument label, where only three words are kept back.
  static func label(_ name: String) -> String {
    ["inout", "var", "let"].contains(name) ? "`\(name)`" : name
  }

  /// A name after a dot, where only a few words are kept back.
  static func member(_ name: String) -> String {
    ["init", "self", "Type", "Protocol"].contains(name) ? "`\(name)`" : name
  }

  /// Whether it can be a Swift name at all, perhaps in back-ticks.
  static func isIdentifier(_ name: String) -> Bool {
    guard let first = name.unicodeScalars.first, first.value < 128, !("0"..."9").contains(first) else {
      return false
    }
    return name.unicodeScalars.allSatisfy {
      ("a"..."z").contains($0) || ("A"..."Z").contains($0) || ("0"..."9").contains($0) || $0 == "_"
    }
  }

  private static func split(_ name: String) -> [String] {
    name.split(whereSeparator: { "_-. :/".contains($0) }).map(String.init)
  }

  private static func lowerFirst(_ name: String) -> String {
    name.prefix(1).lowercased() + name.dropFirst()
  }

  private static let keywords: Set<String> = [
    "Any", "Self", "Type", "Protocol", "actor", "as", "associatedtype", "await", "break", "case", "catch",
    "class", "continue", "default", "defer", "deinit", "do", "else", "enum", "extension", "fallthrough",
    "false",
    "fileprivate", "for", "func", "guard", "if", "import", "in", "init", "inout", "internal", "is", "let",
    "nil",
    "operator", "precedencegroup", "private", "protocol", "public", "repeat", "rethrows", "return", "self",
    "static", "struct", "subscript", "super", "switch", "throw", "throws", "true", "try", "typealias", "var",
    "where", "while",
  ]
}
