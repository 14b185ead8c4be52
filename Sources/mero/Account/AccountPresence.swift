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

      It waits without a limit, and over interruptions: when the relay is lost, and when it is back, is told.

      With --json a line is {"author", "account", "state", "removed", "ageMs"}: the device, its account, what it says, whether
      it is gone, and how long ago it was heard where that was before now.

        --follow  go on until Ctrl-C: keep saying it, and print what everybody says; it never ends by itself
      """,
    flags: ["--follow"]
  ) { try await AccountPresence(invocation: $0).run() }
}

private struct AccountPresence {
  let invocation: AccountInvocation

  func run() async throws -> Int32 {
    let words = try invocation.positional(1...2, "a context and at most one JSON value")
    let context = try invocation.context(words[0])
    // Not “nil” in a condition: to JSON that is null.
    let state = try words.dropFirst().first.map { try invocation.json($0, "what is to be said") }
    let session = try await invocation.session(forContext: context)
    let client = try await invocation.client(session)
    let result: Result<Int32, any Error>
    do {
      result = .success(try await run(client, context, state, session))
    } catch { result = .failure(error) }
    await client.close()
    return try result.get()
  }

  private func run(
    _ client: MeroTransportClient, _ context: String, _ state: JSONValue?, _ session: DelegatedSession
  ) async throws -> Int32 {
    guard case .relay(let presence)? = client.presence, let relay = client.relay else {
      throw ToolError("there is no presence at this relay")
    }
    let isFollowing = invocation.arguments.has("--follow")
    // The stream waits for a relay that is away; whoever types a command wants to be told instead.
    _ = try await invocation.naming("context \(context)", at: session) {
      try await relay.describe(contextId: context)
    }
    if let state {
      try await presence.set(contextId: context, state: state.isNull ? JSONValue?.none : state)
      guard isFollowing else {
        invocation.report(state.isNull ? "taken back" : "said", ["said": .bool(!state.isNull)])
        return ExitCode.success
      }
    }
    // Ctrl-C is the way to end it, so it is no failure.
    let done = try await invocation.untilInterrupted {
      try await follow(presence, client.events, context, untilCancelled: isFollowing)
    }
    if state?.isNull == false {
      // Best effort: whoever follows sees at once what would otherwise be forgotten by and by.
      try? await presence.set(contextId: context, state: JSONValue?.none)
    }
    return done ?? ExitCode.success
  }

  private func follow(
    _ presence: RelayPresenceClient, _ events: SseConnection, _ context: String, untilCancelled: Bool
  ) async throws -> Int32 {
    let watching = Task { [invocation] in await Self.tellOutages(of: events, invocation) }
    defer { watching.cancel() }
    // Who goes is named by the device alone.
    var accounts: [String: String] = [:]
    let entries = presence.subscribe(contextId: context, as: JSONValue.self)
    if untilCancelled { invocation.surroundings.tell("following; Ctrl-C ends it") }
    for try await entry in entries {
      if let account = entry.account { accounts[entry.author] = account }
      show(entry, of: accounts[entry.author])
      if entry.removed { accounts[entry.author] = nil }
      if !untilCancelled { break }
    }
    return ExitCode.success
  }

  /// A stream that is lost finds its way back by itself; until then silence means nothing.
  private static func tellOutages(of events: SseConnection, _ invocation: AccountInvocation) async {
    var isLost = false
    for await state in events.states {
      switch state {
      case .offline(let error) where !isLost:
        isLost = true
        invocation.surroundings.tell("the relay is not heard; it is tried again (\(error))".printable)
      case .online where isLost:
        isLost = false
        invocation.surroundings.tell("the relay is heard again")
      default: break
      }
    }
  }

  private func show(_ entry: EphemeralEntry<JSONValue>, of account: String?) {
    var json: JSONObject = ["author": .string(entry.author), "removed": .bool(entry.removed)]
    json["account"] = account.map { .string($0) }
    json["state"] = entry.state
    json["ageMs"] = entry.ageMs.map { JSONValue($0) }
    let who = account.map { "account \($0.prefix(8))…" } ?? "author \(entry.author.prefix(8))…"
    invocation.report("\(who)  \(entry.removed ? "gone" : entry.state?.text ?? "-")", json)
  }
}
