/// A value that holds a secret and shows nothing of it when it is printed or dumped.
protocol ShownWithoutSecrets: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  /// What may be shown.
  var shown: String { get }
}

extension ShownWithoutSecrets {
  /// What may be shown; never a secret.
  public var description: String { shown }
  /// What may be shown; never a secret.
  public var debugDescription: String { shown }
  /// What may be shown; never a secret.
  public var customMirror: Mirror { Mirror(self, children: ["shown": shown]) }
}

extension TokenRequest: ShownWithoutSecrets {
  var shown: String { "login of \(publicKey) by \(authMethod)" }
}

extension RefreshTokenRequest: ShownWithoutSecrets {
  var shown: String { "renewal of a session" }
}

extension LogoutRequest: ShownWithoutSecrets {
  var shown: String { "end of a session" }
}

extension TokenResponse: ShownWithoutSecrets {
  var shown: String { error.map { "no tokens: \($0)" } ?? "tokens of a node" }
}

extension TokenData: ShownWithoutSecrets {
  var shown: String {
    "tokens of a node until \(expiresAt)\(refreshToken.isEmpty ? ", which cannot be renewed" : "")"
  }
}

extension Credentials: ShownWithoutSecrets {
  var shown: String { "credentials of \(username)" }
}

extension AuthCallbackResult: ShownWithoutSecrets {
  var shown: String { "a login at \(nodeUrl.isEmpty ? "a node" : nodeUrl)" }
}

extension TokenMachine: ShownWithoutSecrets {
  var shown: String { held.map(\.shown) ?? "no tokens" }
}
