import MeroKit
import MeroWire

extension NodeSubcommand {
  static let events = NodeSubcommand(
    name: "events", summary: "Follow what happens in contexts and groups",
    help: """
      usage: mero node events CONTEXT… [--group ID]… [--follow | --count N] [OPTIONS]

      Waits for events and prints one line for each: what happened, where, and what the node says of it. It ends after
      the first event, after so many with --count, or with --follow when Ctrl-C ends it. An interrupted connection is
      found again by itself; what happened meanwhile is lost, since nodes keep no events.

      With --json a line is what the node sent: {"contextId", "type", "data"}.

        --group ID  also the events of this group or namespace; may be given several times
        --follow    go on until Ctrl-C
        --count N   end after so many (1)
      """,
    flags: ["--follow"], values: ["--group", "--count"]
  ) { try await NodeEvents(invocation: $0).run() }
}

private struct NodeEvents {
  let invocation: NodeInvocation

  func run() async throws -> Int32 {
    let arguments = invocation.arguments
    let contexts = arguments.positional
    let groups = arguments.all("--group")
    guard !contexts.isEmpty || !groups.isEmpty else { throw UsageError("it needs a context, or --group") }
    let limit = try limit()
    let mero = try invocation.connect()
    // The stream waits for a node that is away; whoever types a command wants to be told instead.
    switch try await mero.checkSession() {
    case .live: break
    case .ended(let error), .unknown(let error): throw error
    }
    // Ctrl-C is the way to end it, so it is no failure.
    let done = try await invocation.untilInterrupted {
      try await follow(mero, contexts: contexts, groups: groups, limit: limit)
    }
    await mero.close()
    return done ?? ExitCode.success
  }

  /// After how many events it ends; nil for never.
  private func limit() throws -> Int? {
    let arguments = invocation.arguments
    guard let text = arguments.value("--count") else { return arguments.has("--follow") ? nil : 1 }
    guard !arguments.has("--follow") else { throw UsageError("--follow and --count exclude each other") }
    guard let count = Int(text), count > 0 else { throw UsageError("--count takes a positive number") }
    return count
  }

  private func follow(_ mero: Mero, contexts: [String], groups: [String], limit: Int?) async throws -> Int32 {
    let states = await mero.sse.states
    let news = Task { [tell = invocation.surroundings.tell] in
      for await state in states {
        if case .offline(let error) = state { tell("the connection is lost: \("\(error)".printable)") }
      }
    }
    defer { news.cancel() }
    let events = mero.events(contextIds: contexts, groupIds: groups)
    let granted = try await mero.sse.subscribe(contextIds: contexts, groupIds: groups)
    for id in granted.refused {
      invocation.surroundings.tell("the node does not let this session follow \(id.printable)")
    }
    guard !granted.subscribed.isEmpty else { return ExitCode.failure }
    invocation.surroundings.tell("following \(granted.subscribed.count); Ctrl-C ends it")
    var count = 0
    for try await event in events {
      show(event)
      count += 1
      if count == limit { break }
    }
    return ExitCode.success
  }

  private func show(_ event: ContextEvent) {
    let place = event.groupId.map { "group \($0.prefix(8))…" } ?? "context \(event.contextId.prefix(8))…"
    guard let emitted = event.stateMutation?.events, !emitted.isEmpty else {
      invocation.report(
        "\(event.kind.rawValue)  \(place)  \(event.data.text)", event.payload.objectValue ?? [:])
      return
    }
    let told = emitted.map { "\($0.kind) \($0.json?.text ?? "(\($0.data.count) bytes)")" }
    invocation.report(
      "\(event.kind.rawValue)  \(place)  \(told.joined(separator: ", "))", event.payload.objectValue ?? [:])
  }
}
