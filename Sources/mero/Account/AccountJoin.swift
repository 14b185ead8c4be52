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
      on. An invitation is good for the first account that joins by it; that one may join again, which changes nothing.

      With --json the result is {"namespaceId", "joined", "new"}: new is false for an account that was a member before.
      """
  ) { try await AccountJoin(invocation: $0).run() }
}

private struct AccountJoin {
  let invocation: AccountInvocation

  func run() async throws -> Int32 {
    let word = try invocation.positional(1...1, "a link")[0]
    let link = word == "-" ? String(decoding: try invocation.surroundings.input(), as: UTF8.self) : word
    guard let token = InviteLink.token(fromPasted: link),
      let invitation = try? InviteCodec.decodeInvitation(token)
    else { throw UsageError("that is no link with an invitation") }
    let slug = try Self.slug(of: link).map(AccountInvocation.package)
    let session = try await invocation.session()
    let namespace = invitation.invitation.namespaceId
    let wasMember = await isMember(of: namespace, session)
    if let end = invitation.invitation.expiresAt, end <= Date() {
      if wasMember { return report(namespace, isNew: false) }
      return refuse("the invitation expired at \(ISO8601DateFormatter().string(from: end))", .expired)
    }
    // The invitation's word on its app is not signed: it is good enough to refuse a link that is put together wrong.
    let hint = invitation.applicationId.map { Hex.encode($0) }
    if let slug, let hint, await invocation.isApplication(hint, of: slug) == false {
      throw ToolError(
        "the link is for \(slug), and its invitation is to a namespace of another app; nothing was sent")
    }
    let moved = Locked<DelegatedSession?>(nil)
    switch try await redeem(invitation, in: namespace, session, moved) {
    case .joined: _ = report(namespace, isNew: !wasMember)
    case .alreadyMember: _ = report(namespace, isNew: false)
    case .failed(_, let message, let reason, let isRetryable):
      return refuse(message, reason, hint: isRetryable ? "; it may work later" : "")
    }
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
    if let slug { await learn(slug, of: namespace, hint: hint, session) }
    return ExitCode.success
  }

  /// Whether one of the relays that can be asked lists the account as a member already: a join that is sent again comes back
  /// like the first one.
  private func isMember(of namespace: String, _ session: DelegatedSession) async -> Bool {
    await DelegatedAccounts.listDelegatedNamespaces(session, env: invocation.env).contains {
      $0.namespace.namespaceId.lowercased() == namespace
    }
  }

  /// Remembers the app for links of one's own, when it is the namespace's.
  private func learn(
    _ package: String, of namespace: String, hint: String?, _ session: DelegatedSession
  ) async {
    let told = try? await invocation.withAdmin(session) { _, read in
      try await read.getGroupInfo(namespace).targetApplicationId
    }
    guard let application = told ?? hint else { return }
    switch await invocation.isApplication(application, of: package) {
    case true?: invocation.folder.remember(package, of: namespace)
    case false?:
      invocation.surroundings.tell("the link names \(package), but the namespace runs another app".printable)
    case nil: break
    }
  }

  private func refuse(_ message: String, _ reason: InviteFailureReason, hint: String = "") -> Int32 {
    invocation.surroundings.tell("mero account join: \(message) (\(reason.rawValue))\(hint)".printable)
    return ExitCode.failure
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

  private func report(_ namespace: String, isNew: Bool) -> Int32 {
    invocation.report(
      "\(isNew ? "joined" : "already a member of") \(namespace)",
      ["namespaceId": .string(namespace), "joined": true, "new": .bool(isNew)])
    return ExitCode.success
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
