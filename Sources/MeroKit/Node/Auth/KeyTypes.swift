import MeroWire

/// How an auth service is doing.
public struct AuthHealth: Codable, Sendable, Hashable {
  /// `alive` or `not_alive`.
  public let status: String
  /// Whether its storage answers.
  public let storage: Bool?
  /// Seconds since it was started.
  public let uptimeSeconds: UInt64?

  private enum CodingKeys: String, CodingKey {
    case status, storage
    case uptimeSeconds = "uptime_seconds"
  }
}

/// What an auth service is.
public struct AuthIdentity: Codable, Sendable, Hashable {
  /// Its name.
  public let service: String
  /// Its version.
  public let version: String
  /// How it stands before the node.
  public let authenticationMode: String?
  /// The names of the ways to log in.
  public let providers: [String]?

  private enum CodingKeys: String, CodingKey {
    case service, version, providers
    case authenticationMode = "authentication_mode"
  }
}

/// A way to log in.
public struct AuthProvider: Codable, Sendable, Hashable {
  /// Its name.
  public let name: String
  /// Its kind.
  public let type: String
  /// What it is, for people.
  public let description: String?
  /// Whether it can be used.
  public let configured: Bool?
  /// How it is set up.
  public let config: JSONValue?
}

/// The ways to log in to a node.
public struct AuthProviders: Codable, Sendable, Hashable {
  /// The ways.
  public let providers: [AuthProvider]
  /// How many there are.
  public let count: Int?
}

/// Whether a token is good.
public struct TokenValidation: Sendable, Hashable {
  /// Whether the node accepts it.
  public let valid: Bool
  /// The answer's status; 401 when there was no answer.
  public let status: Int
  /// The answer's header fields; none when it is not good.
  public let headers: HTTPHeaders

  /// An answer of these parts.
  public init(valid: Bool, status: Int, headers: HTTPHeaders = [:]) {
    self.valid = valid
    self.status = status
    self.headers = headers
  }

  /// Whose token it is.
  public var user: String? { headers["x-auth-user"] }

  /// What it permits.
  public var permissions: [String] {
    headers["x-auth-permissions"]?.split(separator: ",").map {
      String($0.drop { $0 == " " })
    } ?? []
  }
}

/// The end of all tokens of a client: `POST /admin/revoke`.
public struct RevokeTokenRequest: Codable, Sendable, Hashable {
  /// The client key's id.
  public var clientId: String

  /// The end of this client's tokens.
  public init(clientId: String) { self.clientId = clientId }

  private enum CodingKeys: String, CodingKey { case clientId = "client_id" }
}

/// What a node says to a change of keys. Nodes of different ages say different things, so everything is optional.
public struct KeyChange: Codable, Sendable, Hashable {
  /// What a node says in its own words: false for a change that was not made.
  public let status: Bool?
  /// The same, in the words of a revocation.
  public let success: Bool?
  /// What happened, for people.
  public let message: String?
  /// The key.
  public let keyId: String?
  /// When it ended, in Unix seconds.
  public let revokedAt: UInt64?

  /// Whether the change was made: it was, unless the node says that it was not.
  public var isDone: Bool { status != false && success != false }

  /// An answer of these parts.
  public init(
    status: Bool? = nil, success: Bool? = nil, message: String? = nil, keyId: String? = nil,
    revokedAt: UInt64? = nil
  ) {
    self.status = status
    self.success = success
    self.message = message
    self.keyId = keyId
    self.revokedAt = revokedAt
  }

  private enum CodingKeys: String, CodingKey {
    case status, success, message
    case keyId = "key_id"
    case revokedAt = "revoked_at"
  }
}

/// A key that logs in by itself.
public struct RootKey: Codable, Sendable, Hashable {
  /// The key's id.
  public let keyId: String
  /// What it is recognised by.
  public let publicKey: String
  /// How it proves itself.
  public let authMethod: String
  /// When it was made, in Unix seconds.
  public let createdAt: UInt64
  /// When it was revoked, in Unix seconds.
  public let revokedAt: UInt64?
  /// What it permits.
  public let permissions: [String]

