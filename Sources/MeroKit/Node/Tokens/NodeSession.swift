/// The credential of a connection to a node, as those see it who send requests.
package protocol NodeSession: Sendable {
  /// The access token to send; nil when nobody is logged in.
  func bearer() async -> String?

  /// The access token to send again with, after `sent` was answered with `token_expired` (10 §1.7). Callers at the same
  /// time share one refresh.
  ///
  /// - Throws: ``MeroError/authRevoked(reason:http:)`` when the session is over, any other ``MeroError`` when it may still
  ///   be good.
  func refresh(sent: String) async throws -> String

  /// A node answered that the session is over, to a request that carried `sent`. If that is still the session, its tokens
  /// are forgotten and whoever wants to know is told, once.
  ///
  /// - Returns: what to throw.
  func revoked(_ reason: String, http: HTTPError, sent: String?) async -> MeroError
}
