import Foundation
import MeroCrypto
import MeroWire

// An operator's signature over one request (70 §2.12).

extension ClusterState {
  private static let questionLifetime: Int64 = 5 * 60_000

  func isOperator(_ account: AccountRecord) -> Bool {
    operators.values.contains { $0.account === account }
  }

  /// The check of the role for what operators do: 403 for everybody else.
  func requireOperator(_ caller: Caller) throws {
    guard isOperator(caller.account) else {
      throw Refusal(403, "NOT_OPERATOR", "the caller is not on the operator roster")
    }
  }

  /// Goes on only when a key of the roster signed this very request.
  ///
  /// - Parameter summary: one line that says what is signed.
  /// - Returns: the signature and what it is over, to be kept as evidence.
  func requireOperatorSignature(
    _ x: Exchange, by caller: Caller, _ summary: String
  ) throws -> SignedRequest {
    if waivesQuestions { return unsigned(x, by: caller) }
    if confirmedToo.contains(x.operation.id) { try requireConfirmation(x, by: caller) }
    guard let header = x.headers["x-calimero-operator-signature"] else {
      throw signatureRequired(x, caller, summary, reason: nil)
    }
    let parts = header.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
    guard parts.count == 4, parts[0] == "v1", let question = signings[parts[1]],
      let signature = try? Base64URL.decode(parts[3])
    else { throw Refusal.signatureRejected("mismatch") }
    let answer = SignedRequest(key: parts[2], signature: signature, of: x, question)
    guard question.account === caller.account,
      question.request == boundRequest(x, domain: "", times: [], nonce: [])
    else { throw Refusal.signatureRejected("mismatch") }
    if let spent = question.spent {
      let isRepeat = spent.key == answer.key && ConstantTime.equal(spent.signature, signature)
      guard isRepeat, x.now < spent.at + Self.repeatOfAnswered else {
        throw Refusal.signatureRejected("spent")
      }
      return answer
    }
    guard x.now < question.expiresAt else { throw signatureRequired(x, caller, summary, reason: "expired") }
    guard operators[answer.key] != nil, let bytes = try? Hex.decode(answer.key),
      let key = try? Ed25519.PublicKey(bytes: bytes)
    else { throw Refusal.signatureRejected("key") }
    guard key.isValid(signature, for: question.statement) else {
      throw Refusal.signatureRejected("signature")
    }
    question.spent = (x.now, answer.key, signature)
    return answer
  }

  /// The caller's word as if it were signed, for a cluster that asks nobody.
  private func unsigned(_ x: Exchange, by caller: Caller) -> SignedRequest {
    let key = operators.values.first { $0.account === caller.account }?.id ?? ""
    return SignedRequest(
      key: key, signature: [], method: x.operation.method, path: x.target, body: x.body, issuedAt: x.now,
      expiresAt: x.now, nonce: [])
  }

  private func signatureRequired(
    _ x: Exchange, _ caller: Caller, _ summary: String, reason: String?
  ) -> Refusal {
    if signings.count > 1000 {
      signings = signings.filter { x.now < $0.value.expiresAt + Self.repeatOfAnswered }
    }
    let nonce = ids.bytes(32)
    let expiresAt = x.now + Self.questionLifetime
    let id = ids.id("sgn", at: x.now)
    signings[id] = SigningRecord(
      account: caller.account, request: boundRequest(x, domain: "", times: [], nonce: []),
      statement: boundRequest(x, domain: "calimero/operator/1", times: [x.now, expiresAt], nonce: nonce),
      nonce: nonce, issuedAt: x.now, expiresAt: expiresAt)
    var details: JSONObject = [
      "signingId": .string(id), "action": .string(x.operation.id), "issuedAt": JSONValue(x.now),
      "expiresAt": JSONValue(expiresAt), "nonce": .string(Hex.encode(nonce)), "summary": .string(summary),
    ]
    details["reason"] = reason.map { .string($0) }
    return Refusal(
      428, "OPERATOR_SIGNATURE_REQUIRED", "an operator has to sign this request", details: .object(details))
  }
}

extension Refusal {
  static func signatureRejected(_ reason: String) -> Refusal {
    Refusal(
      403, "OPERATOR_SIGNATURE_REJECTED", "the operator's signature does not hold: \(reason)",
      details: ["reason": .string(reason)])
  }
}

extension FakeCloud {
  /// Puts an operator on the roster: an Ed25519 public key of 32 bytes and the account that goes with it, which has to
  /// exist.
  public func addOperator(_ name: String, key: [UInt8]) {
    precondition(key.count == 32, "an operator's key has 32 bytes")
    store.withState { state in
      guard let account = state.accountsByName[name] else { return }
      state.operators.insert(
        OperatorRecord(key: Hex.encode(key), name: name, account: account, addedAt: store.now))
    }
  }

  /// Has an operation that takes an operator's signature ask for a passkey as well. No operation of the document needs
  /// both; a client has to be ready for one that does (70 §2.12).
  public func demandConfirmation(of operation: String) {
    store.withState { _ = $0.confirmedToo.insert(operation) }
  }
}
