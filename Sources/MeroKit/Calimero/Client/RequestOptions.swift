import Foundation

/// What a single request may do differently from the client's options.
public struct RequestOptions: Sendable {
  /// Seconds for one try; the client's limit when nil.
  public var timeout: TimeInterval?
  /// Tries, waits and deadline; the client's when nil.
  public var retry: RetryPolicy?
  /// The id the request is logged under at the node, the same for every try; a random UUID when nil.
  public var requestId: String?

  /// Options for one request.
  public init(timeout: TimeInterval? = nil, retry: RetryPolicy? = nil, requestId: String? = nil) {
    self.timeout = timeout
    self.retry = retry
    self.requestId = requestId
  }
}

/// What a view may show after a failover (70 §2.7).
public enum Consistency: Sendable, Hashable {
  /// Never anything older than what this client has seen of the app, its own calls included.
  case session
  /// Whatever the node has.
  case eventual
}

/// What one call may do differently from the client's options.
public struct CallOptions: Sendable {
  /// 1 to 64 characters of `A-Z a-z 0-9 - _`. A program that keeps its own key can repeat a call after a crash
  /// without running it twice; nil lets the client make one.
  public var idempotencyKey: String?
  /// Only if the app's position is this; else the call is refused with `VERSION_CONFLICT`.
  public var ifSeq: UInt64?
  /// Who confirms, if the node asks for a confirmation; the client's provider when nil.
  public var passkey: (any PasskeyProvider)?
  /// Who signs, if the node asks for an operator's signature; the client's signer when nil.
  public var operatorSigner: (any OperatorSigner)?
  /// Seconds for one try; the client's limit for calls when nil.
  public var timeout: TimeInterval?
  /// Tries, waits and deadline; the client's when nil.
  public var retry: RetryPolicy?

  /// Options for one call.
  public init(
    idempotencyKey: String? = nil, ifSeq: UInt64? = nil, passkey: (any PasskeyProvider)? = nil,
    operatorSigner: (any OperatorSigner)? = nil, timeout: TimeInterval? = nil, retry: RetryPolicy? = nil
  ) {
    self.idempotencyKey = idempotencyKey
    self.ifSeq = ifSeq
    self.passkey = passkey
    self.operatorSigner = operatorSigner
    self.timeout = timeout
    self.retry = retry
  }
}

/// What one view may do differently from the client's options.
public struct ViewOptions: Sendable {
  /// Whether the client's position counts; the client's own setting when nil.
  public var consistency: Consistency?
  /// The least position to read at, besides the one the client remembers.
  public var minSeq: UInt64?
  /// Seconds for one try; the client's limit when nil.
  public var timeout: TimeInterval?
  /// Tries, waits and deadline; the client's when nil.
  public var retry: RetryPolicy?

  /// Options for one view.
  public init(
    consistency: Consistency? = nil, minSeq: UInt64? = nil, timeout: TimeInterval? = nil,
    retry: RetryPolicy? = nil
  ) {
    self.consistency = consistency
    self.minSeq = minSeq
    self.timeout = timeout
    self.retry = retry
  }
}
