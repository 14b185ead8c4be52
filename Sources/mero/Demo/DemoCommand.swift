import LocalCluster
import MeroKit

/// `mero demo`: the main job on a cluster of this machine, and chapters about single nodes and about accounts, over real
/// sockets, told step by step.
enum DemoCommand {
  static let help = """
    usage: mero demo [--json]

    Starts a three-node cluster on free ports of 127.0.0.1 and walks the main job against it, as an app would: verifies
    the nodes, signs people up with passkeys, creates an organization and an app, calls and views methods, follows live
    events, and survives the loss of a node. Then a chapter about single nodes: a login, exact numbers, events, presence,
    an expired token, files, and an invitation from one node to another. And one about accounts without a node: wallets,
    founding, an invitation by link, writes and presence over two relays, and the loss of one. The last line is
    “main job: ok”.

      --json   one JSON object for each step
      --help   this text
    """

  static func run(_ words: [String]) async throws -> Int32 {
    let arguments = try Arguments(words, flags: ["--json"])
    if arguments.has("--help") {
      Console.line(help)
      return ExitCode.success
    }
    try arguments.refusePositional()
    let narrator = Narrator(asJSON: arguments.has("--json"))
    let cluster = LocalCluster(ports: [0, 0, 0])
    let succeeded: Bool
    do {
      try await MainJob(cluster: cluster, narrator: narrator).run()
      try await NodeChapter(narrator: narrator).run()
      try await AccountChapter(narrator: narrator).run()
      succeeded = true
    } catch is DemoFailure {
      succeeded = false
    }
    await cluster.stop()
    narrator.finish("main job", ok: succeeded)
    return succeeded ? ExitCode.success : ExitCode.failure
  }
}
