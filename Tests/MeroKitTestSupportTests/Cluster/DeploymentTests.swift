import Foundation
import MeroKitTestSupport
import MeroWire
import Testing

@Suite("FakeCloud: deployers and deployments")
struct DeploymentTests {
  @Test("an organization applies once at a time, for itself, and operators see it")
  func signups() async throws {
    let world = try await OperatorWorld()
    let eve = try await OperatorWorld.person("eve", in: world.rig)
    let body = #"{"org":"\#(world.acme)","reason":"An internal chat.","contact":"ada@acme.example"}"#
    let path = "/deployments/signups"
    #expect(try await world.rig.send("POST", path, body, token: eve.token).code == "NOT_FOUND")
    world.rig.cloud.join("eve", org: world.acme, as: "member")
    #expect(try await world.rig.send("POST", path, body, token: eve.token).code == "FORBIDDEN")
    #expect(
      try await world.rig.send("POST", path, #"{"org":"\#(world.acme)"}"#, token: world.ada.token).code
        == "BAD_REQUEST")
    let signup = try await world.rig.send("POST", path, body, token: world.ada.token)
    #expect(signup.status == 201)
    #expect(signup.json["contact"] == "ada@acme.example")
    #expect(try await world.rig.send("POST", path, body, token: world.ada.token).code == "ALREADY_EXISTS")
    let own = "\(path)/\(signup.json["signupId"].text)"
    for token in [world.ada.token, eve.token, world.olga.token] {
      #expect(try await world.rig.send("GET", own, token: token).json == signup.json)
    }
    let mallory = try await OperatorWorld.person("mallory", in: world.rig)
    #expect(try await world.rig.send("GET", own, token: mallory.token).code == "NOT_FOUND")
    let decision = try await world.rig.send(
      "GET", "/ops/decisions/\(signup.json["decisionId"].text)", token: world.olga.token)
    #expect(decision.json["subject"].text == world.acme)
    #expect(decision.json["payload"]?["reason"] == "An internal chat.")
    let whoami = try await world.rig.send("GET", "/auth/session", token: world.ada.token)
    #expect(whoami.json["deployer"] == false)
    try await world.vote("approve", on: signup.json["decisionId"].text, by: world.olga)
    let deployer = try await world.rig.send("GET", "/auth/session", token: world.ada.token)
    #expect(deployer.json["deployer"] == true)
    #expect(try await world.rig.send("POST", path, body, token: world.ada.token).code == "ALREADY_EXISTS")
    #expect(world.rig.cloud.violations == [])
  }

  @Test("deployers are listed to their members, and all of them to operators")
  func deployers() async throws {
    let world = try await OperatorWorld()
    let eve = try await OperatorWorld.person("eve", in: world.rig)
    try await world.approveAcme()
    func count(_ token: String) async throws -> Int? {
      try await world.rig.send("GET", "/deployments/deployers", token: token).json["deployers"]?.arrayValue?
        .count
    }
    #expect(try await count(world.ada.token) == 1)
    #expect(try await count(world.olga.token) == 1)
    #expect(try await count(eve.token) == 0)
    #expect(world.rig.cloud.violations == [])
  }

