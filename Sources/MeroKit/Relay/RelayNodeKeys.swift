import Foundation
import MeroHTTP
import MeroTrust
import MeroWire

/// What came of asking a relay for its node key (40 §8.2).
public enum RelayNodeKeyAttempt: Sendable {
  /// The proof held; the key, 64 hex, is pinned.
  case learned(nodeKey: String)
  /// Nothing answered. Another try may well succeed.
  case unavailable(any Error)
  /// The proof did not hold. Another try changes nothing.
  case refused(any Error)
}

extension DelegatedAccounts {
  /// Asks a relay to prove its node key, once (40 §8.2).
  ///
  /// The key is never taken from the relay's own word: it stands in a quote of the hardware it runs in, made for a number that
  /// was drawn for this question.
  ///
  /// - Parameter fresh: whether to ask although a key is pinned.
  public static func attemptRelayNodeKey(
    _ relayURL: String, env: DelegatedEnvironment, fresh: Bool = false
  ) async -> RelayNodeKeyAttempt {
    if !fresh, let pinned = pinnedRelayNodeKey(relayURL, store: env.store) {
      return .learned(nodeKey: pinned)
    }
    do {
      let attestation = try await RelayAttesting(relayURL: relayURL, env: env).ask()
      let key = try await env.relayKeyVerifier.verify(attestation)
      try pinRelayNodeKey(relayURL, nodeKey: key, store: env.store)
      return .learned(nodeKey: key.lowercased())
    } catch {
      return error.isAboutReachingARelay ? .unavailable(error) : .refused(error)
    }
  }

  /// Learns a relay's node key, however long the way is down: it asks again after 1, 2, 5, 10, and then every 30 seconds
  /// (40 §8.3).
  ///
  /// - Returns: nil when the proof did not hold, or when the task is cancelled.
  public static func learnRelayNodeKey(_ relayURL: String, env: DelegatedEnvironment) async -> String? {
    var waits: [TimeInterval] = [1, 2, 5, 10]
    while !Task.isCancelled {
      switch await attemptRelayNodeKey(relayURL, env: env) {
      case .learned(let key): return key
      case .refused: return nil
      case .unavailable:
        let wait = waits.isEmpty ? 30 : waits.removeFirst()
        guard (try? await env.clock.sleep(wait)) != nil else { return nil }
      }
    }
    return nil
  }

  /// Pins a node key that was learned by other means, such as an operator's own.
  ///
  /// - Throws: ``AccountError/invalidInput(_:)`` for something that is no key.
  public static func pinRelayNodeKey(
    _ relayURL: String, nodeKey: String, store: DelegatedAccountStore
  ) throws(AccountError) {
    store.set(try HexField.text(nodeKey, "the node key"), Keys.nodeKey(relayURL))
  }

  /// The node key that is pinned for a relay; nil for none.
  public static func pinnedRelayNodeKey(_ relayURL: String, store: DelegatedAccountStore) -> String? {
    store.text(Keys.nodeKey(relayURL)).flatMap { HexField.isId($0) ? $0 : nil }
  }
}

/// Asks a relay for a quote over a number of ours (40 §4.7). It goes in the open: it is what sealing begins with.
struct RelayAttesting: Sendable {
  let relayURL: String
  let env: DelegatedEnvironment

  private static let patience: TimeInterval = 15

  /// What the relay is asked to have in its quote.
  enum Key: Sendable {
    /// The key that it signs with.
    case nodeKey
    /// The key that a sealed channel is encrypted to.
    case transportKey
  }

  func ask(for key: Key = .nodeKey) async throws -> RelayAttestation {
    guard let url = URL(string: RelayOrigin.of(relayURL)), url.host != nil else {
      throw TrustError.unavailable("the relay has no usable address")
    }
    let nonce = env.random.bytes(32)
    let http = NodeHTTP(
      baseURL: url, transport: env.transport, timeout: Self.patience, clock: env.clock, random: env.random)
    let (flag, field) =
      switch key {
      case .nodeKey: ("bindNodeKey", "boundPublicKey")
      case .transportKey: ("bindTransportKey", "transportPublicKey")
      }
    let body = JSONValue.object([
      "nonce": .string(Hex.encode(nonce)), flag: true, "includeCollateral": true,
    ])
    let response = try await http.send(
      NodeRequest(.post, "/admin-api/tee/attest", body: .json(body.data()), timeout: Self.patience))
    guard let answer = try? response.json() else {
      throw TrustError.refused(TrustRefusal(reason: .malformed, text: "the relay's attestation is not JSON"))
    }
    let data = answer["data"] ?? answer
    guard let text = data["quoteB64"]?.stringValue, let quote = Data(base64Encoded: text), !quote.isEmpty
    else {
      throw TrustError.refused(TrustRefusal(reason: .malformed, text: "the relay's attestation has no quote"))
    }
    guard let bound = data[field]?.stringValue.flatMap({ try? Hex.decode($0, count: 32) }) else {
      throw TrustError.refused(TrustRefusal(reason: .malformed, text: "the relay's attestation binds no key"))
    }
    let collateral = data["collateral"].flatMap { $0.isNull ? JSONValue?.none : $0 }
    return RelayAttestation(
      relayURL: url, nonce: nonce, quote: Array(quote), boundKey: bound, collateral: collateral)
  }
}

extension Error {
  /// Whether nothing was said about the relay: the way was down. All else is a proof that did not hold.
  fileprivate var isAboutReachingARelay: Bool {
    switch self {
    case is TransportError, is CancellationError: true
    case let error as TrustError:
      if case .unavailable = error { true } else { false }
    case let error as MeroError:
      switch error {
      case .network, .http: true
      default: false
      }
    default: false
    }
  }
}
