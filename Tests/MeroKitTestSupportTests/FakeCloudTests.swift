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
}
