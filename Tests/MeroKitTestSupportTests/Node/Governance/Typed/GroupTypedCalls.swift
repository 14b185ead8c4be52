import MeroKit
import MeroKitTestSupport
import MeroWire
import Testing

extension TypedCall {
  static let groups: [TypedCall] = [
    TypedCall("POST", "/groups") { turn in
      let appKey = try await turn.appKey()
      let body: JSONValue = [
        "applicationId": .string(turn.application), "appKey": .string(appKey), "name": "devs",
        "parentGroupId": .string(turn.namespace),
      ]
      let request = CreateGroupRequest(
        applicationId: turn.application, appKey: appKey, name: "devs", parentGroupId: turn.namespace)
      let answer = try await turn.send(body: body) { try await $0.createGroup(request) }
      let info = try await turn.read("/groups/\(answer.groupId)")
      #expect(info["subgroupVisibility"] == "restricted")
      #expect(info["metadata"]?["name"] == "devs")
      #expect(info["namespaceId"] == .string(turn.namespace))
      let root = try await turn.send {
        try await $0.createGroup(CreateGroupRequest(applicationId: turn.application))
      }
      #expect(try await turn.rig.namespaces().contains(root.groupId))
    },
    TypedCall("GET", "/groups/{group_id}") { turn in
      _ = try await turn.rig.put("/groups/\(turn.namespace)/metadata", ["name": "team", "data": ["k": "v"]])
      let info = try await turn.send { try await $0.getGroupInfo(turn.namespace) }
      let expected = GroupInfoResponseData(
        groupId: turn.namespace, appKey: try await turn.appKey(), targetApplicationId: turn.application,
        memberCount: 2, contextCount: 1, defaultCapabilities: 4, subgroupVisibility: .open,
        metadata: MetadataRecord(
          name: "team", data: ["k": "v"], updatedAt: 1_790_000_000_000, updatedBy: turn.node.account),
        groupStateHash: info.groupStateHash, namespaceId: turn.namespace, ownerOpCounter: 0)
      #expect(info == expected)
      _ = turn.node.makeContext(of: turn.package, in: turn.namespace)
      let later = try await turn.send { try await $0.getGroupInfo(turn.namespace) }
      #expect(later.contextCount == 2)
      #expect(later.groupStateHash != info.groupStateHash)
      // Two more names for parts of it.
      try await turn.expect(4) { try await $0.getDefaultCapabilities(turn.namespace) }
      try await turn.expect(.open) { try await $0.getSubgroupVisibility(turn.namespace) }
    },
    TypedCall("DELETE", "/groups/{group_id}") { turn in
      try await turn.expect(true) { try await $0.deleteGroup(turn.group).isDeleted }
      #expect(try await turn.rig.get("/groups/\(turn.group)").status == 404)
    },
    TypedCall("GET", "/groups/{group_id}/contexts") { turn in
      let second = turn.node.makeContext(of: turn.package, in: turn.namespace, name: "second")
      let entries = [
        GroupContextEntry(contextId: turn.context), GroupContextEntry(contextId: second, name: "second"),
      ]
      .sorted { $0.contextId < $1.contextId }
      let part = try await turn.send(query: [("offset", "1"), ("limit", "1")]) {
        try await $0.listGroupContexts(turn.namespace, offset: 1, limit: 1)
      }
      #expect(part == [entries[1]])
      try await turn.expect(entries) { try await $0.listGroupContexts(turn.namespace) }
    },
    TypedCall("GET", "/groups/{group_id}/subgroups") { turn in
      _ = try await turn.rig.put("/groups/\(turn.group)/metadata", ["name": "devs"])
      let groups = try await turn.send { try await $0.listSubgroups(turn.namespace) }
      #expect(groups == [SubgroupEntry(groupId: turn.group, name: "devs")])
    },
    TypedCall("POST", "/groups/{group_id}/reparent") { turn in
      let other = try await turn.rig.makeGroup(in: turn.namespace)
      for moves in [true, false] {
        let answer = try await turn.send(body: ["newParentId": .string(other)]) {
          try await $0.reparentGroup(turn.group, request: ReparentGroupRequest(newParentId: other))
        }
        #expect(answer.reparented == moves)
      }
      let below = try await turn.rig.get("/groups/\(other)/subgroups").json["subgroups"]
      #expect(below == [["groupId": .string(turn.group)]])
    },
    TypedCall("POST", "/groups/{group_id}/contexts/{context_id}/remove") { turn in
      try await turn.send { try await $0.detachContextFromGroup(turn.namespace, contextId: turn.context) }
      #expect(turn.node.contextIds.isEmpty)
      #expect(try await turn.read("/groups/\(turn.namespace)")["contextCount"] == 0)
    },
    TypedCall("POST", "/groups/{group_id}/leave") { turn in
      #expect(turn.world.hasRow(turn.node.account, in: turn.group))
      try await turn.send { try await $0.leaveGroup(turn.group) }
      #expect(!turn.world.hasRow(turn.node.account, in: turn.group))
    },
    TypedCall("POST", "/groups/{group_id}/sync") { turn in
      let answer = try await turn.send { try await $0.syncGroup(turn.namespace) }
      let expected = SyncGroupResponseData(
        groupId: turn.namespace, synced: true, appKey: try await turn.appKey(),
        targetApplicationId: turn.application, memberCount: 2, contextCount: 1)
      #expect(answer == expected)
    },
    TypedCall("POST", "/groups/{group_id}/join-via-inheritance") { turn in
      // A group of bob's, to whose members this node's account belongs as an admin of the namespace.
      let bob = turn.world.pair.bob
      try await turn.world.pair.join(turn.namespace)
      let path = "/groups/\(turn.namespace)/members/\(bob.node.account)/capabilities"
      _ = try await turn.rig.put(path, ["capabilities": 36])
      let theirs = try await bob.makeGroup(in: turn.namespace)
      turn.path = "/admin-api/groups/\(theirs)/join-via-inheritance"
      for wasInherited in [true, false] {
        #expect(turn.world.hasRow(turn.node.account, in: theirs) != wasInherited)
        let answer = try await turn.send { try await $0.joinSubgroupInheritance(theirs) }
        let expected = JoinSubgroupInheritanceResponseData(
          groupId: theirs, memberPublicKey: turn.node.signingKey, wasInherited: wasInherited)
        #expect(answer == expected)
      }
    },
    TypedCall("PUT", "/groups/{group_id}/settings/default-capabilities") { turn in
      try await turn.send {
        try await $0.setDefaultCapabilities(
          turn.namespace, request: SetDefaultCapabilitiesRequest(defaultCapabilities: 231))
      }
      #expect(try await turn.read("/groups/\(turn.namespace)")["defaultCapabilities"] == 231)
    },
    TypedCall("PUT", "/groups/{group_id}/settings/subgroup-visibility") { turn in
      turn.path = "/admin-api/groups/\(turn.group)/settings/subgroup-visibility"
      try await turn.send {
        try await $0.setSubgroupVisibility(
          turn.group, request: SetSubgroupVisibilityRequest(subgroupVisibility: .restricted))
      }
      #expect(try await turn.read("/groups/\(turn.group)")["subgroupVisibility"] == "restricted")
    },
  ]
}
