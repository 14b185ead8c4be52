import Foundation

/// An error that says how an invitation's redeeming failed.
package protocol InviteRefusal: Error {
  /// The status of the answer; nil when there was an answer without one.
  var inviteStatus: Int? { get }
  /// What whoever answered said; nil when there is nothing to show.
  var inviteMessage: String? { get }
  /// Why, when the error knows better than its status and text.
  var inviteFailure: InviteFailure? { get }
}

/// Why an invitation could not be redeemed, and whether to try again (20 §8).
package struct InviteFailure: Sendable, Hashable {
  package let reason: InviteFailureReason
  package let isRetryable: Bool

  package init(_ reason: InviteFailureReason, isRetryable: Bool) {
    self.reason = reason
    self.isRetryable = isRetryable
  }

  /// What an error of the join means. The status decides, and the text where a status has several meanings: nodes before
  /// rc.56 answer most refusals as a bare 500.
  package init(_ error: any Error) {
    let refusal = error as? any InviteRefusal
    if let known = refusal?.inviteFailure {
      self = known
      return
    }
    let fromText = Self.reason(in: refusal?.inviteMessage ?? "")
    switch refusal?.inviteStatus {
    case 401?: self.init(.signedOut, isRetryable: true)
    case 400?: self.init(fromText ?? .invalid, isRetryable: false)
    case 410?: self.init(.expired, isRetryable: false)
    case 403?: self.init(.refused, isRetryable: false)
    case 409?: self.init(fromText ?? .refused, isRetryable: false)
    case 503?, 504?: self.init(.noOneOnline, isRetryable: true)
    default: self.init(fromText ?? .unknown, isRetryable: fromText == nil)
    }
  }

  /// The reason a node's sentence gives. Narrow on purpose: trying a dead link again costs one request, dropping a good
  /// one locks somebody out.
  package static func reason(in message: String) -> InviteFailureReason? {
    let text = message.lowercased()
    func says(_ phrases: String...) -> Bool { phrases.contains { text.contains($0) } }
    if says("invitation has expired", "invitation expired")
      || namesGroup(text, "expired at ", thenDigit: true)
    {
      return .expired
    }
    if says("malformed", "does not match namespace_id", "invalid invitation")
      || namesGroup(text, "is invalid:", thenDigit: false)
    {
      return .invalid
    }
    return nil
  }

  /// Whether `text` has `invitation for group`, something, and then `phrase`.
  private static func namesGroup(_ text: String, _ phrase: String, thenDigit: Bool) -> Bool {
    guard let start = text.range(of: "invitation for group ") else { return false }
    var rest = text[start.upperBound...]
    while let found = rest.range(of: " " + phrase) {
      // A group that is not named is no group.
      if found.lowerBound > start.upperBound, !thenDigit || text[found.upperBound...].first?.isNumber == true
      {
        return true
      }
      rest = rest[found.upperBound...]
    }
    return false
  }
}

extension MeroError: InviteRefusal {
  package var inviteStatus: Int? { httpStatus }

  package var inviteMessage: String? {
    switch self {
    case .http(let error): error.refusal?.message ?? error.description
    case .rpc(let error): error.message
    default: description
    }
  }

  package var inviteFailure: InviteFailure? {
    switch self {
    case .network: InviteFailure(.nodeUnreachable, isRetryable: true)
    case .authRevoked, .noCredentials, .noRefreshToken: InviteFailure(.signedOut, isRetryable: true)
    default: nil
    }
  }
}
