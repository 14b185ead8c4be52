// Generated from openapi/openapi.json by scripts/generate-openapi.sh; not edited by hand.

extension Components.Schemas {
  /// Where the page sends the browser after the person answered.
  public struct ConsentAnswer: Codable, Sendable, Hashable, SecretBearing {
    /// The redirect URI with code and state, or error and state.
    public var redirectUrl: String

    /// Creates one from its fields.
    public init(redirectUrl: String) {
      self.redirectUrl = redirectUrl
    }

    var shown: [(label: String?, value: Any)] {
      []
    }
  }
}