  @Test("a package's first deployment is pending until operators decide, and live then")
  func pending() async throws {
    let world = try await OperatorWorld()
    try await world.approveAcme()
    let counter = OperatorWorld.counter("1.0.0")
    try #require(try await world.publish(counter).status == 201)
    #expect(try await world.app("one", "com.acme.counter").code == "NOT_FOUND")
    let deployment = try await world.deploy(counter, #","redirectUris":["com.acme.app://consent"]"#)
    #expect(deployment.status == 201)
    #expect(deployment.json["state"] == "pending")
    #expect(deployment.json["redirectUris"] == ["com.acme.app://consent"])
    let path = "/deployments/\(deployment.json["deploymentId"].text)"
    let early = try await world.rig.send("PATCH", path, #"{"state":"live"}"#, token: world.ada.token)
    #expect(early.code == "CONFLICT")
    #expect(try await world.app("one", "com.acme.counter").code == "NOT_FOUND")
    try await world.vote("approve", on: deployment.json["decisionId"].text, by: world.olga)
    #expect(try await world.rig.send("GET", path, token: world.ada.token).json["state"] == "live")
    let app = try await world.app("one", "com.acme.counter")
    #expect(app.status == 201)
    #expect(try await world.call(app.json["appId"].text, "add").json["result"] == 1)
    #expect(world.rig.cloud.violations == [])
  }

  @Test("a site is a file of an app of the organization, and as nobody hosts it there is no address of it")
  func site() async throws {
    let world = try await OperatorWorld()
    try await world.approveAcme()
    let counter = OperatorWorld.counter("1.0.0")
    try #require(try await world.publish(counter).status == 201)
    let chat = try await world.app("chat", "com.calimero.chat").json["appId"].text
    func upload(_ text: String, to app: String, _ token: String) async throws -> String {
      try await world.rig.send(bytes: Data(text.utf8), to: "/apps/\(app)/blobs", token: token).json["blobId"]
        .text
    }
    let site = try await upload("a site", to: chat, world.ada.token)
    let (token, app) = try await world.rig.appOf("eve")
    let foreign = try await upload("another's", to: app, token)
    for hash in [foreign, String(repeating: "ab", count: 32)] {
      let refused = try await world.deploy(counter, #","siteBlob":"\#(hash)""#)
      #expect(refused.code == "INVALID_ARGUMENT")
      #expect(refused.details?["field"] == "siteBlob")
    }
    let deployment = try await world.deploy(counter, #","siteBlob":"\#(site)""#)
    #expect(deployment.status == 201)
    #expect(deployment.json["siteBlob"]?.stringValue == site)
    #expect(deployment.json["siteUrl"] == nil)
    try await world.vote("approve", on: deployment.json["decisionId"].text, by: world.olga)
    let path = "/deployments/\(deployment.json["deploymentId"].text)"
    let change = try await world.rig.send(
      "PATCH", path, #"{"siteBlob":"\#(foreign)"}"#, token: world.ada.token)
    #expect(change.code == "INVALID_ARGUMENT")
    #expect(world.rig.cloud.violations == [])
  }

  @Test("one that operators reject or do not decide on is retired for good")
  func rejected() async throws {
    let world = try await OperatorWorld()
    try await world.approveAcme()
    let counter = OperatorWorld.counter("1.0.0")
    try #require(try await world.publish(counter).status == 201)
    let deployment = try await world.deploy(counter)
    try await world.vote("reject", on: deployment.json["decisionId"].text, by: world.olga)
    let path = "/deployments/\(deployment.json["deploymentId"].text)"
    #expect(try await world.rig.send("GET", path, token: world.ada.token).json["state"] == "retired")
    #expect(
      try await world.rig.send("PATCH", path, #"{"state":"live"}"#, token: world.ada.token).code == "CONFLICT"
    )
    #expect(try await world.app("one", "com.acme.counter").code == "NOT_FOUND")
    // What was not approved asks again.
    #expect(try await world.confirmed("DELETE", path, by: world.ada).status == 204)
    let second = try await world.deploy(counter)
    #expect(second.json["state"] == "pending")
    await world.rig.clock.advance(by: 1_209_600)
    let ada = try await world.signIn(world.ada)
    let late = try await world.rig.send(
      "GET", "/deployments/\(second.json["deploymentId"].text)", token: ada.token)
    #expect(late.json["state"] == "retired")
    #expect(world.rig.cloud.violations == [])
  }

  @Test("a package whose code the cluster does not have runs without methods")
  func unknownCode() async throws {
    let world = try await OperatorWorld()
    try await world.approveAcme()
    let bundle = try PackageBundle.make(
      PackageBundle.Manifest(package: "com.acme.wasm", version: "1.0.0"), code: Data([0, 0x61, 0x73, 0x6D]),
      signedBy: OperatorWorld.publisher)
    let version = try await world.publish("com.acme.wasm", bundle)
    let package = FakePackage("com.acme.wasm", version: "1.0.0") { _ in }
    let deployment = try await world.deploy(package)
    try await world.vote("approve", on: deployment.json["decisionId"].text, by: world.olga)
    let app = try await world.app("one", "com.acme.wasm")
    #expect(app.status == 201)
    #expect(app.json["codeHash"] == version.json["codeHash"])
    #expect(try await world.call(app.json["appId"].text, "add").code == "METHOD_NOT_FOUND")
    #expect(world.rig.cloud.violations == [])
  }

  @Test("with autoUpgrade apps follow to a newer version, and stay when new apps go back to an older one")
  func autoUpgrade() async throws {
    let world = try await OperatorWorld()
    try await world.approveAcme()
    let deployment = try await world.live(OperatorWorld.counter("1.0.0"), #","autoUpgrade":true"#)
    try #require(try await world.publish(OperatorWorld.counter("2.0.0")).status == 201)
    let app = try await world.app("one", "com.acme.counter").json["appId"].text
    #expect(try await world.call(app, "add").json["result"] == 1)
    let path = "/deployments/\(deployment)"
    let update = try await world.confirmed("PATCH", path, #"{"version":"2.0.0"}"#, by: world.ada)
    #expect(update.json["version"] == "2.0.0")
    #expect(update.json["state"] == "live")
    #expect(
      try await world.rig.send("GET", "/apps/\(app)", token: world.ada.token).json["version"] == "2.0.0")
    #expect(try await world.view(app, "origin").json["result"] == "1.0.0")
    #expect(try await world.call(app, "add").json["result"] == 3)
    let events = try await world.rig.send(
      "GET", "/apps/\(app)/events?kinds=calimero.upgraded", token: world.ada.token)
    #expect(events.json["events"]?[0]?["data"] == ["from": "1.0.0", "to": "2.0.0"])
    let back = try await world.confirmed("PATCH", path, #"{"version":"1.0.0"}"#, by: world.ada)
    #expect(back.json["version"] == "1.0.0")
    #expect(
      try await world.rig.send("GET", "/apps/\(app)", token: world.ada.token).json["version"] == "2.0.0")
    #expect(try await world.app("two", "com.acme.counter").json["version"] == "1.0.0")
    #expect(world.rig.cloud.violations == [])
  }

  @Test("an app whose migration fails stays as it was")
  func failedMigration() async throws {
    let world = try await OperatorWorld()
    try await world.approveAcme()
    let deployment = try await world.live(OperatorWorld.counter("1.0.0"), #","autoUpgrade":true"#)
    let broken = FakePackage("com.acme.counter", version: "2.0.0") {
      $0.migrate { context, _ in
        context["count"] = 99
        throw FakePackage.Trap.trap
      }
    }
    try #require(try await world.publish(broken).status == 201)
    let app = try await world.app("one", "com.acme.counter").json["appId"].text
    _ = try await world.call(app, "add")
    _ = try await world.confirmed(
      "PATCH", "/deployments/\(deployment)", #"{"version":"2.0.0"}"#, by: world.ada)
    #expect(
      try await world.rig.send("GET", "/apps/\(app)", token: world.ada.token).json["version"] == "1.0.0")
    #expect(try await world.view(app, "v1.0.0").json["result"] == 1)
    let events = try await world.rig.send(
      "GET", "/apps/\(app)/events?kinds=calimero.state", token: world.ada.token)
    let states = events.json["events"]?.arrayValue?.compactMap { $0["data"]?["state"]?.stringValue }
    #expect(states == ["upgrading", "ready"])
    #expect(world.rig.cloud.violations == [])
  }

  @Test("without autoUpgrade apps stay where they are")
  func noAutoUpgrade() async throws {
    let world = try await OperatorWorld()
    try await world.approveAcme()
    let deployment = try await world.live(OperatorWorld.counter("1.0.0"))
    try #require(try await world.publish(OperatorWorld.counter("2.0.0")).status == 201)
    let app = try await world.app("one", "com.acme.counter").json["appId"].text
    let path = "/deployments/\(deployment)"
    _ = try await world.confirmed("PATCH", path, #"{"version":"2.0.0"}"#, by: world.ada)
    #expect(
      try await world.rig.send("GET", "/apps/\(app)", token: world.ada.token).json["version"] == "1.0.0")
    // Beginning to follow takes the apps along.
    _ = try await world.confirmed("PATCH", path, #"{"autoUpgrade":true}"#, by: world.ada)
    #expect(
      try await world.rig.send("GET", "/apps/\(app)", token: world.ada.token).json["version"] == "2.0.0")
  }

  @Test("paused: no new apps; retired: old ones are read only")
  func states() async throws {
    let world = try await OperatorWorld()
    try await world.approveAcme()
    let deployment = try await world.live(OperatorWorld.counter("1.0.0"))
    let app = try await world.app("one", "com.acme.counter").json["appId"].text
    let path = "/deployments/\(deployment)"
    #expect(try await world.confirmed("PATCH", path, #"{"state":"paused"}"#, by: world.ada).status == 200)
    #expect(try await world.app("two", "com.acme.counter").code == "NOT_FOUND")
    #expect(try await world.call(app, "add").status == 200)
    #expect(try await world.confirmed("PATCH", path, #"{"state":"retired"}"#, by: world.ada).status == 200)
    #expect(try await world.app("two", "com.acme.counter").code == "NOT_FOUND")
    #expect(try await world.call(app, "add").code == "APP_NOT_READY")
    #expect(try await world.view(app, "v1.0.0").json["result"] == 1)
    #expect(try await world.confirmed("PATCH", path, #"{"state":"live"}"#, by: world.ada).status == 200)
    #expect(try await world.app("two", "com.acme.counter").status == 201)
    #expect(
      try await world.rig.send("PATCH", path, #"{"state":"pending"}"#, token: world.ada.token).code
        == "INVALID_ARGUMENT")
    #expect(world.rig.cloud.violations == [])
  }

  @Test("an app whose deployment is retired is read only to its jobs, timers and files too")
  func readOnly() async throws {
    let world = try await OperatorWorld()
    try await world.approveAcme()
    let deployment = try await world.live(OperatorWorld.counter("1.0.0"))
    let app = try await world.app("one", "com.acme.counter").json["appId"].text
    func ask(_ method: String, _ path: String, _ body: String = "") async throws -> Rig.Reply {
      try await world.rig.send(method, "/apps/\(app)\(path)", body, token: world.ada.token)
    }
    let timer = #"{"method":"add","schedule":{"everyMs":60000}}"#
    let upload = #"{"size":3,"sha256":"\#(String(repeating: "ab", count: 32))"}"#
    #expect(try await ask("POST", "/timers", timer).status == 201)
    let blob = try await ask("POST", "/blobs", "one")
    #expect(blob.status == 201)
    let begun = try await ask("POST", "/uploads", upload).json["uploadId"].text
    _ = try await world.confirmed(
      "PATCH", "/deployments/\(deployment)", #"{"state":"retired"}"#, by: world.ada)
    await world.rig.clock.advance(by: 60)
    let timers = try await ask("GET", "/timers")
    #expect(timers.json["timers"]?[0]?["lastError"]?["code"] == "APP_NOT_READY")
    for (method, path, body) in [
      ("POST", "/timers", timer), ("POST", "/jobs", #"{"method":"add","args":{}}"#),
      ("POST", "/blobs", "two"),
      ("POST", "/uploads", upload), ("PUT", "/uploads/\(begun)/parts/0", "abc"),
      ("POST", "/uploads/\(begun)/finish", ""),
    ] { #expect(try await ask(method, path, body).code == "APP_NOT_READY", "\(method) \(path)") }
    // What is there already is there, whoever puts it again.
    #expect(try await ask("POST", "/blobs", "one").json == blob.json)
    #expect(try await world.view(app, "v1.0.0").json["result"] == 0)
    #expect(world.rig.cloud.violations == [])
  }

  @Test(
    "an app that was upgrading when its deployment moved on follows when it is ready, whether or not it got there",
    arguments: [false, true])
  func followsLate(fails: Bool) async throws {
    let world = try await OperatorWorld()
    try await world.approveAcme()
    let deployment = try await world.live(OperatorWorld.counter("1.0.0"), #","autoUpgrade":true"#)
    let second = FakePackage("com.acme.counter", version: "2.0.0") {
      $0.migrate(taking: 5) { _, _ in if fails { throw FakePackage.Trap.trap } }
    }
    for version in [second, OperatorWorld.counter("3.0.0")] {
      try #require(try await world.publish(version).status == 201)
    }
    let app = try await world.app("one", "com.acme.counter").json["appId"].text
    for version in ["2.0.0", "3.0.0"] {
      _ = try await world.confirmed(
        "PATCH", "/deployments/\(deployment)", #"{"version":"\#(version)"}"#, by: world.ada)
    }
    let between = try await world.rig.send("GET", "/apps/\(app)", token: world.ada.token)
    #expect(between.json["state"] == "upgrading")
    await world.rig.clock.advance(by: 5)
    let after = try await world.rig.send("GET", "/apps/\(app)", token: world.ada.token)
    #expect(after.json["version"] == "3.0.0")
    #expect(after.json["state"] == "ready")
    #expect(try await world.view(app, "origin").json["result"]?.stringValue == (fails ? "1.0.0" : "2.0.0"))
    #expect(world.rig.cloud.violations == [])
  }

  @Test("an app that was suspended when its deployment moved on follows when it is ready again")
  func followsAfterSuspension() async throws {
    let world = try await OperatorWorld()
    try await world.approveAcme()
    let deployment = try await world.live(OperatorWorld.counter("1.0.0"), #","autoUpgrade":true"#)
    try #require(try await world.publish(OperatorWorld.counter("2.0.0")).status == 201)
    let app = try await world.app("one", "com.acme.counter").json["appId"].text
    world.rig.cloud.setState("suspended", ofApp: app)
    _ = try await world.confirmed(
      "PATCH", "/deployments/\(deployment)", #"{"version":"2.0.0"}"#, by: world.ada)
    let suspended = try await world.rig.send("GET", "/apps/\(app)", token: world.ada.token)
    #expect(suspended.json["version"] == "1.0.0")
    world.rig.cloud.setState("ready", ofApp: app)
    let ready = try await world.rig.send("GET", "/apps/\(app)", token: world.ada.token)
    #expect(ready.json["version"] == "2.0.0")
    #expect(world.rig.cloud.violations == [])
  }

  @Test(
    "an app that is being made is made though its deployment is paused meanwhile, and follows where that went"
  )
  func madeMeanwhile() async throws {
    let world = try await OperatorWorld()
    try await world.approveAcme()
    func version(_ number: String) -> FakePackage {
      FakePackage("com.acme.slow", version: number) { $0.initialize(taking: 5.25) { _, _ in } }
    }
    let deployment = try await world.live(version("1.0.0"), #","autoUpgrade":true"#)
    try #require(try await world.publish(version("2.0.0")).status == 201)
    func create(_ name: String, while update: String) async throws -> Rig.Reply {
      let body = #"{"name":"\#(name)","package":"com.acme.slow","org":"\#(world.acme)"}"#
      let creation = Task { [rig = world.rig, token = world.ada.token] in
        try await rig.send("POST", "/apps", body, token: token)
      }
      while world.rig.clock.nextWake != 5.25 { await Task.yield() }
      let updated = try await world.confirmed("PATCH", "/deployments/\(deployment)", update, by: world.ada)
      #expect(updated.status == 200)
      await world.rig.clock.advance(by: 5.25)
      return try await creation.value
    }
    let paused = try await create("one", while: #"{"state":"paused"}"#)
    #expect(paused.status == 201)
    #expect(paused.json["state"] == "ready")
    _ = try await world.confirmed(
      "PATCH", "/deployments/\(deployment)", #"{"state":"live"}"#, by: world.ada)
    let moved = try await create("two", while: #"{"version":"2.0.0"}"#)
    #expect(moved.json["version"] == "2.0.0")
    #expect(world.rig.cloud.violations == [])
  }

  @Test("removing a deployer takes an operator's signature and pauses what it deployed")
  func removal() async throws {
    let world = try await OperatorWorld()
    let eve = try await OperatorWorld.person("eve", in: world.rig)
    try await world.approveAcme()
    let deployment = try await world.live(OperatorWorld.counter("1.0.0"))
    let list = try await world.rig.send("GET", "/deployments/deployers", token: world.ada.token)
    let path = "/deployments/deployers/\(list.json["deployers"]?[0]?["deployerId"].text ?? "")"
    #expect(try await world.rig.send("DELETE", path, token: eve.token).code == "NOT_FOUND")
    #expect(try await world.rig.send("DELETE", path, token: world.ada.token).code == "NOT_OPERATOR")
    #expect(try await world.signed("DELETE", path, by: world.olga).status == 204)
    #expect(try await world.rig.send("DELETE", path, token: world.olga.token).code == "NOT_FOUND")
    let paused = try await world.rig.send("GET", "/deployments/\(deployment)", token: world.ada.token)
    #expect(paused.json["state"] == "paused")
    #expect(try await world.app("one", "com.acme.counter").code == "NOT_FOUND")
    #expect(
      try await world.rig.send(
        "PATCH", "/deployments/\(deployment)", #"{"state":"live"}"#, token: world.ada.token
      ).code == "FORBIDDEN")
    #expect(try await world.publish(OperatorWorld.counter("1.1.0")).code == "FORBIDDEN")
    #expect(world.rig.cloud.violations == [])
  }

  @Test(
    "a deployment that apps use stays; a package that was approved once is live at once when deployed again")
  func deletion() async throws {
    let world = try await OperatorWorld()
    try await world.approveAcme()
    let counter = OperatorWorld.counter("1.0.0")
    let path = "/deployments/\(try await world.live(counter))"
    let app = try await world.app("one", "com.acme.counter")
    #expect(app.status == 201)
    #expect(try await world.rig.send("DELETE", path, token: world.ada.token).code == "CONFLICT")
    let second = FakePackage("com.acme.second", version: "1.0.0") { _ in }
    let other = "/deployments/\(try await world.live(second))"
    #expect(try await world.deploy(second).code == "ALREADY_EXISTS")
    #expect(try await world.confirmed("DELETE", other, by: world.ada).status == 204)
    let again = try await world.deploy(second)
    #expect(again.json["state"] == "live")
    #expect(again.json["decisionId"] == nil)
    #expect(world.rig.cloud.violations == [])
  }

  @Test("checks of a deployment come in order, and a key gives its answer again (70 §2.8)")
  func order() async throws {
    let world = try await OperatorWorld()
    let eve = try await OperatorWorld.person("eve", in: world.rig)
    func code(_ fields: String, _ token: String) async throws -> String? {
      try await world.rig.send("POST", "/deployments", #"{"org":"\#(world.acme)",\#(fields)}"#, token: token)
        .code
    }
    let good = #""package":"com.acme.counter","version":"1.0.0""#
    #expect(try await code(good, eve.token) == "NOT_FOUND")
    #expect(try await code(good, world.ada.token) == "FORBIDDEN")
    try await world.approveAcme()
    #expect(try await code(#""package":7"#, world.ada.token) == "BAD_REQUEST")
    #expect(try await code(#"\#(good),"redirectUris":["/consent"]"#, world.ada.token) == "INVALID_ARGUMENT")
    #expect(try await code(#"\#(good),"siteBlob":"AB""#, world.ada.token) == "INVALID_ARGUMENT")
    #expect(try await code(good, world.ada.token) == "NOT_FOUND")
    #expect(
      try await code(#""package":"com.calimero.chat","version":"1.4.0""#, world.ada.token) == "NOT_FOUND")
    try #require(try await world.publish(OperatorWorld.counter("1.0.0")).status == 201)
    #expect(try await code(good, world.ada.token) == "CONFIRM_REQUIRED")
    let first = try await world.deploy(OperatorWorld.counter("1.0.0"), #","idempotencyKey":"k""#)
    #expect(first.status == 201)
    let again = try await world.deploy(OperatorWorld.counter("1.0.0"), #","idempotencyKey":"k""#)
    #expect(again.json == first.json)
    #expect(try await code(good, world.ada.token) == "ALREADY_EXISTS")
    #expect(world.rig.cloud.violations == [])
  }

  @Test("deployments are seen by the organization's members and by operators, and listed newest first")
  func list() async throws {
    let world = try await OperatorWorld()
    let eve = try await OperatorWorld.person("eve", in: world.rig)
    try await world.approveAcme()
    let first = try await world.live(OperatorWorld.counter("1.0.0"))
    let second = try await world.live(FakePackage("com.acme.second", version: "1.0.0") { _ in })
    func ids(_ query: String, _ token: String) async throws -> [String] {
      try await world.rig.send("GET", "/deployments\(query)", token: token).json["deployments"]?.arrayValue?
        .map { $0["deploymentId"].text } ?? []
    }
    #expect(try await ids("", world.ada.token) == [second, first])
    #expect(try await ids("?org=\(world.acme)&limit=1", world.ada.token) == [second])
    #expect(try await ids("?org=org_x", world.ada.token).isEmpty)
    #expect(try await ids("", eve.token).isEmpty)
    #expect(try await world.rig.send("GET", "/deployments/\(first)", token: eve.token).code == "NOT_FOUND")
    #expect(try await world.rig.send("GET", "/deployments/\(first)", token: world.olga.token).status == 200)
    #expect(
      try await world.rig.send("PATCH", "/deployments/\(first)", "{}", token: world.olga.token).code
        == "FORBIDDEN")
    #expect(world.rig.cloud.violations == [])
  }

  @Test("once a package has a deployment, that alone decides what new apps run, whatever was registered")
  func registeredToo() async throws {
    let world = try await OperatorWorld()
    world.rig.cloud.register(OperatorWorld.counter("1.5.0"))
    #expect(try await world.app("one", "com.acme.counter").json["version"] == "1.5.0")
    try await world.approveAcme()
    _ = try await world.live(OperatorWorld.counter("1.0.0"))
    #expect(try await world.app("two", "com.acme.counter").json["version"] == "1.0.0")
    #expect(try await world.app("three", "com.acme.counter", version: "1.5.0").code == "NOT_FOUND")
    // Code that was registered runs when its bundle is published.
    try #require(try await world.publish(OperatorWorld.counter("1.5.0"), isKnown: false).status == 201)
    let app = try await world.app("three", "com.acme.counter", version: "1.5.0")
    #expect(try await world.call(app.json["appId"].text, "add").json["result"] == 1)
    #expect(world.rig.cloud.violations == [])
  }
}
