import Foundation
import MeroHTTP
import MeroSealed
import MeroWire

/// Reads what the layers below threw, or what a node answered, as a row of the table of 70 §2.6.
extension AttemptOutcome {
  /// - Parameter posted: whether the request itself may have been on its way already.
  init(_ error: any Error, posted: Bool) {
    switch error {
    case is CancellationError where Task.isCancelled: self = .cancelled
    case is CancellationError:
      // Not ours: the channel was closed, or whoever opened the session for all of us went away.
      self = posted ? .lost("the sealed channel was closed") : .cannotConnect("the sealed channel was closed")
    case AttestationTrouble.unreachable(let text): self = .attestationUnreachable(text)
    case AttestationTrouble.refused(let failure): self = .attestationRefused(failure)
    case let error as TransportError:
      self = posted && error.mayHaveBeenSent ? .lost(error.text) : .cannotConnect(error.text)
    case let error as SealedError: self = AttemptOutcome(error, posted: posted)
    case let error as CalimeroError: self = .unusable(error)
    default: self = posted ? .lost("\(error)") : .cannotConnect("\(error)")
    }
  }

  private init(_ error: SealedError, posted: Bool) {
    switch error {
    case .refused(let refusal): self = AttemptOutcome(refusal)
    case .staleTransportKey: self = .staleTransportKey
    case .notTheAttestedNode: self = .notSealed("\(error)")
    case .malformedReply: self = posted ? .lost("\(error)") : .notSealed("\(error)")
    case .frameDidNotOpen, .cutShort, .frameTooLarge: self = .bodyLost("\(error)")
    case .requestTooLarge, .outsideBase, .invalidHeader: self = .unusable(.invalidInput("\(error)."))
    }
  }

  private init(_ refusal: SealedRefusal) {
    let isHandshake = refusal.stage == .handshake
    switch refusal.code {
    case .staleTransportKey?: self = .staleTransportKey
    case .busy?: self = .handshakeBusy
    case .unknownSession?: self = .unknownSession
    case .replayedRequest?, .undecryptable?, .malformed?, .unsupportedVersion?:
      self = .envelopeRefused(refusal.code ?? .malformed)
    case .tooLarge?: self = .tooLarge
    case .sealedRequired?, .sealedRouteUnguarded?:
      self = .channelRefused(refusal.code ?? .sealedRequired, refusal.message)
    case _ where isHandshake || refusal.status == 404 || refusal.status == 405:
      self = .notSealed("the sealed channel's endpoint answered \(refusal.status)")
    default: self = .proxyAnswer(status: refusal.status)
    }
  }
}

extension AnswerHead {
  /// What a refusal says about what to do next.
  init(_ refusal: APIError) {
    self.init(
      status: refusal.status, code: refusal.code, retryAfter: refusal.retryAfter,
      leader: refusal.code == .notLeader ? refusal.details?["node"]?.stringValue : nil)
  }
}

/// A node's answer as the engine holds it before it knows what becomes of it.
struct Answer: Sendable {
  let status: Int
  let headers: HTTPHeaders
  /// The whole body; of a stream nothing was read yet.
  var body = Data()
  /// The body of a stream.
  var stream: HTTPBody?
  /// The refusal, for a status outside 2xx.
  var refusal: APIError?

  var isSuccess: Bool { (200..<300).contains(status) }

  var outcome: AttemptOutcome {
    guard let refusal else { return .answered(AnswerHead(status: status)) }
    // Said inside the envelope, but about the envelope: the node cannot check credentials it does not see.
    if status == 403, refusal.code.rawValue == SealedErrorCode.sealedRouteUnguarded.rawValue {
      return .channelRefused(.sealedRouteUnguarded, refusal.message)
    }
    return .answered(AnswerHead(refusal))
  }
}

extension HTTPBody {
  /// The body's beginning, at most `limit` bytes; the rest is not read.
  func collectPrefix(_ limit: Int) async throws -> Data {
    var kept = Data()
    for try await chunk in self {
      kept.append(chunk.prefix(limit - kept.count))
      if kept.count >= limit { break }
    }
    return kept
  }
}
