import MeroAPI
import MeroKit
import MeroWire

extension ClusterSubcommand {
  static let orgs = ClusterSubcommand(
    name: "orgs", summary: "List and make organizations, see and invite members",
    help: """
      usage: mero orgs [list]
             mero orgs create NAME
             mero orgs members ORG
             mero orgs invite ORG [--role ROLE] [--max-uses N] [--valid-for SECONDS]
             mero orgs join --invite FILE | - | CODE
             mero orgs leave ORG
             mero orgs delete ORG

      An invitation is a code, and a link that holds it: whoever has it can join, so hand it on as you would a password. join
      takes either from a file, or with - from the standard input. One that is typed as an argument is seen by whoever lists
      the processes of this machine, and stays in the shell's history. Inviting and deleting take the passkey.

        --invite FILE         join by the invitation in this file, - for the standard input
        --role ROLE           admin, member (the default) or viewer
        --max-uses N          how many may join by it (1)
        --valid-for SECONDS   how long it is good (7 days)
      """,
    values: ["--role", "--max-uses", "--valid-for", "--invite"]
  ) { try await OrgsCommand(invocation: $0).run() }
}

private struct OrgsCommand {
  let invocation: ClusterInvocation
  private var client: CalimeroClient { invocation.client }

  func run() async throws -> Int32 {
    let words = invocation.arguments.positional
    let invitation = invocation.arguments.value("--invite")
    guard invitation == nil || words == ["join"] else {
      throw invocation.misuse("--invite goes with join alone")
    }
    switch (words.first, words.count) {
    case (nil, 0), ("list", 1): try await list()
    case ("create", 2):
      show(try await client.orgs.create(name: words[1], idempotencyKey: MeroRandom.system.uuid()))
    case ("members", 2): try await members(words[1])
    case ("invite", 2): try await invite(words[1])
    case ("join", 1) where invitation != nil: try await join(try invocation.secret(in: invitation ?? "-"))
    case ("join", 2): try await join(words[1] == "-" ? try invocation.secret(in: "-") : words[1])
    case ("leave", 2):
      let me = try await client.auth.sessionGet().accountId
      try await client.orgs.memberRemove(org: words[1], account: me)
      invocation.report("left", ["orgId": .string(words[1]), "left": true])
    case ("delete", 2):
      try await client.orgs.delete(org: words[1])
      invocation.report("deleted", ["orgId": .string(words[1]), "deleted": true])
    default:
      throw invocation.misuse(
        "it takes list, create NAME, members ORG, invite ORG, join --invite FILE, leave ORG or delete ORG")
    }
    return ExitCode.success
  }

  private func list() async throws {
    for try await org in client.orgs.all() { show(org) }
  }

  private func show(_ org: Components.Schemas.Org) {
    invocation.report(
      "\(org.orgId)  \(org.role.rawValue)  \(org.name)", (try? org.jsonObject()) ?? [:])
  }

  private func members(_ org: String) async throws {
    for try await member in client.orgs.memberAll(org: org) {
      let object = try member.jsonObject()
      invocation.report("\(member.accountId)  \(member.role.rawValue)  \(member.name)", object)
    }
  }

  private func invite(_ org: String) async throws {
    let role = invocation.arguments.value("--role") ?? "member"
    guard ["admin", "member", "viewer"].contains(role) else {
      throw UsageError("--role is admin, member or viewer, not “\(role)”")
    }
    let made = try await client.orgs.inviteCreate(
      org: org, role: .init(rawValue: role),
      maxUses: try invocation.number("--max-uses").map { Int32(clamping: $0) },
      expiresInMs: try invocation.milliseconds("--valid-for"))
    let object = try made.jsonObject()
    invocation.report(made.url, object)
  }

  private func join(_ invitation: String) async throws {
    // A link ends with the code, behind a #.
    let words = invitation.trimmingCharacters(in: .whitespacesAndNewlines)
    guard let code = words.split(separator: "#").last else {
      throw UsageError("what should be an invitation is empty")
    }
    let accepted = try await client.orgs.inviteAccept(code: String(code))
    let object = try accepted.jsonObject()
    invocation.report(
      "\(accepted.orgId)  \(accepted.orgName)\(accepted.alreadyMember ? "  (a member already)" : "")", object)
  }
}
