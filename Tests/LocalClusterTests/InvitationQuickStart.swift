import MeroKit

/// The README's way from a link into a namespace, word for word: `QuickStartTests` compares the two and runs this one.
func invitationQuickStart(signIn: CloudSignIn, link: String) async throws {
  // quick start begins
  guard let session = await signIn.delegatedSession() else { return }
  let env = signIn.delegatedEnvironment

  // A link to another app is refused here.
  guard let token = InviteLink.token(fromPasted: link, expectedSlug: "com.calimero.key-value") else { return }
  let invitation = try InviteCodec.decodeInvitation(token)

  // Joining takes the session to the relay that lets the account in.
  var deps = AccountAdminDeps.live(env)
  deps.join = { namespace, invitation in
    try await DelegatedAccounts.joinAsAccount(
      session, namespaceId: namespace, invitation: invitation, env: env
    ) { moved in
      Task { await signIn.adopt(moved) }
    }
  }
  let joining = DelegatedAccounts.createAccountAdmin(session: session, read: nil, env: env, deps: deps)
  switch await joining.redeemInvitation(invitation.invitation.namespaceId, invitation: invitation) {
  case .joined(let namespace, _), .alreadyMember(let namespace, _): print("in", namespace)
  case .failed(_, let message, let reason, let canBeTriedAgain): print(message, reason, canBeTriedAgain)
  }
  // quick start ends
}
