extension SseConnection {
  /// The changes of the application's version in these contexts, as they happen.
  ///
  /// - Returns: a stream that ends as that of ``events(contextIds:groupIds:)`` does.
  public nonisolated func versionChanges(
    contextIds: [String]
  ) -> AsyncThrowingStream<ContextVersionChange, any Error> {
    stream(of: SseTopic.list(contextIds: contextIds, groupIds: [])) { event in
      event.appVersionChange.map { ContextVersionChange(contextId: event.contextId, change: $0) }
    }
  }

  /// The news of migrations in these namespaces, as they happen. The counts in them are not to be added up: whoever shows a
  /// migration's state reads it anew at each.
  ///
  /// - Returns: a stream that ends as that of ``events(contextIds:groupIds:)`` does.
  public nonisolated func migrations(
    namespaceIds: [String]
  ) -> AsyncThrowingStream<NamespaceMigration, any Error> {
    stream(of: SseTopic.list(contextIds: [], groupIds: namespaceIds)) { event in
      event.migration.map { NamespaceMigration(namespaceId: event.groupId ?? "", event: $0) }
    }
  }
}

/// A context runs another version of its application.
public struct ContextVersionChange: Sendable, Hashable {
  /// The context.
  public let contextId: String
  /// The versions.
  public let change: AppVersionChange
}

/// News of a namespace's migration.
public struct NamespaceMigration: Sendable, Hashable {
  /// The namespace, 64 hex.
  public let namespaceId: String
  /// The news.
  public let event: MigrationEvent
}
