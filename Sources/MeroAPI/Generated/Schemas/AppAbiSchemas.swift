// Generated from openapi/openapi.json by scripts/generate-openapi.sh; not edited by hand.

extension Components.Schemas {
  /// The interface of the code an app runs.
  public struct AppAbi: Codable, Sendable, Hashable {
    /// The package.
    public var package: String
    /// The version.
    public var version: String
    /// By name.
    public var methods: [AbiMethod]
    /// Kinds of events the code emits.
    public var events: [String]?

    /// Creates one from its fields.
    public init(package: String, version: String, methods: [AbiMethod], events: [String]? = nil) {
      self.package = package
      self.version = version
      self.methods = methods
      self.events = events
    }
  }

  /// One method of an app.
  public struct AbiMethod: Codable, Sendable, Hashable {
    /// Its name.
    public var name: String
    /// Whether it only reads.
    public var view: Bool
    /// In order.
    public var params: [AbiParam]
    /// The type it returns, as the package writes it.
    public var returns: String?

    /// Creates one from its fields.
    public init(name: String, view: Bool, params: [AbiParam], returns: String? = nil) {
      self.name = name
      self.view = view
      self.params = params
      self.returns = returns
    }
  }

  /// One parameter of a method.
  public struct AbiParam: Codable, Sendable, Hashable {
    /// Its name.
    public var name: String
    /// Its type, as the package writes it.
    public var type: String
    /// Whether it may be left out.
    public var optional: Bool?

    /// Creates one from its fields.
    public init(name: String, type: String, optional: Bool? = nil) {
      self.name = name
      self.type = type
      self.optional = optional
    }
  }
}
