import Foundation
import MeroWire
import Testing

@testable import MeroKit

@Suite("Kept presence")
struct KeptPresenceTests {
  private func seed(_ rig: SseMachineRig, _ context: String = "a") -> [JSONValue] {
    rig.machine.presenceSeed(context, at: rig.now).map(\.data)
  }

  @Test(
    "the vectors' timelines give the vectors' seeds", arguments: NodeVectors.group("presenceSeed"))
  func vectors(vector: NodeVector) throws {
    var rig = SseMachineRig.online()
    var context = ""
    var checks = 0
    for step in vector.json["steps"]?.arrayValue ?? [] {
      rig.now = (step["atMs"]?.double ?? 0) / 1000
      if let id = step["contextId"]?.stringValue { context = id }
      switch step["do"]?.stringValue {
      case "subscribe": _ = rig.want(context)
      case "unsubscribe": _ = rig.unwant(context)
      case "frame": _ = rig.connected(step["frame"]?["session_id"]?.stringValue ?? "")
      default: break
      }
      if let event = step["event"] { _ = rig.presence(context, event) }
      if let expected = step["expectSeed"]?.arrayValue {
        #expect(seed(rig, context) == expected)
        checks += 1
      }
    }
    #expect(checks == 5)
  }

  @Test("presence of a context nobody wants is not kept")
  func unwanted() {
    var rig = SseMachineRig.online("a")
    _ = rig.presence("b", ["author": "x", "state": [1]])
    #expect(seed(rig, "b") == [])
  }

  @Test("a live update has no age, and its seed counts from when it came")
  func live() {
    var rig = SseMachineRig.online("a")
    let live: JSONValue = ["author": "x", "state": [1]]
    guard case .deliver(let event)? = rig.presence("a", live).first else { return #expect(Bool(false)) }
    #expect(event.data["ageMs"] == nil)
    rig.now = 0.25
    #expect(seed(rig) == [["author": "x", "state": [1], "ageMs": 250]])
  }

  @Test("an update takes the place of the one before, and its age with it")
  func replaced() {
    var rig = SseMachineRig.online("a")
    _ = rig.presence("a", ["author": "x", "account": "k", "state": [1], "ageMs": 6000])
    _ = rig.presence("a", ["author": "y", "state": [2]])
    rig.now = 1
    _ = rig.presence("a", ["author": "x", "state": [3]])
    #expect(
      seed(rig) == [
        ["author": "y", "state": [2], "ageMs": 1000], ["author": "x", "state": [3], "ageMs": 0],
      ])
  }

  @Test("an interruption keeps what is known until the new connection is there")
  func interruption() {
    var rig = SseMachineRig.online("a")
    _ = rig.presence("a", ["author": "x", "state": [1]])
    _ = rig.ended(.network("away"))
    #expect(seed(rig).count == 1)
    rig.send(.elapsed(.reconnect))
    #expect(seed(rig).count == 1)
    _ = rig.connected("2")
    #expect(seed(rig) == [])
  }

  @Test("one of two who leave a context takes nothing with it")
  func shared() {
    var rig = SseMachineRig.online("a")
    _ = rig.want("a")
    _ = rig.presence("a", ["author": "x", "state": [1]])
    _ = rig.unwant("a")
    #expect(seed(rig).count == 1)
    _ = rig.unwant("a")
    #expect(seed(rig) == [])
  }

  @Test(
    "no more is kept than a node keeps: 512 authors, the stalest goes; no state of more than 16,384 bytes")
  func bounds() {
    var rig = SseMachineRig.online("a")
    for author in 0..<600 { _ = rig.presence("a", ["author": .string("\(author)"), "state": [1]]) }
    #expect(seed(rig).count == 512)
    #expect(seed(rig).first?["author"] == "88")
    _ = rig.presence("a", ["author": "big", "state": JSONValue(bytes: [UInt8](repeating: 1, count: 16_385))])
    #expect(seed(rig).last?["author"] == "599")
    _ = rig.presence(
      "a", ["author": "full", "state": JSONValue(bytes: [UInt8](repeating: 1, count: 16_384))])
    #expect(seed(rig).last?["author"] == "full")
  }

  @Test("an entry without an author or a state is not kept, and an age that cannot be is none")
  func misshapen() {
    var rig = SseMachineRig.online("a")
    _ = rig.presence("a", ["state": [1]])
    _ = rig.presence("a", ["author": "x"])
    _ = rig.presence("a", ["author": "x", "state": "y"])
    #expect(seed(rig) == [])
    _ = rig.presence("a", ["author": "x", "state": [1], "ageMs": -5])
    _ = rig.presence("a", ["author": "y", "state": [1], "ageMs": 9_223_372_036_854_775_807])
    rig.now = 0.001
    #expect(seed(rig).first?["ageMs"] == 1)
    #expect((seed(rig).last?["ageMs"]?.int ?? 0) > 0)
  }
}
