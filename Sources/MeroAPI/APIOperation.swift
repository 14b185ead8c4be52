import MeroHTTP

/// One operation of the node's API, as the document describes it.
///
/// The engine reads from it what it may do with a request: whether it may be sent twice, which credential it
/// takes, and whether a person or an operator may be asked for a signature.
///
/// ```swift
/// APIOperation.orgDelete.stepUp  // .always
/// APIOperation.all.filter { $0.tier == 1 }.count
/// ```
public struct APIOperation: Sendable, Hashable {
  /// When an operation may be sent again after an unknown outcome (70 §2.6).
  public enum RetrySafety: Sendable, Hashable {
    /// Repeating changes nothing.
    case always
    /// Repeating may do the work twice.
    case never
    /// Repeating is safe once this body field is set.
    case field(String)
  }

  /// Whether a node may ask for a passkey for this very request (70 §2.11).
  public enum StepUp: Sendable, Hashable {
    /// Never.
    case none
    /// Depending on the request.
    case conditional
    /// Every time.
    case always
  }

  /// The document's name for it: `org_get`.
  public let id: String
  /// The group it belongs to: `orgs`.
  public let group: String
  /// Its method within the group: `get`.
  public let name: String
  /// The HTTP method.
  public let httpMethod: HTTPMethod
  /// The path with its parameters in braces: `/orgs/{org}`.
  public let pathTemplate: String
  /// When it may be sent again.
  public let retrySafety: RetrySafety
  /// Whether a passkey may be asked for.
  public let stepUp: StepUp
  /// Whether an operator has to sign the request (70 §2.12).
  public let needsOperatorSignature: Bool
  /// Whether a person's session may ask it. If neither this nor ``acceptsApiKey`` holds, no credential is sent.
  public let acceptsSession: Bool
  /// Whether an API key may ask it.
  public let acceptsApiKey: Bool
  /// The scopes an API key needs, all of them.
  public let scopes: [String]
  /// Whether it answers with server-sent events.
  public let isStream: Bool
  /// Whether it may be asked outside the sealed channel.
  public let isUnsealed: Bool
  /// 1 for what every node has, 2 for what may follow.
  public let tier: Int
  /// The error codes particular to it.
  public let errorCodes: [String]

  init(
    id: String, group: String, name: String, httpMethod: HTTPMethod, pathTemplate: String,
    retrySafety: RetrySafety = .always, stepUp: StepUp = .none, needsOperatorSignature: Bool = false,
    acceptsSession: Bool = false, acceptsApiKey: Bool = false, scopes: [String] = [], isStream: Bool = false,
    isUnsealed: Bool = false, tier: Int, errorCodes: [String] = []
  ) {
    self.id = id
    self.group = group
    self.name = name
    self.httpMethod = httpMethod
    self.pathTemplate = pathTemplate
    self.retrySafety = retrySafety
    self.stepUp = stepUp
    self.needsOperatorSignature = needsOperatorSignature
    self.acceptsSession = acceptsSession
    self.acceptsApiKey = acceptsApiKey
    self.scopes = scopes
    self.isStream = isStream
    self.isUnsealed = isUnsealed
    self.tier = tier
    self.errorCodes = errorCodes
  }

  /// The operation of that name, if the document has one.
  public static func named(_ id: String) -> APIOperation? {
    all.first { $0.id == id }
  }
}
