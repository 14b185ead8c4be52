import Foundation
import MeroHTTP
import MeroSealed

/// The ways to relays: in the open to one on this machine, sealed to every other (40 §9.1).
///
/// Who talks to one relay shares one sealed channel, and so one session with it.
///
/// ```swift
/// let transport = RelayTransports.transport(relayURL: session.relayUrl, env: env)
/// ```
final class RelayTransports: Sendable {
  /// Those of everything in this process that proves relays in the usual way.
  static let ofProcess = RelayTransports()

  private let sealed = Locked<[String: any HTTPTransport]>([:])

  /// The way to a relay.
  ///
  /// It throws ``TransportError`` when nothing answers, and ``AccountError/relayKeyUnavailable(_:)`` when what answers does
  /// not prove to be the relay, or cannot be sealed to. What is meant to be sealed is then not sent at all.
  static func transport(relayURL: String, env: DelegatedEnvironment) -> any HTTPTransport {
    let origin = RelayOrigin.of(relayURL)
    if let host = URL(string: origin)?.host, Loopback.isLoopback(host: host) { return env.transport }
    return env.relayTransports.sealed.withLock { known in
      if let transport = known[origin] { return transport }
      let transport = sealedTransport(origin, env)
      known[origin] = transport
      return transport
    }
  }

  private static func sealedTransport(_ origin: String, _ env: DelegatedEnvironment) -> any HTTPTransport {
    do throws(SealedError) {
      guard let url = URL(string: origin) else { throw .outsideBase("an address that is none") }
      let attestation = RelayTransportKey(relayURL: url, env: env)
      let channel = try SealedChannel(
        base: url, attest: { _ in try await attestation.ask() }, transport: env.transport, clock: env.clock,
        random: env.random)
      return UnguardedRelayTransport(
        base: try SealedBase(url), sealed: SealedRelayTransport(channel: channel), plain: env.transport)
    } catch {
      return NoRelayTransport(reason: error.description)
    }
  }
}

/// Leads nowhere: what should be sealed to an address that cannot be a relay's is not sent.
private struct NoRelayTransport: HTTPTransport {
  let reason: String

  func send(_ request: HTTPRequest) async throws -> HTTPResponse {
    throw AccountError.relayKeyUnavailable(reason)
  }
}
