import MeroKit
import MeroWire

extension AccountSubcommand {
  static let signOut = AccountSubcommand(
    name: "sign-out", summary: "End the session",
    help: """
      usage: mero account sign-out [--forget-device] [OPTIONS]

      Forgets the session here. What is known of relays stays, and so do the numbers of warrants, since a number is good
      once. Without a session it does nothing.

        --forget-device  forget the device's keys too: the next sign-in is another device's
      """,
    flags: ["--forget-device"]
  ) { invocation in
    try invocation.arguments.refusePositional()
    // What is not there is not made in order to be emptied.
    guard invocation.folder.exists else {
      invocation.report("nobody was signed in", ["hadSession": false])
      return ExitCode.success
    }
    let session = await invocation.signIn.restoreSession()
    let forgetsDevice = invocation.arguments.has("--forget-device")
    await invocation.signIn.signOut(forgetDevice: forgetsDevice)
    // What could not be removed is over in this process alone.
    let left = invocation.folder.left(withKeys: forgetsDevice)
    guard left.isEmpty else {
      throw ToolError(
        "\(left.joined(separator: " and ")) could not be removed; whoever can read it is signed in still")
    }
    var json: JSONObject = ["hadSession": .bool(session != nil)]
    json["account"] = session.map { .string($0.account) }
    invocation.report(session.map { "signed out of account \($0.account)" } ?? "nobody was signed in", json)
    return ExitCode.success
  }
}
