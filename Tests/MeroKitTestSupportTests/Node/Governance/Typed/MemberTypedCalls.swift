import MeroKit
import MeroKitTestSupport
import MeroWire
import Testing

extension TypedCall {
  static let members: [TypedCall] = [
    TypedCall("GET", "/groups/{group_id}/members") { turn in
      let path = "/groups/\(turn.namespace)/members/\(turn.account)"
      _ = try await turn.rig.put("\(path)/metadata", ["name": "ada"])
      _ = try await turn.rig.put("\(path)/role", ["role": "Member"])
      let members = [
        GroupMember(identity: turn.account, role: .member, name: "ada"),
        GroupMember(identity: turn.node.account, role: .admin),
      ].sorted { $0.identity < $1.identity }
      let part = try await turn.send(query: [("offset", "1"), ("limit", "1")]) {
        try await $0.listGroupMembers(turn.namespace, offset: 1, limit: 1)
      }
      #expect(part.members == [members[1]])
      try await turn.expect(members) { try await $0.listGroupMembers(turn.namespace).members }
    },
    TypedCall("POST", "/groups/{group_id}/members") { turn in
      let input = GroupMemberInput(identity: NodeRig.anId, role: .readOnly)
      try await turn.send {
        try await $0.addGroupMembers(turn.namespace, request: AddGroupMembersRequest(members: [input]))
      }
      #expect(try await turn.rig.members(of: turn.namespace)[NodeRig.anId] == "ReadOnly")
    },
    TypedCall("POST", "/groups/{group_id}/members/remove") { turn in
      let request = RemoveGroupMembersRequest(members: [turn.account])
      try await turn.send { try await $0.removeGroupMembers(turn.namespace, request: request) }
      #expect(try await turn.rig.members(of: turn.namespace) == [turn.node.account: "Admin"])
    },
    TypedCall("PUT", "/groups/{group_id}/members/{account}/role") { turn in
      try await turn.send {
        try await $0.updateMemberRole(
          turn.namespace, account: turn.account, request: UpdateMemberRoleRequest(role: .member))
      }
      #expect(try await turn.rig.members(of: turn.namespace)[turn.account] == "Member")
    },
    TypedCall("GET", "/groups/{group_id}/members/{account}/capabilities") { turn in
      let path = "/groups/\(turn.namespace)/members/\(turn.account)"
      _ = try await turn.rig.put("\(path)/role", ["role": "Member"])
      _ = try await turn.rig.put("\(path)/capabilities", ["capabilities": 37])
      let answer = try await turn.send {
        try await $0.getMemberCapabilities(turn.namespace, account: turn.account)
      }
      #expect(answer == MemberCapabilities(capabilities: 37))
    },
    TypedCall("PUT", "/groups/{group_id}/members/{account}/capabilities") { turn in
      let path = "/groups/\(turn.namespace)/members/\(turn.account)"
      _ = try await turn.rig.put("\(path)/role", ["role": "Member"])
      try await turn.send {
        try await $0.setMemberCapabilities(
          turn.namespace, account: turn.account, request: SetMemberCapabilitiesRequest(capabilities: 1))
      }
      #expect(try await turn.read("\(path)/capabilities") == ["capabilities": 1])
    },
    TypedCall("PUT", "/groups/{group_id}/members/{account}/auto-follow") { turn in
      #expect(turn.world.follows(turn.account) == [false, false])
      try await turn.send {
        try await $0.setMemberAutoFollow(
          turn.namespace, account: turn.account,
          request: SetMemberAutoFollowRequest(autoFollowContexts: true, autoFollowSubgroups: false))
      }
      #expect(turn.world.follows(turn.account) == [true, false])
    },
    TypedCall("GET", "/groups/{group_id}/member-devices") { turn in
      let link: JSONValue = ["credential": turn.world.device.proof, "scope": turn.world.device.proof]
      _ = try await turn.rig.post("/namespaces/\(turn.namespace)/account/link-device", link)
      let entries = [
        MemberDevicesEntry(
          account: turn.node.account,
          devices: [MemberDevice(deviceId: turn.node.device, signingKey: turn.node.signingKey)]),
        MemberDevicesEntry(
          account: turn.account,
          devices: [MemberDevice(deviceId: turn.world.deviceId, signingKey: turn.world.deviceKey)]),
      ].sorted { $0.account < $1.account }
      let part = try await turn.send(query: [("offset", "1"), ("limit", "1")]) {
        try await $0.listGroupMemberDevices(turn.namespace, offset: 1, limit: 1)
      }
      #expect(part == [entries[1]])
      try await turn.expect(entries) { try await $0.listMemberDevices(turn.namespace) }
    },
  ]

