// Generated from openapi/openapi.json by scripts/generate-openapi.sh; not edited by hand.

import MeroAPI

extension CalimeroClient {
  /// The operations of the group `orgs`, as typed methods.
  ///
  /// Each answers the success value alone and throws ``CalimeroError`` otherwise.
  public struct OrgsApi: Sendable {
    let caller: any FacadeCaller

    /// List organizations.
    ///
    /// Organizations the caller belongs to.
    ///
    /// `GET /orgs`
    ///
    /// An API key needs `orgs:read`.
    ///
    /// - Parameters:
    ///   - cursor: Where to go on: the nextCursor of the page before. At most 256 characters.
    ///   - limit: How many at most. From 1 to 200. Left out it is `50`.
    ///   - options: What this request does differently.
    /// - Returns: A page of organizations.
    /// - Throws: ``CalimeroError``; of the codes of `api`, these are its own: `INVALID_CURSOR`.
    public func list(
      cursor: String? = nil,
      limit: Int32? = nil,
      options: RequestOptions = .init()
    ) async throws -> Components.Schemas.OrgList {
      let input = Operations.OrgList.Input(query: .init(cursor: cursor, limit: limit))
      return try await caller.json(input, options: options)
    }

    /// All that ``list(cursor:limit:options:)`` lists, page after page.
    ///
    /// Nothing is asked before the sequence is read.
    ///
    /// - Parameters:
    ///   - options: What this request does differently.
    public func all(options: RequestOptions = .init()) -> Pages<Components.Schemas.Org> {
      Pages(of: "org_list") { cursor in
        let page = try await list(cursor: cursor, limit: pageLimit, options: options)
        return (page.orgs, page.nextCursor)
      }
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
    ///
    /// - Parameters:
    ///   - name: 1 to 80 characters, no control characters, no leading or trailing spaces.
    ///   - idempotencyKey: Makes a repeat of this request safe: 1 to 64 characters of A-Z a-z 0-9 - and _.
    ///   - options: What this request does differently.
    /// - Returns: An organization.
    /// - Throws: ``CalimeroError``; of the codes of `api`, these are its own: `IDEMPOTENCY_IN_PROGRESS`,
    ///   `IDEMPOTENCY_KEY_REUSED`, `INVALID_ARGUMENT`, `QUOTA_EXCEEDED`.
    public func create(
      name: String,
      idempotencyKey: String? = nil,
      options: RequestOptions = .init()
    ) async throws -> Components.Schemas.Org {
      let payload = Operations.OrgCreate.Input.Body.JsonPayload(name: name, idempotencyKey: idempotencyKey)
      let input = Operations.OrgCreate.Input(body: .json(payload))
      return try await caller.json(input, options: options)
    }

    /// Get an organization.
    ///
    /// One organization, with the caller's role in it.
    ///
    /// `GET /orgs/{org}`
    ///
    /// An API key needs `orgs:read`.
    ///
    /// - Parameters:
    ///   - org: The organization's id.
    ///   - options: What this request does differently.
    /// - Returns: An organization.
    /// - Throws: ``CalimeroError``; of the codes of `api`, these are its own: `NOT_FOUND`.
    public func get(org: String, options: RequestOptions = .init()) async throws -> Components.Schemas.Org {
      let input = Operations.OrgGet.Input(path: .init(org: org))
      return try await caller.json(input, options: options)
    }

    /// Change an organization.
    ///
    /// Renames it.
    ///
    /// `PATCH /orgs/{org}`
    ///
    /// An API key needs `orgs:manage`.
    ///
    /// - Parameters:
    ///   - org: The organization's id.
    ///   - name: 1 to 80 characters, no control characters, no leading or trailing spaces.
    ///   - options: What this request does differently.
    /// - Returns: An organization.
    /// - Throws: ``CalimeroError``; of the codes of `api`, these are its own: `INVALID_ARGUMENT`,
    ///   `NOT_FOUND`.
    public func update(
      org: String,
      name: String,
      options: RequestOptions = .init()
    ) async throws -> Components.Schemas.Org {
      let payload = Operations.OrgUpdate.Input.Body.JsonPayload(name: name)
      let input = Operations.OrgUpdate.Input(path: .init(org: org), body: .json(payload))
      return try await caller.json(input, options: options)
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
    ///
    /// - Parameters:
    ///   - org: The organization's id.
    ///   - passkey: Who confirms, if asked; else the client's provider.
    ///   - options: What this request does differently.
    /// - Throws: ``CalimeroError``; of the codes of `api`, these are its own: `CONFIRM_REJECTED`,
    ///   `CONFIRM_REQUIRED`, `CONFLICT`, `HUMAN_REQUIRED`, `NOT_FOUND`.
    public func delete(
      org: String,
      passkey: (any PasskeyProvider)? = nil,
      options: RequestOptions = .init()
    ) async throws {
      let input = Operations.OrgDelete.Input(path: .init(org: org))
      try await caller.nothing(input, passkey: passkey, options: options)
    }

    /// List members.
    ///
    /// The organization's members.
    ///
    /// `GET /orgs/{org}/members`
    ///
    /// An API key needs `orgs:read`.
    ///
    /// - Parameters:
    ///   - org: The organization's id.
    ///   - cursor: Where to go on: the nextCursor of the page before. At most 256 characters.
    ///   - limit: How many at most. From 1 to 200. Left out it is `50`.
    ///   - options: What this request does differently.
    /// - Returns: A page of members.
    /// - Throws: ``CalimeroError``; of the codes of `api`, these are its own: `INVALID_CURSOR`, `NOT_FOUND`.
    public func memberList(
      org: String,
      cursor: String? = nil,
      limit: Int32? = nil,
      options: RequestOptions = .init()
    ) async throws -> Components.Schemas.OrgMemberList {
      let input = Operations.OrgMemberList.Input(
        path: .init(org: org),
        query: .init(cursor: cursor, limit: limit)
      )
      return try await caller.json(input, options: options)
    }

    /// All that ``memberList(org:cursor:limit:options:)`` lists, page after page.
    ///
    /// Nothing is asked before the sequence is read.
    ///
    /// - Parameters:
    ///   - org: The organization's id.
    ///   - options: What this request does differently.
    public func memberAll(
      org: String,
      options: RequestOptions = .init()
    ) -> Pages<Components.Schemas.OrgMember> {
      Pages(of: "org_member_list") { cursor in
        let page = try await memberList(org: org, cursor: cursor, limit: pageLimit, options: options)
        return (page.members, page.nextCursor)
      }
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
    ///
    /// - Parameters:
    ///   - org: The organization's id.
    ///   - account: The account's id.
    ///   - role: A role in an organization, strongest first.
    ///   - passkey: Who confirms, if asked; else the client's provider.
    ///   - options: What this request does differently.
    /// - Returns: An account in an organization.
    /// - Throws: ``CalimeroError``; of the codes of `api`, these are its own: `CONFIRM_REJECTED`,
    ///   `CONFIRM_REQUIRED`, `HUMAN_REQUIRED`, `LAST_OWNER`, `NOT_FOUND`.
    public func memberUpdate(
      org: String,
      account: String,
      role: Components.Schemas.OrgRole,
      passkey: (any PasskeyProvider)? = nil,
      options: RequestOptions = .init()
    ) async throws -> Components.Schemas.OrgMember {
      let payload = Operations.OrgMemberUpdate.Input.Body.JsonPayload(role: role)
      let input = Operations.OrgMemberUpdate.Input(
        path: .init(org: org, account: account),
        body: .json(payload)
      )
      return try await caller.json(input, passkey: passkey, options: options)
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
    ///
    /// - Parameters:
    ///   - org: The organization's id.
    ///   - account: The account's id.
    ///   - passkey: Who confirms, if asked; else the client's provider.
    ///   - options: What this request does differently.
    /// - Throws: ``CalimeroError``; of the codes of `api`, these are its own: `CONFIRM_REJECTED`,
    ///   `CONFIRM_REQUIRED`, `HUMAN_REQUIRED`, `LAST_OWNER`, `NOT_FOUND`.
    public func memberRemove(
      org: String,
      account: String,
      passkey: (any PasskeyProvider)? = nil,
      options: RequestOptions = .init()
    ) async throws {
      let input = Operations.OrgMemberRemove.Input(path: .init(org: org, account: account))
      try await caller.nothing(input, passkey: passkey, options: options)
    }

    /// List invitations.
    ///
    /// The organization's invitations, closed ones included for 30 days.
    ///
    /// `GET /orgs/{org}/invites`
    ///
    /// An API key needs `orgs:manage`.
    ///
    /// - Parameters:
    ///   - org: The organization's id.
    ///   - state: Only those in this state.
    ///   - cursor: Where to go on: the nextCursor of the page before. At most 256 characters.
    ///   - limit: How many at most. From 1 to 200. Left out it is `50`.
    ///   - options: What this request does differently.
    /// - Returns: A page of invitations.
    /// - Throws: ``CalimeroError``; of the codes of `api`, these are its own: `INVALID_CURSOR`, `NOT_FOUND`.
    public func inviteList(
      org: String,
      state: Components.Schemas.InviteState? = nil,
      cursor: String? = nil,
      limit: Int32? = nil,
      options: RequestOptions = .init()
    ) async throws -> Components.Schemas.OrgInviteList {
      let input = Operations.OrgInviteList.Input(
        path: .init(org: org),
        query: .init(state: state, cursor: cursor, limit: limit)
      )
      return try await caller.json(input, options: options)
    }

    /// All that ``inviteList(org:state:cursor:limit:options:)`` lists, page after page.
    ///
    /// Nothing is asked before the sequence is read.
    ///
    /// - Parameters:
    ///   - org: The organization's id.
    ///   - state: Only those in this state.
    ///   - options: What this request does differently.
    public func inviteAll(
      org: String,
      state: Components.Schemas.InviteState? = nil,
      options: RequestOptions = .init()
    ) -> Pages<Components.Schemas.OrgInvite> {
      Pages(of: "org_invite_list") { cursor in
        let page = try await inviteList(
          org: org,
          state: state,
          cursor: cursor,
          limit: pageLimit,
          options: options
        )
        return (page.invites, page.nextCursor)
      }
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
    ///
    /// - Parameters:
    ///   - org: The organization's id.
    ///   - role: A role in an organization, strongest first.
    ///   - teams: Teams to add the account to as well.
    ///   - label: A note, such as who it is for. At most 80 characters.
    ///   - maxUses: How often it can be accepted. From 1 to 1000. Left out it is `1`.
    ///   - expiresInMs: How long it lives; at most 30 days. From 60000 to 2592000000. Left out it is
    ///     `604800000`.
    ///   - passkey: Who confirms, if asked; else the client's provider.
    ///   - options: What this request does differently.
    /// - Returns: A new invitation with its code, which is shown this once.
    /// - Throws: ``CalimeroError``; of the codes of `api`, these are its own: `CONFIRM_REJECTED`,
    ///   `CONFIRM_REQUIRED`, `HUMAN_REQUIRED`, `INVALID_ARGUMENT`, `NOT_FOUND`, `QUOTA_EXCEEDED`.
    public func inviteCreate(
      org: String,
      role: Components.Schemas.OrgRole,
      teams: [String]? = nil,
      label: String? = nil,
      maxUses: Int32? = nil,
      expiresInMs: Int64? = nil,
      passkey: (any PasskeyProvider)? = nil,
      options: RequestOptions = .init()
    ) async throws -> Components.Schemas.OrgInviteCreated {
      let payload = Operations.OrgInviteCreate.Input.Body.JsonPayload(
        role: role,
        teams: teams,
        label: label,
        maxUses: maxUses,
        expiresInMs: expiresInMs
      )
      let input = Operations.OrgInviteCreate.Input(path: .init(org: org), body: .json(payload))
      return try await caller.json(input, passkey: passkey, options: options)
    }

    /// Revoke an invitation.
    ///
    /// Takes an invitation back.
    ///
    /// `DELETE /orgs/{org}/invites/{invite}`
    ///
    /// An API key needs `orgs:manage`.
    ///
    /// - Parameters:
    ///   - org: The organization's id.
    ///   - invite: The invitation's id.
    ///   - options: What this request does differently.
    /// - Throws: ``CalimeroError``; of the codes of `api`, these are its own: `NOT_FOUND`.
    public func inviteRevoke(org: String, invite: String, options: RequestOptions = .init()) async throws {
      let input = Operations.OrgInviteRevoke.Input(path: .init(org: org, invite: invite))
      try await caller.nothing(input, options: options)
    }

    /// Accept an invitation.
    ///
    /// Joins the organization. An account that belongs to it already gets alreadyMember and spends nothing,
    /// so a repeat is safe.
    ///
    /// `POST /orgs/invites/accept`
    ///
    /// It takes no API key.
    ///
    /// - Parameters:
    ///   - code: The invitation's code.
    ///   - options: What this request does differently.
    /// - Returns: What accepting an invitation did.
    /// - Throws: ``CalimeroError``; of the codes of `api`, these are its own: `INVITE_EXPIRED`, `NOT_FOUND`,
    ///   `QUOTA_EXCEEDED`.
    public func inviteAccept(
      code: String,
      options: RequestOptions = .init()
    ) async throws -> Components.Schemas.InviteAccepted {
      let payload = Operations.OrgInviteAccept.Input.Body.JsonPayload(code: code)
      let input = Operations.OrgInviteAccept.Input(body: .json(payload))
      return try await caller.json(input, options: options)
    }

    /// List teams.
    ///
    /// The organization's teams.
    ///
    /// `GET /orgs/{org}/teams`
    ///
    /// An API key needs `orgs:read`.
    ///
    /// - Parameters:
    ///   - org: The organization's id.
    ///   - cursor: Where to go on: the nextCursor of the page before. At most 256 characters.
    ///   - limit: How many at most. From 1 to 200. Left out it is `50`.
    ///   - options: What this request does differently.
    /// - Returns: An organization's teams.
    /// - Throws: ``CalimeroError``; of the codes of `api`, these are its own: `INVALID_CURSOR`, `NOT_FOUND`.
    public func teamList(
      org: String,
      cursor: String? = nil,
      limit: Int32? = nil,
      options: RequestOptions = .init()
    ) async throws -> Components.Schemas.TeamList {
      let input = Operations.OrgTeamList.Input(
        path: .init(org: org),
        query: .init(cursor: cursor, limit: limit)
      )
      return try await caller.json(input, options: options)
    }

    /// All that ``teamList(org:cursor:limit:options:)`` lists, page after page.
    ///
    /// Nothing is asked before the sequence is read.
    ///
    /// - Parameters:
    ///   - org: The organization's id.
    ///   - options: What this request does differently.
    public func teamAll(org: String, options: RequestOptions = .init()) -> Pages<Components.Schemas.Team> {
      Pages(of: "org_team_list") { cursor in
        let page = try await teamList(org: org, cursor: cursor, limit: pageLimit, options: options)
        return (page.teams, page.nextCursor)
      }
    }

    /// Create a team.
    ///
    /// Makes a team with the caller as its lead.
    ///
    /// `POST /orgs/{org}/teams`
    ///
    /// An API key needs `orgs:manage`.
    ///
    /// - Parameters:
    ///   - org: The organization's id.
    ///   - name: 1 to 80 characters, no control characters, no leading or trailing spaces.
    ///   - options: What this request does differently.
    /// - Returns: A team in an organization.
    /// - Throws: ``CalimeroError``; of the codes of `api`, these are its own: `INVALID_ARGUMENT`,
    ///   `NAME_TAKEN`, `NOT_FOUND`.
    public func teamCreate(
      org: String,
      name: String,
      options: RequestOptions = .init()
    ) async throws -> Components.Schemas.Team {
      let payload = Operations.OrgTeamCreate.Input.Body.JsonPayload(name: name)
      let input = Operations.OrgTeamCreate.Input(path: .init(org: org), body: .json(payload))
      return try await caller.json(input, options: options)
    }

    /// Rename a team.
    ///
    /// Renames a team.
    ///
    /// `PATCH /orgs/{org}/teams/{team}`
    ///
    /// An API key needs `orgs:manage`.
    ///
    /// - Parameters:
    ///   - org: The organization's id.
    ///   - team: The team's id.
    ///   - name: 1 to 80 characters, no control characters, no leading or trailing spaces.
    ///   - options: What this request does differently.
    /// - Returns: A team in an organization.
    /// - Throws: ``CalimeroError``; of the codes of `api`, these are its own: `NAME_TAKEN`, `NOT_FOUND`.
    public func teamUpdate(
      org: String,
      team: String,
      name: String,
      options: RequestOptions = .init()
    ) async throws -> Components.Schemas.Team {
      let payload = Operations.OrgTeamUpdate.Input.Body.JsonPayload(name: name)
      let input = Operations.OrgTeamUpdate.Input(path: .init(org: org, team: team), body: .json(payload))
      return try await caller.json(input, options: options)
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
    ///
    /// - Parameters:
    ///   - org: The organization's id.
    ///   - team: The team's id.
    ///   - passkey: Who confirms, if asked; else the client's provider.
    ///   - options: What this request does differently.
    /// - Throws: ``CalimeroError``; of the codes of `api`, these are its own: `CONFIRM_REJECTED`,
    ///   `CONFIRM_REQUIRED`, `HUMAN_REQUIRED`, `NOT_FOUND`.
    public func teamDelete(
      org: String,
      team: String,
      passkey: (any PasskeyProvider)? = nil,
      options: RequestOptions = .init()
    ) async throws {
      let input = Operations.OrgTeamDelete.Input(path: .init(org: org, team: team))
      try await caller.nothing(input, passkey: passkey, options: options)
    }

    /// List a team's members.
    ///
    /// Accounts in the team.
    ///
    /// `GET /orgs/{org}/teams/{team}/members`
    ///
    /// An API key needs `orgs:read`.
    ///
    /// - Parameters:
    ///   - org: The organization's id.
    ///   - team: The team's id.
    ///   - cursor: Where to go on: the nextCursor of the page before. At most 256 characters.
    ///   - limit: How many at most. From 1 to 200. Left out it is `50`.
    ///   - options: What this request does differently.
    /// - Returns: A team's members.
    /// - Throws: ``CalimeroError``; of the codes of `api`, these are its own: `INVALID_CURSOR`, `NOT_FOUND`.
    public func teamMemberList(
      org: String,
      team: String,
      cursor: String? = nil,
      limit: Int32? = nil,
      options: RequestOptions = .init()
    ) async throws -> Components.Schemas.TeamMemberList {
      let input = Operations.OrgTeamMemberList.Input(
        path: .init(org: org, team: team),
        query: .init(cursor: cursor, limit: limit)
      )
      return try await caller.json(input, options: options)
    }

    /// All that ``teamMemberList(org:team:cursor:limit:options:)`` lists, page after page.
    ///
    /// Nothing is asked before the sequence is read.
    ///
    /// - Parameters:
    ///   - org: The organization's id.
    ///   - team: The team's id.
    ///   - options: What this request does differently.
    public func teamMemberAll(
      org: String,
      team: String,
      options: RequestOptions = .init()
    ) -> Pages<Components.Schemas.TeamMember> {
      Pages(of: "org_team_member_list") { cursor in
        let page = try await teamMemberList(
          org: org,
          team: team,
          cursor: cursor,
          limit: pageLimit,
          options: options
        )
        return (page.members, page.nextCursor)
      }
    }

    /// Put an account in a team.
    ///
    /// Adds a member of the organization to the team, or changes whether it leads.
    ///
    /// `PUT /orgs/{org}/teams/{team}/members/{account}`
    ///
    /// An API key needs `orgs:manage`.
    ///
    /// - Parameters:
    ///   - org: The organization's id.
    ///   - team: The team's id.
    ///   - account: The account's id.
    ///   - lead: Whether it leads the team. Left out it is `false`.
    ///   - options: What this request does differently.
    /// - Returns: An account in a team.
    /// - Throws: ``CalimeroError``; of the codes of `api`, these are its own: `NOT_FOUND`.
    public func teamMemberSet(
      org: String,
      team: String,
      account: String,
      lead: Bool? = nil,
      options: RequestOptions = .init()
    ) async throws -> Components.Schemas.TeamMember {
      let payload = Operations.OrgTeamMemberSet.Input.Body.JsonPayload(lead: lead)
      let input = Operations.OrgTeamMemberSet.Input(
        path: .init(org: org, team: team, account: account),
        body: .json(payload)
      )
      return try await caller.json(input, options: options)
    }

    /// Take an account out of a team.
    ///
    /// Removes it from the team; taking out who is not in it succeeds.
    ///
    /// `DELETE /orgs/{org}/teams/{team}/members/{account}`
    ///
    /// An API key needs `orgs:manage`.
    ///
    /// - Parameters:
    ///   - org: The organization's id.
    ///   - team: The team's id.
    ///   - account: The account's id.
    ///   - options: What this request does differently.
    /// - Throws: ``CalimeroError``; of the codes of `api`, these are its own: `NOT_FOUND`.
    public func teamMemberRemove(
      org: String,
      team: String,
      account: String,
      options: RequestOptions = .init()
    ) async throws {
      let input = Operations.OrgTeamMemberRemove.Input(path: .init(org: org, team: team, account: account))
      try await caller.nothing(input, options: options)
    }
  }
}
