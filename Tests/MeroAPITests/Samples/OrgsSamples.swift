import MeroAPI

extension OperationSample {
  static func orgs(_ document: APIDocument) throws -> [OperationSample] {
    [
      OperationSample(
        Operations.OrgList.Input(query: .init(cursor: text("cursor"), limit: 7)),
        Operations.OrgList.Output.self),
      OperationSample(
        Operations.OrgCreate.Input(body: .json(try document.payload("org_create"))),
        Operations.OrgCreate.Output.self),
      OperationSample(Operations.OrgGet.Input(path: .init(org: text("org"))), Operations.OrgGet.Output.self),
      OperationSample(
        Operations.OrgUpdate.Input(
          path: .init(org: text("org")), body: .json(try document.payload("org_update"))),
        Operations.OrgUpdate.Output.self),
      OperationSample(
        Operations.OrgDelete.Input(
          path: .init(org: text("org")), headers: .init(confirm: text("x-calimero-confirm"))),
        Operations.OrgDelete.Output.self),
      OperationSample(
        Operations.OrgMemberList.Input(
          path: .init(org: text("org")), query: .init(cursor: text("cursor"), limit: 7)),
        Operations.OrgMemberList.Output.self),
      OperationSample(
        Operations.OrgMemberUpdate.Input(
          path: .init(org: text("org"), account: text("account")),
          headers: .init(confirm: text("x-calimero-confirm")),
          body: .json(try document.payload("org_member_update"))), Operations.OrgMemberUpdate.Output.self),
      OperationSample(
        Operations.OrgMemberRemove.Input(
          path: .init(org: text("org"), account: text("account")),
          headers: .init(confirm: text("x-calimero-confirm"))), Operations.OrgMemberRemove.Output.self),
      OperationSample(
        Operations.OrgInviteList.Input(
          path: .init(org: text("org")),
          query: .init(state: .init(rawValue: text("state")), cursor: text("cursor"), limit: 7)),
        Operations.OrgInviteList.Output.self),
      OperationSample(
        Operations.OrgInviteCreate.Input(
          path: .init(org: text("org")), headers: .init(confirm: text("x-calimero-confirm")),
          body: .json(try document.payload("org_invite_create"))), Operations.OrgInviteCreate.Output.self),
      OperationSample(
        Operations.OrgInviteRevoke.Input(path: .init(org: text("org"), invite: text("invite"))),
        Operations.OrgInviteRevoke.Output.self),
      OperationSample(
        Operations.OrgInviteAccept.Input(body: .json(try document.payload("org_invite_accept"))),
        Operations.OrgInviteAccept.Output.self),
      OperationSample(
        Operations.OrgTeamList.Input(
          path: .init(org: text("org")), query: .init(cursor: text("cursor"), limit: 7)),
        Operations.OrgTeamList.Output.self),
      OperationSample(
        Operations.OrgTeamCreate.Input(
          path: .init(org: text("org")), body: .json(try document.payload("org_team_create"))),
        Operations.OrgTeamCreate.Output.self),
      OperationSample(
        Operations.OrgTeamUpdate.Input(
          path: .init(org: text("org"), team: text("team")),
          body: .json(try document.payload("org_team_update"))), Operations.OrgTeamUpdate.Output.self),
      OperationSample(
        Operations.OrgTeamDelete.Input(
          path: .init(org: text("org"), team: text("team")),
          headers: .init(confirm: text("x-calimero-confirm"))), Operations.OrgTeamDelete.Output.self),
      OperationSample(
        Operations.OrgTeamMemberList.Input(
          path: .init(org: text("org"), team: text("team")), query: .init(cursor: text("cursor"), limit: 7)),
        Operations.OrgTeamMemberList.Output.self),
      OperationSample(
        Operations.OrgTeamMemberSet.Input(
          path: .init(org: text("org"), team: text("team"), account: text("account")),
          body: .json(try document.payload("org_team_member_set"))), Operations.OrgTeamMemberSet.Output.self),
      OperationSample(
        Operations.OrgTeamMemberRemove.Input(
          path: .init(org: text("org"), team: text("team"), account: text("account"))),
        Operations.OrgTeamMemberRemove.Output.self),
    ]
  }
}
