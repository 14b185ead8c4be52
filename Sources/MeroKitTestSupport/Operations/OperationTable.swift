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

  /// Does what a request asks for. One that paused is checked anew when it goes on, and may be refused by then, by whatever
  /// check: it takes back what it had begun, or its key would be in progress and its app `creating` for ever.
  func run(_ handler: Handler, _ store: ClusterStore, _ x: Exchange) throws -> Outcome {
    do {
      return try handler(self, store, x)
    } catch {
      if let key = x.begun?.key { kept.abandon(key) }
      if let app = x.begun?.app.flatMap({ apps[$0] }) { forget(app) }
      throw error
    }
  }
}