  static let metadata: [TypedCall] = [
    read("/groups/{group_id}/metadata", { "/groups/\($0.namespace)/metadata" }) { api, turn in
      try await api.getGroupMetadata(turn.namespace)
    },
    write("/groups/{group_id}/metadata", { "/groups/\($0.namespace)/metadata" }) { api, turn, request in
      try await api.setGroupMetadata(turn.namespace, request: request)
    },
    read(
      "/groups/{group_id}/members/{account}/metadata",
      { "/groups/\($0.namespace)/members/\($0.account)/metadata" }
    ) { api, turn in
      try await api.getMemberMetadata(turn.namespace, account: turn.account)
    },
    write(
      "/groups/{group_id}/members/{account}/metadata",
      { "/groups/\($0.namespace)/members/\($0.account)/metadata" }
    ) { api, turn, request in
      try await api.setMemberMetadata(turn.namespace, account: turn.account, request: request)
    },
    read(
      "/groups/{group_id}/contexts/{context_id}/metadata",
      { "/groups/\($0.namespace)/contexts/\($0.context)/metadata" }
    ) { api, turn in
      try await api.getContextMetadata(turn.namespace, contextId: turn.context)
    },
    write(
      "/groups/{group_id}/contexts/{context_id}/metadata",
      { "/groups/\($0.namespace)/contexts/\($0.context)/metadata" }
    ) { api, turn, request in
      try await api.setContextMetadata(turn.namespace, contextId: turn.context, request: request)
    },
  ]

  /// Nothing, and then what was set.
  private static func read(
    _ row: String, _ path: @escaping @Sendable (TypedTurn) -> String,
    _ call: @escaping @Sendable (AdminApi, TypedTurn) async throws -> MetadataRecord?
  ) -> TypedCall {
    TypedCall("GET", row) { turn in
      try await turn.expect(nil) { try await call($0, turn) }
      _ = try await turn.rig.put(path(turn), ["name": "a", "data": ["k": "v"]])
      let expected = MetadataRecord(
        name: "a", data: ["k": "v"], updatedAt: 1_790_000_000_000, updatedBy: turn.node.account)
      try await turn.expect(expected) { try await call($0, turn) }
    }
  }

  /// Data is replaced; a name that is not given stays.
  private static func write(
    _ row: String, _ path: @escaping @Sendable (TypedTurn) -> String,
    _ call: @escaping @Sendable (AdminApi, TypedTurn, SetMetadataRequest) async throws -> Void
  ) -> TypedCall {
    TypedCall("PUT", row) { turn in
      let first = SetMetadataRequest(name: "a", data: ["k": "v", "l": "w"])
      try await turn.send(body: ["name": "a", "data": ["k": "v", "l": "w"]]) {
        try await call($0, turn, first)
      }
      try await turn.send(body: ["data": ["k": "x"]]) {
        try await call($0, turn, SetMetadataRequest(data: ["k": "x"]))
      }
      let record = try await turn.read(path(turn))
      #expect(record["name"] == "a")
      #expect(record["data"] == ["k": "x"])
      #expect(record["updatedBy"] == .string(turn.node.account))
    }
  }
}
