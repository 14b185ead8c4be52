import MeroWire

extension FakePackage {
  /// A store of texts under names, which a ``FakeNode`` begins with beside ``chat``: `set_value` with `key` and `value`,
  /// `get_value` and `remove_value` with `key`, `entries`, and `len`. `get_value` of an unknown key answers null;
  /// `get_result` refuses it.
  public static let keyValue = FakePackage("com.calimero.key-value", version: "0.2.0") {
    $0.initialize { context, _ in context["entries"] = [:] }
    $0.call("set_value") { context, args in
      let (key, value) = (try key(args), try text(args, "value"))
      var entries = entries(of: context)
      context.emit(
        entries[key] == nil ? "Inserted" : "Updated", ["key": .string(key), "value": .string(value)])
      entries[key] = .string(value)
      context["entries"] = .object(entries)
      return .null
    }
    $0.call("remove_value") { context, args in
      let key = try key(args)
      var entries = entries(of: context)
      guard let removed = entries.removeValue(forKey: key) else { return .null }
      context.emit("Removed", ["key": .string(key)])
      context["entries"] = .object(entries)
      return removed
    }
    $0.view("get_value") { context, args in entries(of: context)[try key(args)] ?? .null }
    $0.view("get_result") { context, args in
      let key = try key(args)
      guard let value = entries(of: context)[key] else { throw Failure(.string("key not found: \(key)")) }
      return value
    }
    $0.view("entries") { context, _ in .object(entries(of: context)) }
    $0.view("len") { context, _ in JSONValue(entries(of: context).count) }
  }

  private static func entries(of context: FakeContext) -> JSONObject {
    context["entries"]?.objectValue ?? [:]
  }

  private static func key(_ args: JSONValue) throws -> String { try text(args, "key") }

  private static func text(_ args: JSONValue, _ name: String) throws -> String {
    guard let text = args[name]?.stringValue else { throw InvalidArguments("\(name) must be a string") }
    return text
  }
}
