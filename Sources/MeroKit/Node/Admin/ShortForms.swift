import Foundation

// Calls with what is mostly left out, and the names other Calimero SDKs use. Short ones are declared here once, since a
// protocol's requirement cannot have a default.
extension AdminSurface {
  /// The first namespaces the caller may see, 100 at most; ``allNamespaces()`` reads all.
  public func listNamespaces() async throws -> [Namespace] {
    try await listNamespaces(offset: nil, limit: nil)
  }

  /// The first namespaces of an application, 100 at most; ``allNamespacesForApplication(_:)`` reads all.
  public func listNamespacesForApplication(_ applicationId: String) async throws -> [Namespace] {
    try await listNamespacesForApplication(applicationId, offset: nil, limit: nil)
  }

  /// The first contexts the caller may see, 100 at most; ``allContexts()`` reads all.
  public func getContexts() async throws -> GetContextsResponseData {
    try await getContexts(offset: nil, limit: nil)
  }

  /// The first members of a group, 100 at most; ``allGroupMembers(_:)`` reads all.
  public func listGroupMembers(_ groupId: String) async throws -> ListGroupMembersResponseData {
    try await listGroupMembers(groupId, offset: nil, limit: nil)
  }

  /// The first contexts of a group, 100 at most; ``allGroupContexts(_:)`` reads all.
  public func listGroupContexts(_ groupId: String) async throws -> ListGroupContextsResponseData {
    try await listGroupContexts(groupId, offset: nil, limit: nil)
  }

  /// The first members of a group with their devices, 100 at most; ``allGroupMemberDevices(_:)`` reads all.
  public func listGroupMemberDevices(_ groupId: String) async throws -> [MemberDevicesEntry] {
    try await listGroupMemberDevices(groupId, offset: nil, limit: nil)
  }

  /// Another name of ``listGroupMemberDevices(_:)``.
  public func listMemberDevices(_ groupId: String) async throws -> [MemberDevicesEntry] {
    try await listGroupMemberDevices(groupId)
  }

  /// Has the node sync every context.
  public func syncContext() async throws { try await syncContext(nil) }

  /// Replaces a context's state by a peer's, unless it has changes of its own.
  @discardableResult
  public func resyncContext(_ contextId: String, force: Bool = false) async throws
    -> ResyncContextResponseData
  {
    try await resyncContext(contextId, request: ResyncContextRequest(force: force))
  }

  /// What an application's methods are; of a bundle with several services, name one.
  public func getApplicationAbi(_ applicationId: String) async throws -> ApplicationAbi {
    try await getApplicationAbi(applicationId, serviceName: nil)
  }

  /// A blob's bytes, from the node's own store.
  public func getBlob(_ blobId: String) async throws -> Data { try await getBlob(blobId, contextId: nil) }

  /// What the node knows about a blob in its own store.
  public func getBlobInfo(_ blobId: String) async throws -> GetBlobInfoResponseData {
    try await getBlobInfo(blobId, contextId: nil)
  }

  /// Another name of ``initAccountPairing(_:)``.
  public func accountPairInit(_ request: AccountPairInitRequest) async throws -> AccountPairInitResponseData {
    try await initAccountPairing(request)
  }

  /// Another name of ``completeAccountPairing(_:)``.
  public func accountPairComplete(
    _ request: AccountPairCompleteRequest
  ) async throws -> AccountPairCompleteResponseData {
    try await completeAccountPairing(request)
  }

  /// Another name of ``relinkAccountDevice(_:request:)``.
  @discardableResult
  public func relinkDevice(
    _ deviceId: String, request: RelinkDeviceRequest
  ) async throws -> RelinkDeviceResponseData {
    try await relinkAccountDevice(deviceId, request: request)
  }

  /// Another name of ``rescopeAccountDevice(_:request:)``.
  @discardableResult
  public func rescopeDevice(
    _ deviceId: String, request: RescopeDeviceRequest
  ) async throws -> RescopeDeviceResponseData {
    try await rescopeAccountDevice(deviceId, request: request)
  }

  /// Another name of ``labelAccountDevice(_:request:)``.
  @discardableResult
  public func labelDevice(_ deviceId: String, request: LabelDeviceRequest) async throws
    -> LabelDeviceResponseData
  {
    try await labelAccountDevice(deviceId, request: request)
  }

  /// Another name of ``revokeAccountDevice(_:request:)``.
  @discardableResult
  public func revokeDevice(
    _ namespaceId: String, request: RevokeAccountDeviceRequest
  ) async throws -> RevokeAccountDeviceResponseData {
    try await revokeAccountDevice(namespaceId, request: request)
  }

  /// Who the node is, with a namespace beside it.
  @available(*, deprecated, message: "a node is the same in all namespaces; use getNodeIdentity")
  public func getNamespaceIdentity(_ namespaceId: String) async throws -> NamespaceIdentity {
    let identity = try await getNodeIdentity()
    return NamespaceIdentity(
      namespaceId: namespaceId, publicKey: identity.publicKey, account: identity.accountId)
  }
}
