import Foundation
import MeroHTTP
import MeroKit
import MeroWire

extension AccountSubcommand {
  static let join = AccountSubcommand(
    name: "join", summary: "Join a namespace by a link",
    help: """
      usage: mero account join LINK [OPTIONS]

      Redeems an invitation: a link as “mero account invite” prints it, or the code in one; - reads it from the standard
      input, where other users of this machine cannot see it. The relay that lets the account in is its relay from then
      on. Joining twice is fine.
      """
  ) { try await AccountJoin(invocation: $0).run() }
}

private struct AccountJoin {
  let invocation: AccountInvocation

  func run() async throws -> Int32 {
    let word = try invocation.positional(1...1, "a link")[0]
    let link = word == "-" ? String(decoding: try invocation.surroundings.input(), as: UTF8.self) : word
    guard let token = InviteLink.token(fromPasted: link), let json = InviteCodec.decode(token)?.objectValue,
      let invitation = try? SignedGroupOpenInvitation(json: json)
    else { throw UsageError("that is no link with an invitation") }
    let session = try await invocation.session()
    let namespace = invitation.invitation.namespaceId
    let moved = Locked<DelegatedSession?>(nil)
    switch try await redeem(invitation, in: namespace, session, moved) {
    case .joined: report("joined", namespace)
    case .alreadyMember: report("already a member of", namespace)
    case .failed(_, let message, let reason, let isRetryable):
      let hint = isRetryable ? "; it may work later" : ""
      invocation.surroundings.tell("mero account join: \(message) (\(reason.rawValue))\(hint)".printable)
      return ExitCode.failure
    }
    if let package = Self.slug(of: link) { invocation.folder.remember(package, of: namespace) }
    guard let moved = moved.withLock({ $0 }) else { return ExitCode.success }
    guard await invocation.signIn.adopt(moved, inPlaceOf: session) else {
      invocation.surroundings.tell(
        "it is joined; somebody signed out, signed in or moved to another relay meanwhile, and that was left as it is"
      )
      return ExitCode.success
    }
    try await invocation.keptSession()
    do { try await invocation.prove(moved.relayUrl ?? "") } catch {
      invocation.surroundings.tell("it is joined, but nothing can be read yet: \(error)".printable)
    }
    return ExitCode.success
  }

  private func redeem(
    _ invitation: SignedGroupOpenInvitation, in namespace: String, _ session: DelegatedSession,
    _ moved: Locked<DelegatedSession?>
  ) async throws -> RedeemOutcome {
    let env = invocation.env
    var deps = AccountAdminDeps.live(env)
    deps.join = { namespace, invitation in
      try await DelegatedAccounts.joinAsAccount(
        session, namespaceId: namespace, invitation: invitation, env: env
      ) { session in moved.withLock { $0 = session } }
    }
    // Without a relay, or with one that is away, there is nothing to look up memberships at; joining needs none.
    let client = try? await invocation.client(session)
    let admin = DelegatedAccounts.createAccountAdmin(
      session: session, read: try? await client?.admin, env: env, deps: deps)
    let outcome = await admin.redeemInvitation(namespace, invitation: invitation)
    await client?.close()
    return outcome
  }

  private func report(_ what: String, _ namespace: String) {
    invocation.report(
      "\(what) \(namespace)",
      ["namespaceId": .string(namespace), "joined": true, "new": .bool(what == "joined")])
  }

  /// The app that a link is for.
  private static func slug(of link: String) -> String? {
    guard let path = URLComponents(string: link.trimmingCharacters(in: .whitespacesAndNewlines))?.path else {
      return nil
    }
    let parts = path.split(separator: "/").map(String.init)
    return parts.count == 2 && parts[1] == "join" ? parts[0] : nil
  }
}
