/// `mero account`: an account without a node, from the command line.
enum AccountCommand {
  static let all: [AccountSubcommand] = [
    .signIn, .signOut, .whoami, .namespaces, .contexts, .found, .createContext, .invite, .join, .call,
    .presence,
  ]

  static let group = SubcommandGroup(
    name: "mero account",
    about: """
      Acts for an account that has no node: a wallet certifies this device, the cloud's directory names a relay, and the
      relay runs what the device signs. Without options it uses what “mero local” serves.
      """,
    sharedOptions: AccountSubcommand.sharedOptions,
    entries: all.map { command in
      SubcommandGroup.Entry(name: command.name, summary: command.summary) { words, surroundings in
        try await command.run(words, in: surroundings)
      }
    })

  static func run(_ words: [String], in surroundings: ToolSurroundings = ToolSurroundings()) async -> Int32 {
    await group.run(words, in: surroundings)
  }
}

/// One subcommand of `mero account`.
struct AccountSubcommand: Sendable {
  let name: String
  let summary: String
  /// What it does and the options of its own; what all share is added.
  let help: String
  var flags: Set<String> = []
  var values: Set<String> = []
  let work: @Sendable (AccountInvocation) async throws -> Int32

  static let sharedOptions = """
      --cloud URL      the cloud's directory (http://127.0.0.1:2545; Calimero's is
                       https://manager.cloud.calimero.network)
      --wallet URL     the wallet's page (http://127.0.0.1:2546/account-enroll; Calimero's is
                       https://wallet.cloud.calimero.network/account-enroll)
      --registry URL   where packages are published (http://127.0.0.1:2547; Calimero's is
                       https://apps.calimero.network)
      --data DIR       where the device's keys, the session and what was learned of relays are kept
                       (network.calimero.merokit/account in the user's data folder, $XDG_DATA_HOME or ~/.local/share),
                       readable by its owner alone; several processes may share it
      --json           one JSON object for each result
      --help           this text
    """

  private static let sharedValues: Set<String> = ["--cloud", "--wallet", "--registry", "--data"]

  func run(_ words: [String], in surroundings: ToolSurroundings) async throws -> Int32 {
    let arguments = try Arguments(
      words, flags: flags.union(["--json"]), values: values.union(Self.sharedValues))
    guard !arguments.has("--help") else {
      // After a subcommand's own options those of all go on; after sentences there is a line between.
      let hasOptions = help.split(separator: "\n").last?.hasPrefix("  ") == true
      surroundings.print(
        "\(help)\(hasOptions ? "" : "\n")\n\(Self.sharedOptions)\n\n\(SubcommandGroup.exitCodes)")
      return ExitCode.success
    }
    let invocation = try AccountInvocation(arguments, surroundings)
    for file in invocation.folder.makePrivate() {
      surroundings.tell("\(file) could be read by others of this machine, and is private now".printable)
    }
    return try await work(invocation)
  }
}
