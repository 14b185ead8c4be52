import Foundation
import MeroHTTP

/// The bearer of an account's session at a relay.
protocol RelayTokens: Sendable {
  /// A bearer that is good for a while; nil when the relay lets nobody in.
  func token() async -> String?
  /// The relay does not take this bearer any more.
  func dropToken(_ token: String) async
}

/// How a delegated client reaches a relay, and how it is let in there to read.
struct RelayWay: Sendable {
  /// The way to a relay.
  var transport: @Sendable (_ relayURL: String, _ env: DelegatedEnvironment) -> any HTTPTransport
  /// The session at a relay whose node key is known.
  var session:
    @Sendable (
      _ relayURL: String, _ nodeKey: String, _ session: DelegatedSession, _ env: DelegatedEnvironment,
      _ transport: any HTTPTransport
    ) -> any RelayTokens
}

extension RelaySession: RelayTokens {}

extension RelayWay {
  /// Sealed to a relay that is not on this machine, and let in by the account's proof.
  static let live = RelayWay(
    transport: { RelayTransports.transport(relayURL: $0, env: $1) },
    session: { RelaySession(relayURL: $0, nodeKey: $1, session: $2, env: $3, transport: $4) })
}
