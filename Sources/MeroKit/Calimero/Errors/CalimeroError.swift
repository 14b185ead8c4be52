import Foundation

/// Everything that ``CalimeroClient`` throws.
///
/// The description says which operation, at which node, with which code, and what to do about it; it never
/// contains a token, a key or a body.
///
/// ```swift
/// do {
///   try await client.orgs.delete(org: id)
/// } catch CalimeroError.api(let refusal) where refusal.code == .notFound {
///   // gone already
/// } catch let error as CalimeroError where error.isRetryable {
///   // later
/// }
/// ```
public enum CalimeroError: Error, Sendable, Hashable {
  /// A node refused.
  case api(APIError)
  /// No node could be trusted.
  case attestation(AttestationFailure)
  /// The sealed channel cannot be used as the node is configured.
  case channel(ChannelFailure)
  /// No node was reached; nothing ran.
  case unreachable(Unreachable)
  /// The request was sent, and no answer came.
  case unknownOutcome(UnknownOutcome)
  /// A session is needed, and there is none any more.
  case signedOut(SignedOutReason)
  /// The authenticator failed.
  case passkey(PasskeyFailure)
  /// The request needs a person's confirmation, and there is none.
  case confirm(ConfirmFailure)
  /// The request needs an operator's signature, and there is none.
  case operatorSignature(OperatorFailure)
  /// Signing in through the consent page failed.
  case consent(ConsentFailure)
  /// An event stream cannot go on.
  case stream(StreamFailure)
  /// The bytes received are not what was asked for; which hash differs.
  case integrity(String)
  /// An answer does not fit its type.
  case decoding(DecodingFailure)
  /// The client refused to send; why.
  case invalidInput(String)
  /// The task was cancelled.
  case cancelled
}

extension CalimeroError {
  /// Whether the same request, sent again later, may well succeed and do no harm: nothing was reached, the node was busy
  /// or away, or did not answer what changes nothing.
  public var isRetryable: Bool {
    switch self {
    case .unreachable: true
    case .unknownOutcome(let outcome): outcome.changesNothing
    case .api(let refusal): refusal.status == 429 || refusal.status == 503
    default: false
    }
  }

  /// Whether the request may have had its effect although it threw.
  public var mayHaveRun: Bool {
    switch self {
    case .api(let refusal): refusal.ran != .no
    case .unknownOutcome, .decoding, .integrity, .cancelled: true
    default: false
    }
  }

  /// The node's code, when a node refused.
  public var code: ErrorCode? {
    if case .api(let refusal) = self { refusal.code } else { nil }
  }

  /// The id an operator finds the request by, when there is one.
  public var requestId: String? {
    switch self {
    case .api(let refusal): refusal.requestId
    case .unknownOutcome(let unknown): unknown.requestId
    default: nil
    }
  }
}
