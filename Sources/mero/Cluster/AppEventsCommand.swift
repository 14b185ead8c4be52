import MeroKit
import MeroWire

extension ClusterSubcommand {
  static let events = ClusterSubcommand(
    name: "events", summary: "Follow an app's events, each once and in order",
    help: """
      usage: mero events APP [--follow | --count N] [--from now|oldest|CURSOR] [--kind KIND]… [OPTIONS]

      Prints one line for each event: its place, its kind and its data. It ends after the first event, after so many with
      --count, or with --follow when Ctrl-C ends it. A lost connection is found again by itself, at another node if need be,
      and nothing is missed. With --json a line is the event as the node sent it; its cursor is what --from takes.

        --follow    go on until Ctrl-C
        --count N   end after so many (1)
        --from      now (the default), oldest, or the cursor of the last event that is known
        --kind K    only events of this kind; may be given several times
      """,
    flags: ["--follow"], values: ["--count", "--from", "--kind"]
  ) { try await AppEventsCommand(invocation: $0).run() }
}

private struct AppEventsCommand {
  let invocation: ClusterInvocation

  func run() async throws -> Int32 {
    let arguments = invocation.arguments
    let app = try invocation.positional(1...1, "an app")[0]
    let limit = try limit()
    let kinds = arguments.all("--kind")
    try await invocation.checkEvents(of: app)
    let stream = invocation.client.events(
      app, from: start(), kinds: kinds.isEmpty ? nil : kinds)
    let ends = limit == nil ? "Ctrl-C ends it" : "it ends by itself, or by Ctrl-C"
    let news = Task { [tell = invocation.surroundings.tell] in
      var wasOpen = false
      for await state in stream.connection {
        switch state {
        case .waiting where wasOpen:
          wasOpen = false
          tell("the connection is lost; it is tried again")
        case .open:
          wasOpen = true
          tell("following; \(ends)")
        default: break
        }
      }
    }
    defer { news.cancel() }
    let done = try await invocation.untilInterrupted {
      var count = 0
      for try await event in stream {
        let json = try event.jsonObject()
        invocation.report("\(event.seq).\(event.index)  \(event.kind)  \(event.data.text)", json)
        count += 1
        if count == limit { break }
      }
      return ExitCode.success
    }
    // Ctrl-C is the way to end what goes on for ever, so there it is no failure.
    return done ?? (limit == nil ? ExitCode.success : ExitCode.interrupted)
  }

  private func start() -> EventStart {
    switch invocation.arguments.value("--from") {
    case nil, "now"?: .now
    case "oldest"?: .oldest
    case let cursor?: .after(cursor)
    }
  }

  /// After how many events it ends; nil for never.
  private func limit() throws -> Int? {
    let arguments = invocation.arguments
    guard let text = arguments.value("--count") else { return arguments.has("--follow") ? nil : 1 }
    guard !arguments.has("--follow") else { throw UsageError("--follow and --count exclude each other") }
    guard let count = Int(text), count > 0 else { throw UsageError("--count takes a positive number") }
    return count
  }
}
