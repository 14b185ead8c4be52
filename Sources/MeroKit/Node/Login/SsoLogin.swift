/// What a node's login page is asked for (10 §2.5).
public struct AuthLoginOptions: Sendable, Hashable {
  /// Where the page returns to, such as `notes://auth`.
  ///
  /// A node's login page may refuse a scheme of the app's own and return nowhere; such a login ends when the person
  /// closes the page. An `https` link of the app's works everywhere.
  public var callbackUrl: String
  /// `multi-context`, `single-context` or `admin`.
  public var mode: String
  /// The package of the app, such as `com.example.notes`.
  public var packageName: String?
  /// What the tokens shall permit.
  public var permissions: [String]
  /// Where the package is published.
  public var registryUrl: String?
  /// The package's version.
  public var packageVersion: String?

  /// Options of these parts; without `permissions` those of the mode are asked for.
  public init(
    callbackUrl: String, mode: String = "multi-context", packageName: String? = nil,
    permissions: [String]? = nil, registryUrl: String? = nil, packageVersion: String? = nil
  ) {
    self.callbackUrl = callbackUrl
    self.mode = mode
    self.packageName = packageName
    self.permissions = permissions ?? SsoLogin.permissionsForMode(mode)
    self.registryUrl = registryUrl
    self.packageVersion = packageVersion
  }
}

/// What a node's login page returns. A secret, and not to be believed before ``NodeTrust`` was asked.
public struct AuthCallbackResult: Sendable, Hashable {
  /// The access token; never empty.
  public let accessToken: String
  /// The refresh token; empty for a session that cannot be renewed.
  public let refreshToken: String
  /// The application; may be empty.
  public let applicationId: String
  /// The context; may be empty.
  public let contextId: String
  /// The identity in the context; may be empty.
  public let contextIdentity: String
  /// The node; may be empty.
  public let nodeUrl: String

  /// A result of these parts.
  public init(
    accessToken: String, refreshToken: String = "", applicationId: String = "", contextId: String = "",
    contextIdentity: String = "", nodeUrl: String = ""
  ) {
    self.accessToken = accessToken
    self.refreshToken = refreshToken
    self.applicationId = applicationId
    self.contextId = contextId
    self.contextIdentity = contextIdentity
    self.nodeUrl = nodeUrl
  }
}

/// Logging in on a node's own page, in a browser (10 §2.5, §2.6).
public enum SsoLogin {
  /// The address of a node's login page.
  public static func buildAuthLoginUrl(nodeUrl: String, options: AuthLoginOptions) -> String {
    // The page appends a fragment of its own.
    let callback = options.callbackUrl.prefix { $0 != "#" }
    var fields = [("callback-url", String(callback))]
    if !options.permissions.isEmpty {
      fields.append(("permissions", options.permissions.joined(separator: ",")))
    }
    fields.append(("mode", options.mode))
    if let packageName = options.packageName, !packageName.isEmpty {
      fields.append(("package-name", packageName))
      if let version = options.packageVersion { fields.append(("package-version", version)) }
      if let registry = options.registryUrl { fields.append(("registry-url", registry)) }
    }
    var node = Substring(nodeUrl)
    while node.hasSuffix("/") { node.removeLast() }
    let form = fields.map { "\(FormText.encode($0.0))=\(FormText.encode($0.1))" }
    return "\(node)/auth/login?\(form.joined(separator: "&"))"
  }

  /// Reads what a login page returned; nil when there is no access token in the fragment.
  public static func parseAuthCallback(_ url: String) -> AuthCallbackResult? {
    guard let hash = url.firstIndex(of: "#") else { return nil }
    let pairs = FormText.pairs(url[url.index(after: hash)...])
    func value(_ name: String) -> String { pairs.first { $0.name == name }?.value ?? "" }
    let accessToken = value("access_token")
    guard !accessToken.isEmpty else { return nil }
    return AuthCallbackResult(
      accessToken: accessToken, refreshToken: value("refresh_token"),
      applicationId: value("application_id"), contextId: value("context_id"),
      contextIdentity: value("context_identity"), nodeUrl: value("node_url"))
  }

  /// What an app of a mode asks for; nothing for a mode that is not known.
  public static func permissionsForMode(_ mode: String) -> [String] {
    switch mode {
    case "single-context":
      ["context:execute", "context:list", "context:subscribe", "application:list", "blob", "context:alias"]
    case "multi-context":
      [
        "context:create", "context:delete", "context:list", "context:execute", "context:subscribe",
        "application:list", "namespace", "group", "blob", "context:alias",
      ]
    case "admin": ["admin"]
    default: []
    }
  }
}
