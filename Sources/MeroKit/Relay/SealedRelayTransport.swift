import Foundation
import MeroHTTP
import MeroSealed
import MeroTrust

/// A sealed channel to a relay whose failures are told apart as an account needs it: nothing answered, or what answered is
/// not to be trusted (40 §3.1).
struct SealedRelayTransport: HTTPTransport {
  let channel: any HTTPTransport

  func send(_ request: HTTPRequest) async throws -> HTTPResponse {
    var response: HTTPResponse
    do {
      response = try await channel.send(request)
    } catch { throw SealedRelayFailure.reading(error) }
    response.body = response.body.mapErrors(SealedRelayFailure.reading)
    return response
  }
}

/// What a failure of sealing means to an account.
enum SealedRelayFailure {
  @Sendable static func reading(_ error: any Error) -> any Error {
    switch error {
    case TrustError.unavailable(let text):
      TransportError(kind: .cannotConnect, text: text, mayHaveBeenSent: false)
    case let error as TrustError: AccountError.relayKeyUnavailable(error.description)
    // A connection that ended says nothing about the relay; streams are cut when a session's life is over.
    case SealedError.cutShort:
      TransportError(kind: .lost, text: SealedError.cutShort.description, mayHaveBeenSent: true)
    case let error as SealedError: AccountError.relayKeyUnavailable(error.description)
    default: error
    }
  }
}
