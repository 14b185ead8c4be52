import MeroKit
import MeroWire

extension AccountSubcommand {
  static let presence = AccountSubcommand(
    name: "presence", summary: "Say something fleeting in a context, or see who is there",
    help: """
      usage: mero account presence CONTEXT [JSON] [--follow] [OPTIONS]

      With JSON it says that in the context, where it is forgotten after seven seconds; null takes back what was said; -
      reads it from the standard input. Without, it waits for the first thing that somebody says, and prints it: who, and
      what.

      With --json a line is {"author", "account", "state", "removed", "ageMs"}.

        --follow  go on until Ctrl-C: keep saying it, and print what everybody says
      """,
    flags: ["--follow"]
  ) { try await AccountPresence(invocation: $0).run() }
}

private struct AccountPresence {
  let invocation: AccountInvocation

  func run() async throws -> Int32 {
    let words = try invocation.positional(1...2, "a context and at most one JSON value")
    let context = words[0]
    // Not “nil” in a condition: to JSON that is null.
    let state = try words.dropFirst().first.map { try invocation.json($0, "what is to be said") }
    let client = try await invocation.client(try await invocation.session(forContext: context))
    let result: Result<Int32, any Error>
    do {
      result = .success(try await run(client, context, state))
    } catch { result = .failure(error) }
    await client.close()
    return try result.get()
  }

  private func run(_ client: MeroTransportClient, _ context: String, _ state: JSONValue?) async throws
    -> Int32
  {
    guard case .relay(let presence)? = client.presence, let relay = client.relay else {
      throw ToolError("there is no presence at this relay")
    }
    let isFollowing = invocation.arguments.has("--follow")
    // The stream waits for a relay that is away; whoever types a command wants to be told instead.
    _ = try await relay.describe(contextId: context)
    if let state {
      try await presence.set(contextId: context, state: state.isNull ? JSONValue?.none : state)
      guard isFollowing else {
        invocation.report(state.isNull ? "taken back" : "said", ["said": .bool(!state.isNull)])
        return ExitCode.success
      }
    }
    // Ctrl-C is the way to end it, so it is no failure.
    let done = try await invocation.untilInterrupted {
      try await follow(presence, context, untilCancelled: isFollowing)
    }
    if state?.isNull == false {
      // Best effort: whoever follows sees at once what would otherwise be forgotten by and by.
      try? await presence.set(contextId: context, state: JSONValue?.none)
    }
    return done ?? ExitCode.success
  }

  private func follow(
    _ presence: RelayPresenceClient, _ context: String, untilCancelled: Bool
  ) async throws -> Int32 {
    let entries = presence.subscribe(contextId: context, as: JSONValue.self)
    if untilCancelled { invocation.surroundings.tell("following; Ctrl-C ends it") }
    for try await entry in entries {
      show(entry)
      if !untilCancelled { break }
    }
    return ExitCode.success
  }

  private func show(_ entry: EphemeralEntry<JSONValue>) {
    var json: JSONObject = ["author": .string(entry.author), "removed": .bool(entry.removed)]
    json["account"] = entry.account.map { .string($0) }
    json["state"] = entry.state
    json["ageMs"] = entry.ageMs.map { JSONValue($0) }
    let who = entry.account.map { "account \($0.prefix(8))…" } ?? "author \(entry.author.prefix(8))…"
    invocation.report("\(who)  \(entry.removed ? "gone" : entry.state?.text ?? "-")", json)
  }
}
