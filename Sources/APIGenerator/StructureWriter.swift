/// A stored member of a generated structure.
struct Member {
  var name: String
  var type: String
  var documentation: [String]
  /// The initialiser's default, for a member that may be left out.
  var standard: String?
}

extension SourceWriter {
  /// The stored members and the initialiser that sets them.
  mutating func members(_ members: [Member], initialiser documentation: String) {
    for member in members {
      doc(member.documentation)
      line("public var \(SwiftName.quoted(member.name)): \(member.type)")
    }
    gap()
    doc(documentation)
    let items: [String] = members.map { member in
      let standard: String = member.standard.map { " = \($0)" } ?? ""
      return "\(SwiftName.label(member.name)): \(member.type)\(standard)"
    }
    guard !members.isEmpty else { return line("public init() {}") }
    list("public init(", items, ") {")
    indented { writer in
      for member in members {
        writer.line("self.\(SwiftName.member(member.name)) = \(SwiftName.quoted(member.name))")
      }
    }
    line("}")
  }
}

extension TypeReference {
  /// The Swift type; `scope` is what stands before the name of a schema.
  func spelled(in scope: String = "Components.Schemas.") -> String {
    switch self {
    case .string: return "String"
    case .bool: return "Bool"
    case .int32: return "Int32"
    case .int64: return "Int64"
    case .uint64: return "UInt64"
    case .double: return "Double"
    case .array(let item): return "[\(item.spelled(in: scope))]"
    case .named("AnyValue"): return "JSONValue"
    case .named(let name): return scope + name
    }
  }

  /// The expression that writes a parameter of this type as text.
  func text(of expression: String, isRequired: Bool) -> String {
    let chain = isRequired ? expression : expression + "?"
    switch self {
    case .string: return expression
    case .named: return chain + ".rawValue"
    default: return chain + ".description"
    }
  }
}

extension Field {
  /// The member that stands for it.
  func member(in scope: String = "Components.Schemas.") -> Member {
    let spelled: String = type.spelled(in: scope)
    return Member(
      name: swiftName, type: isRequired ? spelled : spelled + "?", documentation: documentation,
      standard: isRequired ? nil : "nil")
  }
}

extension Parameter {
  /// The member that stands for it.
  var member: Member {
    let spelled: String = type.spelled()
    return Member(
      name: swiftName, type: isRequired ? spelled : spelled + "?", documentation: documentation,
      standard: isRequired ? nil : "nil")
  }
}
