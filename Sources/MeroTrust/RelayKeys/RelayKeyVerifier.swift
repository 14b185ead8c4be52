import Foundation
import MeroWire

/// Says which node key a relay's attestation proves (40 §8.1).
///
/// The key names the trust domain that everything for the relay is addressed to, so it must never be taken from the
/// relay's own word.
public protocol RelayKeyVerifier: Sendable {
  /// The relay's node key, 64 lower-case hex characters.
  ///
  /// - Throws: ``TrustError/unavailable(_:)`` when something that only moves bytes failed: ask again.
  ///   ``TrustError/refused(_:)`` when a proof did not hold.
  func verify(_ attestation: RelayAttestation) async throws -> String

  /// Accepts the quote of a relay's transport key, the one that a sealed channel is encrypted to, or throws as
  /// ``verify(_:)`` does. ``RelayAttestation/boundKey`` is that key, and the quote has to be made for its binding.
  ///
  /// A verifier that leaves it out refuses every such key: relays that are not on this machine are then not talked to,
  /// because what is sent to them is sealed or not sent.
  func verifyTransportKey(_ attestation: RelayAttestation) async throws
}

extension RelayKeyVerifier {
  /// Refuses.
  public func verifyTransportKey(_ attestation: RelayAttestation) async throws {
    throw TrustError.refused(
      for: .configuration,
      "this verifier cannot tell whether a relay's transport key is its own, so nothing can be sealed to it")
  }
}

/// What a relay answered when it was asked to attest one of its keys.
public struct RelayAttestation: Sendable, Hashable {
  /// Where the relay is.
  public var relayURL: URL
  /// The 32 random bytes that it was asked with.
  public var nonce: [UInt8]
  /// The quote as it was sent.
  public var quote: [UInt8]
  /// The key that the relay says the quote commits to, 32 bytes: its node key, or its transport key.
  public var boundKey: [UInt8]
  /// What Intel signed about the platform, in the relay's own form; `nil` when it sent none.
  public var collateral: JSONValue?

  /// An attestation with these parts.
  public init(
    relayURL: URL, nonce: [UInt8], quote: [UInt8], boundKey: [UInt8], collateral: JSONValue?
  ) {
    self.relayURL = relayURL
    self.nonce = nonce
    self.quote = quote
    self.boundKey = boundKey
    self.collateral = collateral
  }
}

/// Answers with a key that an operator handed over, for machines without TDX. It checks no attestation.
///
/// The key that an operator hands over is the node key; nothing proves a transport key without an attestation. So this
/// serves relays on this machine, which are talked to in the open, and no other.
public struct PinnedRelayKeyVerifier: RelayKeyVerifier {
  private let nodeKey: String

  /// A verifier that always answers `nodeKey`.
  ///
  /// - Throws: ``TrustError/refused(_:)`` unless it is 64 hex characters, in either case, trimmed.
  public init(nodeKey: String) throws {
    let text = nodeKey.trimmingCharacters(in: .whitespacesAndNewlines)
    guard let key = try? Hex.decode(text, count: 32) else {
      throw AcceptedImages.misconfigured("a node key is 64 hex characters")
    }
    self.nodeKey = Hex.encode(key)
  }

  /// The key it was made with.
  public func verify(_ attestation: RelayAttestation) async throws -> String { nodeKey }
}
