/// What became of an invitation.
public enum RedeemOutcome: Sendable, Hashable {
  /// The join came back: one is a member now. One may have been before: a relay answers a member's second join like the
  /// first, so ask ``AdminSurface/listNamespaces(offset:limit:)`` beforehand when that matters.
  case joined(namespaceId: String, teamName: String?)
  /// The join failed, and one is a member all the same: a link followed twice where the node refuses that, or a request that
  /// timed out while its join landed.
  case alreadyMember(namespaceId: String, teamName: String?)
  /// One is no member, as far as can be told.
  case failed(namespaceId: String?, message: String, reason: InviteFailureReason, retryable: Bool)

  /// Whether to keep the invitation for another try.
  public var shouldRetain: Bool {
    if case .failed(_, _, _, let retryable) = self { return retryable }
    return false
  }

  /// Whether another try would change nothing.
  public var isSettled: Bool { !shouldRetain }
}

/// Why an invitation could not be redeemed.
public enum InviteFailureReason: String, Sendable, Hashable, Codable, CaseIterable {
  /// It is too old.
  case expired
  /// It is no good invitation.
  case invalid
  /// The node, or whoever decides, said no.
  case refused
  /// One is not signed in.
  case signedOut = "signed-out"
  /// Nobody who could let one in is online.
  case noOneOnline = "no-one-online"
  /// The own node, or the relay, did not answer.
  case nodeUnreachable = "node-unreachable"
  /// Something else.
  case unknown
}
