import MeroKit
import MeroKitTestSupport
import MeroWire
import Testing

extension TypedCall {
  static let upgrades: [TypedCall] = [
    TypedCall("POST", "/groups/{group_id}/upgrade") { turn in
      let body: JSONValue = [
        "targetApplicationId": .string(turn.application), "cascade": true, "forceCodeOnly": true,
      ]
      let request = UpgradeGroupRequest(
        targetApplicationId: turn.application, cascade: true, forceCodeOnly: true)
      let answer = try await turn.send(body: body) {
        try await $0.upgradeGroup(turn.namespace, request: request)
      }
      #expect(answer == UpgradeGroupResponseData(groupId: turn.namespace, status: .completed))
      #expect(try await version(turn) == "9.0.0")
      // A group that runs it already has nothing to do.
      try await turn.refused(
        409,
        body: ["targetApplicationId": .string(turn.application), "cascade": false, "forceCodeOnly": false]
      ) {
        try await $0.upgradeGroup(
          turn.namespace, request: UpgradeGroupRequest(targetApplicationId: turn.application))
      }
    },
    TypedCall("GET", "/groups/{group_id}/upgrade/status") { turn in
      try await turn.expect(nil) { try await $0.getGroupUpgradeStatus(turn.namespace) }
      try await upgrade(turn)
      let expected = GroupUpgradeStatus(
        fromVersion: turn.package.version, toVersion: "9.0.0", initiatedAt: 1_790_000_000,
        initiatedBy: turn.node.account, status: .completed, localContextsTotal: 1, localContextsSwapped: 1,
        localContextsFailed: 0, completedAt: 1_790_000_000)
      try await turn.expect(expected) { try await $0.getGroupUpgradeStatus(turn.namespace) }
    },
    TypedCall("POST", "/groups/{group_id}/upgrade/retry") { turn in
      #expect(try await version(turn) == .string(turn.package.version))
      let answer = try await turn.send { try await $0.retryGroupUpgrade(turn.namespace) }
      #expect(answer == RetryGroupUpgradeResponseData(groupId: turn.namespace, status: .completed))
      #expect(try await version(turn) == "9.0.0")
    },
    TypedCall("GET", "/groups/{namespace_id}/cascade-status") { turn in
      try await turn.expect([]) { try await $0.getCascadeStatus(turn.namespace) }
      turn.node.holdMigrations()
      try await upgrade(turn, cascade: true)
      let entries = try await turn.send { try await $0.getCascadeStatus(turn.namespace) }
      #expect(Set(entries.map(\.groupId)) == [turn.namespace, turn.group])
      let root = try #require(entries.first { $0.groupId == turn.namespace })
      #expect(root.upgrade.toVersion == "9.0.0")
      #expect(root.upgrade.status == .inProgress)
      #expect(root.upgrade.localContextsTotal == 1)
      #expect(root.upgrade.localContextsSwapped == 0)
      #expect(Set(entries.map(\.cascadeHlc)).count == 1)
    },
    TypedCall("GET", "/groups/{namespace_id}/migration-status") { turn in
      turn.node.holdMigrations()
      try await upgrade(turn)
      let begun = try await turn.send { try await $0.getMigrationStatus(turn.namespace) }
      #expect(begun.targetVersion == 2)
      #expect(begun.rollup.inProgress == 1)
      #expect(begun.fleetCompletedAt == nil)
      turn.node.releaseMigrations()
      turn.node.setAuthoredRemaining(3, in: turn.namespace)
      let status = try await turn.send { try await $0.getMigrationStatus(turn.namespace) }
      #expect(status.expectedMembers == 1)
      #expect(status.fleetCompletedAt == 1_790_000_000)
      let rollup = MigrationStatusRollup(
        migrated: 1, inProgress: 0, unknown: 0, failed: 0, total: 1, allMigrated: true,
        membersPendingSignature: 1)
      #expect(status.rollup == rollup)
      let member = try #require(status.members.first)
      #expect(member.peer == turn.node.signingKey)
      #expect(member.account == turn.node.account)
      #expect(member.state == .migrated)
      #expect(member.report?.schemaVersion == 2)
      #expect(member.report?.authoredRemaining == 3)
      #expect(member.report?.reportedAt == 1_790_000_000)
      #expect(member.report?.migrationFailed == nil)
    },
    TypedCall("POST", "/groups/{namespace_id}/migration/abort") { turn in
      turn.node.holdMigrations()
      try await upgrade(turn)
      for aborted in [true, false] {
        let answer = try await turn.send { try await $0.abortMigration(turn.namespace) }
        #expect(answer == AbortMigrationResponseData(namespaceId: turn.namespace, aborted: aborted))
      }
      turn.node.releaseMigrations()
      #expect(try await version(turn) == .string(turn.package.version))
    },
  ]

  /// Points the namespace at a newer build.
  private static func upgrade(_ turn: TypedTurn, cascade: Bool = false) async throws {
    let request: JSONValue = [
      "targetApplicationId": .string(turn.installNext()), "cascade": .bool(cascade),
    ]
    #expect(try await turn.rig.post("/groups/\(turn.namespace)/upgrade", request).status == 200)
  }

  /// The version the context executes.
  private static func version(_ turn: TypedTurn) async throws -> JSONValue? {
    try await turn.read("/contexts/\(turn.context)")["applicationVersion"]
  }
}
