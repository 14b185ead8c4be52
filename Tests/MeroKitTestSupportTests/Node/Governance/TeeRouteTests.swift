import Foundation
import MeroCrypto
import MeroHTTP
import MeroTrust
import MeroWire
import Testing

@testable import MeroKitTestSupport

@Suite("Attestation of a fake node")
struct TeeRouteTests {
  static let pki = TestPKI(seed: 11, now: Date(timeIntervalSince1970: 1_790_000_000))
  static let nonce = String(repeating: "5a", count: 32)

  func attested() -> NodeRig {
    let clock = FakeClock()
    return NodeRig(
      FakeNode(url: "http://localhost:2528", tdx: Self.pki, clock: clock.clock, seed: 7), clock)
  }

  @Test("off such hardware nothing is attested: 500, 501")
  func noHardware() async throws {
    let rig = NodeRig()
    #expect(try await rig.get("/tee/info", as: .nobody).status == 500)
    #expect(try await rig.post("/tee/attest", ["nonce": .string(Self.nonce)], as: .nobody).status == 501)
    #expect(try await rig.get("/tee/release", as: .nobody).status == 501)
  }

  @Test("a quote verifies under the test's root, with the node's key bound to the nonce")
  func attests() async throws {
    let rig = attested()
    let request: JSONValue = ["nonce": .string(Self.nonce), "bindNodeKey": true, "includeCollateral": true]
    let answer = try await rig.post("/tee/attest", request, as: .nobody).data
    #expect(answer["boundPublicKey"]?.stringValue == rig.node.signingKey)
    let quote = try #require(Data(base64Encoded: answer["quoteB64"]?.stringValue ?? ""))
    let parsed = try TDXQuote(Array(quote))
    let key = try Hex.decode(rig.node.signingKey)
    let suffix = ReportData.nodeKeyBinding(application: nil, key: key)
    #expect(Array(parsed.report.reportData) == (try Hex.decode(Self.nonce)) + suffix)
    #expect(answer["quote"]?["body"]?["mrtd"]?.stringValue == Hex.encode(parsed.report.mrTd))
    #expect(answer["quote"]?["body"]?["reportdata"]?.stringValue == Hex.encode(parsed.report.reportData))
    #expect(answer["collateral"]?["tcb_info"]?.stringValue != nil)
    let verified = try TDXQuote.reportData(of: Array(quote))
    #expect(verified == Array(parsed.report.reportData))
  }

  @Test("a mock quote says what it is, and has no collateral")
  func mocks() async throws {
    let rig = NodeRig()
    rig.node.present(.mock)
    let request: JSONValue = [
      "nonce": .string(Self.nonce), "bindTransportKey": true, "includeCollateral": true,
    ]
    let answer = try await rig.post("/tee/attest", request, as: .nobody).data
    let quote = try #require(Data(base64Encoded: answer["quoteB64"]?.stringValue ?? ""))
    #expect(MockQuote.isMock(quote))
    let key = try Hex.decode(try #require(answer["transportPublicKey"]?.stringValue))
    let expected = (try Hex.decode(Self.nonce)) + ReportData.transportBinding(inner: nil, key: key)
    #expect(try MockQuote.reportData(of: quote) == expected)
    #expect(answer["collateral"] == nil)
  }

  @Test("a nonce that is not 32 bytes is 400, and an application that is not installed 404")
  func refusals() async throws {
    let rig = attested()
    #expect(try await rig.post("/tee/attest", ["nonce": "00"], as: .nobody).status == 400)
    let request: JSONValue = ["nonce": .string(Self.nonce), "applicationId": .string(NodeRig.anId)]
    #expect(try await rig.post("/tee/attest", request, as: .nobody).status == 404)
    let old: JSONValue = ["nonce": .string(Self.nonce), "bindTlsKey": true]
    #expect(try await rig.post("/tee/attest", old, as: .nobody).status == 400)
    #expect(
      try await rig.post("/tee/registration-attest", ["nonce": .string(Self.nonce)], as: .nobody).status
        == 401)
    #expect(try await rig.post("/tee/registration-attest", ["nonce": .string(Self.nonce)]).status == 200)
  }

