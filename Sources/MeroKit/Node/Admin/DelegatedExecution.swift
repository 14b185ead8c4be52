extension AdminSurface {
  /// Lets relays run the writes of a group's new members, if that is not so yet. On a namespace's root it reaches every
  /// open group below; it reaches neither members already in, nor admins.
  @discardableResult
  public func openToDelegatedExecution(_ groupId: String) async throws -> DelegatedExecutionChange {
    let capabilities = try await getDefaultCapabilities(groupId)
    return try await Self.grant(to: capabilities) {
      try await setDefaultCapabilities(
        groupId, request: SetDefaultCapabilitiesRequest(defaultCapabilities: $0))
    }
  }

  /// Lets one member, a relay's account, run other members' writes, if that is not so yet.
  @discardableResult
  public func grantAuthorship(_ groupId: String, account: String) async throws -> DelegatedExecutionChange {
    let capabilities = try await getMemberCapabilities(groupId, account: account).capabilities
    return try await Self.grant(to: capabilities) {
      try await setMemberCapabilities(
        groupId, account: account, request: SetMemberCapabilitiesRequest(capabilities: $0))
    }
  }

  private static func grant(
    to capabilities: UInt32, write: (UInt32) async throws -> Void
  ) async throws -> DelegatedExecutionChange {
    guard !Capabilities.hasCap(capabilities, Capabilities.canAuthorOnBehalf) else {
      return DelegatedExecutionChange(changed: false, capabilities: capabilities)
    }
    let granted = Capabilities.withCap(capabilities, Capabilities.canAuthorOnBehalf)
    try await write(granted)
    return DelegatedExecutionChange(changed: true, capabilities: granted)
  }
}
