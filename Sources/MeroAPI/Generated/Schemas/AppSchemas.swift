// Generated from openapi/openapi.json by scripts/generate-openapi.sh; not edited by hand.

import MeroWire

extension Components.Schemas {
  /// Where an app stands.
  ///
  /// An open set: a word added later is kept and sent back as it came.
  public struct AppState: RawRepresentable, Codable, Sendable, Hashable {
    /// The word as it is on the wire.
    public let rawValue: String

    /// Takes any word.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// Its first state is being made.
    public static let creating = AppState(rawValue: "creating")
    /// It answers calls and views.
    public static let ready = AppState(rawValue: "ready")
    /// It is moving to another version; views answer from the old one.
    public static let upgrading = AppState(rawValue: "upgrading")
    /// An operator or a quota stopped it.
    public static let suspended = AppState(rawValue: "suspended")
    /// It is going away.
    public static let deleting = AppState(rawValue: "deleting")

    /// The words known when this was written, in the document's order.
    public static let known: [AppState] = [.creating, .ready, .upgrading, .suspended, .deleting]
  }

  /// A role in an app, strongest first.
  ///
  /// An open set: a word added later is kept and sent back as it came.
  public struct AppRole: RawRepresentable, Codable, Sendable, Hashable {
    /// The word as it is on the wire.
    public let rawValue: String

    /// Takes any word.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// Everything but deleting it.
    public static let manager = AppRole(rawValue: "manager")
    /// Calls and views.
    public static let writer = AppRole(rawValue: "writer")
    /// Views, events and presence.
    public static let reader = AppRole(rawValue: "reader")

    /// The words known when this was written, in the document's order.
    public static let known: [AppRole] = [.manager, .writer, .reader]
  }

  /// What members of the owning organization may do in an app without being named.
  ///
  /// An open set: a word added later is kept and sent back as it came.
  public struct OrgAccess: RawRepresentable, Codable, Sendable, Hashable {
    /// The word as it is on the wire.
    public let rawValue: String

    /// Takes any word.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// Nothing.
    ///
    /// Where an optional is expected, write `OrgAccess.none` in full.
    public static let none = OrgAccess(rawValue: "none")
    /// As a reader.
    public static let reader = OrgAccess(rawValue: "reader")
    /// As a writer.
    public static let writer = OrgAccess(rawValue: "writer")

    /// The words known when this was written, in the document's order.
    public static let known: [OrgAccess] = [.none, .reader, .writer]
  }

  /// An app: one running instance of a package, with its own state.
  public struct App: Codable, Sendable, Hashable {
    /// The app's id.
    public var appId: String
    /// Its name, unique in the organization.
    public var name: String
    /// The package it runs.
    public var package: String
    /// The version it runs.
    public var version: String
    /// The organization that owns it.
    public var orgId: String
    /// Where an app stands.
    public var state: AppState
    /// The caller's role in it.
    public var role: AppRole
    /// What members of the owning organization may do in an app without being named.
    public var orgAccess: OrgAccess
    /// Its position: how many changes it has taken.
    public var seq: UInt64
    /// Unix milliseconds.
    public var createdAt: Int64
    /// The account that made it.
    public var createdBy: String?
    /// SHA-256 of the code it runs, lower-case hex.
    public var codeHash: String?

    /// Creates one from its fields.
    public init(
      appId: String,
      name: String,
      package: String,
      version: String,
      orgId: String,
      state: AppState,
      role: AppRole,
      orgAccess: OrgAccess,
      seq: UInt64,
      createdAt: Int64,
      createdBy: String? = nil,
      codeHash: String? = nil
    ) {
      self.appId = appId
      self.name = name
      self.package = package
      self.version = version
      self.orgId = orgId
      self.state = state
      self.role = role
      self.orgAccess = orgAccess
      self.seq = seq
      self.createdAt = createdAt
      self.createdBy = createdBy
      self.codeHash = codeHash
    }
  }

  /// A page of apps.
  public struct AppList: Codable, Sendable, Hashable {
    /// Newest first.
    public var apps: [App]
    /// Pass it as cursor for the next page.
    public var nextCursor: String?

    /// Creates one from its fields.
    public init(apps: [App], nextCursor: String? = nil) {
      self.apps = apps
      self.nextCursor = nextCursor
    }
  }

  /// What a call returned and where it stands in the app's order.
  public struct CallResult: Codable, Sendable, Hashable {
    /// What the method returned; null when it returned nothing.
    public var result: JSONValue
    /// The app's position once the call was applied. A later view that asks for at least this position sees
    /// the call.
    public var seq: UInt64
    /// True when this is the kept answer of an earlier request with the same idempotency key.
    public var replayed: Bool
    /// How many events the call emitted.
    public var events: Int32?

    /// Creates one from its fields.
    public init(result: JSONValue, seq: UInt64, replayed: Bool, events: Int32? = nil) {
      self.result = result
      self.seq = seq
      self.replayed = replayed
      self.events = events
    }
  }

  /// What a view returned and the position it read at.
  public struct ViewResult: Codable, Sendable, Hashable {
    /// What the method returned.
    public var result: JSONValue
    /// The app's position it read.
    public var seq: UInt64

    /// Creates one from its fields.
    public init(result: JSONValue, seq: UInt64) {
      self.result = result
      self.seq = seq
    }
  }

  /// One thing a search found.
  public struct SearchHit: Codable, Sendable, Hashable {
    /// The entry's key.
    public var id: String
    /// The index it is in, as the app named it.
    public var kind: String
    /// Higher is better.
    public var score: Double
    /// The entry.
    public var value: JSONValue
    /// The words around the match.
    public var snippet: String?

    /// Creates one from its fields.
    public init(id: String, kind: String, score: Double, value: JSONValue, snippet: String? = nil) {
      self.id = id
      self.kind = kind
      self.score = score
      self.value = value
      self.snippet = snippet
    }
  }

  /// What a search found.
  public struct SearchResults: Codable, Sendable, Hashable {
    /// Best first.
    public var hits: [SearchHit]
    /// Pass it as cursor for the next page.
    public var nextCursor: String?
    /// The app's position the index reflects.
    public var seq: UInt64

    /// Creates one from its fields.
    public init(hits: [SearchHit], nextCursor: String? = nil, seq: UInt64) {
      self.hits = hits
      self.nextCursor = nextCursor
      self.seq = seq
    }
  }
}
