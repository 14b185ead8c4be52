import MeroWire

extension FakePackage {
  /// Any JSON values under names, which every cluster begins with beside ``chat`` and ``notes``.
  ///
  /// `set` with `key` and `value` answers the value it replaced, `remove` with `key` the one it took away, null for none;
  /// `get` with `key`, `keys` with a `prefix` or none, and `entries` are views. `add` with `key` and `by` adds to an
  /// integer of up to 64 bits and traps when the sum has more.
  public static let kv = FakePackage("com.calimero.kv", version: "1.0.0") {
    $0.emits("Set", "Removed")
    $0.initialize { context, args in context["values"] = args["values"] ?? [:] }
    $0.call("set", params: ["key": "string", "value": "any"], returns: "any") { context, args in
      guard let value = args["value"] else { throw InvalidArguments("value is missing") }
      return store(value, try valueKey(args), context)
    }
    $0.call("add", params: ["key": "string", "by": "i64"], returns: "i64") { context, args in
      let key = try valueKey(args)
      guard let step = args["by"]?.int64 else { throw InvalidArguments("by must be an integer") }
      guard let old = (values(context)[key] ?? 0).int64 else {
        throw Failure(["reason": "not an integer", "key": .string(key)])
      }
      let (sum, hasOverflowed) = old.addingReportingOverflow(step)
      guard !hasOverflowed else { throw Trap.trap }
      _ = store(JSONValue(sum), key, context)
      return JSONValue(sum)
    }
    $0.call("remove", params: ["key": "string"], returns: "any") { context, args in
      let key = try valueKey(args)
      var all = values(context)
      guard let removed = all.removeValue(forKey: key) else { return .null }
      context["values"] = .object(all)
      context.emit("Removed", ["key": .string(key)])
      return removed
    }
    $0.view("get", params: ["key": "string"], returns: "any") { values($0)[try valueKey($1)] ?? .null }
    $0.view("keys", params: ["prefix": "string?"], returns: "string[]") { context, args in
      let prefix = args["prefix"]?.stringValue ?? ""
      return .array(values(context).map(\.key).filter { $0.hasPrefix(prefix) }.sorted().map { .string($0) })
    }
    $0.view("entries", returns: "object") { context, _ in .object(values(context)) }
  }

  private static func values(_ context: FakeContext) -> JSONObject { context["values"]?.objectValue ?? [:] }

  private static func valueKey(_ args: JSONValue) throws -> String {
    guard let key = args["key"]?.stringValue, !key.isEmpty else {
      throw InvalidArguments("key must be a string that is not empty")
    }
    return key
  }

  private static func store(_ value: JSONValue, _ key: String, _ context: FakeContext) -> JSONValue {
    var all = values(context)
    let old = all[key]
    all[key] = value
    context["values"] = .object(all)
    context.emit("Set", ["key": .string(key), "value": value])
    return old ?? .null
  }
}
