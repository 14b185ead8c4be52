import Foundation

extension CalimeroError: CustomStringConvertible, LocalizedError {
  /// What happened, to which operation, at which node, and what to do.
  public var description: String {
    switch self {
    case .api(let refusal): refusal.description
    case .attestation(let failure): failure.description
    case .channel(let failure): failure.description
    case .unreachable(let failure): failure.description
    case .unknownOutcome(let outcome): outcome.description
    case .signedOut(let reason): reason.sentence
    case .passkey(let failure): failure.description
    case .confirm(let failure): failure.sentence
    case .operatorSignature(let failure): failure.sentence
    case .consent(let failure): failure.sentence
    case .stream(let failure): failure.sentence
    case .integrity(let text): "What was received is not what was asked for: \(text). Ask for it again."
    case .decoding(let failure): failure.description
    case .invalidInput(let text):
      // A failure of this machine's own may come after something was sent.
      (isLocalFailure ? text.prefix(1).uppercased() + text.dropFirst() : "Not sent: \(text)")
        + (text.hasSuffix(".") ? "" : ".")
    case .cancelled: "The task was cancelled."
    }
  }

  /// The same as ``description``.
  public var errorDescription: String? { description }
}

extension APIError: CustomStringConvertible {
  /// What was refused, by which node, with which code, and what to do.
  public var description: String {
    var text = "\(operation ?? "The request") was refused"
    if let node { text += " by \(node.absoluteString)" }
    text += ": \(code) (\(status))"
    if !message.isEmpty { text += ", \(message)" }
    if let requestId { text += " [request \(requestId)]" }
    return advice.map { "\(text). \($0)" } ?? text
  }

  private var advice: String? {
    switch (status, code.rawValue) {
    case (_, "SCOPE_MISSING"): "Use a session or a key that has the scope details.scope names."
    case (_, "HUMAN_REQUIRED"): "An API key cannot confirm this; sign in with a passkey."
    case (_, "SIGNUP_CLOSED"), (_, "INVITE_REQUIRED"): "Ask the operator for an invitation."
    case (_, "VIEW_WROTE"): "The method changes state: use call."
    case (_, "IDEMPOTENCY_KEY_REUSED"): "Use a new idempotency key for a new request."
    case (_, "CEREMONY_EXPIRED"): "Start again."
    case (401, _): "Sign in again."
    case (429, _), (503, _):
      // Not by way of `Int`: the number is the node's, and one that no `Int` holds would end the process.
      retryAfter.map { "Try again in \(String(format: "%.0f", $0.rounded(.up))) s." } ?? "Try again later."
    default:
      ran == .unknown ? "It may have run: look before repeating it." : nil
    }
  }
}

extension AttestationFailure: CustomStringConvertible {
  /// Which node was not trusted, and why.
  public var description: String {
    let name = node?.absoluteString ?? "The node"
    let advice =
      switch reason {
      case .mockRefused:
        "Use the policy .development for a cluster with mock attestation on this computer."
      case .wrongCluster: "Check that all nodes named in the options belong to one cluster."
      default: "Nothing was sent to it. Check the address, then ask its operator."
      }
    return "\(name) could not be trusted (\(reason.rawValue)): \(text). \(advice)"
  }
}

extension ChannelFailure: CustomStringConvertible {
  /// What is wrong with the channel to which node.
  public var description: String {
    let word = code.map { " (\($0))" } ?? ""
    return "The sealed channel to \(node?.absoluteString ?? "the node") cannot be used\(word): \(reason)."
      + " Its operator has to change how the node is set up."
  }
}

extension Unreachable: CustomStringConvertible {
  /// Every node tried and what happened there.
  public var description: String {
    // A node that was tried again and again for one reason is named once.
    var seen: Set<Failure> = []
    let tries = failures.filter { seen.insert($0).inserted }
      .map { "\($0.node.absoluteString): \($0.cause)" }.joined(separator: "; ")
    return "\(operation ?? "The request") reached no node (\(tries.isEmpty ? "none tried" : tries))."
      + " Nothing ran; check the connection and try again."
  }
}

