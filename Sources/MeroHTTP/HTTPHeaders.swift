/// The header fields of a request or response, in order.
///
/// Names are lower-cased on the way in, so that a lookup, a comparison and a sealed frame never depend on how a
/// server spelled them. A name may occur more than once.
///
/// ```swift
/// var headers: HTTPHeaders = ["Accept": "application/json"]
/// headers["x-calimero-api"] = "1"
/// headers["ACCEPT"]  // "application/json"
/// ```
public struct HTTPHeaders: Sendable, Hashable, Sequence, ExpressibleByDictionaryLiteral {
  private struct Field: Sendable, Hashable {
    let name: String
    var value: String
  }

  private var fields: [Field] = []

  /// No fields.
  public init() {}

  /// The given fields in the given order.
  public init(_ pairs: [(String, String)]) {
    fields = pairs.map { Field(name: $0.0.lowercased(), value: $0.1) }
  }

  /// The fields of a literal in the order they are written.
  public init(dictionaryLiteral elements: (String, String)...) {
    self.init(elements)
  }

  /// The number of fields; a name that occurs twice counts twice.
  public var count: Int { fields.count }

  /// Whether there is no field at all.
  public var isEmpty: Bool { fields.isEmpty }

  /// The first value of a name. Setting replaces every field of that name, in the place of the first one; setting
  /// `nil` removes them.
  public subscript(name: String) -> String? {
    get {
      let name = name.lowercased()
      return fields.first { $0.name == name }?.value
    }
    set {
      let name = name.lowercased()
      guard let newValue else {
        fields.removeAll { $0.name == name }
        return
      }
      guard let first = fields.firstIndex(where: { $0.name == name }) else {
        fields.append(Field(name: name, value: newValue))
        return
      }
      fields[first].value = newValue
      let rest = fields[(first + 1)...].filter { $0.name != name }
      fields.replaceSubrange((first + 1)..., with: rest)
    }
  }

  /// Appends a field and keeps those of the same name.
  public mutating func add(_ name: String, _ value: String) {
    fields.append(Field(name: name.lowercased(), value: value))
  }

  /// Every value of a name, in order.
  public func values(of name: String) -> [String] {
    let name = name.lowercased()
    return fields.compactMap { $0.name == name ? $0.value : nil }
  }

  /// Iterates over the fields in order.
  public func makeIterator() -> AnyIterator<(name: String, value: String)> {
    var rest = fields.makeIterator()
    return AnyIterator { rest.next().map { (name: $0.name, value: $0.value) } }
  }
}

extension HTTPHeaders: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  /// The fields that hold secrets, whose values are never printed.
  private static let secret: Set<String> = [
    "authorization", "proxy-authorization", "cookie", "set-cookie", "x-calimero-confirm",
    "x-calimero-operator-signature", "x-calimero-proof", "x-calimero-signature",
  ]

  private var shown: [(label: String?, value: Any)] {
    fields.map { ($0.name, Self.secret.contains($0.name) ? "…" : $0.value) }
  }

  /// The fields, without the values of those that hold secrets.
  public var description: String {
    shown.map { "\($0.label ?? ""): \($0.value)" }.joined(separator: "\n")
  }

  /// Likewise.
  public var debugDescription: String { description }

  /// Likewise.
  public var customMirror: Mirror { Mirror(self, children: shown) }
}
