import Foundation
import MeroHTTP
import MeroKitTestSupport
import MeroWire
import Testing

@Suite("FakeCloud")
struct FakeCloudTests {
  @Test("70 §2.27 #1: sign-up, organization, app, call, view and an event, at the node's door")
  func mainJob() async throws {
    let rig = try Rig()
    let (token, app) = try await rig.appOf("ada")
    let sent = try await rig.send(
      "POST", "/apps/\(app)/intents", #"{"method":"send_message","args":{"message":"hi"}}"#, token: token)
    #expect(
      sent.json == ["result": ["id": 9_007_199_254_740_993], "seq": 1, "replayed": false, "events": 1])
    let view = try await rig.send(
      "POST", "/apps/\(app)/views", #"{"method":"get_messages","args":{}}"#, token: token, node: 1)
    #expect(view.json["result"]?["messages"]?[0]?["text"] == "hi")
    #expect(view.json["result"]?["messages"]?[0]?["id"]?.numberValue?.text == "9007199254740993")
    let page = try await rig.send("GET", "/apps/\(app)/events", token: token, node: 2)
    #expect(page.json["events"]?[0]?["kind"] == "MessageSent")
    #expect(page.json["events"]?[0]?["data"] == ["id": 9_007_199_254_740_993, "text": "hi"])
    #expect(rig.cloud.violations == [])
    #expect(rig.cloud.log.outer.allSatisfy { $0.isSealed || $0.path == "/tee/attest" })
  }

  @Test("the same seed gives the same ids and tokens")
  func repeatable() async throws {
    let passkey = try HandPasskey.es256()
    passkey.credentialId = [UInt8](repeating: 9, count: 16)
    let one = try await Rig(seed: 3).signUp("ada", with: passkey)
    let again = try await Rig(seed: 3).signUp("ada", with: passkey)
    let other = try await Rig(seed: 4).signUp("ada", with: passkey)
    #expect(one == again)
    #expect(one["accessToken"] != other["accessToken"])
    #expect(one["accountId"]?.stringValue?.count == 30)
    #expect(one["accountId"]?.stringValue?.hasPrefix("acc_01m3250v00") == true)
  }

  @Test(
    "a token tells those to come where a seed made it, and nothing where none was given, also of a restarted one"
  )
  func unforeseeable() async throws {
    /// Whether the words of a token are steps of SplitMix64, which can be taken back.
    func isForeseeable(_ session: JSONValue) throws -> Bool {
      let token = try #require(session["accessToken"]?.stringValue)
      let bytes = try Base64URL.decode(String(token.dropFirst("cms_".count)))
      let words = stride(from: 0, to: 32, by: 8).map { start in
        bytes[start..<start + 8].reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
      }
      let states = words.map { word -> UInt64 in
        var state = word ^ (word >> 31) ^ (word >> 62)
        state = state &* 0x3196_42B2_D24D_8EC3
        state = state ^ (state >> 27) ^ (state >> 54)
        state = state &* 0x96DE_1B17_3F11_9089
        return state ^ (state >> 30) ^ (state >> 60)
      }
      let step: UInt64 = 0x9E37_79B9_7F4A_7C15
      return zip(states, states.dropFirst()).allSatisfy { one, next in one &+ step == next }
    }
    let seeded = try Rig(nodes: 1, seed: 3)
    #expect(try await isForeseeable(seeded.signUp("ada")))
    let restarted = try seeded.restarted(nodes: 1)
    #expect(try await !isForeseeable(restarted.signUp("bob")))
    #expect(restarted.cloud.seed == nil)
    let plain = try Rig(nodes: 1, seed: nil)
    #expect(try await !isForeseeable(plain.signUp("ada")))
    #expect(plain.cloud.seed == nil)
    #expect(FakeCloud(nodes: 1).seed == nil)
  }

  @Test("what a client leaves out of its headers is written down, and nothing is refused for it (70 §2.2)")
  func lapses() async throws {
    let rig = try Rig(nodes: 1)
    let (token, app) = try await rig.appOf("ada")
    let duties = [
      ("x-calimero-api", "1"), ("x-calimero-client", "hand/1"),
      ("x-calimero-request-id", "0f8fad5b-d9cb-469f-a165-70867728950e"),
    ]
    func send(_ method: String, _ path: String, _ body: String? = nil, _ more: [(String, String)])
      async throws
    {
      rig.cloud.clearLog()
      let response = try await rig.open(method, path, body, token: token, headers: duties + more)
      #expect((200..<300).contains(response.status))
      response.body.cancel()
    }
    let view = #"{"method":"get_messages","args":{}}"#
    let (json, bytes) = (("accept", "application/json"), ("content-type", "application/octet-stream"))
    try await send("POST", "/apps/\(app)/views", view, [json, ("content-type", "application/json")])
    #expect(rig.cloud.lapses == [])
    try await send("GET", "/apps/\(app)/events/stream", nil, [("accept", "text/event-stream")])
    #expect(rig.cloud.lapses == [])
    try await send("POST", "/apps/\(app)/blobs", "x", [json, ("content-type", "text/plain")])
    #expect(rig.cloud.lapses == [])
    try await send("POST", "/apps/\(app)/views", view, [])
    #expect(
      rig.cloud.lapses == [
        "app_view: accept is missing, and should be application/json",
        "app_view: content-type is missing, and should be application/json",
      ])
    try await send("GET", "/orgs", nil, [bytes, ("accept", "*/*")])
    #expect(rig.cloud.lapses.count == 2)
    rig.cloud.clearLog()
    _ = try await rig.send("GET", "/info", token: token)
    let missing = rig.cloud.lapses.map { String($0.dropFirst("public_info: ".count).prefix { $0 != " " }) }
    #expect(
      missing == ["x-calimero-api", "x-calimero-client", "x-calimero-request-id", "accept", "authorization"])
  }
}
