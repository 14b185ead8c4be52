// Generated from openapi/openapi.json by scripts/generate-openapi.sh; not edited by hand.

extension Client {
  /// List organizations.
  ///
  /// Organizations the caller belongs to.
  ///
  /// `GET /orgs`
  ///
  /// An API key needs `orgs:read`.
  public func orgList(_ input: Operations.OrgList.Input = .init()) async throws -> Operations.OrgList.Output {
    try await perform(input)
  }

  /// Create an organization.
  ///
  /// Makes an organization with the caller as its owner.
  ///
  /// `POST /orgs`
  ///
  /// An API key needs `orgs:manage`.
  ///
  /// With `idempotencyKey` it is safe to repeat.
  public func orgCreate(_ input: Operations.OrgCreate.Input) async throws -> Operations.OrgCreate.Output {
    try await perform(input)
  }

  /// Get an organization.
  ///
  /// One organization, with the caller's role in it.
  ///
  /// `GET /orgs/{org}`
  ///
  /// An API key needs `orgs:read`.
  public func orgGet(_ input: Operations.OrgGet.Input) async throws -> Operations.OrgGet.Output {
    try await perform(input)
  }

  /// Change an organization.
  ///
  /// Renames it.
  ///
  /// `PATCH /orgs/{org}`
  ///
  /// An API key needs `orgs:manage`.
  public func orgUpdate(_ input: Operations.OrgUpdate.Input) async throws -> Operations.OrgUpdate.Output {
    try await perform(input)
  }

  /// Delete an organization.
  ///
  /// Deletes it with its teams, invitations and apps. Only an owner may.
  ///
  /// `DELETE /orgs/{org}`
  ///
  /// It needs a passkey for this very request.
  ///
  /// It takes no API key.
  public func orgDelete(_ input: Operations.OrgDelete.Input) async throws -> Operations.OrgDelete.Output {
    try await perform(input)
  }

  /// List members.
  ///
  /// The organization's members.
  ///
  /// `GET /orgs/{org}/members`
  ///
  /// An API key needs `orgs:read`.
  public func orgMemberList(
    _ input: Operations.OrgMemberList.Input
  ) async throws -> Operations.OrgMemberList.Output {
    try await perform(input)
  }

  /// Change a member's role.
  ///
  /// Gives a member another role. Nobody changes a role at or above their own, except owners.
  ///
  /// `PATCH /orgs/{org}/members/{account}`
  ///
  /// It may need a passkey for this very request. The new or the old role is owner or admin.
  ///
  /// It takes no API key.
  public func orgMemberUpdate(
    _ input: Operations.OrgMemberUpdate.Input
  ) async throws -> Operations.OrgMemberUpdate.Output {
    try await perform(input)
  }

  /// Remove a member.
  ///
  /// Removes a member; an account may remove itself, which is how it leaves.
  ///
  /// `DELETE /orgs/{org}/members/{account}`
  ///
  /// It may need a passkey for this very request. The account removed is not the caller.
  ///
  /// It takes no API key.
  public func orgMemberRemove(
    _ input: Operations.OrgMemberRemove.Input
  ) async throws -> Operations.OrgMemberRemove.Output {
    try await perform(input)
  }

  /// List invitations.
  ///
  /// The organization's invitations, closed ones included for 30 days.
  ///
  /// `GET /orgs/{org}/invites`
  ///
  /// An API key needs `orgs:manage`.
  public func orgInviteList(
    _ input: Operations.OrgInviteList.Input
  ) async throws -> Operations.OrgInviteList.Output {
    try await perform(input)
  }

  /// Invite to an organization.
  ///
  /// Makes an invitation. Whoever holds its code can accept it, so the code is shown once and only its hash
  /// is kept.
  ///
  /// `POST /orgs/{org}/invites`
  ///
  /// It needs a passkey for this very request.
  ///
  /// It takes no API key.
  public func orgInviteCreate(
    _ input: Operations.OrgInviteCreate.Input
  ) async throws -> Operations.OrgInviteCreate.Output {
    try await perform(input)
  }

  /// Revoke an invitation.
  ///
  /// Takes an invitation back.
  ///
  /// `DELETE /orgs/{org}/invites/{invite}`
  ///
  /// An API key needs `orgs:manage`.
  public func orgInviteRevoke(
    _ input: Operations.OrgInviteRevoke.Input
  ) async throws -> Operations.OrgInviteRevoke.Output {
    try await perform(input)
  }

  /// Accept an invitation.
  ///
  /// Joins the organization. An account that belongs to it already gets alreadyMember and spends nothing, so
  /// a repeat is safe.
  ///
  /// `POST /orgs/invites/accept`
  ///
  /// It takes no API key.
  public func orgInviteAccept(
    _ input: Operations.OrgInviteAccept.Input
  ) async throws -> Operations.OrgInviteAccept.Output {
    try await perform(input)
  }

  /// List teams.
  ///
  /// The organization's teams.
  ///
  /// `GET /orgs/{org}/teams`
  ///
  /// An API key needs `orgs:read`.
  public func orgTeamList(
    _ input: Operations.OrgTeamList.Input
  ) async throws -> Operations.OrgTeamList.Output {
    try await perform(input)
  }

  /// Create a team.
  ///
  /// Makes a team with the caller as its lead.
  ///
  /// `POST /orgs/{org}/teams`
  ///
  /// An API key needs `orgs:manage`.
  public func orgTeamCreate(
    _ input: Operations.OrgTeamCreate.Input
  ) async throws -> Operations.OrgTeamCreate.Output {
    try await perform(input)
  }

  /// Rename a team.
  ///
  /// Renames a team.
  ///
  /// `PATCH /orgs/{org}/teams/{team}`
  ///
  /// An API key needs `orgs:manage`.
  public func orgTeamUpdate(
    _ input: Operations.OrgTeamUpdate.Input
  ) async throws -> Operations.OrgTeamUpdate.Output {
    try await perform(input)
  }

  /// Delete a team.
  ///
  /// Deletes a team; its members stay in the organization and lose what only the team gave them.
  ///
  /// `DELETE /orgs/{org}/teams/{team}`
  ///
  /// It needs a passkey for this very request.
  ///
  /// It takes no API key.
  public func orgTeamDelete(
    _ input: Operations.OrgTeamDelete.Input
  ) async throws -> Operations.OrgTeamDelete.Output {
    try await perform(input)
  }

  /// List a team's members.
  ///
  /// Accounts in the team.
  ///
  /// `GET /orgs/{org}/teams/{team}/members`
  ///
  /// An API key needs `orgs:read`.
  public func orgTeamMemberList(
    _ input: Operations.OrgTeamMemberList.Input
  ) async throws -> Operations.OrgTeamMemberList.Output {
    try await perform(input)
  }

  /// Put an account in a team.
  ///
  /// Adds a member of the organization to the team, or changes whether it leads.
  ///
  /// `PUT /orgs/{org}/teams/{team}/members/{account}`
  ///
  /// An API key needs `orgs:manage`.
  public func orgTeamMemberSet(
    _ input: Operations.OrgTeamMemberSet.Input
  ) async throws -> Operations.OrgTeamMemberSet.Output {
    try await perform(input)
  }

  /// Take an account out of a team.
  ///
  /// Removes it from the team; taking out who is not in it succeeds.
  ///
  /// `DELETE /orgs/{org}/teams/{team}/members/{account}`
  ///
  /// An API key needs `orgs:manage`.
  public func orgTeamMemberRemove(
    _ input: Operations.OrgTeamMemberRemove.Input
  ) async throws -> Operations.OrgTeamMemberRemove.Output {
    try await perform(input)
  }
}
