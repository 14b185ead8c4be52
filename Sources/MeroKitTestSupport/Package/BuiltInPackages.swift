import MeroWire

extension FakePackage {
  /// What every cluster begins with.
  static let builtIn: [FakePackage] = [.chat, .notes, .kv]

  /// The chat every cluster begins with: `send_message` with `message`, and `get_messages`, which answers all of them
  /// or, with `limit`, the last ones and, with `after`, those after an id.
  ///
  /// Ids begin at 9007199254740993, the first integer a 64-bit float cannot hold, so that a client that rounds numbers
  /// is found out.
  public static let chat = FakePackage("com.calimero.chat", version: "1.4.0") {
    $0.emits("MessageSent")
    $0.call("send_message", params: ["message": "string"], returns: "{ id: u64 }") { context, args in
      guard let text = (args["message"] ?? args[0])?.stringValue else {
        throw InvalidArguments("message must be a string")
      }
      let id = firstMessageId + UInt64(context.list("messages").count)
      var message: JSONObject = ["id": JSONValue(id), "text": .string(text)]
      context.emit("MessageSent", .object(message))
      message["author"] = context.account.map { .string($0) }
      message["at"] = JSONValue(Int64((context.now.timeIntervalSince1970 * 1000).rounded()))
      context.append(.object(message), to: "messages")
      context.index("message", id: "\(id)", text: text, value: .object(message))
      return ["id": JSONValue(id)]
    }
    $0.view(
      "get_messages", params: ["after": "u64?", "limit": "u32?"], returns: "{ messages: Message[] }"
    ) { context, args in
      let messages = context.list("messages")
      var first = 0
      if let after = args["after"] {
        guard let id = after.uint64 else { throw InvalidArguments("after must be an id") }
        first = id < firstMessageId ? 0 : min(Int(clamping: id - firstMessageId), messages.count) + 1
      }
      if let limit = args["limit"] {
        guard let limit = limit.int, limit >= 0 else { throw InvalidArguments("limit must be a count") }
        first = max(first, messages.count - min(limit, messages.count))
      }
      return ["messages": .array(Array(messages.dropFirst(first)))]
    }
  }

  private static let firstMessageId: UInt64 = 9_007_199_254_740_993

  /// Methods that do what a test asks for: `echo` answers its arguments and emits them as `Echoed`, `put` keeps them
  /// and `get` (a view) answers what was kept, `look` is `echo` as a view, `fail` returns its arguments as an error,
  /// `trap` traps for the reason in `reason`. Not registered by itself.
  public static let probe = FakePackage("com.calimero.probe", version: "1.0.0") {
    $0.call("echo") { context, args in
      context.emit("Echoed", args)
      return args
    }
    $0.call("put") { context, args in
      context["kept"] = args
      return .null
    }
    $0.view("get") { context, _ in context["kept"] ?? .null }
    $0.view("look") { _, args in args }
    $0.call("fail") { context, args in
      context["kept"] = "this must be rolled back"
      context.emit("NeverSeen")
      throw Failure(args)
    }
    $0.call("trap") { context, args in
      context["kept"] = "this must be rolled back"
      throw args["reason"]?.stringValue.flatMap { Trap(rawValue: $0) } ?? Trap.trap
    }
  }
}
