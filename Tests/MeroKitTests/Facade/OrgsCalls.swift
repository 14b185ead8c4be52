import MeroKit

extension FacadeCall {
  static var orgs: [FacadeCall] {
    [
      FacadeCall("org_list") { _ = try await $0.orgs.list(cursor: "cursor", limit: 7, options: options) },
      FacadeCall("org_create") {
        _ = try await $0.orgs.create(name: "name", idempotencyKey: "idempotencyKey", options: options)
      },
      FacadeCall("org_get") { _ = try await $0.orgs.get(org: "org", options: options) },
      FacadeCall("org_update") { _ = try await $0.orgs.update(org: "org", name: "name", options: options) },
      FacadeCall("org_delete") { try await $0.orgs.delete(org: "org", passkey: passkey, options: options) },
      FacadeCall("org_member_list") {
        _ = try await $0.orgs.memberList(org: "org", cursor: "cursor", limit: 7, options: options)
      },
      FacadeCall("org_member_update") {
        _ = try await $0.orgs.memberUpdate(
          org: "org", account: "account", role: .member, passkey: passkey, options: options)
      },
      FacadeCall("org_member_remove") {
        try await $0.orgs.memberRemove(org: "org", account: "account", passkey: passkey, options: options)
      },
      FacadeCall("org_invite_list") {
        _ = try await $0.orgs.inviteList(
          org: "org", state: .open, cursor: "cursor", limit: 7, options: options)
      },
      FacadeCall("org_invite_create") {
        _ = try await $0.orgs.inviteCreate(
          org: "org", role: .member, teams: ["teams"], label: "label", maxUses: 7, expiresInMs: 7,
          passkey: passkey, options: options)
      },
      FacadeCall("org_invite_revoke") {
        try await $0.orgs.inviteRevoke(org: "org", invite: "invite", options: options)
      },
      FacadeCall("org_invite_accept") { _ = try await $0.orgs.inviteAccept(code: "code", options: options) },
      FacadeCall("org_team_list") {
        _ = try await $0.orgs.teamList(org: "org", cursor: "cursor", limit: 7, options: options)
      },
      FacadeCall("org_team_create") {
        _ = try await $0.orgs.teamCreate(org: "org", name: "name", options: options)
      },
      FacadeCall("org_team_update") {
        _ = try await $0.orgs.teamUpdate(org: "org", team: "team", name: "name", options: options)
      },
      FacadeCall("org_team_delete") {
        try await $0.orgs.teamDelete(org: "org", team: "team", passkey: passkey, options: options)
      },
      FacadeCall("org_team_member_list") {
        _ = try await $0.orgs.teamMemberList(
          org: "org", team: "team", cursor: "cursor", limit: 7, options: options)
      },
      FacadeCall("org_team_member_set") {
        _ = try await $0.orgs.teamMemberSet(
          org: "org", team: "team", account: "account", lead: true, options: options)
      },
      FacadeCall("org_team_member_remove") {
        try await $0.orgs.teamMemberRemove(org: "org", team: "team", account: "account", options: options)
      },
    ]
  }
}
