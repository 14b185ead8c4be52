import MeroWire

/// What a method returned, and over what (40 §11.1).
public struct ExecuteResult<T> {
  /// What the method returned.
  public let returns: T
  /// What the call went over.
  public let transport: TransportKind
  /// The context's state hash after the call; nil when it was not reported, as for a query and on a node.
  public let rootHash: String?

  /// A result of these parts.
  public init(returns: T, transport: TransportKind, rootHash: String? = nil) {
    self.returns = returns
    self.transport = transport
    self.rootHash = rootHash
  }
}

extension ExecuteResult: Sendable where T: Sendable {}
extension ExecuteResult: Equatable where T: Equatable {}

/// What a call went over.
public enum TransportKind: String, Sendable, Hashable {
  /// A node, as one of its own users.
  case node
  /// A relay, under a member's warrant.
  case relay
}

/// What migrating one's own entries did.
public struct MigrateMyEntriesSummary: Codable, Sendable, Hashable {
  /// How many entries were converted.
  public let converted: Int
  /// How many are left for another call.
  public let remaining: Int

  /// A summary of these counts.
  public init(converted: Int, remaining: Int) {
    self.converted = converted
    self.remaining = remaining
  }
}

/// Runs the methods of a context's contract, the same way on a node and over a relay.
public protocol ExecuteTransport: Sendable {
  /// Runs a method and says what it went over.
  ///
  /// - Throws: ``MeroError/rpc(_:)`` when the method refuses, and whatever the transport throws.
  func executeWithMetadata<T: Decodable>(
    contextId: String, method: String, argsJson: [String: JSONValue]
  ) async throws -> ExecuteResult<T>
}

extension ExecuteTransport {
  /// Runs a method without arguments and says what it went over.
  public func executeWithMetadata<T: Decodable>(
    contextId: String, method: String
  ) async throws -> ExecuteResult<T> {
    try await executeWithMetadata(contextId: contextId, method: method, argsJson: [:])
  }

  /// Runs a method.
  ///
  /// A method that returns nothing is read as an optional, a `JSONValue` or ``Empty``.
  ///
  /// ```swift
  /// let note: Note = try await mero.rpc.execute(contextId: context, method: "get_note", argsJson: ["id": "n1"])
  /// ```
  ///
  /// - Throws: ``MeroError/rpc(_:)`` when the method refuses, and whatever the transport throws.
  public func execute<T: Decodable>(
    contextId: String, method: String, argsJson: [String: JSONValue] = [:]
  ) async throws -> T {
    try await executeWithMetadata(contextId: contextId, method: method, argsJson: argsJson).returns
  }

  /// Converts some of the caller's entries to the application's new version: one call, which may leave a rest.
  public func migrateMyEntries(_ contextId: String) async throws -> MigrateMyEntriesSummary {
    try await execute(contextId: contextId, method: "migrate_my_entries")
  }

  /// How many of the caller's entries still wait to be converted.
  public func countMyPending(_ contextId: String) async throws -> Int {
    try await execute(contextId: contextId, method: "count_my_pending")
  }
}
