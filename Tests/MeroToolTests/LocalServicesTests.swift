import Foundation
import LocalCluster
import MeroHTTP
import MeroKitTestSupport
import MeroWire
import Testing

@testable import mero

@Suite("mero local's accounts", .timeLimit(.minutes(3)))
struct LocalServicesTests {
  private static let anyPorts = LocalServices.options.sorted().flatMap { [$0, "0"] }

  private func services(_ words: [String], mirror: FakeReleaseMirror? = nil) throws -> LocalServices? {
    try LocalServices(
      Arguments(words, flags: ["--no-accounts"], values: LocalServices.options), mirror: mirror)
  }

  @Test(
    "two relays, the directory, the wallet's page and the registry are served, and told with their addresses")
  func serves() async throws {
    let services = try #require(try services(Self.anyPorts))
    try await services.start()
    let lines = await services.lines()
    #expect(lines.map { $0.prefix { $0 != " " } } == ["relay", "relay", "cloud", "wallet", "registry"])
    for line in lines {
      let address = try #require(line.split(separator: " ").last)
      let url = try #require(URL(string: String(address)))
      #expect(url.host == "127.0.0.1")
      _ = try await URLSessionTransport().send(HTTPRequest(.get, url))
    }
    await services.server.stop()
  }

  @Test("the standard ports are those that programs look at")
  func ports() throws {
    let ports = try #require(try services([])).server.ports
    #expect(ports.relays == [2540, 2541])
    #expect([ports.manager, ports.wallet, ports.registry] == [2545, 2546, 2547])
    #expect(try services(["--relay-port", "3000"])?.server.ports.relays == [3000, 3001])
  }

  @Test(
    "a taken port is named with the option that moves it, and nothing stays open",
    arguments: LocalServices.options)
  func takenPort(_ option: String) async throws {
    let other = LocalNode(port: 0)
    let port = try #require(try await other.start().port)
    let words = LocalServices.options.sorted().flatMap { [$0, $0 == option ? "\(port)" : "0"] }
    let services = try #require(try services(words))
    let error = await #expect(throws: LocalError.self) { try await services.start() }
    #expect(error?.description.contains("port \(port)") == true)
    #expect(error?.description.contains(option) == true)
    #expect(error?.description.contains("--no-accounts") == true)
    #expect(await services.server.relayURLs.isEmpty)
    await other.stop()
  }

  @Test("they can be left out, and options that have no meaning are refused")
  func options() throws {
    #expect(try services(["--no-accounts"]) == nil)
    for words in [
      ["--no-accounts", "--wallet-port", "1"], ["--relay-port", "65535"], ["--manager-port", "x"],
    ] {
      #expect(throws: UsageError.self) { try services(words) }
    }
  }

  @Test("signed releases are served at the directory's address")
  func mirror() async throws {
    let mirror = FakeReleaseMirror(TestPKI(seed: 7))
    let services = try #require(try services(Self.anyPorts, mirror: mirror))
    try await services.start()
    let base = try #require(await services.server.managerURL).absoluteString
    let version = TestPKI.release
    let url = try #require(URL(string: "\(base)/api/tee/node-releases/\(version)"))
    #expect(try await URLSessionTransport().send(HTTPRequest(.get, url)).status == 200)
    #expect(mirror.asked == [version])
    await services.server.stop()
  }

  @Test("the control listener stops a relay, starts it with the same keys, and loses it with them")
  func control() async throws {
    let services = try #require(try services(Self.anyPorts))
    try await services.start()
    let cluster = LocalCluster(ports: [0])
    let control = ControlServer(port: 0, cluster: cluster, accounts: services.server)
    let base = "http://127.0.0.1:\(try control.start())"
    func post(_ path: String, _ body: String? = nil) async throws -> (status: Int, state: JSONValue) {
      let request = HTTPRequest(
        .post, try #require(URL(string: base + path)), body: body.map { .data(Data($0.utf8)) })
      let response = try await URLSessionTransport().send(request)
      return (response.status, try JSONValue(parsing: try await response.body.collect(upTo: 1 << 20)))
    }
    let relay = services.server.relays[0]
    let (key, url) = (relay.nodeKey, await services.server.relayURLs[0])
    let health = HTTPRequest(.get, url.appendingPathComponent("admin-api/health"))
    let stopped = try await post("/relays/1/stop").state["relays"]
    #expect(stopped?[0]?["running"] == false)
    #expect(stopped?[1]?["running"] == true)
    await #expect(throws: TransportError.self) { try await URLSessionTransport().send(health) }
    #expect(try await post("/relays/1/start").state["relays"]?[0]?["running"] == true)
    #expect(try await URLSessionTransport().send(health).status == 200)
    #expect(relay.nodeKey == key)
    #expect(try await post("/relays/1/lose").state["relays"]?[0]?["running"] == false)
    #expect(
      try await post("/relays/1/restart").state["relays"]?[0]?["url"]?.stringValue == url.absoluteString)
    #expect(relay.nodeKey != key)
    #expect(try await post("/relays/1/fault", #"{"fault":"answer","status":418}"#).status == 200)
    #expect(try await URLSessionTransport().send(health).status == 418)
    for path in ["/relays/3/stop", "/relays/0/stop", "/relays/x/stop", "/relays/1/explode", "/relays/1"] {
      #expect(try await post(path).status == 404, "\(path)")
    }
    await control.stop()
    let alone = ControlServer(port: 0, cluster: cluster)
    let lonely = try #require(URL(string: "http://127.0.0.1:\(try alone.start())/relays/1/stop"))
    #expect(try await URLSessionTransport().send(HTTPRequest(.post, lonely)).status == 404)
    await alone.stop()
    await services.server.stop()
  }
}
