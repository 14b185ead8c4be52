import Foundation
import MeroCrypto
import MeroHTTP
import MeroWire

/// Hosting of namespaces (40 §4.6, §18.2, 30 §16.2).
extension FakeManager {
  private static let claimDomain = Array("calimero.mdma.account-ownership-claim.v1".utf8) + [0]
  private static let longestClaim: Int64 = 300_000

  func host(
    _ request: FakeRequest, account: String, namespace: String
  ) throws(NodeRefusal) -> HTTPResponse {
    let claim = try claim(request, account: account)
    try check(claim, account: account, namespace: namespace)
    let now = milliseconds
    let refusal = try state.withLock { state throws(NodeRefusal) -> NodeRefusal? in
      let nonce = claim["nonce"]?.stringValue ?? ""
      guard (try? Hex.decode(nonce, count: 16)) != nil, state.claimNonces.insert(nonce).inserted else {
        throw .cloud(403, "the claim was used before")
      }
      if let refusal = (state.billing[account] ?? Billing()).reason(against: namespace) { return refusal }
      state.hosted.append(namespace)
      if let node = state.hostingNode {
        state.routings[namespace] = Routing(nodes: [node], servable: true, writable: true)
      }
      return nil
    }
    if let refusal { throw refusal }
    return .json(
      200,
      ["status": "enabled", "namespace_id": .string(namespace), "enabled_at_ms": JSONValue(now)])
  }

  /// The claim of a body whose signature holds.
  private func claim(_ request: FakeRequest, account: String) throws(NodeRefusal) -> JSONValue {
    guard let body = (try? JSONValue(parsing: request.body))?.objectValue,
      body.keys == ["ownership_proof"], let proof = body["ownership_proof"]?.objectValue,
      Set(proof.keys) == ["kind", "credential", "signed_payload", "signature"],
      proof["kind"]?.stringValue == "account", let text = proof["credential"]?.stringValue,
      let payload = proof["signed_payload"]?.stringValue.flatMap({ Data(base64Encoded: $0) }),
      let signature = proof["signature"]?.stringValue
    else { throw .cloudFields("the body must be an account's ownership proof, and nothing else") }
    guard let credential = try? DeviceCredential(hex: text, field: "credential"),
      Hex.encode(credential.account) == account
    else { throw .cloud(403, "the credential is not one of this account") }
    guard Self.isSigned(Self.claimDomain + Array(payload), signature, by: credential) else {
      throw .cloud(403, "the claim's signature does not verify")
    }
    guard let claim = try? JSONValue(parsing: payload) else {
      throw .cloud(403, "what was signed is not JSON")
    }
    return claim
  }

  private func check(_ claim: JSONValue, account: String, namespace: String) throws(NodeRefusal) {
    let texts = [
      "audience": "mdma:enable-ha-namespace-as-account", "group_id": namespace, "account_id": account,
    ]
    guard claim["v"]?.int64 == 1, texts.allSatisfy({ claim[$0.key]?.stringValue == $0.value }) else {
      throw .cloud(403, "the claim is about something else")
    }
    guard let founder = try? Hex.decode(account, count: 32),
      let salt = claim["salt"]?.stringValue.flatMap({ try? Hex.decode($0, count: 32) }),
      Hex.encode(domainHash("calimero.namespace.id.v1", [founder, salt])) == namespace
    else { throw .cloud(403, "the account did not found this namespace") }
    guard let issued = claim["issued_at_ms"]?.int64, let end = claim["expires_at_ms"]?.int64,
      end > milliseconds, end > issued, end - issued <= Self.longestClaim
    else { throw .cloud(403, "the claim is too old, or good for too long") }
    if let relay = claim["relay_url"] {
      guard let length = relay.stringValue?.count, (1...1024).contains(length) else {
        throw .cloud(403, "the claim's relay has no address")
      }
    }
  }
}

extension FakeManager.Billing {
  /// Why this namespace is not hosted; nil when it is.
  func reason(against namespace: String) -> NodeRefusal? {
    if let refusal { return Self.refusal(refusal) }
    switch linkedUsers {
    case 0: return Self.refusal("account_not_linked")
    case 1: break
    default: return Self.refusal("account_linked_to_several_users")
    }
    guard let pending, pending != namespace else { return nil }
    return Self.refusal("ha_request_pending", ["namespace_id": .string(pending)])
  }

  private static func refusal(_ code: String, _ more: JSONObject = [:]) -> NodeRefusal {
    let status = ["unknown_relay", "relay_not_dialable"].contains(code) ? 422 : 409
    var detail: JSONObject = ["error": .string(code), "message": "the namespace is not hosted"]
    for (name, value) in more { detail[name] = value }
    return NodeRefusal(status, code, .json(["detail": .object(detail)]))
  }
}
