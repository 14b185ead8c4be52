import MeroKit
import MeroWire

extension AccountSubcommand {
  static let whoami = AccountSubcommand(
    name: "whoami", summary: "Say who is signed in, and at which relay",
    help: """
      usage: mero account whoami [--refresh] [OPTIONS]

      Prints the account, this device, and the relay that writes for the account. Nobody is asked.

        --refresh  ask the cloud again which relay it is, and the relay for its proof: after it was replaced
      """,
    flags: ["--refresh"]
  ) { invocation in
    try invocation.arguments.refusePositional()
    _ = try await invocation.session()
    if invocation.arguments.has("--refresh") {
      if let relay = try await invocation.signIn.refreshRelay().relayUrl {
        try await invocation.prove(relay, fresh: true)
      }
    }
    try await invocation.reportSession("account")
    return ExitCode.success
  }
}
