import Foundation
import MeroCrypto
import MeroKitTestSupport
import MeroWire
import Testing

@Suite("FakeCloud: nodes, releases and quotas")
struct ClusterOperationTests {
  @Test("everything of the operators is refused to others, with or without a subject")
  func operatorsOnly() async throws {
    let world = try await OperatorWorld()
    for (method, path, body) in [
      ("GET", "/ops/status", ""), ("GET", "/ops/nodes", ""), ("PATCH", "/ops/nodes/x", "{}"),
      ("GET", "/ops/decisions", ""), ("POST", "/ops/decisions", "{}"), ("GET", "/ops/decisions/x", ""),
      ("GET", "/ops/releases", ""), ("PUT", "/ops/releases/x", "{}"), ("GET", "/ops/operators", ""),
      ("GET", "/ops/quotas/x", ""), ("PUT", "/ops/quotas/x", "{}"),
    ] {
      let reply = try await world.rig.send(method, path, body, token: world.ada.token)
      #expect(reply.code == "NOT_OPERATOR", "\(method) \(path)")
      #expect(try await world.rig.send(method, path, body).code == "UNAUTHENTICATED", "\(method) \(path)")
    }
    #expect(world.rig.cloud.violations == [])
  }

  @Test("the status counts what there is")
  func status() async throws {
    let world = try await OperatorWorld(nodes: 3)
    _ = try await world.apply()
    _ = try await world.app("chat", "com.calimero.chat")
    let status = try await world.rig.send("GET", "/ops/status", token: world.olga.token)
    for (name, value): (String, JSONValue) in [
      ("nodes", 3), ("healthy", true), ("apps", 1), ("accounts", 2), ("pendingDecisions", 1),
    ] { #expect(status.json[name] == value, "\(name)") }
    world.rig.cloud.nodes[1].down()
    world.rig.cloud.nodes[2].stand(.joining)
    let fewer = try await world.rig.send("GET", "/ops/status", token: world.olga.token)
    #expect(fewer.json["nodes"] == 1)
    #expect(fewer.json["healthy"] == false)
    let nodes = try await world.rig.send("GET", "/ops/nodes", token: world.olga.token)
    let states = nodes.json["nodes"]?.arrayValue?.map { $0["state"].text }
    #expect(states == ["active", "down", "joining"])
    world.rig.cloud.nodes[1].up()
    #expect(try await world.rig.send("GET", "/ops/status", token: world.olga.token).json["nodes"] == 2)
    #expect(world.rig.cloud.violations == [])
  }

  @Test("a draining node takes nothing new and ends its streams, until it is made active again at another")
  func draining() async throws {
    let world = try await OperatorWorld(nodes: 2)
    let app = try await world.app("chat", "com.calimero.chat").json["appId"].text
    let stream = try await world.rig.open(
      "GET", "/apps/\(app)/events/stream", token: world.ada.token, node: 1)
    #expect(stream.status == 200)
    let path = "/ops/nodes/\(world.rig.cloud.nodes[1].id)"
    // The node that is drained may be the one that is asked.
    let drained = try await world.signed("PATCH", path, #"{"state":"draining"}"#, by: world.olga, node: 1)
    #expect(drained.json["state"] == "draining")
    _ = try await stream.body.collect(upTo: 1 << 20)
    #expect(world.rig.cloud.openStreams(of: app) == 0)
    let refused = try await world.rig.send("GET", "/orgs", token: world.ada.token, node: 1)
    #expect(refused.status == 503)
    #expect(refused.code == "DRAINING")
    #expect(try await world.rig.send("GET", "/info", node: 1).code == "DRAINING")
    let health = try await world.rig.send("GET", "/health", node: 1)
    #expect(health.json["state"] == "draining")
    #expect(health.json["ready"] == false)
    #expect(try await world.rig.send("GET", "/orgs", token: world.ada.token).status == 200)
    let last = "/ops/nodes/\(world.rig.cloud.nodes[0].id)"
    #expect(
      try await world.rig.send("PATCH", last, #"{"state":"draining"}"#, token: world.olga.token).code
        == "CONFLICT")
    let active = try await world.signed("PATCH", path, #"{"state":"active"}"#, by: world.olga)
    #expect(active.json["state"] == "active")
    #expect(try await world.rig.send("GET", "/orgs", token: world.ada.token, node: 1).status == 200)
    #expect(world.rig.cloud.violations == [])
  }

  @Test(
    "a node in another state refuses in its way",
    arguments: [
      (FakeCloudNode.Standing.joining, "SYNCING"), (.draining, "DRAINING"), (.down, "UNAVAILABLE"),
    ])
  func standings(standing: FakeCloudNode.Standing, code: String) async throws {
    let rig = try Rig(nodes: 2)
    rig.cloud.nodes[1].stand(standing)
    let reply = try await rig.send("GET", "/info", node: 1)
    #expect(reply.status == 503)
    #expect(reply.code == code)
    #expect(try await rig.send("GET", "/health", node: 1).status == 200)
    rig.cloud.nodes[1].stand(.active)
    #expect(try await rig.send("GET", "/info", node: 1).status == 200)
    #expect(rig.cloud.violations == [])
  }

  @Test("the public list names active nodes first, and tells one that its peers do not reach")
  func addresses() async throws {
    let rig = try Rig(nodes: 4)
    let ids = rig.cloud.nodes.map(\.id)
    rig.cloud.nodes[0].stand(.draining)
    rig.cloud.nodes[2].down()
    let list = try await rig.send("GET", "/nodes", node: 3)
    #expect(list.texts("nodes", "nodeId") == [ids[1], ids[3], ids[0], ids[2]])
    #expect(list.texts("nodes", "state") == ["active", "active", "draining", "down"])
    rig.cloud.nodes[2].up()
    rig.cloud.nodes[0].stand(.active)
    let whole = try await rig.send("GET", "/nodes")
    #expect(whole.texts("nodes", "nodeId") == ids)
    #expect(Set(whole.texts("nodes", "state")) == ["active"])
    #expect(rig.cloud.violations == [])
  }

  @Test("role, then existence, then shape, then state, then signature for a node (70 §2.8)")
  func nodeOrder() async throws {
    let world = try await OperatorWorld(nodes: 2)
    let path = "/ops/nodes/\(world.rig.cloud.nodes[1].id)"
    func code(_ path: String, _ body: String) async throws -> String? {
      try await world.rig.send("PATCH", path, body, token: world.olga.token).code
    }
    #expect(try await code("/ops/nodes/node_x", "{}") == "NOT_FOUND")
    #expect(try await code(path, "{}") == "BAD_REQUEST")
    #expect(try await code(path, #"{"state":"joining"}"#) == "INVALID_ARGUMENT")
    world.rig.cloud.nodes[0].stand(.active)
    #expect(try await code(path, #"{"state":"draining"}"#) == "OPERATOR_SIGNATURE_REQUIRED")
    #expect(world.rig.cloud.violations == [])
  }

  @Test("forbidding a release drains the nodes that run it; the last allowed one stays")
  func releases() async throws {
    let world = try await OperatorWorld(nodes: 3)
    let path = "/ops/releases/2.3.121"
    func send(_ path: String, _ body: String) async throws -> Rig.Reply {
      try await world.signed("PUT", path, body, by: world.olga)
    }
    #expect(try await send("/ops/releases/dev", #"{"allowed":false}"#).code == "CONFLICT")
    #expect(try await send(path, #"{"allowed":true}"#).code == "NOT_FOUND")
    func measurements(_ byte: String, _ count: Int) -> String {
      let value = String(repeating: byte, count: count)
      let registers = ["mrtd", "rtmr0", "rtmr1", "rtmr2", "rtmr3"].map { #""\#($0)":"\#(value)""# }
      return "{\(registers.joined(separator: ","))}"
    }
    #expect(
      try await send(path, #"{"allowed":true,"measurements":\#(measurements("ab", 47))}"#).code
        == "INVALID_ARGUMENT")
    let added = try await send(
      path, #"{"allowed":true,"measurements":\#(measurements("ab", 48)),"profile":"locked-read-only"}"#)
    #expect(added.status == 200)
    #expect(added.json["allowed"] == true)
    // All nodes run the other release: without it none would serve.
    #expect(try await send("/ops/releases/dev", #"{"allowed":false}"#).code == "CONFLICT")
    world.rig.cloud.nodes[1].run(release: "2.3.121")
    let forbidden = try await send(path, #"{"allowed":false}"#)
    #expect(forbidden.json["allowed"] == false)
    #expect(forbidden.json["profile"] == "locked-read-only")
    #expect(try await world.rig.send("GET", "/info", node: 1).code == "DRAINING")
    #expect(try await world.rig.send("GET", "/info", node: 2).status == 200)
    let node = "/ops/nodes/\(world.rig.cloud.nodes[1].id)"
    let active = #"{"state":"active"}"#
    #expect(try await world.signed("PATCH", node, active, by: world.olga).code == "CONFLICT")
    #expect(try await send(path, #"{"allowed":true}"#).status == 200)
    #expect(try await world.signed("PATCH", node, active, by: world.olga).json["release"] == "2.3.121")
    let list = try await world.rig.send("GET", "/ops/releases", token: world.olga.token)
    #expect(list.json["releases"]?.arrayValue?.count == 2)
    #expect(world.rig.cloud.violations == [])
  }

  @Test("an organization's quota is set by a signed request and refuses what goes beyond")
  func quotas() async throws {
    let world = try await OperatorWorld()
    let path = "/ops/quotas/\(world.acme)"
    let app = try await world.app("one", "com.calimero.chat").json["appId"].text
    func send() async throws -> Rig.Reply {
      try await world.rig.send(
        "POST", "/apps/\(app)/intents", #"{"method":"send_message","args":{"message":"hi"}}"#,
        token: world.ada.token)
    }
    #expect(try await send().status == 200)
    let body = #"{"apps":2,"members":1,"storageBytes":100,"callsPerDay":3}"#
    let set = try await world.signed("PUT", path, body, by: world.olga)
    #expect(set.json["usedCalls"] == 1)
    #expect(set.json["usedStorageBytes"] == 0)
    #expect(try await world.rig.send("GET", path, token: world.olga.token).json == set.json)
    #expect(try await world.app("two", "com.calimero.chat").status == 201)
    let third = try await world.app("three", "com.calimero.chat")
    #expect(third.status == 403)
    #expect(third.code == "QUOTA_EXCEEDED")
    #expect(third.details?["quota"] == "apps")
    for _ in 0..<2 { #expect(try await send().status == 200) }
    let fourth = try await send()
    #expect(fourth.code == "QUOTA_EXCEEDED")
    #expect(fourth.details?["quota"] == "callsPerDay")
    #expect(world.rig.cloud.runs(of: "send_message", in: app) == 3)
    await world.rig.clock.advance(by: 86_400)
    let ada = try await world.signIn(world.ada)
    let tomorrow = try await world.rig.send(
      "POST", "/apps/\(app)/intents", #"{"method":"send_message","args":{"message":"hi"}}"#, token: ada.token)
    #expect(tomorrow.status == 200)
    #expect(world.rig.cloud.violations == [])
  }

  @Test("for a minute a request may come again with the signature it came with, and with no other")
  func repeatedSignature() async throws {
    let world = try await OperatorWorld()
    let path = "/ops/quotas/\(world.acme)"
    let body = #"{"apps":10,"members":10,"storageBytes":100,"callsPerDay":1000}"#
    let asked = try await world.rig.send("PUT", path, body, token: world.olga.token)
    let header = try world.signature("PUT", path, body, for: asked.details, by: world.olga)
    func send(_ header: (String, String)) async throws -> Rig.Reply {
      try await world.rig.send("PUT", path, body, token: world.olga.token, headers: [header])
    }
    #expect(try await send(header).status == 200)
    #expect(try await send(header).status == 200)
    // The name of the key that signed is no signature.
    let rest = header.1.split(separator: ".").dropLast().joined(separator: ".")
    for forged in ["", "AAAA", Base64URL.encode([UInt8](repeating: 0, count: 64))] {
      let reply = try await send((header.0, "\(rest).\(forged)"))
      #expect(reply.code == "OPERATOR_SIGNATURE_REJECTED")
      #expect(reply.details?["reason"] == "spent")
    }
    await world.rig.clock.advance(by: 60)
    #expect(try await send(header).details?["reason"] == "spent")
    #expect(world.rig.cloud.violations == [])
  }

  @Test("uploads under way count for the quota until they end, are refused or are given up")
  func uploadQuota() async throws {
    let world = try await OperatorWorld()
    let quota = "/ops/quotas/\(world.acme)"
    let limits = #"{"apps":10,"members":10,"storageBytes":100,"callsPerDay":1000}"#
    _ = try await world.signed("PUT", quota, limits, by: world.olga)
    let app = try await world.app("chat", "com.calimero.chat").json["appId"].text
    func begin(_ character: String, _ size: Int, token: String? = nil) async throws -> Rig.Reply {
      let hash = Hex.encode(SHA256.hash(Array(String(repeating: character, count: size).utf8)))
      return try await world.rig.send(
        "POST", "/apps/\(app)/uploads", #"{"size":\#(size),"sha256":"\#(hash)"}"#,
        token: token ?? world.ada.token)
    }
    let first = try await begin("a", 80)
    #expect(first.status == 201)
    // The same again goes on with it and takes no more.
    #expect(try await begin("a", 80).json["uploadId"] == first.json["uploadId"])
    #expect(try await begin("b", 80).details?["quota"] == "storageBytes")
    #expect(try await begin("b", 21).code == "QUOTA_EXCEEDED")
    let put = try await world.rig.send(
      bytes: Data(repeating: 99, count: 21), to: "/apps/\(app)/blobs", token: world.ada.token)
    #expect(put.details?["quota"] == "storageBytes")
    #expect(try await begin("b", 20).status == 201)
    let upload = "/apps/\(app)/uploads/\(first.json["uploadId"].text)"
    let part = String(repeating: "a", count: 80)
    _ = try await world.rig.send("PUT", "\(upload)/parts/0", part, token: world.ada.token)
    #expect(try await world.rig.send("POST", "\(upload)/finish", token: world.ada.token).status == 201)
    // What the app holds takes nothing, however full it is.
    #expect(try await begin("a", 80).status == 201)
    #expect(try await begin("c", 1).code == "QUOTA_EXCEEDED")
    // The one that nobody went on with makes room after a day.
    await world.rig.clock.advance(by: 86_400)
    let later = try await world.signIn(world.ada).token
    #expect(try await begin("c", 21, token: later).code == "QUOTA_EXCEEDED")
    #expect(try await begin("c", 20, token: later).status == 201)
    #expect(world.rig.cloud.violations == [])
  }

  @Test("files and members count for the quota, and what is deleted is free again")
  func storageQuota() async throws {
    let world = try await OperatorWorld()
    let quota = "/ops/quotas/\(world.acme)"
    let app = try await world.app("one", "com.calimero.chat").json["appId"].text
    func invite() async throws -> Rig.Reply {
      try await world.confirmed(
        "POST", "/orgs/\(world.acme)/invites", #"{"role":"member"}"#, by: world.ada)
    }
    let invited = try await invite()
    let limits = #"{"apps":2,"members":1,"storageBytes":8,"callsPerDay":9}"#
    _ = try await world.signed("PUT", quota, limits, by: world.olga)
    func put(_ text: String) async throws -> Rig.Reply {
      try await world.rig.send("POST", "/apps/\(app)/blobs", text, token: world.ada.token)
    }
    func used() async throws -> JSONValue? {
      try await world.rig.send("GET", quota, token: world.olga.token).json["usedStorageBytes"]
    }
    let blob = try await put("12345").json["blobId"].text
    #expect(try await put("67890").details?["quota"] == "storageBytes")
    let upload = #"{"size":9,"sha256":"\#(String(repeating: "a", count: 64))"}"#
    let begun = try await world.rig.send("POST", "/apps/\(app)/uploads", upload, token: world.ada.token)
    #expect(begun.code == "QUOTA_EXCEEDED")
    let path = "/apps/\(app)/blobs/\(blob)"
    #expect(try await world.rig.send("DELETE", path, token: world.ada.token).status == 204)
    #expect(try await put("67890").status == 201)
    #expect(try await used() == 5)

    let eve = try await OperatorWorld.person("eve", in: world.rig)
    let code = #"{"code":"\#(invited.json["code"].text)"}"#
    let joined = try await world.rig.send("POST", "/orgs/invites/accept", code, token: eve.token)
    #expect(joined.details?["quota"] == "members")
    // Nor is anybody invited who could not come.
    #expect(try await invite().details?["quota"] == "members")

    #expect(try await world.confirmed("DELETE", "/apps/\(app)", by: world.ada).status == 204)
    #expect(world.rig.cloud.blobs(of: app) == [])
    #expect(try await used() == 0)
    #expect(world.rig.cloud.violations == [])
  }

  @Test("an organization that is deleted is no deployer any more")
  func deployerGoes() async throws {
    let world = try await OperatorWorld()
    try await world.approveAcme()
    func deployers() async throws -> Int? {
      try await world.rig.send("GET", "/deployments/deployers", token: world.olga.token)
        .json["deployers"]?.arrayValue?.count
    }
    #expect(try await deployers() == 1)
    #expect(try await world.confirmed("DELETE", "/orgs/\(world.acme)", by: world.ada).status == 204)
    #expect(try await deployers() == 0)
  }

  @Test(
    "a call that is answered from its key is not counted twice, and the quota comes after the state (70 §2.8)"
  )
  func quotaOrder() async throws {
    let world = try await OperatorWorld()
    let app = try await world.app("one", "com.calimero.chat").json["appId"].text
    let path = "/apps/\(app)/intents"
    let body = #"{"method":"send_message","args":{"message":"hi"},"idempotencyKey":"k"}"#
    #expect(try await world.rig.send("POST", path, body, token: world.ada.token).status == 200)
    let quota = #"{"apps":1,"members":1,"storageBytes":0,"callsPerDay":1}"#
    _ = try await world.signed("PUT", "/ops/quotas/\(world.acme)", quota, by: world.olga)
    #expect(try await world.rig.send("POST", path, body, token: world.ada.token).json["replayed"] == true)
    world.rig.cloud.setState("upgrading", ofApp: app)
    #expect(try await world.call(app, "send_message").code == "APP_NOT_READY")
    world.rig.cloud.setState("ready", ofApp: app)
    #expect(try await world.call(app, "send_message").code == "QUOTA_EXCEEDED")
  }

  @Test(
    "a quota is checked before it is signed",
    arguments: [
      (#"{"apps":-1,"members":1,"storageBytes":0,"callsPerDay":1}"#, "INVALID_ARGUMENT"),
      (#"{"apps":1}"#, "BAD_REQUEST"),
      (#"{"apps":1,"members":1,"storageBytes":0,"callsPerDay":1}"#, "OPERATOR_SIGNATURE_REQUIRED"),
    ])
  func quotaShapes(body: String, code: String) async throws {
    let world = try await OperatorWorld()
    let path = "/ops/quotas/\(world.acme)"
    #expect(try await world.rig.send("PUT", path, body, token: world.olga.token).code == code)
    #expect(
      try await world.rig.send("PUT", "/ops/quotas/org_x", body, token: world.olga.token).code == "NOT_FOUND")
    #expect(world.rig.cloud.violations == [])
  }
}
