import MeroWire
import Testing

@testable import MeroKitTestSupport

@Suite("FakeCloud: members of an app")
struct AppMemberTests {
  @Test("members are listed by role, then name, page by page, and teams are members too")
  func list() async throws {
    let world = try await AppWorld()
    var names: [String?] = []
    var cursor = ""
    repeat {
      let page = try await world.ask("GET", "/members?limit=2\(cursor)", as: .reader)
      names += page.json["members"]?.arrayValue?.map { $0["name"]?.stringValue } ?? []
      cursor = page.json["nextCursor"]?.stringValue.map { "&cursor=\($0)" } ?? ""
    } while !cursor.isEmpty
    #expect(names == ["manager", "teamManager", "teamWriter", "writer", "reader"])
    let all = try await world.ask("GET", "/members").json["members"]?.arrayValue
    #expect(all?.map { $0["kind"]?.stringValue } == ["account", "team", "team", "account", "account"])
    #expect(try await world.ask("GET", "/members?cursor=x").code == "INVALID_CURSOR")
  }

  @Test("giving a role and taking it away are events, the same again is none, and it takes who lost it out")
  func changes() async throws {
    let world = try await AppWorld()
    let id = world.accountId(.stranger)
    let set = try await world.ask("PUT", "/members/\(id)", #"{"role":"reader"}"#, as: .manager)
    #expect(set.json["role"] == "reader")
    #expect(set.json["kind"] == "account")
    try await world.ask("PUT", "/members/\(id)", #"{"role":"reader"}"#)
    try await world.ask("PUT", "/members/\(id)", #"{"role":"writer"}"#)
    try await world.ask("PUT", "/presence", #"{"state":"here","version":1}"#, as: .stranger)
    var stream = try await world.follow(as: .stranger)
    #expect(try await stream.nextEvent()?.kind == "calimero.ready")
    #expect(try await world.ask("DELETE", "/members/\(id)").status == 204)
    #expect(try await world.ask("DELETE", "/members/\(id)").status == 204)
    let events = try await world.events("calimero.members")
    #expect(events.map { $0["data"]?["role"] } == ["reader", "writer", "writer"])
    #expect(events.map { $0["data"]?["removed"] } == [false, false, true])
    #expect(events.allSatisfy { $0["data"]?["principal"]?.stringValue == id })
    #expect(events[0]["actor"]?.stringValue == world.accountId(.manager))
    while let event = try await stream.nextEvent() { #expect(event.kind == "calimero.members") }
    #expect(try await world.ask("GET", as: .stranger).code == "NOT_FOUND")
    #expect(try await world.ask("GET", "/presence").json["entries"] == [])
    #expect(world.rig.cloud.violations == [])
  }

  @Test("only accounts of the cluster and teams of the organization can have a role")
  func principals() async throws {
    let world = try await AppWorld()
    let role = #"{"role":"reader"}"#
    #expect(try await world.ask("PUT", "/members/team_elsewhere", role).code == "NOT_FOUND")
    #expect(try await world.ask("PUT", "/members/acc_none", role).code == "NOT_FOUND")
    #expect(try await world.ask("PUT", "/members/team_teamWriter", role).json["kind"] == "team")
    let king = #"{"role":"king"}"#
    #expect(try await world.ask("PUT", "/members/acc_none", king).code == "NOT_FOUND")
    #expect(try await world.ask("PUT", "/members/\(world.accountId(.reader))", king).status == 400)
    #expect(try await world.ask("GET", as: .teamWriter).json["role"] == "reader")
  }
}
