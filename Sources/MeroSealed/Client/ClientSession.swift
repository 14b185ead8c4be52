import Foundation
import MeroCrypto

/// One session with a node, as the client holds it. Dropping the value releases its keys.
struct ClientSession: Sendable {
  /// Tells this session from the ones before and after it.
  let number: Int
  private let id: [UInt8]
  private let requestCipher: AESGCM
  private let responseCipher: AESGCM
  /// By the clock's uptime: from here on the session is replaced before it is used.
  let renewAt: TimeInterval
  private var lastRequestId: UInt64 = 0

  /// How long before its end a session is replaced, so that no request is caught by the end on its way.
  static let renewalLead: TimeInterval = 60

  init(
    number: Int, id: [UInt8], keys: NoiseKeys, openedAt: TimeInterval, lifetime: TimeInterval
  ) throws(CryptoError) {
    self.number = number
    self.id = id
    requestCipher = try AESGCM(key: keys.request)
    responseCipher = try AESGCM(key: keys.response)
    renewAt = openedAt + lifetime - Self.renewalLead
  }

  /// Whether a request may begin in it. One that was opened and not used yet is, even if the node gave it less life
  /// than it is replaced by.
  func isFit(at now: TimeInterval) -> Bool { now < renewAt || lastRequestId == 0 }

  /// Takes the next request id. Ids begin at 1 and never repeat: each is a nonce.
  mutating func ticket() -> ExchangeTicket? {
    guard lastRequestId < .max else { return nil }
    lastRequestId += 1
    return ExchangeTicket(
      session: number, header: EnvelopeHeader(sessionId: id, requestId: lastRequestId),
      requestCipher: requestCipher, responseCipher: responseCipher)
  }
}

/// The right to send one request in a session.
struct ExchangeTicket: Sendable {
  let session: Int
  let header: EnvelopeHeader
  let requestCipher: AESGCM
  let responseCipher: AESGCM
}
