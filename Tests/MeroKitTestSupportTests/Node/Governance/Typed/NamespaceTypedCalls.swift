import MeroCrypto
import MeroKit
import MeroKitTestSupport
import MeroWire
import Testing

extension TypedCall {
  static let namespaces: [TypedCall] = [
    TypedCall("GET", "/namespaces") { turn in
      let ids = [turn.namespace, turn.node.makeNamespace(), turn.node.makeNamespace()].sorted()
      let part = try await turn.send(query: [("offset", "1"), ("limit", "1")]) {
        try await $0.listNamespaces(offset: 1, limit: 1)
      }
      #expect(part.map(\.namespaceId) == [ids[1]])
      try await turn.expect(ids) { try await $0.listNamespaces().map(\.namespaceId) }
    },
    TypedCall("POST", "/namespaces") { turn in
      let appKey = try await turn.appKey()
      _ = turn.installNext()
      let body: JSONValue = [
        "applicationId": .string(turn.application), "name": "team", "appKey": .string(appKey),
      ]
      let answer = try await turn.send(body: body) {
        try await $0.createNamespace(
          CreateNamespaceRequest(applicationId: turn.application, name: "team", appKey: appKey))
      }
      #expect(answer.founding?.founderAccountId == turn.node.account)
      let made = try await turn.read("/namespaces/\(answer.namespaceId)")
      #expect(made["name"] == "team")
      #expect(made["appKey"] == .string(appKey))
      #expect(made["founding"]?["salt"]?.stringValue == answer.founding?.salt)
    },
    TypedCall("GET", "/namespaces/{namespace_id}") { turn in
      _ = try await turn.rig.put("/groups/\(turn.namespace)/metadata", ["name": "team"])
      let namespace = try await turn.send { try await $0.getNamespace(turn.namespace) }
      let expected = Namespace(
        namespaceId: turn.namespace, appKey: try await turn.appKey(), targetApplicationId: turn.application,
        createdAt: 1_790_000_000, name: "team", memberCount: 2, contextCount: 1, subgroupCount: 1,
        appVersion: turn.package.version, founding: namespace.founding)
      #expect(namespace == expected)
      // The id is made of the founding, so that anybody can check it.
      let founding = try #require(namespace.founding)
      #expect(founding.founderAccountId == turn.node.account)
      let parts = [try Hex.decode(founding.founderAccountId), try Hex.decode(founding.salt)]
      #expect(Hex.encode(domainHash("calimero.namespace.id.v1", parts)) == turn.namespace)
    },
    TypedCall("DELETE", "/namespaces/{namespace_id}") { turn in
      try await turn.expect(true) { try await $0.deleteNamespace(turn.namespace).isDeleted }
      #expect(try await turn.rig.get("/namespaces/\(turn.namespace)").status == 404)
    },
    TypedCall("GET", "/namespaces/for-application/{application_id}") { turn in
      _ = turn.node.makeNamespace(of: .chat)
      let ids = [turn.namespace, turn.node.makeNamespace(of: turn.package)].sorted()
      let part = try await turn.send(query: [("offset", "1"), ("limit", "5")]) {
        try await $0.listNamespacesForApplication(turn.application, offset: 1, limit: 5)
      }
      #expect(part.map(\.namespaceId) == [ids[1]])
      let all = try await turn.send { try await $0.listNamespacesForApplication(turn.application) }
      #expect(all.map(\.namespaceId) == ids)
    },
    TypedCall("GET", "/namespaces/{namespace_id}/groups") { turn in
      _ = try await turn.rig.put("/groups/\(turn.group)/metadata", ["name": "devs"])
      let groups = try await turn.send { try await $0.listNamespaceGroups(turn.namespace) }
      #expect(groups == [SubgroupEntry(groupId: turn.group, name: "devs")])
    },
    TypedCall("POST", "/namespaces/{namespace_id}/groups") { turn in
      let closed = try await turn.send(body: ["groupName": "devs", "visibility": "restricted"]) {
        try await $0.createGroupInNamespace(
          turn.namespace,
          request: CreateGroupInNamespaceRequest(groupName: "devs", visibility: .restricted))
      }
      let info = try await turn.read("/groups/\(closed.groupId)")
      #expect(info["subgroupVisibility"] == "restricted")
      #expect(info["metadata"]?["name"] == "devs")
      // What is not said means different things to different nodes, so it is said.
      let plain = try await turn.send(body: ["visibility": "open"]) {
        try await $0.createGroupInNamespace(turn.namespace, request: nil)
      }
      #expect(try await turn.read("/groups/\(plain.groupId)")["subgroupVisibility"] == "open")
    },
    TypedCall("POST", "/namespaces/{namespace_id}/leave") { turn in
      try await turn.send { try await $0.leaveNamespace(turn.namespace) }
      #expect(!turn.world.hasRow(turn.node.account, in: turn.namespace))
      #expect(try await turn.rig.get("/namespaces/\(turn.namespace)").status == 404)
    },
  ]
}
