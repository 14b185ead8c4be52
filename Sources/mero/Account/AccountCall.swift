import MeroKit
import MeroWire

extension AccountSubcommand {
  static let call = AccountSubcommand(
    name: "call", summary: "Run a method of a context",
    help: """
      usage: mero account call CONTEXT METHOD [JSON] [--repeat N] [OPTIONS]

      Runs a method as the account, through the relay that serves the context, and prints what it returns, as JSON with
      every digit. JSON is the method's arguments, an object; - reads it from the standard input. A method that only reads
      is asked for; any other is run by a warrant that this device signs. It is sent once: after a failure without an
      answer it may have run, and so it may when the relay says that the number of the warrant was spent already.

      A process that is ended at any moment leaves a device that goes on: each number of a warrant is on the disk before it
      is used, and none is used twice, also when several processes share one --data.

      With --json the result is {"output": …}.

        --repeat N  do it so many times, one after the other, until one fails (1)
      """,
    values: ["--repeat"]
  ) { invocation in
    let words = try invocation.positional(2...3, "a context, a method and at most one JSON object")
    let context = try invocation.context(words[0])
    let arguments = words.count == 3 ? try invocation.methodArguments(words[2]) : [:]
    guard let times = Int(invocation.arguments.value("--repeat") ?? "1"), times > 0 else {
      throw UsageError("--repeat takes a positive number")
    }
    let session = try await invocation.session(forContext: context)
    let client = try await invocation.client(session)
    for _ in 0..<times {
      let output: JSONValue
      do {
        output = try await invocation.naming("context \(context)", at: session) {
          try await client.rpc.execute(contextId: context, method: words[1], argsJson: arguments) as JSONValue
        }
      } catch AccountError.intentRefused(let reason, retryable: true, _) {
        // It may be this very warrant that spent the number, its first answer being lost on the way (40 §7).
        throw ToolError(
          "the relay refused the number of the warrant (\(reason)); whether the method ran is not known, and it was not sent "
            + "again: look before you repeat it")
      }
      invocation.report(output.text, ["output": output])
    }
    await client.close()
    return ExitCode.success
  }
}
