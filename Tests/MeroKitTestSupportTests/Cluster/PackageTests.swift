import Foundation
import MeroCrypto
import MeroWire
import Testing

@testable import MeroKitTestSupport

@Suite("FakeCloud: packages")
struct PackageTests {
  private static let notes = FakePackage("com.acme.notes", version: "1.0.0") {
    $0.view("all") { _, _ in [] }
  }

  @Test("a bundle is published once: the same bytes are the same version, others are refused")
  func publish() async throws {
    let world = try await OperatorWorld()
    try await world.approveAcme()
    let bundle = try Self.notes.bundle(signedBy: OperatorWorld.publisher, name: "Notes", minCore: "1.0.0")
    let first = try await world.publish("com.acme.notes", bundle)
    #expect(first.status == 201)
    #expect(first.json["size"]?.int == bundle.count)
    let key = try Ed25519.PrivateKey(seed: OperatorWorld.publisher).publicKey.bytes
    #expect(first.json["signerKey"]?.stringValue == Hex.encode(key))
    #expect(first.json["minCore"] == "1.0.0")
    let again = try await world.publish("com.acme.notes", bundle)
    #expect(again.status == 201)
    #expect(again.json == first.json)
    let other = try Self.notes.bundle(signedBy: OperatorWorld.publisher, name: "Others")
    #expect(try await world.publish("com.acme.notes", other).code == "ALREADY_EXISTS")
    #expect(world.rig.cloud.violations == [])
  }

