import MeroKit
import MeroWire

extension ClusterSubcommand {
  static let call = ClusterSubcommand(
    name: "call", summary: "Call a method of an app, exactly once",
    help: """
      usage: mero call APP METHOD [JSON] [--key KEY] [--if-seq N] [OPTIONS]

      Runs a method that may change the app's state and prints what it returns, as JSON with every digit. JSON is its
      arguments, an object or an array; - reads them from the standard input. A lost answer is asked for again and the method
      still runs once. With --json the result is {"result", "seq", "replayed"}.

        --key KEY    the idempotency key, to repeat a call whose outcome is unknown (exit code 6)
        --if-seq N   only if the app's position is N
      """,
    values: ["--key", "--if-seq"]
  ) { invocation in
    let words = try invocation.positional(2...3, "an app, a method and at most one JSON value")
    var options = CallOptions()
    options.idempotencyKey = invocation.arguments.value("--key")
    options.ifSeq = try invocation.number("--if-seq")
    let outcome = try await invocation.client.callOutcome(
      words[0], words[1], try invocation.appArguments(words), options: options)
    invocation.report(
      outcome.result,
      [
        "result": outcome.result, "seq": JSONValue(outcome.seq), "replayed": .bool(outcome.replayed),
      ])
    return ExitCode.success
  }

  static let view = ClusterSubcommand(
    name: "view", summary: "Run a method of an app that only reads",
    help: """
      usage: mero view APP METHOD [JSON] [--min-seq N] [OPTIONS]

      Prints what the method returns, as JSON with every digit. JSON is its arguments, an object or an array; - reads them from
      the standard input. With --json the result is {"result", "seq"}.

        --min-seq N  of no earlier position of the app than this
      """,
    values: ["--min-seq"]
  ) { invocation in
    let words = try invocation.positional(2...3, "an app, a method and at most one JSON value")
    var options = ViewOptions()
    options.minSeq = try invocation.number("--min-seq")
    let outcome = try await invocation.client.viewOutcome(
      words[0], words[1], try invocation.appArguments(words), options: options)
    invocation.report(outcome.result, ["result": outcome.result, "seq": JSONValue(outcome.seq)])
    return ExitCode.success
  }
}

extension ClusterInvocation {
  /// The arguments of an app's method, which may stand third.
  fileprivate func appArguments(_ words: [String]) throws -> JSONValue {
    words.count > 2 ? try json(words[2], "what follows the method") : [:]
  }
}
