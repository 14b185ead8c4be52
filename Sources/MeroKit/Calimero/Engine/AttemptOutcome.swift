import Foundation
import MeroHTTP
import MeroSealed

/// How one effort to get a request to one node ended: the rows of the table of 70 §2.6.
enum AttemptOutcome: Sendable, Hashable {
  /// DNS, refused, TLS, no answer to the handshake: no byte of the request left.
  case cannotConnect(String)
  /// The node could not be asked for its attestation, or answered 429 or 5xx.
  case attestationUnreachable(String)
  /// The attestation was not accepted, or is another cluster's.
  case attestationRefused(CalimeroError)
  /// The node disowned its key again after it was attested anew.
  case staleTransportKey
  /// The node takes no more handshakes, and the one wait for it did not help.
  case handshakeBusy
  /// The sealed endpoints are not there, or something else answered in their place, before the request was posted.
  case notSealed(String)
  /// The node forgot the session again after a new one was opened.
  case unknownSession
  /// The node could not use the envelope: replayed, undecryptable, malformed, of another version.
  case envelopeRefused(SealedErrorCode)
  /// The envelope is larger than the node takes.
  case tooLarge
  /// The node is configured so that the sealed channel does not serve.
  case channelRefused(SealedErrorCode, String)
  /// Something on the way answered the posted request in the clear.
  case proxyAnswer(status: Int)
  /// The connection ended, or time was up, after the request was posted and before the answer's head.
  case lost(String)
  /// The head arrived and the body did not: cut, or a frame did not open.
  case bodyLost(String)
  /// The node answered.
  case answered(AnswerHead)
  /// The caller's task was cancelled.
  case cancelled
  /// The request cannot be sent, or its answer cannot be used, whichever node is asked.
  case unusable(CalimeroError)
}

/// What an answer's head and error code say about what to do next.
struct AnswerHead: Sendable, Hashable {
  var status: Int
  var code: ErrorCode?
  /// Seconds the node asks to wait.
  var retryAfter: TimeInterval?
  /// The node that `NOT_LEADER` names.
  var leader: String?

  init(status: Int, code: ErrorCode? = nil, retryAfter: TimeInterval? = nil, leader: String? = nil) {
    self.status = status
    self.code = code
    self.retryAfter = retryAfter
    self.leader = leader
  }
}

/// What repeating a request may do (70 §2.6).
enum RetryClass: Sendable, Hashable {
  /// S: repeating changes nothing.
  case safe
  /// K: the node recognises a repeat by a key in the body.
  case keyed
  /// U: repeating may do the work twice.
  case unsafe
}

/// What was already done for a request, as far as the next decision depends on it.
struct AttemptSituation: Sendable, Hashable {
  /// A new sealed session was opened for this try already.
  var renewedSession = false
  /// A session's token was sent that can be refreshed, and was not yet.
  var canRefresh = false
  /// The session is younger than 30 s and was issued by another node than this one.
  var isYoungElsewhere = false
  /// The node that issued the session had its extra turn.
  var askedIssuer = false
  /// A 412 is to be answered by this client: a provider is at hand, or its lack is to be thrown.
  var answersConfirm = false
  /// A 428 likewise.
  var answersOperator = false
}
