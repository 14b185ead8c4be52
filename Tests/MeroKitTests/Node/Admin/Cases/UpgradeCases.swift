import MeroKit

extension AdminCase {
  static let upgradeText = #"""
    {"fromVersion":"1.0.0","toVersion":"unknown","initiatedAt":1790000000,"initiatedBy":"ac","status":"in_progress",
     "localContextsTotal":3,"localContextsSwapped":1,"localContextsFailed":0,"completedAt":null}
    """#
  static let upgrade = GroupUpgradeStatus(
    fromVersion: "1.0.0", toVersion: "unknown", initiatedAt: 1_790_000_000, initiatedBy: "ac",
    status: .inProgress, localContextsTotal: 3, localContextsSwapped: 1, localContextsFailed: 0)

  static let upgrades: [AdminCase] = [
    .row(
      "POST /admin-api/groups/{group_id}/upgrade",
      sends: .json { #"{"targetApplicationId":"\#($0.application)","cascade":true,"forceCodeOnly":false}"# },
      answers: #"{"groupId":"g1","status":"in_progress","localContextsTotal":3}"#,
      gives: UpgradeGroupResponseData(groupId: "g1", status: .inProgress, localContextsTotal: 3)
    ) { api, ids in
      try await api.upgradeGroup(
        ids.group, request: UpgradeGroupRequest(targetApplicationId: ids.application, cascade: true))
    },
    .row(
      "GET /admin-api/groups/{group_id}/upgrade/status", answers: upgradeText,
      gives: upgrade as GroupUpgradeStatus?
    ) { api, ids in try await api.getGroupUpgradeStatus(ids.group) },
    .row(
      "POST /admin-api/groups/{group_id}/upgrade/retry", sends: .emptyObject,
      answers: #"{"groupId":"g1","status":"completed"}"#,
      gives: RetryGroupUpgradeResponseData(groupId: "g1", status: .completed)
    ) { api, ids in try await api.retryGroupUpgrade(ids.group) },
    .row(
      "GET /admin-api/groups/{namespace_id}/cascade-status",
      answers: #"[{"groupId":"g1","upgrade":\#(upgradeText),"cascadeHlc":"1-2"}]"#,
      gives: [CascadeStatusEntry(groupId: "g1", upgrade: upgrade, cascadeHlc: "1-2")]
    ) { api, ids in try await api.getCascadeStatus(ids.namespace) },
    .row(
      "GET /admin-api/groups/{namespace_id}/migration-status",
      answers: #"""
        {"targetVersion":2,"expectedMembers":2,"cohortPinnedAtHlc":"9","fleetCompletedAt":1790000001,
         "rollup":{"migrated":1,"inProgress":0,"unknown":1,"failed":0,"total":2,"allMigrated":false,
          "membersPendingSignature":1},
         "members":[{"peer":"k1","account":"ac","report":{"schemaVersion":2,"residueAuto":0,"residueIdentity":0,
          "syncedUpToHlc":18446744073709551615,"reportedAt":1790000000,"authoredRemaining":7,
          "migrationFailed":"no_migration_path"},"state":"failed"},{"peer":"k2","state":"unknown"}]}
        """#,
      gives: MigrationStatus(
        targetVersion: 2, expectedMembers: 2, cohortPinnedAtHlc: "9", fleetCompletedAt: 1_790_000_001,
        rollup: MigrationStatusRollup(
          migrated: 1, inProgress: 0, unknown: 1, failed: 0, total: 2, allMigrated: false,
          membersPendingSignature: 1),
        members: [
          MemberMigrationStatusEntry(
            peer: "k1", account: "ac",
            report: MemberMigrationReport(
              schemaVersion: 2, residueAuto: 0, residueIdentity: 0, syncedUpToHlc: .max,
              reportedAt: 1_790_000_000, authoredRemaining: 7, migrationFailed: .noMigrationPath),
            state: .failed),
          MemberMigrationStatusEntry(peer: "k2", state: .unknown),
        ])
    ) { api, ids in try await api.getMigrationStatus(ids.namespace) },
    .row(
      "POST /admin-api/groups/{namespace_id}/migration/abort", sends: .emptyObject,
      answers: #"{"namespaceId":"n1","aborted":false}"#,
      gives: AbortMigrationResponseData(namespaceId: "n1", aborted: false)
    ) { api, ids in try await api.abortMigration(ids.namespace) },
  ]
}
