// What is shown of a client and its parts when they are printed or dumped: an API key, tokens and the keys of sealed
// sessions are within.

extension CalimeroClientOptions: ShownWithoutSecrets {
  var shown: String { "options of a client of \(baseURLText)" }

  /// A password in a URL is refused, but what is refused may be printed too.
  private var baseURLText: String {
    (try? ClientConfiguration.nodeURL(baseUrl))?.absoluteString ?? "an address that cannot be used"
  }
}

extension CalimeroClient: ShownWithoutSecrets {
  var shown: String { core.shown }
}

extension ClientCore: ShownWithoutSecrets {
  var shown: String { "a client with the \(options.shown)" }
}

extension ClientSettings: ShownWithoutSecrets {
  nonisolated var shown: String { "settings of a client" }
}

extension SessionKeeper: ShownWithoutSecrets {
  nonisolated var shown: String { "the session of a client" }
}

extension NodePool: ShownWithoutSecrets {
  nonisolated var shown: String { "the nodes of a client" }
}

extension Bearer: ShownWithoutSecrets {
  var shown: String { "the access token of session \(sessionId)" }
}

extension Credential: ShownWithoutSecrets {
  var shown: String { bearer?.shown ?? (token == nil ? "no credential" : "a token") }
}
