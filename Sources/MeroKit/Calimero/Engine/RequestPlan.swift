import Foundation
import MeroAPI
import MeroHTTP

/// How the engine is to carry a request: everything that is not the request itself.
struct RequestPlan: Sendable {
  enum Auth: Sendable, Hashable {
    /// No credential is sent.
    case none
    /// The API key, else the session.
    case session
  }

  /// Whether repeating the request changes nothing.
  var retrySafe = false
  /// Whether the node recognises a repeat by a key in the body.
  var isKeyed = false
  var auth = Auth.session
  /// Sent instead of the session's token, and never refreshed: a token that was put aside, as by signing out.
  var bearerToken: String?
  /// Seconds for one try; the client's limit when nil.
  var timeout: TimeInterval?
  /// Seconds in which some byte has to go out or come in; as long as one try may take when nil.
  var idleTimeout: TimeInterval?
  /// Whether the longer limits of calls hold.
  var isCall = false
  /// Seconds for the whole request; the policy's when nil.
  var deadline: TimeInterval?
  var retry: RetryPolicy?
  var passkey: (any PasskeyProvider)?
  var operatorSigner: (any OperatorSigner)?
  /// Whether 412 and 428 are answered at all.
  var answersStepUp = true
  /// The position a view has to be read at.
  var minSeq: UInt64?
  /// Where to begin instead of the ring's current node.
  var preferredNode: URL?
  var requestId: String?
  /// For the error of a request without an answer.
  var idempotencyKey: String?
  /// Whether a refusal is thrown as `CalimeroError.api`; else it is returned like any answer.
  var throwsRefusals = true
  /// Whether it is what a client says as it goes: closing the client does not end it.
  var isFarewell = false

  var retryClass: RetryClass { retrySafe ? .safe : isKeyed ? .keyed : .unsafe }

  /// The plan of an operation of the API document.
  init(_ request: APIRequest, options: RequestOptions = RequestOptions()) {
    timeout = options.timeout
    retry = options.retry
    requestId = options.requestId
    guard let operation = request.operation else {
      retrySafe = request.method == .get || request.method == .head
      return
    }
    switch operation.retrySafety {
    case .always: retrySafe = true
    case .never: break
    case .field: isKeyed = request.isKeyed
    }
    auth = operation.acceptsSession || operation.acceptsApiKey ? .session : .none
    isCall = operation.id == APIOperation.appCall.id
  }

  init() {}

  /// What makes the plan's own limits unusable, or nil. With no time at all every node would be taken for a dead one.
  var flaw: String? {
    [timeout, deadline].allSatisfy { $0.map { $0 > 0 } ?? true } ? nil : "a time limit must be above zero."
  }
}

/// How much of an answer is read (70 §2.2), in bytes.
enum AnswerLimit {
  static let json = 32 << 20
  static let error = 256 << 10
  static let attestation = 1 << 20
  static let event = 1 << 20
  /// Files come through the facade in one piece; larger ones are streamed.
  static let bytes = 256 << 20
  /// A whole sealed request, its head included.
  static let request = 64 << 20
}

/// A node of the ring, as those see it who hold a stream open to it.
struct NodeHandle: Sendable, Hashable {
  let url: URL
}

/// A response whose head has arrived and whose body is still to be read.
struct OpenedStream: Sendable {
  let node: NodeHandle
  let status: Int
  let headers: HTTPHeaders
  let body: HTTPBody
  /// Cancels the body when the client closes, for as long as whoever reads keeps it.
  var hold: ClientRuns.Hold?
}
