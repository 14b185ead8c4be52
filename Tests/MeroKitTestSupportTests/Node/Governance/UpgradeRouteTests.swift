import Foundation
import MeroKitTestSupport
import MeroWire
import Testing

@Suite("Upgrades and migrations of a fake node")
struct UpgradeRouteTests {
  static func notes(_ version: String) -> FakePackage {
    FakePackage("com.example.notes", version: version) {
      $0.initialize { context, _ in context["schema"] = 1 }
      $0.migrate { context, _ in context["schema"] = 2 }
      $0.call("touch") { context, _ in
        context["touched"] = true
        return .null
      }
      $0.view("schema") { context, _ in context["schema"] ?? .null }
    }
  }

  /// A namespace with one context on version 1, with version 2 installed.
  func world(_ rig: NodeRig) async throws -> (namespace: String, context: String, application: JSONValue) {
    let namespace = rig.node.makeNamespace(of: Self.notes("1.0.0"))
    let context = rig.node.makeContext(of: Self.notes("1.0.0"), in: namespace)
    return (namespace, context, .string(rig.node.installApplication(Self.notes("2.0.0"))))
  }

  func schema(_ rig: NodeRig, _ context: String) async throws -> JSONValue? {
    try await rig.execute("schema", in: context)["result"]?["output"]
  }

  @Test("an upgrade switches the group's contexts and migrates their state")
  func upgrades() async throws {
    let rig = NodeRig()
    let (namespace, context, application) = try await world(rig)
    #expect(try await rig.get("/groups/\(namespace)/upgrade/status").data == .null)
    let answer = try await rig.post("/groups/\(namespace)/upgrade", ["targetApplicationId": application])
    #expect(answer.data["status"] == "completed")
    #expect(answer.data["localContextsTotal"] == .null)
    #expect(try await schema(rig, context) == 2)
    let status = try await rig.get("/groups/\(namespace)/upgrade/status").data
    #expect(status["fromVersion"] == "1.0.0")
    #expect(status["toVersion"] == "2.0.0")
    #expect(status["localContextsSwapped"] == 1)
    #expect(try await rig.get("/contexts/\(context)").data["applicationVersion"] == "2.0.0")
    #expect(
      rig.node.sentEvents.map(\.kind)
        == [
          "MigrationStarted", "AppVersionChanged", "CascadeProgress", "MigrationProgress",
          "MigrationCompleted",
        ])
  }

  @Test("what makes no sense is 409: the same build, an older one, no contexts, one in progress")
  func refusals() async throws {
    let rig = NodeRig()
    let (namespace, _, application) = try await world(rig)
    let empty = try await rig.makeGroup(in: namespace, ["visibility": "restricted"])
    func upgrade(_ group: String) async throws -> Int {
      try await rig.post("/groups/\(group)/upgrade", ["targetApplicationId": application]).status
    }
    #expect(try await upgrade(empty) == 409)
    rig.node.holdMigrations()
    #expect(try await upgrade(namespace) == 200)
    #expect(try await upgrade(namespace) == 409)
    rig.node.releaseMigrations()
    #expect(try await upgrade(namespace) == 409)
    _ = rig.node.installApplication(Self.notes("1.5.0"))
    #expect(try await upgrade(namespace) == 409)
    let unknown: JSONValue = ["targetApplicationId": .string(NodeRig.anId)]
    #expect(try await rig.post("/groups/\(namespace)/upgrade", unknown).status == 404)
  }

  @Test("writes wait while a migration is held, and an abort takes it back once")
  func held() async throws {
    let rig = NodeRig()
    let (namespace, context, application) = try await world(rig)
    rig.node.holdMigrations()
    let answer = try await rig.post("/groups/\(namespace)/upgrade", ["targetApplicationId": application])
    #expect(answer.data["status"] == "in_progress")
    #expect(answer.data["localContextsTotal"] == 1)
    #expect(try await rig.execute("touch", in: context)["error"]?["type"] == "UpgradeInProgress")
    #expect(try await rig.get("/groups/\(namespace)").data["activeUpgrade"]?["status"] == "in_progress")
    let abort = "/groups/\(namespace)/migration/abort"
    #expect(try await rig.post(abort).json == ["namespaceId": .string(namespace), "aborted": true])
    #expect(try await rig.post(abort).json == ["namespaceId": .string(namespace), "aborted": false])
    #expect(try await rig.execute("touch", in: context)["error"] == nil)
    #expect(try await rig.get("/namespaces/\(namespace)").data["appVersion"] == "1.0.0")
  }

  @Test("contexts that failed are tried again, and there is nothing to try where none failed")
  func retries() async throws {
    let rig = NodeRig()
    let (namespace, context, application) = try await world(rig)
    let retry = "/groups/\(namespace)/upgrade/retry"
    #expect(try await rig.post(retry).status == 404)
    rig.node.failMigrations(contexts: 1)
    let answer = try await rig.post("/groups/\(namespace)/upgrade", ["targetApplicationId": application])
    #expect(answer.data["localContextsFailed"] == 1)
    let status = try await rig.get("/groups/\(namespace)/migration-status").json
    #expect(status["members"]?[0]?["state"] == "failed")
    #expect(status["members"]?[0]?["report"]?["migrationFailed"] == "apply_failed")
    #expect(try await rig.post(retry).data["status"] == "completed")
    #expect(try await schema(rig, context) == 2)
    #expect(try await rig.post(retry).status == 409)
  }

  @Test("a cascade reaches every descendant that runs the application; without it subgroups stay behind")
  func cascades() async throws {
    let rig = NodeRig()
    let (namespace, _, application) = try await world(rig)
    let group = try await rig.makeGroup(in: namespace)
    let below = rig.node.makeContext(of: Self.notes("1.0.0"), in: group)
    #expect(try await rig.get("/groups/\(namespace)/cascade-status").data == [])
    let request: JSONValue = ["targetApplicationId": application, "cascade": true]
    #expect(try await rig.post("/groups/\(namespace)/upgrade", request).data["status"] == "completed")
    #expect(try await schema(rig, below) == 2)
    let entries = try await rig.get("/groups/\(namespace)/cascade-status").data.arrayValue
    #expect(Set(entries?.compactMap { $0["groupId"]?.stringValue } ?? []) == [namespace, group])
  }

  @Test("the fleet is done when every device has reported, and a device that goes quiet is unknown")
  func fleet() async throws {
    let pair = NodePair()
    let (namespace, context, application) = try await world(pair.alice)
    try await pair.join(namespace)
    #expect(try await pair.bob.post("/contexts/\(context)/join").status == 200)
    pair.bob.node.holdMigrations()
    _ = try await pair.alice.post("/groups/\(namespace)/upgrade", ["targetApplicationId": application])
    func rollup() async throws -> JSONValue? {
      try await pair.alice.get("/groups/\(namespace)/migration-status").json["rollup"]
    }
    #expect(try await rollup()?["inProgress"] == 1)
    #expect(try await rollup()?["allMigrated"] == false)
    pair.bob.node.setAuthoredRemaining(3, in: namespace)
    #expect(try await rollup()?["membersPendingSignature"] == 1)
    pair.bob.node.releaseMigrations()
    #expect(try await rollup()?["allMigrated"] == true)
    #expect(try await schema(pair.bob, context) == 2)
    await pair.clock.advance(by: 3_600)
    #expect(try await rollup()?["unknown"] == 1)
    let status = try await pair.alice.get("/groups/\(namespace)/migration-status").json
    #expect(status["fleetCompletedAt"] == 1_790_000_000)
  }
}
