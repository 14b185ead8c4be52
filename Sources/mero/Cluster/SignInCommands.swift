import Foundation
import MeroKit
import MeroWire

extension ClusterSubcommand {
  static let signUp = ClusterSubcommand(
    name: "signup", summary: "Make an account on a cluster, with a passkey kept on this machine",
    help: """
      usage: mero signup NAME [--display-name TEXT] [--invite FILE] [OPTIONS]

      Makes a passkey in software, keeps it in a private file, and makes an account with it, signed in from then on.

        --display-name TEXT  what others see beside the name
        --invite FILE        the cluster's invitation code, where it asks for one; - for the standard input
      """,
    values: ["--display-name", "--invite"], beginsSession: true
  ) { invocation in
    let name = try invocation.positional(1...1, "a name")[0]
    let invite = try invocation.arguments.value("--invite").map { try invocation.secret(in: $0) }
    let account = try await invocation.client.signUp(
      invocation.passkey, name: name, displayName: invocation.arguments.value("--display-name"),
      invite: invite)
    await invocation.endFormer()
    invocation.report(account)
    return ExitCode.success
  }

  static let signIn = ClusterSubcommand(
    name: "signin", summary: "Sign in to a cluster with the passkey kept on this machine",
    help: """
      usage: mero signin [NAME] [OPTIONS]

      Signs in with the newest passkey of the cluster, or with the one of this account.
      """,
    beginsSession: true
  ) { invocation in
    let name = try invocation.positional(0...1, "at most a name").first
    let account = try await invocation.client.signIn(invocation.passkey, name: name)
    await invocation.endFormer()
    invocation.report(account)
    return ExitCode.success
  }

  static let signOut = ClusterSubcommand(
    name: "signout", summary: "End the session with a cluster",
    help: """
      usage: mero signout [OPTIONS]

      Forgets the session here and ends it at the cluster. The passkey stays.
      """
  ) { invocation in
    try invocation.arguments.refusePositional()
    guard !invocation.hasKey else {
      throw UsageError("an API key has no session to end; mero keys revoke takes it back")
    }
    let account = try await invocation.client.restore()
    await invocation.client.signOut()
    invocation.report(
      account.map { "\($0.name) is signed out" } ?? "nobody was signed in",
      [
        "signedOut": .bool(account != nil)
      ])
    return ExitCode.success
  }

  static let whoami = ClusterSubcommand(
    name: "whoami", summary: "Say who is signed in to a cluster, and what the credential may do",
    help: """
      usage: mero whoami [OPTIONS]

      Asks the cluster whose session or API key it is.
      """
  ) { invocation in
    try invocation.arguments.refusePositional()
    let caller = try await invocation.client.auth.sessionGet()
    let object = try caller.jsonObject()
    invocation.report(
      "\(caller.name)  \(caller.accountId)  \(caller.kind.rawValue)  \(caller.scopes.joined(separator: " "))",
      object)
    return ExitCode.success
  }
}

extension ClusterInvocation {
  fileprivate func report(_ account: CalimeroAccount) {
    report(
      "signed in as \(account.name)  \(account.accountId)",
      ["accountId": .string(account.accountId), "name": .string(account.name)])
  }
}
