/// `mero node`: a single node from the command line.
enum NodeCommand {
  static let all: [NodeSubcommand] = [
    .login, .logout, .contexts, .call, .events, .groups, .invite, .join, .blobs,
  ]

  static let group = SubcommandGroup(
    name: "mero node",
    about: "Speaks to one node as its user: a merod of yours, or the one that “mero local” serves.",
    sharedOptions: NodeSubcommand.sharedOptions,
    entries: all.map { command in
      SubcommandGroup.Entry(name: command.name, summary: command.summary) { words, surroundings in
        try await command.run(words, in: surroundings)
      }
    })

  static func run(_ words: [String], in surroundings: ToolSurroundings = ToolSurroundings()) async -> Int32 {
    await group.run(words, in: surroundings)
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

  func run(_ words: [String], in surroundings: ToolSurroundings) async throws -> Int32 {
    let arguments = try Arguments(
      words, flags: flags.union(["--json", "--insecure-http"]), values: values.union(["--node", "--session"]))
    guard !arguments.has("--help") else {
      surroundings.print("\(help)\n\(Self.sharedOptions)\n\n\(SubcommandGroup.exitCodes)")
      return ExitCode.success
    }
    return try await work(try NodeInvocation(arguments, surroundings))
  }
}