  @Test(
    "an organization that is deleted leaves the names of its packages to others, unless an app of theirs runs one"
  )
  func freed() async throws {
    let world = try await OperatorWorld()
    let quota = #"{"apps":9,"members":9,"storageBytes":9,"callsPerDay":9}"#
    _ = try await world.signed("PUT", "/ops/quotas/\(world.acme)", quota, by: world.olga)
    try await world.approveAcme()
    let counter = OperatorWorld.counter("1.0.0")
    _ = try await world.live(Self.notes)
    _ = try await world.live(counter)
    let eve = try await OperatorWorld.person("eve", in: world.rig)
    let made = try await world.rig.send("POST", "/orgs", #"{"name":"Other"}"#, token: eve.token)
    let other = made.json["orgId"].text
    let body = #"{"name":"count","package":"\#(counter.name)","org":"\#(other)"}"#
    let app = try await world.rig.send("POST", "/apps", body, token: eve.token).json["appId"].text
    #expect(try await world.confirmed("DELETE", "/orgs/\(world.acme)", by: world.ada).status == 204)
    let left = world.rig.cloud.store.withState { state in
      (
        packages: state.published.values.map(\.id), versions: state.versions.values.map(\.manifest.package),
        deployments: state.deployments.values.map(\.package), hasQuota: state.quotas[world.acme] != nil
      )
    }
    #expect(left.packages == [counter.name])
    #expect(left.versions == [counter.name])
    #expect(left.deployments == [counter.name])
    #expect(!left.hasQuota)
    let view = #"{"method":"v1.0.0","args":{}}"#
    #expect(try await world.rig.send("POST", "/apps/\(app)/views", view, token: eve.token).status == 200)

    let signup = try await world.rig.send(
      "POST", "/deployments/signups", #"{"org":"\#(other)","reason":"Notes."}"#, token: eve.token)
    try await world.vote("approve", on: signup.json["decisionId"].text, by: world.olga)
    let bundle = try Self.notes.bundle(signedBy: [UInt8](repeating: 8, count: 32))
    let published = try await world.rig.send(
      bytes: bundle, to: "/packages/\(Self.notes.name)/versions?org=\(other)", token: eve.token)
    #expect(published.status == 201)
    #expect(world.rig.cloud.violations == [])
  }

  @Test(
    "a bundle that does not hold is refused",
    arguments: ["nothing", "head", "manifest", "signature", "code", "name", "version", "path", "signer"])
  func invalid(part: String) async throws {
    let world = try await OperatorWorld()
    try await world.approveAcme()
    try #require(try await world.publish(Self.notes).status == 201)
    func made(_ package: String = "com.acme.notes", _ version: String = "1.1.0", seed: UInt8 = 9) throws
      -> Data
    {
      try PackageBundle.make(
        PackageBundle.Manifest(package: package, version: version), code: Data("code\n\n\n".utf8),
        signedBy: [UInt8](repeating: seed, count: 32))
    }
    var bundle = try made()
    switch part {
    case "nothing": bundle = Data()
    case "head": bundle[4] = UInt8(ascii: "2")
    case "manifest": bundle[bundle.count / 4] ^= 1
    case "signature":
      var lines = bundle.split(separator: 0x0A, maxSplits: 3, omittingEmptySubsequences: false).map {
        Data($0)
      }
      lines[2][10] = lines[2][10] == UInt8(ascii: "A") ? UInt8(ascii: "B") : UInt8(ascii: "A")
      bundle = Data(lines.joined(separator: [0x0A]))
    case "code": bundle.append(0)
    case "name": bundle = try made("Com.acme")
    case "version": bundle = try made("com.acme.notes", "1.1")
    case "path": bundle = try made("com.acme.other")
    default: bundle = try made(seed: 10)
    }
    let reply = try await world.publish("com.acme.notes", bundle)
    #expect(reply.status == 422)
    #expect(reply.code == "PACKAGE_INVALID")
    // The bundle as it was made holds.
    #expect(try await world.publish("com.acme.notes", made()).status == 201)
    #expect(world.rig.cloud.violations == [])
  }

  @Test(
    "credential, organization, role, deployer, prefix and publisher are checked before the bundle (70 §2.8)")
  func order() async throws {
    let world = try await OperatorWorld()
    let eve = try await OperatorWorld.person("eve", in: world.rig)
    let bad = Data("bad".utf8)
    #expect(try await world.publish("com.acme.notes", bad, token: "cms_none").code == "UNAUTHENTICATED")
    #expect(try await world.publish("com.acme.notes", bad, token: eve.token).code == "NOT_FOUND")
    #expect(try await world.publish("com.acme.notes", bad).code == "FORBIDDEN")
    try await world.approveAcme()
    #expect(try await world.publish("com.acme.notes", bad).code == "PACKAGE_INVALID")
    world.rig.cloud.join("eve", org: world.acme, as: "member")
    #expect(try await world.publish("com.acme.notes", bad, token: eve.token).code == "FORBIDDEN")
    world.rig.cloud.limitDeployer(org: world.acme, toPackages: ["com.acme"])
    #expect(try await world.publish("com.acmes.notes", bad).code == "FORBIDDEN")
    #expect(try await world.publish("com.acme.notes", bad).code == "PACKAGE_INVALID")
    let missing = try await world.rig.send(
      bytes: bad, to: "/packages/com.acme.notes/versions", token: world.ada.token)
    #expect(missing.code == "BAD_REQUEST")
    let large = Data(count: 32 << 20) + Data([1])
    #expect(try await world.publish("com.acme.notes", large).code == "PAYLOAD_TOO_LARGE")
    #expect(world.rig.cloud.violations == [])
  }

  @Test("a name belongs to the organization that published it first")
  func ownName() async throws {
    let world = try await OperatorWorld()
    try await world.approveAcme()
    try #require(try await world.publish(Self.notes).status == 201)
    let eve = try await OperatorWorld.person("eve", in: world.rig)
    let org = try await world.rig.send("POST", "/orgs", #"{"name":"Evil"}"#, token: eve.token)
    let id = org.json["orgId"].text
    let applied = try await world.rig.send(
      "POST", "/deployments/signups", #"{"org":"\#(id)","reason":"x"}"#, token: eve.token)
    try await world.vote("approve", on: applied.json["decisionId"].text, by: world.olga)
    let bundle = try PackageBundle.make(
      PackageBundle.Manifest(package: "com.acme.notes", version: "2.0.0"), code: Data(),
      signedBy: [UInt8](repeating: 5, count: 32))
    let path = "/packages/com.acme.notes/versions?org=\(id)"
    #expect(try await world.rig.send(bytes: bundle, to: path, token: eve.token).code == "FORBIDDEN")
  }

  @Test(
    "a published package is seen by its publisher and the operators until it is deployed, then by everyone")
  func visibility() async throws {
    let world = try await OperatorWorld()
    let eve = try await OperatorWorld.person("eve", in: world.rig)
    try await world.approveAcme()
    let counter = OperatorWorld.counter("1.0.0")
    let builtIn = ["com.calimero.chat", "com.calimero.kv", "com.calimero.notes"]
    try #require(try await world.publish(counter).status == 201)
    let path = "/packages/com.acme.counter"
    #expect(
      try await world.rig.send("GET", path, token: world.ada.token).json["publisher"].text == world.acme)
    #expect(try await world.rig.send("GET", path, token: world.olga.token).status == 200)
    #expect(try await world.rig.send("GET", path, token: eve.token).code == "NOT_FOUND")
    #expect(try await world.rig.send("GET", "\(path)/versions", token: eve.token).code == "NOT_FOUND")
    #expect(try await names(world, eve, "") == builtIn)
    _ = try await world.live(counter)
    #expect(try await world.rig.send("GET", path, token: eve.token).status == 200)
    #expect(try await names(world, eve, "") == ["com.acme.counter"] + builtIn)
    #expect(world.rig.cloud.violations == [])
  }

  private func names(
    _ world: OperatorWorld, _ person: OperatorWorld.Person, _ query: String
  ) async throws -> [String] {
    let reply = try await world.rig.send("GET", "/packages\(query)", token: person.token)
    return reply.json["packages"]?.arrayValue?.map { $0["package"].text } ?? []
  }

  @Test("packages are searched by words: those in the name come before those in the summary")
  func search() async throws {
    let world = try await OperatorWorld()
    try await world.approveAcme()
    for (name, summary) in [("zebra", "stripes"), ("stripes", "lines"), ("boxes", "squares")] {
      let package = FakePackage("com.acme.\(name)", version: "1.0.0") { _ in }
      let bundle = try package.bundle(signedBy: OperatorWorld.publisher, name: name, summary: summary)
      try #require(try await world.publish(package.name, bundle).status == 201)
      _ = try await world.vote(
        "approve", on: try await world.deploy(package).json["decisionId"].text, by: world.olga)
    }
    #expect(try await names(world, world.ada, "?query=STRIPES") == ["com.acme.stripes", "com.acme.zebra"])
    #expect(try await names(world, world.ada, "?query=acme%20squares") == ["com.acme.boxes"])
    #expect(try await names(world, world.ada, "?query=nothing").isEmpty)
    let page = try await world.rig.send("GET", "/packages?limit=2", token: world.ada.token)
    let cursor = page.json["nextCursor"].text
    #expect(
      try await names(world, world.ada, "?limit=2&cursor=\(cursor)") == [
        "com.acme.zebra", "com.calimero.chat",
      ])
    #expect(world.rig.cloud.violations == [])
  }

  @Test("versions come newest first by SemVer, in pages")
  func versions() async throws {
    let world = try await OperatorWorld()
    try await world.approveAcme()
    for version in ["1.9.0", "1.10.0-rc.1", "1.10.0", "0.9.9"] {
      try #require(try await world.publish(OperatorWorld.counter(version)).status == 201)
    }
    var seen: [String] = []
    var cursor: String?
    repeat {
      let query = "?limit=3" + (cursor.map { "&cursor=\($0)" } ?? "")
      let page = try await world.rig.send(
        "GET", "/packages/com.acme.counter/versions\(query)", token: world.ada.token)
      seen += page.json["versions"]?.arrayValue?.map { $0["version"].text } ?? []
      cursor = page.json["nextCursor"]?.stringValue
    } while cursor != nil
    #expect(seen == ["1.10.0", "1.10.0-rc.1", "1.9.0", "0.9.9"])
    let package = try await world.rig.send("GET", "/packages/com.acme.counter", token: world.ada.token)
    #expect(package.json["latest"] == "1.10.0")
    #expect(world.rig.cloud.violations == [])
  }

  @Test("a yanked version starts no new app, and apps that run it go on")
  func yank() async throws {
    let world = try await OperatorWorld()
    let eve = try await OperatorWorld.person("eve", in: world.rig)
    try await world.approveAcme()
    _ = try await world.live(OperatorWorld.counter("1.0.0"))
    try #require(try await world.publish(OperatorWorld.counter("1.1.0")).status == 201)
    let app = try await world.app("one", "com.acme.counter", version: "1.1.0")
    #expect(app.json["version"] == "1.1.0")
    let path = "/packages/com.acme.counter/versions/1.1.0/yank"
    #expect(try await world.rig.send("POST", path, token: eve.token).code == "FORBIDDEN")
    #expect(
      try await world.rig.send(
        "POST", "/packages/com.acme.counter/versions/7.0.0/yank", token: world.ada.token
      )
      .code == "NOT_FOUND")
    #expect(try await world.rig.send("POST", path, token: world.ada.token).code == "CONFIRM_REQUIRED")
    #expect(try await world.confirmed("POST", path, by: world.ada).json["yanked"] == true)
    #expect(try await world.app("two", "com.acme.counter", version: "1.1.0").code == "NOT_FOUND")
    #expect(try await world.app("two", "com.acme.counter").json["version"] == "1.0.0")
    #expect(try await world.call(app.json["appId"].text, "add").json["result"] == 1)
    let package = try await world.rig.send("GET", "/packages/com.acme.counter", token: world.ada.token)
    #expect(package.json["latest"] == "1.0.0")
    #expect(world.rig.cloud.violations == [])
  }

  @Test("packages of the cluster's own are seen, and nobody yanks them")
  func own() async throws {
    let world = try await OperatorWorld()
    let chat = try await world.rig.send("GET", "/packages/com.calimero.chat", token: world.ada.token)
    #expect(chat.json["latest"] == "1.4.0")
    let versions = try await world.rig.send(
      "GET", "/packages/com.calimero.chat/versions", token: world.ada.token)
    #expect(versions.json["versions"]?[0]?["codeHash"]?.stringValue?.count == 64)
    let path = "/packages/com.calimero.chat/versions/1.4.0/yank"
    #expect(try await world.rig.send("POST", path, token: world.ada.token).code == "FORBIDDEN")
    #expect(try await world.app("chat", "com.calimero.chat").status == 201)
    #expect(world.rig.cloud.violations == [])
  }
}
