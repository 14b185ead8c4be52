import Foundation
import MeroKitTestSupport
import MeroWire
import Testing

/// 20 §1.5.
@Suite("What an account session sees on a relay")
struct CallerScopeTests {
  let rig = NodeRig()
  let account = String(repeating: "ac", count: 32)

  func session() -> NodeRig.Sender {
    let token = rig.node.makeAccountSession(account: account, device: String(repeating: "de", count: 32))
      .accessToken
    // The owner's is the newest session again.
    _ = rig.node.makeSession()
    return .bearer(token)
  }

  func add(to group: String, role: String = "Member") async throws {
    let row: JSONValue = ["identity": .string(account), "role": .string(role)]
    #expect(try await rig.post("/groups/\(group)/members", ["members": [row]]).status == 200)
  }

  @Test("an account in no group sees empty lists, and single groups do not exist for it")
  func seesNothing() async throws {
    let namespace = rig.node.makeNamespace()
    #expect(try await rig.namespaces(as: session()) == [])
    for path in [
      "", "/members", "/contexts", "/subgroups", "/metadata", "/member-devices", "/upgrade/status",
    ] {
      #expect(try await rig.get("/groups/\(namespace)\(path)", as: session()).status == 404, "\(path)")
    }
  }

  @Test("a member sees its namespace, and loses sight of it when it is removed")
  func followsMembership() async throws {
    let (namespace, _) = (rig.node.makeNamespace(), rig.node.makeNamespace())
    try await add(to: namespace)
    #expect(try await rig.namespaces(as: session()) == [namespace])
    #expect(try await rig.get("/groups/\(namespace)", as: session()).status == 200)
    #expect(
      try await rig.get("/groups/\(namespace)/member-devices", as: session()).json["members"]?[0]?["account"]
        == .string(account))
    _ = try await rig.post("/groups/\(namespace)/members/remove", ["members": [.string(account)]])
    #expect(try await rig.namespaces(as: session()) == [])
    #expect(try await rig.get("/groups/\(namespace)", as: session()).status == 404)
  }

  @Test("a Restricted subgroup is listed to its members and to admins of its parent only")
  func restrictedIsHidden() async throws {
    let namespace = rig.node.makeNamespace()
    try await add(to: namespace)
    let open = try await rig.makeGroup(in: namespace)
    let closed = try await rig.makeGroup(in: namespace, ["visibility": "restricted"])
    func listed() async throws -> Set<String> {
      let groups = try await rig.get("/namespaces/\(namespace)/groups", as: session()).data.arrayValue ?? []
      return Set(groups.compactMap { $0["groupId"]?.stringValue })
    }
    #expect(try await listed() == [open])
    #expect(try await rig.get("/groups/\(closed)", as: session()).status == 404)
    try await add(to: closed)
    #expect(try await listed() == [open, closed])
    let own = try await rig.get("/groups/\(namespace)/subgroups").json["subgroups"]?.arrayValue
    #expect(own?.count == 2)
  }

  @Test("migration status is for the namespace's admins: 403 for a member")
  func migrationStatus() async throws {
    let namespace = rig.node.makeNamespace()
    try await add(to: namespace)
    #expect(try await rig.get("/groups/\(namespace)/migration-status", as: session()).status == 403)
    _ = try await rig.put("/groups/\(namespace)/members/\(account)/role", ["role": "Admin"])
    #expect(try await rig.get("/groups/\(namespace)/migration-status", as: session()).status == 200)
  }

  @Test("governance writes, aliases and node-wide lists are refused to an account session: 403")
  func writesAreRefused() async throws {
    let namespace = rig.node.makeNamespace()
    try await add(to: namespace, role: "Admin")
    let answers = [
      try await rig.put("/groups/\(namespace)/metadata", ["name": "x"], as: session()),
      try await rig.post("/namespaces", ["applicationId": .string(NodeRig.anId)], as: session()),
      try await rig.get("/namespaces/for-application/\(NodeRig.anId)", as: session()),
      try await rig.get("/alias/list/context", as: session()),
      try await rig.post("/groups/\(namespace)/leave", as: session()),
    ]
    for answer in answers {
      #expect(answer.status == 403)
      #expect(answer.authError == "permission_denied")
    }
  }
}
