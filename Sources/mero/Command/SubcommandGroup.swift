/// The subcommands of one subcommand, such as those of `mero node`: finds the one that is named, and turns what it throws into
/// an exit code.
struct SubcommandGroup: Sendable {
  struct Entry: Sendable {
    let name: String
    let summary: String
    let run: @Sendable ([String], ToolSurroundings) async throws -> Int32
  }

  /// As it is called: `mero node`.
  let name: String
  /// What it is for.
  let about: String
  /// The options that each of its subcommands takes.
  let sharedOptions: String
  let entries: [Entry]

  static let exitCodes = """
    The exit code is 0 when it did what was asked, 1 when that was refused or something failed, 2 when the arguments do
    not fit.
    """

  var help: String {
    let width = entries.map(\.name.count).max() ?? 0
    let lines = entries.map {
      "  \($0.name.padding(toLength: width, withPad: " ", startingAt: 0))  \($0.summary)"
    }
    return """
      usage: \(name) SUBCOMMAND [OPTIONS]

      \(about)

      \(lines.joined(separator: "\n"))

      Each of them takes:
      \(sharedOptions)

      \(Self.exitCodes)
      """
  }

  func run(_ words: [String], in surroundings: ToolSurroundings) async -> Int32 {
    guard let word = words.first else {
      surroundings.tell(help)
      return ExitCode.usage
    }
    if word == "--help" || word == "-h" || word == "help" {
      surroundings.print(help)
      return ExitCode.success
    }
    guard let entry = entries.first(where: { $0.name == word }) else {
      surroundings.tell("\(name): there is no subcommand “\(word.printable)”\n\n\(help)")
      return ExitCode.usage
    }
    do {
      return try await entry.run(Array(words.dropFirst()), surroundings)
    } catch let error as UsageError {
      surroundings.tell("\(name) \(word): \(error.text.printable)\nSee: \(name) \(word) --help")
      return ExitCode.usage
    } catch {
      surroundings.tell("\(name) \(word): \("\(error)".printable)")
      return ExitCode.failure
    }
  }
}
