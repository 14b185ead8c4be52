import Foundation
import MeroAPI
import Testing

@testable import MeroKit

@Suite("All items of a listing")
struct PagesTests {
  private func page(_ teams: [String], next: String? = nil) -> String {
    let items = teams.map {
      #"{"teamId":"\#($0)","orgId":"o","name":"n","memberCount":0,"createdAt":1}"#
    }
    let cursor = next.map { #","nextCursor":"\#($0)""# } ?? ""
    return #"{"teams":[\#(items.joined(separator: ","))]\#(cursor)}"#
  }

  private func ids(_ pages: Pages<Components.Schemas.Team>) async throws -> [String] {
    try await pages.reduce(into: []) { $0.append($1.teamId) }
  }

  @Test("70 §2.2: pages of 100 are asked for one after the other, each with the cursor of the one before")
  func inOrder() async throws {
    let caller = RecordingCaller(bodies: [page(["a", "b"], next: "c1"), page([], next: "c 2"), page(["c"])])
    #expect(try await ids(Groups(caller: caller).orgs.teamAll(org: "o")) == ["a", "b", "c"])
    #expect(
      await caller.asked.map(\.request.path) == [
        "/orgs/o/teams?limit=100", "/orgs/o/teams?cursor=c1&limit=100",
        "/orgs/o/teams?cursor=c%202&limit=100",
      ])
  }

  @Test("70 §2.2: a cursor that was given before ends the reading with a decoding error")
  func repeatedCursor() async {
    let caller = RecordingCaller(
      bodies: [page(["a"], next: "c1"), page(["b"], next: "c2"), page(["c"], next: "c1"), page(["d"])])
    let error = await #expect(throws: CalimeroError.self) {
      try await ids(Groups(caller: caller).orgs.teamAll(org: "o"))
    }
    guard case .decoding(let failure)? = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(failure.operation == "org_team_list")
    #expect(await caller.asked.count == 3)
  }

  @Test("nothing is asked before it is wanted, and a reading that stops asks no further page")
  func lazy() async throws {
    let caller = RecordingCaller(bodies: [page(["a", "b"], next: "c1"), page(["c"])])
    let all = Groups(caller: caller).orgs.teamAll(org: "o")
    #expect(await caller.asked.isEmpty)
    #expect(try await all.first { $0.teamId == "b" }?.teamId == "b")
    #expect(await caller.asked.count == 1)
  }

  @Test("each reading begins anew")
  func twice() async throws {
    let caller = RecordingCaller(bodies: [page(["a"]), page(["b"])])
    let all = Groups(caller: caller).orgs.teamAll(org: "o")
    #expect(try await ids(all) == ["a"])
    #expect(try await ids(all) == ["b"])
  }

  @Test("after an error the reading is over")
  func afterAnError() async throws {
    let caller = RecordingCaller([
      .failure(.signedOut(.expired)), .success(APIResponse(status: 200, body: Data(page(["a"]).utf8))),
    ])
    var reading = Groups(caller: caller).orgs.teamAll(org: "o").makeAsyncIterator()
    await #expect(throws: CalimeroError.signedOut(.expired)) { try await reading.next() }
    #expect(try await reading.next() == nil)
    #expect(await caller.asked.count == 1)
  }

  @Test("filters go with every page")
  func filters() async throws {
    let caller = RecordingCaller(bodies: [#"{"apps":[],"nextCursor":"c"}"#, #"{"apps":[]}"#])
    for try await _ in Groups(caller: caller).apps.all(org: "o") {}
    #expect(
      await caller.asked.map(\.request.path) == ["/apps?org=o&limit=100", "/apps?org=o&cursor=c&limit=100"])
  }
}