  private enum CodingKeys: String, CodingKey {
    case keyId = "key_id"
    case publicKey = "public_key"
    case authMethod = "auth_method"
    case createdAt = "created_at"
    case revokedAt = "revoked_at"
    case permissions
  }
}

/// A new root key: `POST /admin/keys`. It may hold a secret.
public struct CreateKeyRequest: Codable, Sendable, Hashable {
  /// What it is recognised by.
  public var publicKey: String
  /// How it proves itself.
  public var authMethod: String
  /// What the method needs.
  public var providerData: JSONValue
  /// The node it is for.
  public var targetNodeUrl: String?

  /// A key of these parts.
  public init(
    publicKey: String, authMethod: String, providerData: JSONValue = [:], targetNodeUrl: String? = nil
  ) {
    self.publicKey = publicKey
    self.authMethod = authMethod
    self.providerData = providerData
    self.targetNodeUrl = targetNodeUrl
  }

  private enum CodingKeys: String, CodingKey {
    case publicKey = "public_key"
    case authMethod = "auth_method"
    case providerData = "provider_data"
    case targetNodeUrl = "target_node_url"
  }
}

/// A key given to an app, with fewer permissions than the root key it belongs to.
public struct ClientKey: Codable, Sendable, Hashable {
  /// The key's id.
  public let clientId: String
  /// The root key it belongs to.
  public let rootKeyId: String
  /// What it is for.
  public let name: String
  /// What it permits.
  public let permissions: [String]
  /// When it was made, in Unix seconds.
  public let createdAt: UInt64
  /// When it was revoked, in Unix seconds.
  public let revokedAt: UInt64?
  /// Whether it works.
  public let isValid: Bool

  private enum CodingKeys: String, CodingKey {
    case clientId = "client_id"
    case rootKeyId = "root_key_id"
    case name, permissions
    case createdAt = "created_at"
    case revokedAt = "revoked_at"
    case isValid = "is_valid"
  }
}

/// A new client key: `POST /admin/client-key`.
public struct GenerateClientKeyRequest: Codable, Sendable, Hashable {
  /// The context it is bound to; empty for none.
  public var contextId: String
  /// The identity in that context; empty for none.
  public var contextIdentity: String
  /// What it permits.
  public var permissions: [String]
  /// The application it is bound to; nodes before rc.83 refuse it.
  public var applicationId: String?
  /// Seconds the key lives; nodes before rc.83 refuse it.
  public var ttlSecs: UInt64?

  /// A key of these parts.
  public init(
    contextId: String = "", contextIdentity: String = "", permissions: [String], applicationId: String? = nil,
    ttlSecs: UInt64? = nil
  ) {
    self.contextId = contextId
    self.contextIdentity = contextIdentity
    self.permissions = permissions
    self.applicationId = applicationId
    self.ttlSecs = ttlSecs
  }

  private enum CodingKeys: String, CodingKey {
    case contextId = "context_id"
    case contextIdentity = "context_identity"
    case permissions
    case applicationId = "application_id"
    case ttlSecs = "ttl_secs"
  }
}

/// What a key permits.
public struct KeyPermissions: Codable, Sendable, Hashable {
  /// The permissions.
  public let permissions: [String]

  /// These permissions.
  public init(permissions: [String]) { self.permissions = permissions }
}

/// A change of what a key permits; what is removed goes first.
public struct PermissionChanges: Codable, Sendable, Hashable {
  /// What comes.
  public var add: [String]?
  /// What goes. A key keeps at least one permission.
  public var remove: [String]?

  /// A change of these parts.
  public init(add: [String]? = nil, remove: [String]? = nil) {
    self.add = add
    self.remove = remove
  }
}
