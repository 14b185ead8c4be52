import Foundation
import MeroHTTP
import MeroKit
import Testing

@Suite("Listings that are answered in parts")
struct AdminListingTests {
  /// A node with this many members, and the most it answers at once.
  private func node(members count: Int, limit: Int = 1000, knowsOffsets: Bool = true) -> RecordingTransport {
    RecordingTransport { request in
      let items = URLComponents(url: request.url, resolvingAgainstBaseURL: false)?.queryItems ?? []
      func number(_ name: String) -> Int? { items.first { $0.name == name }?.value.flatMap(Int.init) }
      let offset = knowsOffsets ? number("offset") ?? 0 : 0
      let part = (0..<count).dropFirst(offset).prefix(min(limit, number("limit") ?? 100))
      let members = part.map { #"{"identity":"\#($0)","role":"Member"}"# }.joined(separator: ",")
      return .json(#"{"members":[\#(members)]}"#)
    }
  }

  @Test("20 §1.6: parts of a thousand are read until one is short", arguments: [0, 1, 999, 1000, 1001, 2500])
  func walk(_ count: Int) async throws {
    let transport = node(members: count)
    let members = try await AdminApi(transport).allGroupMembers("g")
    #expect(members.map(\.identity) == (0..<count).map(String.init))
    let offsets = (0...(count / 1000)).map { "GET groups/g/members?offset=\($0 * 1000)&limit=1000" }
    #expect(await transport.lines == offsets)
  }

  @Test("a node that knows no offsets is not asked for ever")
  func noOffsets() async throws {
    let transport = node(members: 1500, knowsOffsets: false)
    let members = try await AdminApi(transport).allGroupMembers("g")
    #expect(members.count == 1000)
    #expect(await transport.sent.count == 2)
  }

  @Test("an entry that moves into the next part is listed once")
  func moved() async throws {
    let transport = RecordingTransport { request in
      // Something was added at the front between the two parts.
      let first = request.url.absoluteString.contains("offset=0&")
      let range = first ? 0..<1000 : 999..<1200
      let entries = range.map { #"{"contextId":"\#($0)"}"# }.joined(separator: ",")
      return .json(#"{"data":[\#(entries)]}"#)
    }
    let contexts = try await AdminApi(transport).allGroupContexts("g")
    #expect(contexts.map(\.contextId) == (0..<1200).map(String.init))
  }

  @Test("every listing has a walk, which asks for its own route")
  func everyWalk() async throws {
    let transport = RecordingTransport { request in
      switch request.url.lastPathComponent {
      case "members", "member-devices": .json(#"{"members":[]}"#)
      default:
        request.url.path.hasSuffix("admin-api/contexts")
          ? .json(#"{"data":{"contexts":[]}}"#) : .json(#"{"data":[]}"#)
      }
    }
    let api: any AdminSurface = try AdminApi(transport)
    _ = try await api.allContexts()
    _ = try await api.allNamespaces()
    _ = try await api.allNamespacesForApplication("a")
    _ = try await api.allGroupMembers("g")
    _ = try await api.allGroupContexts("g")
    _ = try await api.allGroupMemberDevices("g")
    #expect(
      await transport.lines
        == [
          "contexts", "namespaces", "namespaces/for-application/a", "groups/g/members", "groups/g/contexts",
          "groups/g/member-devices",
        ].map { "GET \($0)?offset=0&limit=1000" })
  }

  @Test("without a part named, nothing is said about one")
  func shortForms() async throws {
    let transport = node(members: 3)
    let api: any AdminSurface = try AdminApi(transport)
    #expect(try await api.listGroupMembers("g").members.count == 3)
    _ = try? await api.listGroupMemberDevices("g")
    _ = try? await api.getContexts()
    _ = try? await api.listNamespaces()
    _ = try? await api.listNamespacesForApplication("a")
    _ = try? await api.listGroupContexts("g")
    #expect(
      await transport.lines
        == [
          "groups/g/members", "groups/g/member-devices", "contexts", "namespaces",
          "namespaces/for-application/a",
          "groups/g/contexts",
        ].map { "GET \($0)" })
  }
}

@Suite("Taking part in a group's contexts")
struct ContextSyncTests {
  @Test("20 §1.7: the group is synced, then every context joined and synced, whatever fails on the way")
  func failuresOnTheWay() async throws {
    let transport = RecordingTransport { request in
      switch request.url.path {
      case let path where path.hasSuffix("/groups/g/contexts"):
        .json(#"{"data":[{"contextId":"c1"},{"contextId":"c2"},{"contextId":"c3"}]}"#)
      case let path where path.hasSuffix("g/sync") || path.contains("c1/join") || path.contains("sync/c2"):
        .json(#"{"error":"not yet"}"#, status: 503)
      default: .json(#"{"data":{"contextId":"c","memberPublicKey":"k"}}"#)
      }
    }
    let contexts = try await AdminApi(transport).syncGroupContexts("g")
    #expect(contexts.map(\.contextId) == ["c1", "c2", "c3"])
    #expect(
      await transport.lines == [
        "POST groups/g/sync", "GET groups/g/contexts?offset=0&limit=1000", "POST contexts/c1/join",
        "POST contexts/c2/join", "POST contexts/sync/c2", "POST contexts/c3/join", "POST contexts/sync/c3",
      ])
  }

  @Test("a listing that fails is an error, since there is nothing to take part in")
  func noListing() async throws {
    let api = try AdminApi.answering(#"{"error":"no"}"#, status: 403)
    await #expect(throws: MeroError.self) { try await api.syncGroupContexts("g") }
  }
}

@Suite("Letting relays author")
struct DelegatedExecutionTests {
  private func node(mask: UInt32) -> RecordingTransport {
    RecordingTransport { request in
      guard request.method == .get else { return .json("{}") }
      return request.url.path.hasSuffix("capabilities")
        ? .json(#"{"data":{"capabilities":\#(mask)}}"#)
        : .json(
          #"""
          {"data":{"groupId":"g","appKey":"b","targetApplicationId":"a","memberCount":1,"contextCount":0,
           "defaultCapabilities":\#(mask),"subgroupVisibility":"open","groupStateHash":"h"}}
          """#)
    }
  }

  @Test("20 §5.6: the bit is added to the others, and nothing is written when it is there")
  func readModifyWrite() async throws {
    for (mask, written) in [(231 as UInt32, true), (512 | 4, false)] {
      let transport = node(mask: mask)
      let api: any AdminSurface = try AdminApi(transport)
      let change = DelegatedExecutionChange(changed: written, capabilities: mask | 512)
      #expect(try await api.openToDelegatedExecution("g") == change)
      #expect(try await api.grantAuthorship("g", account: "ac") == change)
      let bodies = await transport.sent.filter { $0.method == .put }.map(\.body)
      let defaults = HTTPRequestBody.data(Data(#"{"defaultCapabilities":743}"#.utf8))
      let own = HTTPRequestBody.data(Data(#"{"capabilities":743}"#.utf8))
      #expect(bodies == (written ? [defaults, own] : []))
    }
  }
}
