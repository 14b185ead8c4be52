extension AdminApi {
  /// Has the node take part in every context of a group and sync it, as one does after joining.
  ///
  /// A context that cannot be joined or synced now is left as it is; peers may be away, and the call can be repeated.
  ///
  /// - Returns: the group's contexts.
  @discardableResult
  public func syncGroupContexts(_ groupId: String) async throws -> [GroupContextEntry] {
    try await ignoringFailure { try await syncGroup(groupId) }
    let contexts = try await allGroupContexts(groupId)
    for context in contexts {
      try await ignoringFailure {
        try await joinContext(context.contextId)
        try await syncContext(context.contextId)
      }
    }
    return contexts
  }

  private func ignoringFailure(_ step: () async throws -> Void) async throws {
    do { try await step() } catch is CancellationError { throw CancellationError() } catch {}
  }
}
