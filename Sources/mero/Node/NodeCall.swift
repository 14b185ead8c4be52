import MeroKit
import MeroWire

extension NodeSubcommand {
  static let call = NodeSubcommand(
    name: "call", summary: "Run a method of a context",
    help: """
      usage: mero node call CONTEXT METHOD [JSON] [OPTIONS]

      Runs a method as the node's own identity in the context and prints what it returns, as JSON with every digit. JSON is
      the method's arguments, an object; - reads it from the standard input. It is sent once: after a failure without
      an answer it may have run.

      With --json the result is {"output": …}.
      """
  ) { invocation in
    let words = try invocation.positional(2...3, "a context, a method and at most one JSON object")
    let arguments = words.count == 3 ? try invocation.methodArguments(words[2]) : [:]
    let output: JSONValue = try await invocation.connect().rpc.execute(
      contextId: words[0], method: words[1], argsJson: arguments)
    invocation.report(output, ["output": output])
    return ExitCode.success
  }
}
