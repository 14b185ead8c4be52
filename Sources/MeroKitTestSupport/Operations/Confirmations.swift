import Foundation
import MeroCrypto
import MeroWire

// A person's passkey for one request (70 §2.11).

extension ClusterState {
  private static let questionLifetime: Int64 = 5 * 60_000
  /// How long the same request may come again with a confirmation or signature that is spent.
  static let repeatOfAnswered: Int64 = 60_000

  /// Goes on only when a passkey of the caller's account confirmed this very request. Called last of the checks but
  /// those of the operator's signature and the quota, so that nobody is asked in vain (70 §2.8).
  func requireConfirmation(_ x: Exchange, by caller: Caller) throws {
    guard caller.key == nil else { throw Refusal.humanRequired }
    if waivesQuestions { return }
    guard let header = x.headers["x-calimero-confirm"] else { throw confirmRequired(x, caller, reason: nil) }
    let parts = header.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
    guard parts.count == 3, parts[0] == "v1", let question = confirmations[parts[1]],
      let bytes = try? Base64URL.decode(parts[2]),
      let credential = try? JSONValue(parsing: Data(bytes)).objectValue
    else { throw Refusal.confirmRejected("mismatch") }
    guard question.account === caller.account,
      question.challenge == challenge(x, nonce: question.nonce, expiresAt: question.expiresAt)
    else { throw Refusal.confirmRejected("mismatch") }
    if let spent = question.spent {
      guard ConstantTime.equal(Array(spent.answer.utf8), Array(parts[2].utf8)),
        x.now < spent.at + Self.repeatOfAnswered
      else { throw Refusal.confirmRejected("spent") }
      return
    }
    guard x.now < question.expiresAt else { throw confirmRequired(x, caller, reason: "expired") }
    // Good once, whatever comes of it.
    question.spent = (.min / 2, "")
    guard let passkey = passkeysByCredential[credential["id"]?.stringValue ?? ""],
      passkey.account === caller.account
    else { throw Refusal.confirmRejected("credential") }
    do {
      _ = try verify(credential, challenge: question.challenge, of: caller.account, at: x.now)
    } catch { throw Refusal.confirmRejected("signature") }
    question.spent = (x.now, parts[2])
  }

  private func confirmRequired(_ x: Exchange, _ caller: Caller, reason: String?) -> Refusal {
    if confirmations.count > 1000 {
      confirmations = confirmations.filter { x.now < $0.value.expiresAt + Self.repeatOfAnswered }
    }
    let nonce = ids.bytes(32)
    let expiresAt = x.now + Self.questionLifetime
    let challenge = challenge(x, nonce: nonce, expiresAt: expiresAt)
    let id = ids.id("crq", at: x.now)
    confirmations[id] = ConfirmationRecord(
      account: caller.account, nonce: nonce, challenge: challenge, expiresAt: expiresAt)
    let allowed = caller.account.passkeys.map {
      ["type": "public-key", "id": .string($0.credentialId)] as JSONValue
    }
    var details: JSONObject = [
      "confirmId": .string(id), "action": .string(x.operation.id), "expiresAt": JSONValue(expiresAt),
      "nonce": .string(Hex.encode(nonce)),
      "options": [
        "challenge": .string(Base64URL.encode(challenge)), "rpId": .string(relyingParty.id),
        "timeout": JSONValue(Self.questionLifetime), "allowCredentials": .array(allowed),
        "userVerification": "required",
      ],
    ]
    details["reason"] = reason.map { .string($0) }
    return Refusal(
      412, "CONFIRM_REQUIRED", "a passkey has to confirm this request", details: .object(details))
  }

  private func challenge(_ x: Exchange, nonce: [UInt8], expiresAt: Int64) -> [UInt8] {
    SHA256.hash(
      boundRequest(x, domain: "calimero/confirm/1", times: [expiresAt], nonce: nonce))
  }

  /// The bytes that a confirmation's challenge hashes and that an operator signs: cluster, time and the whole request.
  func boundRequest(_ x: Exchange, domain: String, times: [Int64], nonce: [UInt8]) -> [UInt8] {
    func little(_ value: UInt64, _ count: Int) -> [UInt8] {
      (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * UInt64($0))) }
    }
    func text(_ text: String) -> [UInt8] { little(UInt64(text.utf8.count), 4) + Array(text.utf8) }
    let moments = times.flatMap { little(UInt64(bitPattern: $0), 8) }
    return Array(domain.utf8) + clusterId + moments + nonce + text(x.operation.method) + text(x.target)
      + SHA256.hash(Array(x.body))
  }
}

extension Refusal {
  static func confirmRejected(_ reason: String) -> Refusal {
    Refusal(
      403, "CONFIRM_REJECTED", "the confirmation does not hold: \(reason)",
      details: ["reason": .string(reason)])
  }
}
