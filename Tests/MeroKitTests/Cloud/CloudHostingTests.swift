import Foundation
import MeroHTTP
import MeroKitTestSupport
import MeroWire
import Testing

@testable import MeroKit

@Suite("Asking the cloud to host a namespace")
struct CloudHostingTests {
  private let rig = CloudRig()
  private let salt = String(repeating: "5c", count: 32)

  private func namespace() throws -> String {
    try GovernanceOps.namespaceId(founder: rig.wallet.account, salt: salt)
  }

  @discardableResult
  private func enable(
    over transport: (any HTTPTransport)? = nil, salt: String? = nil, relayURL: String? = "https://relay.test",
    ttlMs: UInt64 = 60_000, shouting: Bool = false
  ) async throws -> JSONValue {
    let device = try rig.device()
    let namespace = try namespace()
    return try await rig.anonymousCloud(transport).enableHaAsAccount(
      namespaceId: shouting ? namespace.uppercased() : namespace, salt: salt ?? self.salt,
      accountId: shouting ? rig.wallet.account.uppercased() : rig.wallet.account,
      credential: device.credential, keys: device.keys, relayURL: relayURL, ttlMs: ttlMs)
  }

  /// What the cloud was sent: the body, and the text that was signed.
  private func sent() throws -> (body: JSONObject, payload: JSONValue) {
    let request = try #require(rig.manager.log.last)
    let body = try #require(try JSONValue(parsing: request.body).objectValue)
    let payload = try #require(
      body["ownership_proof"]?["signed_payload"]?.stringValue.flatMap { Data(base64Encoded: $0) })
    return (body, try JSONValue(parsing: payload))
  }

  @Test("40 §19 #11: ids go in lower case, the claim's members in their order, and it is good for a minute")
  func claim() async throws {
    let answer = try await enable(shouting: true)
    let namespace = try namespace()
    #expect(answer["status"] == "enabled")
    #expect(answer["namespace_id"] == .string(namespace))
    #expect(
      rig.manager.log.map(\.line) == [
        "POST /api/cloud/accounts/\(rig.wallet.account)/namespaces/\(namespace)/enable-ha"
      ])
    let payload = try sent().payload
    #expect(
      payload.objectValue?.keys == [
        "v", "audience", "group_id", "account_id", "salt", "nonce", "issued_at_ms", "expires_at_ms",
        "relay_url",
      ])
    let issued = try #require(payload["issued_at_ms"]?.int64)
    let end = try #require(payload["expires_at_ms"]?.int64)
    #expect(end - issued == 60_000)
    #expect(rig.manager.hosted == [namespace])
    #expect(rig.manager.violations.isEmpty)
  }

  @Test("40 §19 #12: a claim that is good for too long, a bad salt and an empty relay are not sent")
  func badInput() async {
    #expect(await AccountErrorKind.of { try await enable(ttlMs: 300_001) } == .invalidInput)
    #expect(await AccountErrorKind.of { try await enable(ttlMs: 0) } == .invalidInput)
    #expect(await AccountErrorKind.of { try await enable(salt: "5c") } == .invalidInput)
    #expect(await AccountErrorKind.of { try await enable(relayURL: "") } == .invalidInput)
    #expect(rig.manager.log.isEmpty)
  }

  @Test("40 §19 #13: the relay stands inside the claim, and the body has nothing beside it")
  func relayInside() async throws {
    try await enable()
    let sent = try sent()
    #expect(sent.body.keys == ["ownership_proof"])
    #expect(sent.payload["relay_url"] == "https://relay.test")
    #expect(rig.manager.log.last?.headers["content-type"] == "application/json")
    #expect(rig.manager.log.last?.headers["authorization"] == nil)
  }

  @Test(
    "40 §19 #14: the three ways a code is spelled mean the same",
    arguments: [
      #"{"error":"account_not_linked"}"#, #"{"detail":"account_not_linked"}"#,
      #"{"detail":{"error":"account_not_linked","message":"m"}}"#,
    ])
  func spellings(_ body: String) async throws {
    let cloud = ScriptedNode { _ in .json(body, status: 409) }
    await #expect(throws: AccountError.haRefused(code: "account_not_linked", status: 409, body: body)) {
      try await enable(over: cloud)
    }
  }

  @Test(
    "40 §19 #15: any other refusal is the cloud's answer as it is",
    arguments: [
      (409, #"{"error":"something_new"}"#), (422, #"{"detail":[{"msg":"field required"}]}"#),
      (403, #"{"detail":"account_not_linked"}"#), (409, #"{"error":"unknown_relay"}"#), (402, ""), (500, "x"),
    ])
  func otherRefusals(_ status: Int, _ body: String) async throws {
    let cloud = ScriptedNode { _ in .json(body, status: status) }
    let error = await #expect(throws: MeroError.self) { try await enable(over: cloud) }
    #expect(error?.httpStatus == status)
  }

  @Test(
    "40 §19 #16: the cloud's own refusals are told apart by their code",
    arguments: ["unknown_relay", "relay_not_dialable"])
  func relayRefusals(_ code: String) async throws {
    rig.manager.refuseHosting(code, of: rig.wallet.account)
    let error = await #expect(throws: AccountError.self) { try await enable() }
    guard case .haRefused(code, 422, .some) = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(error?.description == CloudClient.haRefusalMessages[code])
  }

  @Test("who pays and what waits decide about hosting, and the text says what to do")
  func billing() async throws {
    rig.manager.setLinkedUsers(0, of: rig.wallet.account)
    let unlinked = await #expect(throws: AccountError.self) { try await enable() }
    #expect(unlinked?.description == CloudClient.haAccountNotLinkedMessage)
    rig.manager.setLinkedUsers(1, of: rig.wallet.account)
    let waiting = String(repeating: "ee", count: 32)
    rig.manager.setPendingHosting(waiting, of: rig.wallet.account)
    let pending = await #expect(throws: AccountError.self) { try await enable() }
    #expect(pending?.description.hasSuffix("\(waiting).") == true)
    #expect(rig.manager.hosted.isEmpty)
  }

  @Test("every code that is explained is explained without a bare status")
  func messages() {
    #expect(
      Set(CloudClient.haRefusalMessages.keys) == [
        "account_not_linked", "account_linked_to_several_users", "ha_request_pending", "unknown_relay",
        "relay_not_dialable",
      ])
    #expect(CloudClient.haRefusalMessages.values.allSatisfy { !$0.contains("HTTP") })
    #expect(Set(CloudClient.haRefusalMessages.values).count == 5)
  }
}
