import Foundation
import MeroHTTP
import MeroTrust
import MeroWire

/// Asks a relay for the key that everything sealed to it is encrypted to, and has it proven (50 §2.4).
///
/// The key lives as long as the relay's process and is asked for again when the relay disowns it; it is pinned nowhere.
struct RelayTransportKey: Sendable {
  let relayURL: URL
  let env: DelegatedEnvironment

  /// The key, 32 bytes.
  ///
  /// - Throws: ``TrustError``, ``TransportError`` or `CancellationError`.
  func ask() async throws -> [UInt8] {
    let attestation: RelayAttestation
    do {
      attestation = try await RelayAttesting(relayURL: relayURL.absoluteString, env: env).ask(
        for: .transportKey)
    } catch let error as MeroError {
      // Nothing was said about the key: asking again may help.
      throw TrustError.unavailable(error.description)
    }
    try await env.relayKeyVerifier.verifyTransportKey(attestation)
    return attestation.boundKey
  }
}
