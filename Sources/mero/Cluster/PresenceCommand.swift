import MeroHTTP
import MeroKit
import MeroWire

extension ClusterSubcommand {
  static let presence = ClusterSubcommand(
    name: "presence", summary: "See who is present in an app, or be present in it",
    help: """
      usage: mero presence APP [--follow] [OPTIONS]
             mero presence APP JSON [--follow] [OPTIONS]

      Prints who is present and what each says, on one line, and ends; with --follow it prints them again after every change,
      until Ctrl-C.

      With JSON this session is present itself and says that, again and again, until Ctrl-C takes it back; - reads it from the
      standard input. It then prints the others only with --follow. Whoever goes without a word is gone for others after
      7 seconds. Presence is never stored. With --json a line is {"entries": [{"accountId", "sessionId", "name", "state",
      "ageMs", "isMine"}]}.

        --follow  go on until Ctrl-C
      """,
    flags: ["--follow"]
  ) { try await PresenceCommand(invocation: $0).run() }
}

struct PresenceCommand {
  let invocation: ClusterInvocation

  private var isFollowing: Bool { invocation.arguments.has("--follow") }

  func run() async throws -> Int32 {
    let words = try invocation.positional(1...2, "an app and at most one JSON value")
    let state = try words.dropFirst().first.map { try invocation.json($0, "what follows the app") }
    if let state, state == .null {
      throw UsageError("null says nothing; Ctrl-C takes back what was said")
    }
    try await invocation.checkEvents(of: words[0])
    let presence = invocation.client.presence(words[0])
    // Ctrl-C is the way to end it, so it is no failure. What was said is taken back as the client closes.
    _ = try await invocation.untilInterrupted {
      try await withThrowingTaskGroup(of: Void.self) { group in
        if let state { group.addTask { try await say(state, in: presence) } }
        if isFollowing || state == nil { group.addTask { try await show(presence) } }
        defer { group.cancelAll() }
        try await group.next()
      }
    }
    return ExitCode.success
  }

  /// Says it for as long as nodes take it.
  private func say(_ state: JSONValue, in presence: CalimeroClient.Presence) async throws {
    let failures = presence.failures
    try await presence.set(state)
    invocation.surroundings.tell("present; Ctrl-C ends it")
    for await failure in failures { throw failure }
  }

  private func show(_ presence: CalimeroClient.Presence) async throws {
    for try await entries in presence.entries(as: JSONValue.self) {
      invocation.report(Self.line(entries), ["entries": .array(entries.map(Self.object))])
      if !isFollowing { return }
    }
  }

  private static func line(_ entries: [CalimeroClient.PresenceEntry<JSONValue>]) -> String {
    guard !entries.isEmpty else { return "nobody is present" }
    return entries.map { "\($0.name ?? $0.accountId) \($0.state?.text ?? "null")" }.joined(separator: "  ")
  }

  static func object(_ entry: CalimeroClient.PresenceEntry<JSONValue>) -> JSONValue {
    var object: JSONObject = [
      "accountId": .string(entry.accountId), "sessionId": .string(entry.sessionId),
    ]
    object["name"] = entry.name.map { .string($0) }
    object["state"] = entry.state ?? .null
    // Bounded as it is a `Double` still: the number is the node's, and one that no `Int64` holds would end the process.
    object["ageMs"] = JSONValue(Int64(min(max(0, entry.age * 1000), 1e15).rounded()))
    object["isMine"] = .bool(entry.isMine)
    return .object(object)
  }
}
