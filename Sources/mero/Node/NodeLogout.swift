import MeroKit

extension NodeSubcommand {
  static let logout = NodeSubcommand(
    name: "logout", summary: "End the session",
    help: """
      usage: mero node logout [OPTIONS]

      Forgets the session here and, if the node can be reached within three seconds, ends it there. Without a session it
      does nothing.
      """
  ) { invocation in
    try invocation.arguments.refusePositional()
    let had = invocation.session.getTokens() != nil
    await invocation.client().logout()
    let node = invocation.node.absoluteString
    invocation.report(
      had ? "logged out of \(node)" : "there was no session with \(node)",
      ["node": .string(node), "hadSession": .bool(had)])
    return ExitCode.success
  }
}
