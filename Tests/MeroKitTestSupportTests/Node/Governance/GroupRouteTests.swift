import Foundation
import MeroKitTestSupport
import MeroWire
import Testing

@Suite("Namespaces, groups and members of a fake node")
struct GroupRouteTests {
  let rig = NodeRig()

  @Test("a namespace is founded for an installed application, and its founding checks out")
  func founds() async throws {
    let application = rig.node.installApplication(.keyValue)
    let answer = try await rig.post("/namespaces", ["applicationId": .string(application), "name": "team"])
    let id = try #require(answer.data["namespaceId"]?.stringValue)
    #expect(answer.data["founding"]?["founderAccountId"]?.stringValue == rig.node.account)
    let namespace = try await rig.get("/namespaces/\(id)").data
    #expect(namespace["name"] == "team")
    #expect(namespace["createdAt"] == 1_790_000_000)
    #expect(namespace["memberCount"] == 1)
    #expect(namespace["founding"] == answer.data["founding"])
    #expect(try await rig.post("/namespaces", ["applicationId": .string(NodeRig.anId)]).status == 404)
    let wrong: JSONValue = ["applicationId": .string(application), "appKey": .string(NodeRig.anId)]
    #expect(try await rig.post("/namespaces", wrong).status == 404)
  }

  @Test("a group created without a visibility is open; any case is read, anything else refused")
  func visibilities() async throws {
    let namespace = rig.node.makeNamespace()
    for (request, visibility): (JSONValue, JSONValue) in [
      ([:], "open"), (["visibility": "Open"], "open"), (["visibility": "RESTRICTED"], "restricted"),
    ] {
      let group = try await rig.makeGroup(in: namespace, request)
      #expect(try await rig.get("/groups/\(group)").data["subgroupVisibility"] == visibility)
    }
    #expect(try await rig.post("/namespaces/\(namespace)/groups", ["visibility": "closed"]).status == 400)
    let group = try await rig.makeGroup(in: namespace)
    let path = "/groups/\(group)/settings/subgroup-visibility"
    #expect(try await rig.put(path, ["subgroupVisibility": "restricted"]).json == [:])
    #expect(try await rig.put(path, ["subgroupVisibility": "Open"]).status == 400)
  }

  @Test("a bad name does not keep a group from being made")
  func badNames() async throws {
    let namespace = rig.node.makeNamespace()
    let group = try await rig.makeGroup(
      in: namespace, ["groupName": .string(String(repeating: "n", count: 65))])
    #expect(try await rig.get("/groups/\(group)/metadata").data == .null)
  }

