import Foundation
import MeroHTTP
import MeroWire

/// Asks the cloud to host a namespace (40 §4.6).
extension CloudClient {
  /// Asks the cloud to host a namespace that the account has founded, so that people without a node can find it.
  ///
  /// The claim is signed by the device, and says everything: that the relay stands inside it keeps anybody from putting
  /// another one in.
  ///
  /// - Parameters:
  ///   - salt: what the namespace's id was made from, 64 hex.
  ///   - relayURL: where the namespace was founded.
  ///   - ttlMs: milliseconds that the claim is good, at most 300,000.
  /// - Returns: the cloud's answer.
  /// - Throws: ``AccountError/invalidInput(_:)`` before anything is sent; ``AccountError/haRefused(code:status:body:)`` for
  ///   a refusal that ``haRefusalMessages`` explains; ``MeroError/http(_:)`` for any other.
  @discardableResult
  public func enableHaAsAccount(
    namespaceId: String, salt: String, accountId: String, credential: String, keys: DeviceKeys,
    relayURL: String? = nil, ttlMs: UInt64 = AccountHaClaim.lifetime
  ) async throws -> JSONValue {
    let claim = try AccountHaClaim(
      namespaceId: namespaceId, accountId: accountId, salt: salt, relayURL: relayURL, now: clock.now(),
      lifetime: ttlMs, random: random)
    let proof = try claim.signed(credential: credential, keys: keys)
    do {
      return try await json(
        .post,
        "/api/cloud/accounts/\(Self.segment(accountId))/namespaces/\(Self.segment(namespaceId))/enable-ha",
        body: ["ownership_proof": proof.json])
    } catch MeroError.http(let refusal) {
      guard let code = Self.refusalCode(refusal.bodyText),
        Self.haRefusals[refusal.status]?.contains(code) == true
      else { throw MeroError.http(refusal) }
      throw AccountError.haRefused(code: code, status: refusal.status, body: refusal.bodyText)
    }
  }

  /// The codes of refusals that have a meaning for a person, by status.
  private static let haRefusals: [Int: Set<String>] = [
    409: ["account_not_linked", "account_linked_to_several_users", "ha_request_pending"],
    422: ["unknown_relay", "relay_not_dialable"],
  ]

  /// What a refusal to host means, by its code, in words to show. The namespace stands founded all the same.
  public static let haRefusalMessages: [String: String] = [
    "account_not_linked": haAccountNotLinkedMessage,
    "account_linked_to_several_users":
      "This account is linked to more than one Cloud login, so the cloud cannot tell whose plan pays for hosting. "
      + "Keep one link in the wallet and remove the others.",
    "ha_request_pending":
      "Another namespace of this account is still waiting to be hosted, and without a Cloud login only one may wait. "
      + "Wait for it, or sign in to the cloud and switch hosting off for it.",
    "unknown_relay":
      "The cloud does not operate the relay this namespace was founded on, so it cannot be hosted.",
    "relay_not_dialable":
      "The relay has not told the cloud its address yet. Try again shortly to have the namespace hosted.",
  ]

  /// What to do when nobody pays for the account's hosting.
  public static let haAccountNotLinkedMessage =
    "Link this account to a Cloud login in the wallet, so that people without a node can find the namespace."

  /// What a refusal means, with the namespace that is waiting when the cloud names it.
  static func haRefusalText(_ code: String, body: String?) -> String {
    guard let message = haRefusalMessages[code] else {
      return "The cloud refused to host the namespace: \(Excerpt.of(code, upTo: 100))"
    }
    guard code == "ha_request_pending", let body, let json = try? JSONValue(parsing: body) else {
      return message
    }
    let named = [json["detail"]?["namespace_id"], json["namespace_id"]].compactMap { $0?.stringValue }
    guard let waiting = named.first(where: HexField.isId) else { return message }
    return "\(message) The one that waits is \(waiting)."
  }

  /// The code of a refusal; the cloud's parts spell it in three ways (40 §3.3).
  static func refusalCode(_ body: String) -> String? {
    guard let json = try? JSONValue(parsing: body) else { return nil }
    return [json["error"], json["detail"], json["detail"]?["error"]].compactMap { $0?.stringValue }.first
  }
}