extension UnknownOutcome: CustomStringConvertible {
  /// What was sent where, and how its outcome can be found out.
  public var description: String {
    var text = "\(operation ?? "The request") was sent"
    if let node { text += " to \(node.absoluteString)" }
    text += " and not answered (\(cause))\(changesNothing ? "" : ", so it may have run")"
    if let requestId { text += " [request \(requestId)]" }
    if changesNothing { return text + ". It can be repeated." }
    return idempotencyKey == nil
      ? text + ". Look before repeating it."
      : text + ". Repeat it with the same idempotency key."
  }
}

extension SignedOutReason {
  var sentence: String {
    switch self {
    case .never: "Nobody is signed in: call signUp or signIn first."
    case .expired: "The session's time is over: sign in again."
    case .revoked: "The session was revoked: sign in again."
    case .reused: "The session was ended because its refresh token was used twice: sign in again."
    case .signedOut: "The client was signed out."
    case .otherCluster: "The stored session belongs to another cluster: sign in to this one."
    }
  }
}

extension PasskeyFailure: CustomStringConvertible {
  /// What the authenticator did not do, and what to do instead.
  public var description: String {
    switch self {
    case .cancelled: "The passkey request was cancelled."
    case .notSupported: "Passkeys cannot be used here: sign in through the consent page."
    case .noCredential: "There is no passkey for this account here: sign up, or use another device."
    case .excluded: "This authenticator already holds a passkey of the account."
    case .notAllowed(let rpId):
      "Passkeys of \(rpId) may not be used here: an app adds webcredentials:\(rpId) to its associated domains or signs in"
        + " through the consent page, and a node with a mock attestation has no say over another's name."
    case .invalidResponse: "The passkey request or its answer does not have the right form."
    case .other(let text): "The authenticator failed: \(text)."
    }
  }
}

extension ConfirmFailure {
  var sentence: String {
    switch self {
    case .required(let action):
      "\(action) needs a passkey: pass passkey: with the call, or set one with useStepUp."
    case .declined: "The confirmation was declined."
    case .mismatch: "The node asked to confirm another request than the one sent; nothing was signed."
    case .rejected(let reason): "The node did not accept the confirmation (\(reason ?? "no reason given"))."
    case .expired: "The confirmation's time was over: send the request again."
    }
  }
}

extension OperatorFailure {
  var sentence: String {
    switch self {
    case .required(let action):
      "\(action) needs an operator's signature: pass operatorSigner: or set one with useOperatorSigner."
    case .declined: "The operator declined to sign."
    case .mismatch: "The node asked to sign another request than the one sent; nothing was signed."
    case .rejected(let reason): "The node did not accept the signature (\(reason ?? "no reason given"))."
    case .expired: "The time to sign was over, or longer than ten minutes: send the request again."
    case .invalidKey: "An operator key is the 32 bytes of an Ed25519 seed."
    }
  }
}

extension ConsentFailure {
  var sentence: String {
    switch self {
    case .denied: "Consent was denied."
    case .stateMismatch: "The consent page's answer belongs to another attempt: start again."
    case .badCallback: "The consent page's answer cannot be read: start again."
    case .expired: "The consent request's time was over: start again."
    case .cancelled: "The consent page was closed."
    }
  }
}

extension StreamFailure {
  var sentence: String {
    switch self {
    case .cursorExpired(let oldest):
      "Events after the cursor are no longer kept; the oldest left is \(oldest ?? "unknown")."
        + " Read the state again and start from there."
    case .invalidCursor: "The cursor is not one of this app: start from now or from the oldest."
    case .overflow: "More events came than can be held."
    case .appDeleted: "The app was deleted."
    }
  }
}

extension DecodingFailure: CustomStringConvertible {
  /// Which answer does not fit, and where.
  public var description: String {
    let place = path.map { $0.isEmpty ? "" : " at \($0)" } ?? ""
    return "The answer to \(operation ?? "the request") does not fit its type\(place): \(reason)."
      + " Node and SDK may be of different versions."
  }
}
