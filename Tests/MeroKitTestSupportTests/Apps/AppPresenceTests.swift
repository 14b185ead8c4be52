import MeroWire
import Testing

@testable import MeroKitTestSupport

@Suite("FakeCloud: presence")
struct AppPresenceTests {
  private func put(
    _ world: AppWorld, _ state: String, _ version: Int, as person: AppWorld.Person, node: Int = 0
  ) async throws -> Rig.Reply {
    try await world.ask(
      "PUT", "/presence", #"{"state":\#(state),"version":\#(version)}"#, as: person, node: node)
  }

  private func states(_ world: AppWorld) async throws -> [JSONValue?] {
    try await world.ask("GET", "/presence").json["entries"]?.arrayValue?.map { $0["state"] } ?? []
  }

  @Test("70 §2.27 #17: the version decides: a late old set does not undo a newer one, nor a clear")
  func versions() async throws {
    let world = try await AppWorld(nodes: 3)
    #expect(try await put(world, #"{"n":1}"#, 10, as: .reader).status == 204)
    #expect(try await put(world, #"{"n":2}"#, 12, as: .reader, node: 1).status == 204)
    #expect(try await put(world, #"{"n":"late"}"#, 11, as: .reader, node: 2).status == 204)
    #expect(try await states(world) == [["n": 2]])
    #expect(try await put(world, "null", 14, as: .reader).status == 204)
    #expect(try await put(world, #"{"n":"late"}"#, 13, as: .reader, node: 1).status == 204)
    #expect(try await put(world, #"{"n":"same"}"#, 14, as: .reader).status == 204)
    #expect(try await states(world) == [])
    #expect(try await put(world, #"{"n":3}"#, 15, as: .reader).status == 204)
    #expect(try await states(world) == [["n": 3]])
    #expect(world.rig.cloud.violations == [])
  }

  @Test("70 §2.27 #17: an entry lives for seven seconds, unless it is renewed")
  func lifetime() async throws {
    let world = try await AppWorld()
    _ = try await put(world, "1", 1, as: .reader)
    _ = try await put(world, "2", 1, as: .writer)
    await world.rig.clock.advance(by: 4)
    let list = try await world.ask("GET", "/presence").json
    #expect(list["ttlMs"] == 7000)
    #expect(list["entries"]?.arrayValue?.map { $0["ageMs"] } == [4000, 4000])
    _ = try await put(world, "3", 2, as: .writer)
    await world.rig.clock.advance(by: 3)
    #expect(try await states(world) == [3])
    await world.rig.clock.advance(by: 3.9)
    #expect(try await states(world) == [3])
    await world.rig.clock.advance(by: 0.1)
    #expect(try await states(world) == [])
    // A late one does not come back when the newer has gone by itself.
    _ = try await put(world, "1", 1, as: .writer)
    #expect(try await states(world) == [])
  }

  @Test("a session that left ten minutes ago is forgotten, with the version that kept late requests out")
  func forgotten() async throws {
    let world = try await AppWorld()
    _ = try await put(world, "1", 5, as: .reader)
    _ = try await put(world, "null", 6, as: .reader)
    await world.rig.clock.advance(by: 599.9)
    _ = try await put(world, "2", 5, as: .reader)
    #expect(try await states(world) == [])
    await world.rig.clock.advance(by: 0.1)
    // Anybody's renewal clears away what is over.
    _ = try await put(world, "3", 1, as: .writer)
    _ = try await put(world, "4", 1, as: .reader)
    #expect(Set(try await states(world)) == [3, 4])
    #expect(world.rig.cloud.violations == [])
  }

  @Test(
    "70 §2.27 #17: streams hear of everyone at first and of each change, at any node, and no cursor moves")
  func streams() async throws {
    let world = try await AppWorld(nodes: 3)
    _ = try await put(world, #"{"at":1}"#, 1, as: .writer)
    var stream = try await world.follow("?presence=true&kinds=Set", as: .reader, node: 2)
    var without = try await world.follow(as: .reader, node: 1)
    #expect(try await without.nextEvent()?.kind == "calimero.ready")
    let ready = try #require(try await stream.nextEvent())
    let all = try #require(try await stream.nextEvent())
    #expect(all.kind == "calimero.presence.all")
    #expect(all.json["data"]?["entries"]?.arrayValue?.map { $0["name"] } == ["writer"])
    #expect(all.json["cursor"] == ready.json["cursor"])

    _ = try await put(world, #"{"at":2}"#, 2, as: .writer)
    let renewed = try #require(try await stream.nextEvent())
    #expect(renewed.kind == "calimero.presence")
    #expect(renewed.json["data"]?["state"] == ["at": 2])
    #expect(renewed.json["data"]?["ageMs"] == 0)
    #expect(renewed.json["data"]?["removed"] == nil)
    #expect(renewed.json["cursor"] == ready.json["cursor"])

    try await world.call("set", ["key": "k", "value": 1])
    let event = try #require(try await stream.nextEvent())
    #expect(event.kind == "Set")
    _ = try await put(world, "null", 3, as: .writer, node: 1)
    let left = try #require(try await stream.nextEvent())
    #expect(left.json["data"]?["removed"] == true)
    #expect(left.json["data"]?["state"] == .null)
    #expect(left.json["cursor"] == event.json["cursor"])
    // To leave twice is no change, and who did not ask for presence hears nothing of it.
    _ = try await put(world, "null", 4, as: .writer)
    _ = try await put(world, "5", 1, as: .member)
    #expect(try await stream.nextEvent()?.json["data"]?["state"] == 5)
    #expect(try await without.nextEvent()?.kind == "Set")

    await world.rig.clock.advance(by: 7)
    let gone = try #require(try await stream.nextEvent())
    #expect(gone.json["data"]?["removed"] == true)
    #expect(gone.json["data"]?["accountId"]?.stringValue == world.accountId(.member))
    #expect(try await world.ask("GET").json["seq"] == 1)
    let kept = try await world.ask("GET", "/events").json["events"]?.arrayValue
    #expect(kept?.count == 1)
    #expect(world.rig.cloud.violations == [])
  }

  @Test("a state has at most 16,384 bytes, and the end of a session is the end of its presence")
  func limits() async throws {
    let world = try await AppWorld()
    let full = "\"\(String(repeating: "a", count: 16_382))\""
    #expect(try await put(world, full, 1, as: .reader).status == 204)
    let tooLarge = try await put(world, "\"a\(full.dropFirst())", 2, as: .reader)
    #expect(tooLarge.code == "PAYLOAD_TOO_LARGE")
    #expect(tooLarge.details?["limit"] == 16_384)
    #expect(try await states(world).count == 1)
    try await world.rig.send("POST", "/auth/signout", token: world.token(.reader))
    #expect(try await states(world) == [])
    #expect(world.rig.cloud.violations == [])
  }
}
