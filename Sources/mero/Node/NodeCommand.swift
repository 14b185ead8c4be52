import Foundation
import MeroKit

/// `mero node`: a single node from the command line.
enum NodeCommand {
  static let all: [NodeSubcommand] = [
    .login, .logout, .contexts, .call, .events, .groups, .invite, .join, .blobs,
  ]

  static var help: String {
    let width = all.map(\.name.count).max() ?? 0
    let lines = all.map {
      "  \($0.name.padding(toLength: width, withPad: " ", startingAt: 0))  \($0.summary)"
    }
    return """
      usage: mero node SUBCOMMAND [OPTIONS]

      Speaks to one node as its user: a merod of yours, or the one that “mero local” serves.

      \(lines.joined(separator: "\n"))

      Each of them takes:
      \(NodeSubcommand.sharedOptions)

      \(NodeSubcommand.exitCodes)
      """
  }

  static func run(_ words: [String]) async throws -> Int32 {
    await run(words, in: NodeSurroundings())
  }

  static func run(_ words: [String], in surroundings: NodeSurroundings) async -> Int32 {
    guard let name = words.first else {
      surroundings.tell(help)
      return ExitCode.usage
    }
    if name == "--help" || name == "-h" || name == "help" {
      surroundings.print(help)
      return ExitCode.success
    }
    guard let command = all.first(where: { $0.name == name }) else {
      surroundings.tell("mero node: there is no subcommand “\(name.printable)”\n\n\(help)")
      return ExitCode.usage
    }
    do {
      return try await command.run(Array(words.dropFirst()), in: surroundings)
    } catch let error as UsageError {
      surroundings.tell("mero node \(name): \(error.text.printable)\nSee: mero node \(name) --help")
      return ExitCode.usage
    } catch {
      surroundings.tell("mero node \(name): \("\(error)".printable)")
      return ExitCode.failure
    }
  }
}

/// One subcommand of `mero node`.
struct NodeSubcommand: Sendable {
  let name: String
  let summary: String
  /// What it does and the options of its own; what all share is added.
  let help: String
  var flags: Set<String> = []
  var values: Set<String> = []
  let work: @Sendable (NodeInvocation) async throws -> Int32

  static let sharedOptions = """
      --node URL       the node (that of the session; without one http://127.0.0.1:2528)
      --session FILE   where the session is kept (network.calimero.merokit/node-session.json in the user's data
                       folder, $XDG_DATA_HOME or ~/.local/share), readable by its owner alone
      --insecure-http  let http go to a host other than this machine; anybody on the way can read it then
      --json           one JSON object for each result
      --help           this text
    """

  static let exitCodes = """
    The exit code is 0 when it did what was asked, 1 when the node refused or something failed, 2 when the arguments do
    not fit.
    """

  func run(_ words: [String], in surroundings: NodeSurroundings) async throws -> Int32 {
    let arguments = try Arguments(
      words, flags: flags.union(["--json", "--insecure-http"]), values: values.union(["--node", "--session"]))
    guard !arguments.has("--help") else {
      surroundings.print("\(help)\n\(Self.sharedOptions)\n\n\(Self.exitCodes)")
      return ExitCode.success
    }
    return try await work(try NodeInvocation(arguments, surroundings))
  }
}

/// What is around a subcommand; tests give it another.
struct NodeSurroundings: Sendable {
  var transport: any HTTPTransport = URLSessionTransport()
  var environment = ProcessInfo.processInfo.environment
  /// Writes a line of the result.
  var print: @Sendable (String) -> Void = { Console.line($0) }
  /// Writes a line about it.
  var tell: @Sendable (String) -> Void = { Console.error($0) }
  /// Draws over the line a person looks at; nil where nobody does.
  var draw: (@Sendable (String) -> Void)? = isatty(2) == 1 ? { @Sendable in Console.draw($0) } : nil
  /// All of the standard input.
  var input: @Sendable () throws -> Data = { try FileHandle.standardInput.readToEnd() ?? Data() }
  /// The first line of the standard input, without waiting for more.
  var inputLine: @Sendable () throws -> Data = { Data((readLine(strippingNewline: true) ?? "").utf8) }
  /// Asks a person for a secret; nil where there is nobody to ask.
  var askSecret: (@Sendable (_ prompt: String) throws -> String)? =
    isatty(0) == 1 ? { @Sendable in try SecretPrompt().ask($0) } : nil
  /// Returns when the work is to end early.
  var interrupted: @Sendable () async -> Void = { await InterruptSignal().wait() }
}

/// Something went wrong that a node did not say.
struct NodeToolError: Error, CustomStringConvertible {
  let description: String
  init(_ description: String) { self.description = description }
}
