import Foundation
import MeroHTTP
import MeroTrust
import MeroWire

/// Asks a node for its attestation and checks it under the policy (70 §2.5). Whether the node is of the right cluster
/// is for the ``NodePool`` to say, which knows the others.
struct NodeAttestor: Sendable {
  let transport: any HTTPTransport
  let policy: TeePolicy
  let verifier: (any QuoteVerifier)?
  let releases: any ReleaseTrust
  let roots: TrustRoots
  let clock: MeroClock
  let random: MeroRandom
  let timeout: TimeInterval
  let connectTimeout: TimeInterval

  /// A fresh attestation of the node at `base`.
  func attest(_ base: URL) async throws -> AttestedNode {
    let nonce = random.bytes(32)
    let host = base.host ?? ""
    // A mock quote has no collateral; asking a node without hardware for it would only make it fail.
    let onlyMock = policy.acceptsMock(host: host) && !policy.canAcceptReal
    let claim = try await AttestationQuestion(
      transport: transport, timeout: timeout, connectTimeout: connectTimeout
    )
    .ask(base, nonce: nonce, includeCollateral: !onlyMock)
    do {
      let report = try await QuotePolicy.verify(
        claim.evidence(nonce: nonce, host: host), policy: policy, verifier: verifier, releases: releases,
        roots: roots, clock: clock)
      return AttestedNode(
        transportKey: claim.transportKey, clusterId: Hex.encode(claim.clusterId), release: report.release,
        isMock: report.isMock, at: clock.now())
    } catch TrustError.unavailable(let text) {
      throw AttestationTrouble.unreachable(text)
    } catch TrustError.refused(let refusal) {
      throw AttestationTrouble.refused(
        .attestation(
          AttestationFailure(
            reason: AttestationFailure.Reason(rawValue: refusal.reason.rawValue), node: base,
            text: refusal.text)))
    } catch let error as CancellationError {
      throw error
    } catch {
      // A verifier of the caller's own may throw what it likes; what does not clearly hold is not trusted.
      throw AttestationTrouble.refused(
        .attestation(AttestationFailure(reason: .quoteInvalid, node: base, text: "\(error)")))
    }
  }
}
