// Generated from openapi/openapi.json by scripts/generate-openapi.sh; not edited by hand.

extension Components.Schemas {
  /// A consent request, and the page to open for it.
  public struct ConsentCreated: Codable, Sendable, Hashable {
    /// The request's id.
    public var requestId: String
    /// The page to open in the system browser.
    public var url: String
    /// Unix milliseconds.
    public var expiresAt: Int64

    /// Creates one from its fields.
    public init(requestId: String, url: String, expiresAt: Int64) {
      self.requestId = requestId
      self.url = url
      self.expiresAt = expiresAt
    }
  }

  /// Where a consent request stands.
  ///
  /// An open set: a word added later is kept and sent back as it came.
  public struct ConsentState: RawRepresentable, Codable, Sendable, Hashable {
    /// The word as it is on the wire.
    public let rawValue: String

    /// Takes any word.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// The person has not answered.
    public static let open = ConsentState(rawValue: "open")
    /// The code waits to be exchanged.
    public static let approved = ConsentState(rawValue: "approved")
    /// The person said no.
    public static let denied = ConsentState(rawValue: "denied")
    /// The code was exchanged.
    public static let spent = ConsentState(rawValue: "spent")
    /// Its time is over.
    public static let expired = ConsentState(rawValue: "expired")

    /// The words known when this was written, in the document's order.
    public static let known: [ConsentState] = [.open, .approved, .denied, .spent, .expired]
  }

  /// A request as the consent page shows it.
  public struct ConsentRequest: Codable, Sendable, Hashable {
    /// The request's id.
    public var requestId: String
    /// The package that asks.
    public var package: String
    /// Its name, from its manifest.
    public var packageName: String?
    /// Who published it.
    public var publisher: String?
    /// What it asks for.
    public var scopes: [String]
    /// Apps it asks for; empty lets the person choose.
    public var apps: [String]?
    /// Where a consent request stands.
    public var state: ConsentState
    /// Where the answer goes.
    public var redirectUri: String
    /// Unix milliseconds.
    public var expiresAt: Int64

    /// Creates one from its fields.
    public init(
      requestId: String,
      package: String,
      packageName: String? = nil,
      publisher: String? = nil,
      scopes: [String],
      apps: [String]? = nil,
      state: ConsentState,
      redirectUri: String,
      expiresAt: Int64
    ) {
      self.requestId = requestId
      self.package = package
      self.packageName = packageName
      self.publisher = publisher
      self.scopes = scopes
      self.apps = apps
      self.state = state
      self.redirectUri = redirectUri
      self.expiresAt = expiresAt
    }
  }
}
