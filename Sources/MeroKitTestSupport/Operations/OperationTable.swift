extension ClusterState {
  /// What a node does for an operation. Throws `Refusal` and nothing else: what may fail otherwise, writing a file's bytes, is
  /// asked for and done outside.
  typealias Handler = @Sendable (ClusterState, ClusterStore, Exchange) throws -> Outcome

  /// The operations the fake serves, by the document's ids; it answers the others with 501.
  static let handlers: [String: Handler] = [
    publicHandlers, signInHandlers, sessionHandlers, passkeyHandlers, apiKeyHandlers, orgHandlers,
    orgMemberHandlers, inviteHandlers, teamHandlers, appHandlers, callHandlers, eventHandlers,
    blobHandlers, uploadHandlers, consentHandlers, appChangeHandlers, appMemberHandlers,
    presenceHandlers, searchHandlers, jobHandlers, timerHandlers, packageHandlers, publishHandlers,
    deployerHandlers, deploymentHandlers, decisionHandlers, clusterHandlers, quotaHandlers,
  ].reduce(into: [:]) { $0.merge($1) { first, _ in first } }
}