  @Test("the older route makes namespaces, and Restricted subgroups; a chosen id is 400")
  func olderCreation() async throws {
    let application = JSONValue.string(rig.node.installApplication(.chat))
    let root = try #require(
      try await rig.post("/groups", ["applicationId": application]).data["groupId"]?.stringValue)
    #expect(try await rig.namespaces() == [root])
    let below = try await rig.post("/groups", ["applicationId": application, "parentGroupId": .string(root)])
    let group = try #require(below.data["groupId"]?.stringValue)
    #expect(try await rig.get("/groups/\(group)").data["subgroupVisibility"] == "restricted")
    #expect(
      try await rig.post("/groups", ["applicationId": application, "groupId": .string(root)]).status == 400)
  }

  @Test("a group says where it belongs, and its state's hash changes with what members share")
  func groupInfo() async throws {
    let namespace = rig.node.makeNamespace()
    let group = try await rig.makeGroup(in: namespace)
    let before = try await rig.get("/groups/\(group)").data
    #expect(before["namespaceId"]?.stringValue == namespace)
    #expect(before["ownerOpCounter"] == 0)
    #expect(before["defaultCapabilities"] == 4)
    #expect(before["activeUpgrade"] == nil)
    _ = try await rig.put("/groups/\(group)/metadata", ["name": "notes"])
    let after = try await rig.get("/groups/\(group)").data
    #expect(after["groupStateHash"] != before["groupStateHash"])
    #expect(after["metadata"]?["name"] == "notes")
    rig.node.setOld(true)
    #expect(try await rig.get("/groups/\(group)").data["ownerOpCounter"] == nil)
  }

  @Test("reparenting says whether it moved, and refuses what can never be")
  func reparents() async throws {
    let namespace = rig.node.makeNamespace()
    let (one, other) = (try await rig.makeGroup(in: namespace), try await rig.makeGroup(in: namespace))
    let elsewhere = rig.node.makeNamespace()
    func reparent(_ group: String, _ parent: String) async throws -> NodeRig.Answer {
      try await rig.post("/groups/\(group)/reparent", ["newParentId": .string(parent)])
    }
    #expect(try await reparent(one, namespace).json == ["reparented": false])
    #expect(try await reparent(one, other).json == ["reparented": true])
    #expect(try await reparent(one, one).status == 400)
    #expect(try await reparent(one, elsewhere).status == 400)
    #expect(try await reparent(other, one).status == 409)
    #expect(try await reparent(one, NodeRig.anId).status == 404)
  }

  @Test("a namespace is deleted as one and left as one, never as a group")
  func rootsAreSpecial() async throws {
    let namespace = rig.node.makeNamespace()
    #expect(try await rig.send(.delete, "/admin-api/groups/\(namespace)", json: [:]).status == 400)
    #expect(try await rig.post("/groups/\(namespace)/leave").status == 400)
    #expect(try await rig.post("/namespaces/\(namespace)/leave").status == 403)
    #expect(try await rig.send(.delete, "/admin-api/namespaces/\(namespace)").status == 400)
    let deleted = try await rig.send(.delete, "/admin-api/namespaces/\(namespace)", json: [:])
    #expect(deleted.data == ["isDeleted": true])
    #expect(try await rig.get("/namespaces/\(namespace)").status == 404)
  }

  @Test("a list of members is added whole or not at all")
  func addsAllOrNothing() async throws {
    let namespace = rig.node.makeNamespace()
    let rows: JSONValue = [
      ["identity": .string(NodeRig.anId), "role": "Member"],
      ["identity": .string(rig.node.account), "role": "RelayTee"],
    ]
    #expect(try await rig.post("/groups/\(namespace)/members", ["members": rows]).status == 400)
    #expect(try await rig.members(of: namespace).count == 1)
    #expect(try await rig.post("/groups/\(namespace)/members", ["members": []]).status == 400)
    let unknown: JSONValue = [["identity": .string(NodeRig.anId), "role": "Member", "name": "x"]]
    #expect(try await rig.post("/groups/\(namespace)/members", ["members": unknown]).status == 400)
  }

  @Test("a bound signing key stands for its account where members are addressed")
  func resolvesKeys() async throws {
    let pair = NodePair()
    let namespace = pair.alice.node.makeNamespace()
    try await pair.join(namespace)
    let path = "/groups/\(namespace)/members/\(pair.bob.node.signingKey)/role"
    #expect(try await pair.alice.put(path, ["role": "ReadOnly"]).json == [:])
    #expect(try await pair.alice.members(of: namespace)[pair.bob.node.account] == "ReadOnly")
    #expect(try await pair.alice.put(path, ["role": "Chief"]).status == 400)
  }

  @Test("capabilities are read back as they hold, and of nobody else: 404")
  func capabilities() async throws {
    let namespace = rig.node.makeNamespace()
    let member = NodeRig.anId
    let row: JSONValue = ["identity": .string(member), "role": "Member"]
    _ = try await rig.post("/groups/\(namespace)/members", ["members": [row]])
    let path = "/groups/\(namespace)/members/\(member)/capabilities"
    #expect(try await rig.get(path).data == ["capabilities": 4])
    #expect(try await rig.put(path, ["capabilities": 4_294_967_295]).json == [:])
    #expect(try await rig.get(path).data == ["capabilities": 1023])
    #expect(try await rig.put(path, ["capabilities": 4_294_967_296]).status == 400)
    let stranger = String(repeating: "cd", count: 32)
    #expect(try await rig.get("/groups/\(namespace)/members/\(stranger)/capabilities").status == 404)
  }

  @Test("a page is clamped, and what is left out of it comes with the next")
  func pages() async throws {
    let namespace = rig.node.makeNamespace()
    let rows = (0..<120).map { number -> JSONValue in
      let account = String(repeating: "0", count: 60) + String(format: "%04x", number)
      return ["identity": .string(account), "role": "Member"]
    }
    _ = try await rig.post("/groups/\(namespace)/members", ["members": .array(rows)])
    func count(_ query: String) async throws -> Int? {
      try await rig.get("/groups/\(namespace)/members\(query)").json["members"]?.arrayValue?.count
    }
    #expect(try await count("") == 100)
    #expect(try await count("?limit=5000") == 121)
    #expect(try await count("?offset=100&limit=1000") == 21)
    #expect(try await count("?offset=121") == 0)
    #expect(try await rig.get("/groups/\(namespace)/members?limit=x").status == 400)
  }

  @Test("an admin sees the devices of all members, a plain member only its own")
  func memberDevices() async throws {
    let pair = NodePair()
    let namespace = pair.alice.node.makeNamespace()
    try await pair.join(namespace)
    let path = "/groups/\(namespace)/member-devices"
    #expect(try await pair.alice.get(path).json["members"]?.arrayValue?.count == 2)
    let own = try #require(try await pair.bob.get(path).json["members"]?.arrayValue)
    #expect(own.map { $0["account"]?.stringValue } == [pair.bob.node.account])
    #expect(own[0]["devices"]?[0]?["signingKey"]?.stringValue == pair.bob.node.signingKey)
  }

  // MARK: 20 §5.8

  @Test("metadata replaces its data whole, and keeps a name that is not given")
  func metadataReplaces() async throws {
    let namespace = rig.node.makeNamespace()
    let path = "/groups/\(namespace)/metadata"
    #expect(try await rig.get(path).data == .null)
    _ = try await rig.put(path, ["name": "a", "data": ["x": "1", "y": "2"]])
    _ = try await rig.put(path, ["data": ["y": "3"]])
    let record = try await rig.get(path).data
    #expect(record["name"] == "a")
    #expect(record["data"] == ["y": "3"])
    #expect(record["updatedAt"] == 1_790_000_000_000)
    #expect(record["updatedBy"]?.stringValue == rig.node.account)
    _ = try await rig.put(path, ["name": "b"])
    #expect(try await rig.get(path).data["data"] == [:])
  }

  @Test(
    "metadata keeps to its limits",
    arguments: [
      ["name": ""], ["name": .string(String(repeating: "n", count: 65))], ["data": ["": "x"]],
      ["data": .object(JSONObject((0...64).map { ("k\($0)", JSONValue.string("v")) }))], ["data": ["k": 1]],
      ["data": .object(JSONObject([(String(repeating: "k", count: 65), JSONValue.string("v"))]))],
      ["data": ["k": .string(String(repeating: "v", count: 4097))]], ["extra": 1],
    ] as [JSONValue])
  func metadataLimits(_ request: JSONValue) async throws {
    let namespace = rig.node.makeNamespace()
    #expect(try await rig.put("/groups/\(namespace)/metadata", request).status == 400)
  }

  @Test("metadata at its limits is taken")
  func metadataAtLimits() async throws {
    let namespace = rig.node.makeNamespace()
    let data = (0..<64).map {
      (String(repeating: "k", count: 62) + String(format: "%02d", $0), JSONValue("v"))
    }
    let request: JSONValue = [
      "name": .string(String(repeating: "n", count: 64)), "data": .object(JSONObject(data)),
    ]
    #expect(try await rig.put("/groups/\(namespace)/metadata", request).json == [:])
  }

  @Test("members and contexts have metadata too; of a context in another group there is none: 404")
  func otherMetadata() async throws {
    let namespace = rig.node.makeNamespace()
    let group = try await rig.makeGroup(in: namespace)
    let context = rig.node.makeContext(in: namespace, name: "room")
    #expect(try await rig.get("/groups/\(namespace)/contexts/\(context)/metadata").data["name"] == "room")
    #expect(try await rig.get("/groups/\(group)/contexts/\(context)/metadata").status == 404)
    let own = "/groups/\(namespace)/members/\(rig.node.account)/metadata"
    #expect(try await rig.put(own, ["name": "Ann"]).json == [:])
    #expect(try await rig.get(own).data["name"] == "Ann")
    #expect(try await rig.get("/groups/\(namespace)/members").json["members"]?[0]?["name"] == "Ann")
  }

  // MARK: 20 §3.4

  @Test("an owner's op needs the owner's root: the node's own, or a proof that serves once")
  func rootGuard() async throws {
    let namespace = rig.node.makeNamespace()
    let row: JSONValue = ["identity": .string(NodeRig.anId), "role": "Admin"]
    _ = try await rig.post("/groups/\(namespace)/members", ["members": [row]])
    let transfer = "/groups/\(namespace)/transfer-ownership"
    #expect(try await rig.post(transfer, ["newOwner": .string(NodeRig.anId), "rootProof": ""]).status == 400)
    #expect(
      try await rig.post(transfer, ["newOwner": .string(NodeRig.anId), "rootProof": "00"]).status == 400)
    #expect(try await rig.post(transfer, ["newOwner": .string(NodeRig.anId)]).json == [:])
    #expect(try await rig.get("/groups/\(namespace)").data["ownerOpCounter"] == 1)
    #expect(try await rig.post("/groups/\(namespace)/owner-delete").status == 403)
  }

  @Test("an ownership proof is a statement over exactly the bytes it carries")
  func ownershipProofs() async throws {
    let namespace = rig.node.makeNamespace()
    let request: JSONValue = [
      "audience": "https://service.example", "subject": "claim",
      "nonce": .string(String(repeating: "0a", count: 16)),
      "expiresAtMs": 1_790_009_000_000,
    ]
    let answer = try await rig.post("/groups/\(namespace)/issue-namespace-ownership-proof", request).json
    #expect(answer["signerPublicKey"]?.stringValue == rig.node.signingKey)
    #expect(answer["founding"]?["founderAccountId"]?.stringValue == rig.node.account)
    let payload = try #require(Data(base64Encoded: answer["signedPayload"]?.stringValue ?? ""))
    #expect(try JSONValue(parsing: payload)["expiresAtMs"] == 1_790_000_300_000)
    var late = try #require(request.objectValue)
    late["expiresAtMs"] = 1_789_999_999_999
    #expect(
      try await rig.post("/groups/\(namespace)/issue-namespace-ownership-proof", .object(late)).status == 400)
    late["nonce"] = "abc"
    #expect(
      try await rig.post("/groups/\(namespace)/issue-namespace-ownership-proof", .object(late)).status == 400)
  }

  // MARK: 20 §5.12

  @Test(
    "an alias is kept once, found by its name, listed, and taken away",
    arguments: ["context", "application", "device"])
  func aliases(_ kind: String) async throws {
    let create: JSONValue = ["alias": "main.one", "\(kind)Id": .string(NodeRig.anId)]
    #expect(try await rig.post("/alias/create/\(kind)", create).json == ["data": .null])
    #expect(try await rig.post("/alias/create/\(kind)", create).status == 409)
    #expect(try await rig.post("/alias/lookup/\(kind)/main.one").data == ["value": .string(NodeRig.anId)])
    #expect(try await rig.get("/alias/list/\(kind)").data == ["main.one": .string(NodeRig.anId)])
    #expect(try await rig.post("/alias/delete/\(kind)/main.one").json == ["data": .null])
    #expect(try await rig.post("/alias/delete/\(kind)/main.one").json == ["data": .null])
    #expect(try await rig.post("/alias/lookup/\(kind)/main.one").data == ["value": .null])
    for bad in ["", String(repeating: "a", count: 51), "a b", "ä"] {
      let create: JSONValue = ["alias": .string(bad), "\(kind)Id": .string(NodeRig.anId)]
      #expect(try await rig.post("/alias/create/\(kind)", create).status == 400)
    }
  }
}