  @Test("a release is the signed text as it is, and fails as it is told to")
  func releases() async throws {
    let rig = attested()
    let release = try await rig.get("/tee/release", as: .nobody).data
    #expect(release["version"]?.stringValue == TestPKI.release)
    #expect(release["publishedMrtds"]?.stringValue == Self.pki.release(TestPKI.release).publishedMrtds)
    rig.node.failRelease(.fetchFailed)
    #expect(try await rig.get("/tee/release", as: .nobody).status == 502)
    rig.node.failRelease(.backingOff(30))
    let waiting = try await rig.get("/tee/release", as: .nobody)
    #expect(waiting.status == 503)
    #expect(waiting.headers["retry-after"] == "30")
    rig.node.failRelease(.noneNamed)
    #expect(try await rig.get("/tee/release", as: .nobody).status == 501)
  }

  static let mrtd = JSONValue.string(String(repeating: "ab", count: 48))

  @Test("a policy lists measurements or names signed releases, never both, and belongs to the root")
  func policies() async throws {
    let rig = NodeRig()
    let namespace = rig.node.makeNamespace()
    let group = try await rig.makeGroup(in: namespace)
    let path = "/groups/\(namespace)/settings/tee-admission-policy"
    #expect(try await rig.get(path).json["enabled"] == false)
    let release: JSONValue = ["signedRelease": ["allowedProfiles": ["locked-read-only"]], "mode": "relay"]
    #expect(try await rig.put("/groups/\(group)/settings/tee-admission-policy", release).status == 400)
    #expect(try await rig.put(path, release).json == [:])
    let policy = try await rig.get(path).json
    #expect(policy["enabled"] == true)
    #expect(policy["mode"] == "relay")
    #expect(policy["signedRelease"] == ["allowedProfiles": ["locked-read-only"]])
    var lists: JSONObject = [
      "allowedMrtd": [Self.mrtd], "allowedRtmr1": [Self.mrtd], "allowedRtmr2": [Self.mrtd],
    ]
    let missing = try await rig.put(path, .object(lists))
    #expect(missing.status == 400)
    #expect(missing.error?.contains("allowed_rtmr3") == true)
    lists["allowedRtmr3"] = [Self.mrtd]
    #expect(try await rig.put(path, .object(lists)).json == [:])
    lists["signedRelease"] = release["signedRelease"]
    #expect(try await rig.put(path, .object(lists)).status == 400)
  }

  @Test("an attested node is let in by a policy that accepts it, in the policy's role")
  func admits() async throws {
    let pair = NodePair()
    let namespace = pair.alice.node.makeNamespace()
    let join: JSONValue = ["groupId": .string(namespace)]
    pair.bob.node.present(.mock)
    #expect(try await pair.bob.post("/tee/fleet-join", join).json["admitted"] == false)
    let policy: JSONValue = [
      "signedRelease": ["allowedProfiles": ["locked-read-only"]], "acceptMock": true, "mode": "relay",
    ]
    _ = try await pair.alice.put("/groups/\(namespace)/settings/tee-admission-policy", policy)
    #expect(try await pair.bob.post("/tee/fleet-join", join).json["status"] == "admitted")
    #expect(try await pair.alice.members(of: namespace)[pair.bob.node.account] == "RelayTee")
    let path = "/groups/\(namespace)/members/\(pair.bob.node.account)/role"
    #expect(try await pair.alice.put(path, ["role": "Member"]).status == 403)
  }

  @Test("the authoring policy is the owner's and counts")
  func authoring() async throws {
    let rig = NodeRig()
    let namespace = rig.node.makeNamespace()
    let path = "/admin-api/groups/\(namespace)/settings/tee-authoring-policy"
    #expect(try await rig.send(.put, path, json: ["allowedMrtd": [Self.mrtd]]).json == [:])
    #expect(try await rig.send(.delete, path).json == [:])
    #expect(try await rig.get("/groups/\(namespace)").data["ownerOpCounter"] == 2)
  }
}
