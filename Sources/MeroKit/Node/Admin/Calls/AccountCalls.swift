extension AdminApi {
  /// Who the node is.
  ///
  /// - Throws: ``MeroError/http(_:)`` with 404 before it has joined or founded anything.
  public func getNodeIdentity() async throws -> NodeIdentity { try await get("identity") }

  /// The devices of the node's account, as this node sees them.
  public func listAccountDevices() async throws -> [AccountDeviceEntry] {
    let answer: AccountDevicesResponse = try await get("account/devices", .flat)
    return answer.devices
  }

  /// The applications of the node's account that have a namespace.
  public func listAccountApplications() async throws -> [AccountApplicationEntry] {
    let answer: AccountApplicationsResponse = try await get("account/applications", .flat)
    return answer.applications
  }

  /// On the joining node: what the node with the account's root needs to take this one in. It publishes nothing.
  public func initAccountPairing(_ request: AccountPairInitRequest) async throws
    -> AccountPairInitResponseData
  {
    try await call(.post, "account/pair-init", json(request))
  }

  /// On the node with the account's root: takes a device in, after a person has compared the code.
  public func completeAccountPairing(
    _ request: AccountPairCompleteRequest
  ) async throws -> AccountPairCompleteResponseData {
    try await call(.post, "account/pair-complete", json(request))
  }

  /// Has the node's account root sign something for an outside service.
  public func signWithAccountRoot(
    _ request: AccountSignWithRootRequest
  ) async throws -> AccountSignWithRootResponseData {
    try await call(.post, "account/sign-with-root", json(request))
  }

  /// Links a device to namespaces gained since it was paired; adds to its scope and never narrows it.
  @discardableResult
  public func relinkAccountDevice(
    _ deviceId: String, request: RelinkDeviceRequest
  ) async throws -> RelinkDeviceResponseData {
    try await call(.post, "account/devices/\(deviceId)/relink", json(request))
  }

  /// Replaces what a device may act for.
  @discardableResult
  public func rescopeAccountDevice(
    _ deviceId: String, request: RescopeDeviceRequest
  ) async throws -> RescopeDeviceResponseData {
    try await call(.put, "account/devices/\(deviceId)/scope", json(request))
  }

  /// Names a device.
  @discardableResult
  public func labelAccountDevice(
    _ deviceId: String, request: LabelDeviceRequest
  ) async throws -> LabelDeviceResponseData {
    try await call(.put, "account/devices/\(deviceId)/label", json(request))
  }

  /// Withdraws a device for good, from every namespace that binds it and not only the one named. What it wrote stays.
  @discardableResult
  public func revokeAccountDevice(
    _ namespaceId: String, request: RevokeAccountDeviceRequest
  ) async throws -> RevokeAccountDeviceResponseData {
    try await call(.post, "namespaces/\(namespaceId)/account/revoke", json(request))
  }

  /// Binds a device of an account this node does not hold, so that what the device signs counts as the account's.
  @discardableResult
  public func linkAccountDevice(
    _ namespaceId: String, request: LinkAccountDeviceRequest
  ) async throws -> LinkAccountDeviceResponseData {
    try await call(.post, "namespaces/\(namespaceId)/account/link-device", json(request))
  }

  /// Seals a small secret to a member's account.
  public func sealToAccount(
    _ groupId: String, account: String, request: SealToAccountRequest
  ) async throws -> SealedEnvelope {
    try await call(.post, "groups/\(groupId)/accounts/\(account)/seal", json(request))
  }
}
