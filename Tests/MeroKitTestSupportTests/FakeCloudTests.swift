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

  @Test("a token tells those to come where a seed made it, and nothing where none was given, also of a restarted one")
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
      return zip(states, states.dropFirst()).allSatisfy { $1 &- $0 == 0x9E37_79B9_7F4A_7C15 }
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
}
