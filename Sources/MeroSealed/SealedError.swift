import Foundation

/// Why the sealed channel did not carry a request, or lost its answer (50 §1.7).
package enum SealedError: Error, Sendable, Hashable {
  /// The node, or something in front of it, refused the envelope; nothing inside it ran unless a proxy hid the answer.
  case refused(SealedRefusal)
  /// An answer does not have the form of the protocol; the text says which part.
  case malformedReply(String)
  /// The handshake's answer was not made by the holder of the attested key.
  case notTheAttestedNode
  /// A response frame was altered, moved, or sealed for another request.
  case frameDidNotOpen
  /// The response ended before its end frame.
  case cutShort
  /// A response frame announces more than 65,553 bytes.
  case frameTooLarge
  /// The request would not fit into 64 MiB; nothing was sent.
  case requestTooLarge
  /// The address is not one of this node's; nothing was sent.
  case outsideBase(String)
  /// The node's key is no longer the one that was attested or given.
  case staleTransportKey
  /// A method or header field cannot be sealed; nothing was sent. The text names it, never its value.
  case invalidHeader(String)
}

/// A refusal in the clear.
package struct SealedRefusal: Sendable, Hashable {
  package enum Stage: Sendable, Hashable {
    case handshake, exchange
  }

  package let stage: Stage
  /// The outer HTTP status.
  package let status: Int
  /// The node's code; `nil` when the body is not a node's refusal, such as a proxy's page.
  package let code: SealedErrorCode?
  package let message: String
  /// Seconds, as sent; `nil` when absent or unusable.
  package let retryAfter: TimeInterval?

  package init(
    stage: Stage, status: Int, code: SealedErrorCode?, message: String, retryAfter: TimeInterval? = nil
  ) {
    self.stage = stage
    self.status = status
    self.code = code
    self.message = message
    self.retryAfter = retryAfter
  }
}

extension SealedError: CustomStringConvertible, LocalizedError {
  package var description: String {
    switch self {
    case .refused(let refusal):
      let step = refusal.stage == .handshake ? "the handshake" : "the sealed request"
      let code = refusal.code.map { " \($0)" } ?? ""
      return "\(step) was refused with \(refusal.status)\(code): \(refusal.message)"
    case .malformedReply(let part): return "malformed reply: \(part)"
    case .notTheAttestedNode: return "the reply did not come from the attested node"
    case .frameDidNotOpen: return "a response frame did not open"
    case .cutShort: return "the sealed response was cut short"
    case .frameTooLarge:
      return "a response frame is larger than \(SealedProtocol.frameLengthLimit) bytes"
    case .requestTooLarge: return "the request is larger than 64 MiB when sealed"
    case .outsideBase(let address): return "refusing to send \(address) outside the sealed node"
    case .staleTransportKey: return "the node no longer holds the transport key it was known by"
    case .invalidHeader(let name): return "cannot be sealed: \(name)"
    }
  }

  package var errorDescription: String? { description }
}
