import Foundation
import MeroHTTP
import MeroKitTestSupport
import MeroWire
import Testing

@Suite("Presence on a fake node")
struct NodePresenceTests {
  private func set(_ rig: NodeRig, _ state: JSONValue, in context: String) async throws -> JSONValue {
    try await rig.rpc("set_ephemeral", ["contextId": .string(context), "state": state]).json
  }

  @Test("a slot that is set comes back as a live event of the node's own key, once")
  func ownSlot() async throws {
    let rig = NodeRig()
    let context = rig.node.makeContext()
    let stream = try await rig.follow()
    _ = try await rig.subscribe(try await stream.connect(), contexts: [context])
    #expect(try await set(rig, [1, 2], in: context)["result"] == [:])
    let event = try await stream.event()
    #expect(event?["type"] == "Ephemeral")
    #expect(event?["data"] == ["author": .string(rig.node.signingKey), "state": [1, 2]])
    _ = try await set(rig, [1, 2], in: context)
    _ = try await set(rig, [3], in: context)
    #expect(try await stream.event()?["data"]?["state"] == [3])
  }

  @Test("16,384 bytes fit; one more is SliceTooLarge")
  func largestSlice() async throws {
    let rig = NodeRig()
    let context = rig.node.makeContext()
    let full = JSONValue.array(Array(repeating: 7, count: 16_384))
    #expect(try await set(rig, full, in: context)["result"] == [:])
    let more = JSONValue.array(Array(repeating: 7, count: 16_385))
    #expect(
      try await set(rig, more, in: context)["error"]
        == ["type": "SliceTooLarge", "data": ["size": 16_385, "max": 16_384]])
    #expect(try await set(rig, [256], in: context)["error"]?["type"] == "ParseError")
  }

  @Test("where the caller is no member it is Unauthorized, and after leaving the node has no identity")
  func refusals() async throws {
    let rig = NodeRig()
    #expect(try await set(rig, [1], in: NodeRig.anId)["error"] == ["type": "Unauthorized"])
    let context = rig.node.makeContext()
    let stream = try await rig.follow()
    _ = try await rig.subscribe(try await stream.connect(), contexts: [context])
    _ = try await set(rig, [1], in: context)
    _ = try await stream.event()
    _ = try await rig.send(.post, "/admin-api/contexts/\(context)/leave", json: [:])
    #expect(try await stream.event()?["data"] == ["author": .string(rig.node.signingKey), "removed": true])
    #expect(try await set(rig, [1], in: context)["error"] == ["type": "NoOwnedIdentity"])
  }

  @Test("whoever subscribes is told who is present, with ages, before the answer and on that stream only")
  func replay() async throws {
    let rig = NodeRig()
    let context = rig.node.makeContext()
    let first = try await rig.follow()
    _ = try await rig.subscribe(try await first.connect(), contexts: [context])
    rig.node.setPresence(in: context, author: "peer", account: NodeRig.anId, state: [9])
    #expect(
      try await first.event()?["data"]
        == ["author": "peer", "account": .string(NodeRig.anId), "state": [9]])
    rig.clock.jump(by: 1.5)
    let second = try await rig.follow()
    _ = try await rig.subscribe(try await second.connect(), contexts: [context])
    #expect(
      try await second.event()?["data"]
        == ["author": "peer", "account": .string(NodeRig.anId), "state": [9], "ageMs": 1_500])
    rig.node.removePresence(in: context, author: "peer")
    #expect(try await first.event()?["data"] == ["author": "peer", "removed": true])
  }

  @Test(
    "a peer that is not heard from for seven seconds is gone, by the clock alone; the node's own slot stays")
  func expiry() async throws {
    let rig = NodeRig()
    let context = rig.node.makeContext()
    let stream = try await rig.follow()
    _ = try await rig.subscribe(try await stream.connect(), contexts: [context])
    _ = try await set(rig, [1], in: context)
    rig.node.setPresence(in: context, author: "peer", state: [9])
    _ = try await stream.event()
    _ = try await stream.event()
    await rig.clock.waitForSleepers(2)
    await rig.clock.advance(by: 6)
    // The same slice again is no news, and keeps it alive.
    rig.node.setPresence(in: context, author: "peer", state: [9])
    await rig.clock.advance(by: 6.9)
    #expect(rig.node.presence(in: context) == ["peer": [9], rig.node.signingKey: [1]])
    await rig.clock.advance(by: 0.2)
    #expect(try await stream.event()?["data"] == ["author": "peer", "removed": true])
    await rig.clock.advance(by: 60)
    #expect(rig.node.presence(in: context) == [rig.node.signingKey: [1]])
  }

  @Test("a context holds 512 authors, and the stalest makes room")
  func eviction() async throws {
    let rig = NodeRig()
    let context = rig.node.makeContext()
    for number in 0..<513 {
      rig.node.setPresence(in: context, author: "peer \(number)", state: [1])
      rig.clock.jump(by: 0.001)
    }
    let present = rig.node.presence(in: context)
    #expect(present.count == 512)
    #expect(present["peer 0"] == nil)
    #expect(rig.node.sentEvents.last { $0.data["removed"] == true }?.data["author"] == "peer 0")
  }
}
