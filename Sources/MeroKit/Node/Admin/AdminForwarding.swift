// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation
// Each call is documented where it is required, at `AdminSurface`.

import Foundation

/// An admin whose calls are a node's unless it has its own.
package protocol AdminForwarding: AdminSurface {
  /// The node to answer a call.
  ///
  /// - Parameter call: the call's name with its labels.
  /// - Throws: when no node answers it for this admin.
  func forwarded(_ call: String) throws -> AdminApi
}

extension AdminForwarding {
  // MARK: The node
  public func healthCheck() async throws -> HealthStatus { try await forwarded(#function).healthCheck() }
  public func readinessCheck() async throws -> HealthStatus {
    try await forwarded(#function).readinessCheck()
  }
  public func isAuthed() async throws -> AdminAuthStatus { try await forwarded(#function).isAuthed() }
  public func getPeersCount() async throws -> PeersCountResponseData {
    try await forwarded(#function).getPeersCount()
  }
  public func getNetworkStatus() async throws -> NetworkStatusResponse {
    try await forwarded(#function).getNetworkStatus()
  }
  public func getUsage() async throws -> UsageResponse { try await forwarded(#function).getUsage() }

  // MARK: Applications
  @discardableResult
  public func installApplication(
    _ request: InstallApplicationRequest
  ) async throws -> InstallApplicationResponseData {
    try await forwarded(#function).installApplication(request)
  }
  @discardableResult
  public func installFromRegistry(
    packageName: String, version: String
  ) async throws -> InstallApplicationResponseData {
    try await forwarded(#function).installFromRegistry(packageName: packageName, version: version)
  }
  @discardableResult
  public func installDevApplication(
    _ request: InstallDevApplicationRequest
  ) async throws -> InstallApplicationResponseData {
    try await forwarded(#function).installDevApplication(request)
  }
  public func listApplications() async throws -> ListApplicationsResponseData {
    try await forwarded(#function).listApplications()
  }
  public func getApplication(_ applicationId: String) async throws -> GetApplicationResponseData {
    try await forwarded(#function).getApplication(applicationId)
  }
  @discardableResult
  public func uninstallApplication(_ applicationId: String) async throws -> UninstallApplicationResponseData {
    try await forwarded(#function).uninstallApplication(applicationId)
  }
  public func listApplicationVersions(_ applicationId: String) async throws -> [ApplicationVersionEntry] {
    try await forwarded(#function).listApplicationVersions(applicationId)
  }
  public func getApplicationAbi(
    _ applicationId: String, serviceName: String?
  ) async throws -> ApplicationAbi {
    try await forwarded(#function).getApplicationAbi(applicationId, serviceName: serviceName)
  }
  public func listPackages() async throws -> ListPackagesResponseData {
    try await forwarded(#function).listPackages()
  }
  public func listPackageVersions(_ package: String) async throws -> ListVersionsResponseData {
    try await forwarded(#function).listPackageVersions(package)
  }
  public func getLatestPackageVersion(_ package: String) async throws -> GetLatestVersionResponseData {
    try await forwarded(#function).getLatestPackageVersion(package)
  }
  public func getRegistryVersions(registryURL: String, packageName: String) async throws -> [String] {
    try await forwarded(#function).getRegistryVersions(registryURL: registryURL, packageName: packageName)
  }

  // MARK: Contexts
  public func getContexts(offset: Int?, limit: Int?) async throws -> GetContextsResponseData {
    try await forwarded(#function).getContexts(offset: offset, limit: limit)
  }
  @discardableResult
  public func createContext(_ request: CreateContextRequest) async throws -> CreateContextResponseData {
    try await forwarded(#function).createContext(request)
  }
  public func getContext(_ contextId: String) async throws -> Context {
    try await forwarded(#function).getContext(contextId)
  }
  @discardableResult
  public func deleteContext(_ contextId: String) async throws -> DeleteContextResponseData {
    try await forwarded(#function).deleteContext(contextId)
  }
  public func updateContextApplication(
    _ contextId: String, request: UpdateContextApplicationRequest
  ) async throws {
    try await forwarded(#function).updateContextApplication(contextId, request: request)
  }
  public func getContextStorage(_ contextId: String) async throws -> ContextStorageResponseData {
    try await forwarded(#function).getContextStorage(contextId)
  }
  public func getContextIdentities(_ contextId: String) async throws -> GetContextIdentitiesResponseData {
    try await forwarded(#function).getContextIdentities(contextId)
  }
  public func getContextIdentitiesOwned(
    _ contextId: String
  ) async throws -> GetContextIdentitiesResponseData {
    try await forwarded(#function).getContextIdentitiesOwned(contextId)
  }
  public func getContextGroup(_ contextId: String) async throws -> String? {
    try await forwarded(#function).getContextGroup(contextId)
  }
  @discardableResult
  public func joinContext(_ contextId: String) async throws -> JoinContextResponseData {
    try await forwarded(#function).joinContext(contextId)
  }
  public func leaveContext(_ contextId: String) async throws {
    try await forwarded(#function).leaveContext(contextId)
  }
  @discardableResult
  public func resyncContext(
    _ contextId: String, request: ResyncContextRequest
  ) async throws -> ResyncContextResponseData {
    try await forwarded(#function).resyncContext(contextId, request: request)
  }
  public func syncContext(_ contextId: String?) async throws {
    try await forwarded(#function).syncContext(contextId)
  }
  public func queryContext(
    _ contextId: String, request: QueryContextRequest
  ) async throws -> QueryContextResponseData {
    try await forwarded(#function).queryContext(contextId, request: request)
  }
  public func generateContextIdentity() async throws -> GenerateContextIdentityResponseData {
    try await forwarded(#function).generateContextIdentity()
  }
  @discardableResult
  public func syncGroupContexts(_ groupId: String) async throws -> [GroupContextEntry] {
    try await forwarded(#function).syncGroupContexts(groupId)
  }

  // MARK: Namespaces
  public func listNamespaces(offset: Int?, limit: Int?) async throws -> [Namespace] {
    try await forwarded(#function).listNamespaces(offset: offset, limit: limit)
  }
  @discardableResult
  public func createNamespace(_ request: CreateNamespaceRequest) async throws -> CreateNamespaceResponseData {
    try await forwarded(#function).createNamespace(request)
  }
  public func getNamespace(_ namespaceId: String) async throws -> Namespace {
    try await forwarded(#function).getNamespace(namespaceId)
  }
  @discardableResult
  public func deleteNamespace(_ namespaceId: String) async throws -> DeleteNamespaceResponseData {
    try await forwarded(#function).deleteNamespace(namespaceId)
  }
  public func listNamespacesForApplication(
    _ applicationId: String, offset: Int?, limit: Int?
  ) async throws -> [Namespace] {
    try await forwarded(#function).listNamespacesForApplication(applicationId, offset: offset, limit: limit)
  }
  public func listNamespaceGroups(_ namespaceId: String) async throws -> [SubgroupEntry] {
    try await forwarded(#function).listNamespaceGroups(namespaceId)
  }
  @discardableResult
  public func createGroupInNamespace(
    _ namespaceId: String, request: CreateGroupInNamespaceRequest?
  ) async throws -> CreateGroupInNamespaceResponseData {
    try await forwarded(#function).createGroupInNamespace(namespaceId, request: request)
  }
  public func createNamespaceInvitation(
    _ namespaceId: String, request: CreateNamespaceInvitationRequest?
  ) async throws -> CreateNamespaceInvitationResult {
    try await forwarded(#function).createNamespaceInvitation(namespaceId, request: request)
  }
  @discardableResult
  public func joinNamespace(
    _ namespaceId: String, request: JoinNamespaceRequest
  ) async throws -> JoinNamespaceResponseData {
    try await forwarded(#function).joinNamespace(namespaceId, request: request)
  }
  public func leaveNamespace(_ namespaceId: String) async throws {
    try await forwarded(#function).leaveNamespace(namespaceId)
  }
  public func changeNamespaceAdmin(_ namespaceId: String, request: ChangeNamespaceAdminRequest) async throws {
    try await forwarded(#function).changeNamespaceAdmin(namespaceId, request: request)
  }

  // MARK: Groups
  public func getGroupInfo(_ groupId: String) async throws -> GroupInfoResponseData {
    try await forwarded(#function).getGroupInfo(groupId)
  }
  public func getDefaultCapabilities(_ groupId: String) async throws -> UInt32 {
    try await forwarded(#function).getDefaultCapabilities(groupId)
  }
  public func getSubgroupVisibility(_ groupId: String) async throws -> GroupVisibility {
    try await forwarded(#function).getSubgroupVisibility(groupId)
  }
  @discardableResult
  public func deleteGroup(_ groupId: String) async throws -> DeleteGroupResponseData {
    try await forwarded(#function).deleteGroup(groupId)
  }
  public func listGroupContexts(
    _ groupId: String, offset: Int?, limit: Int?
  ) async throws -> ListGroupContextsResponseData {
    try await forwarded(#function).listGroupContexts(groupId, offset: offset, limit: limit)
  }
  public func listSubgroups(_ groupId: String) async throws -> [SubgroupEntry] {
    try await forwarded(#function).listSubgroups(groupId)
  }
  @discardableResult
  public func reparentGroup(
    _ groupId: String, request: ReparentGroupRequest
  ) async throws -> ReparentGroupResponseData {
    try await forwarded(#function).reparentGroup(groupId, request: request)
  }
  public func detachContextFromGroup(_ groupId: String, contextId: String) async throws {
    try await forwarded(#function).detachContextFromGroup(groupId, contextId: contextId)
  }
  public func leaveGroup(_ groupId: String) async throws {
    try await forwarded(#function).leaveGroup(groupId)
  }
  @discardableResult
  public func syncGroup(_ groupId: String) async throws -> SyncGroupResponseData {
    try await forwarded(#function).syncGroup(groupId)
  }
  @discardableResult
  public func joinSubgroupInheritance(_ groupId: String) async throws -> JoinSubgroupInheritanceResponseData {
    try await forwarded(#function).joinSubgroupInheritance(groupId)
  }
  public func setDefaultCapabilities(_ groupId: String, request: SetDefaultCapabilitiesRequest) async throws {
    try await forwarded(#function).setDefaultCapabilities(groupId, request: request)
  }
  public func setSubgroupVisibility(_ groupId: String, request: SetSubgroupVisibilityRequest) async throws {
    try await forwarded(#function).setSubgroupVisibility(groupId, request: request)
  }
  public func transferOwnership(_ groupId: String, request: TransferOwnershipRequest) async throws {
    try await forwarded(#function).transferOwnership(groupId, request: request)
  }
  public func ownerDeleteGroup(_ groupId: String, request: RootGuardedOpRequest?) async throws {
    try await forwarded(#function).ownerDeleteGroup(groupId, request: request)
  }
  public func issueOwnershipProof(
    _ groupId: String, request: IssueOwnershipProofRequest
  ) async throws -> IssueOwnershipProofResponseData {
    try await forwarded(#function).issueOwnershipProof(groupId, request: request)
  }
  public func issueNamespaceOwnershipProof(
    _ groupId: String, request: IssueNamespaceOwnershipProofRequest
  ) async throws -> IssueOwnershipProofResponseData {
    try await forwarded(#function).issueNamespaceOwnershipProof(groupId, request: request)
  }

  // MARK: Members
  public func listGroupMembers(
    _ groupId: String, offset: Int?, limit: Int?
  ) async throws -> ListGroupMembersResponseData {
    try await forwarded(#function).listGroupMembers(groupId, offset: offset, limit: limit)
  }
  public func addGroupMembers(_ groupId: String, request: AddGroupMembersRequest) async throws {
    try await forwarded(#function).addGroupMembers(groupId, request: request)
  }
  public func removeGroupMembers(_ groupId: String, request: RemoveGroupMembersRequest) async throws {
    try await forwarded(#function).removeGroupMembers(groupId, request: request)
  }
  public func updateMemberRole(
    _ groupId: String, account: String, request: UpdateMemberRoleRequest
  ) async throws {
    try await forwarded(#function).updateMemberRole(groupId, account: account, request: request)
  }
  public func getMemberCapabilities(_ groupId: String, account: String) async throws -> MemberCapabilities {
    try await forwarded(#function).getMemberCapabilities(groupId, account: account)
  }
  public func setMemberCapabilities(
    _ groupId: String, account: String, request: SetMemberCapabilitiesRequest
  ) async throws {
    try await forwarded(#function).setMemberCapabilities(groupId, account: account, request: request)
  }
  public func setMemberAutoFollow(
    _ groupId: String, account: String, request: SetMemberAutoFollowRequest
  ) async throws {
    try await forwarded(#function).setMemberAutoFollow(groupId, account: account, request: request)
  }
  public func listGroupMemberDevices(
    _ groupId: String, offset: Int?, limit: Int?
  ) async throws -> [MemberDevicesEntry] {
    try await forwarded(#function).listGroupMemberDevices(groupId, offset: offset, limit: limit)
  }

  // MARK: Names and data
  public func getGroupMetadata(_ groupId: String) async throws -> MetadataRecord? {
    try await forwarded(#function).getGroupMetadata(groupId)
  }
  public func setGroupMetadata(_ groupId: String, request: SetGroupMetadataRequest) async throws {
    try await forwarded(#function).setGroupMetadata(groupId, request: request)
  }
  public func getMemberMetadata(_ groupId: String, account: String) async throws -> MetadataRecord? {
    try await forwarded(#function).getMemberMetadata(groupId, account: account)
  }
  public func setMemberMetadata(
    _ groupId: String, account: String, request: SetMemberMetadataRequest
  ) async throws {
    try await forwarded(#function).setMemberMetadata(groupId, account: account, request: request)
  }
  public func getContextMetadata(_ groupId: String, contextId: String) async throws -> MetadataRecord? {
    try await forwarded(#function).getContextMetadata(groupId, contextId: contextId)
  }
  public func setContextMetadata(
    _ groupId: String, contextId: String, request: SetContextMetadataRequest
  ) async throws {
    try await forwarded(#function).setContextMetadata(groupId, contextId: contextId, request: request)
  }

  // MARK: Invitations to groups
  public func createGroupInvitation(
    _ groupId: String, request: CreateGroupInvitationRequest?
  ) async throws -> CreateGroupInvitationResult {
    try await forwarded(#function).createGroupInvitation(groupId, request: request)
  }
  @discardableResult
  public func joinGroup(_ request: JoinGroupRequest) async throws -> JoinGroupResponseData {
    try await forwarded(#function).joinGroup(request)
  }

  // MARK: Upgrades
  @discardableResult
  public func upgradeGroup(
    _ groupId: String, request: UpgradeGroupRequest
  ) async throws -> UpgradeGroupResponseData {
    try await forwarded(#function).upgradeGroup(groupId, request: request)
  }
  public func getGroupUpgradeStatus(_ groupId: String) async throws -> GroupUpgradeStatus? {
    try await forwarded(#function).getGroupUpgradeStatus(groupId)
  }
  @discardableResult
  public func retryGroupUpgrade(_ groupId: String) async throws -> RetryGroupUpgradeResponseData {
    try await forwarded(#function).retryGroupUpgrade(groupId)
  }
  public func getCascadeStatus(_ namespaceId: String) async throws -> [CascadeStatusEntry] {
    try await forwarded(#function).getCascadeStatus(namespaceId)
  }
  public func getMigrationStatus(_ namespaceId: String) async throws -> MigrationStatus {
    try await forwarded(#function).getMigrationStatus(namespaceId)
  }
  @discardableResult
  public func abortMigration(_ namespaceId: String) async throws -> AbortMigrationResponseData {
    try await forwarded(#function).abortMigration(namespaceId)
  }

  // MARK: Blobs
  @discardableResult
  public func uploadBlob(_ request: UploadBlobRequest) async throws -> BlobInfo {
    try await forwarded(#function).uploadBlob(request)
  }
  public func listBlobs() async throws -> ListBlobsResponseData { try await forwarded(#function).listBlobs() }
  public func getBlob(_ blobId: String, contextId: String?) async throws -> Data {
    try await forwarded(#function).getBlob(blobId, contextId: contextId)
  }
  public func getBlobInfo(_ blobId: String, contextId: String?) async throws -> GetBlobInfoResponseData {
    try await forwarded(#function).getBlobInfo(blobId, contextId: contextId)
  }
  @discardableResult
  public func deleteBlob(_ blobId: String) async throws -> DeleteBlobResponseData {
    try await forwarded(#function).deleteBlob(blobId)
  }

  // MARK: Names of a node's own
  public func createContextAlias(_ request: CreateContextAliasRequest) async throws {
    try await forwarded(#function).createContextAlias(request)
  }
  public func lookupContextAlias(_ name: String) async throws -> LookupAliasResponseData {
    try await forwarded(#function).lookupContextAlias(name)
  }
  public func deleteContextAlias(_ name: String) async throws {
    try await forwarded(#function).deleteContextAlias(name)
  }
  public func listContextAliases() async throws -> ListAliasesResponseData {
    try await forwarded(#function).listContextAliases()
  }
  public func createApplicationAlias(_ request: CreateApplicationAliasRequest) async throws {
    try await forwarded(#function).createApplicationAlias(request)
  }
  public func lookupApplicationAlias(_ name: String) async throws -> LookupAliasResponseData {
    try await forwarded(#function).lookupApplicationAlias(name)
  }
  public func deleteApplicationAlias(_ name: String) async throws {
    try await forwarded(#function).deleteApplicationAlias(name)
  }
  public func listApplicationAliases() async throws -> ListAliasesResponseData {
    try await forwarded(#function).listApplicationAliases()
  }
  public func createDeviceAlias(_ request: CreateDeviceAliasRequest) async throws {
    try await forwarded(#function).createDeviceAlias(request)
  }
  public func lookupDeviceAlias(_ name: String) async throws -> LookupAliasResponseData {
    try await forwarded(#function).lookupDeviceAlias(name)
  }
  public func deleteDeviceAlias(_ name: String) async throws {
    try await forwarded(#function).deleteDeviceAlias(name)
  }
  public func listDeviceAliases() async throws -> ListAliasesResponseData {
    try await forwarded(#function).listDeviceAliases()
  }

  // MARK: Identity and devices
  public func getNodeIdentity() async throws -> NodeIdentity {
    try await forwarded(#function).getNodeIdentity()
  }
  public func listAccountDevices() async throws -> [AccountDeviceEntry] {
    try await forwarded(#function).listAccountDevices()
  }
  public func initAccountPairing(
    _ request: AccountPairInitRequest
  ) async throws -> AccountPairInitResponseData {
    try await forwarded(#function).initAccountPairing(request)
  }
  public func completeAccountPairing(
    _ request: AccountPairCompleteRequest
  ) async throws -> AccountPairCompleteResponseData {
    try await forwarded(#function).completeAccountPairing(request)
  }
  public func signWithAccountRoot(
    _ request: AccountSignWithRootRequest
  ) async throws -> AccountSignWithRootResponseData {
    try await forwarded(#function).signWithAccountRoot(request)
  }
  @discardableResult
  public func relinkAccountDevice(
    _ deviceId: String, request: RelinkDeviceRequest
  ) async throws -> RelinkDeviceResponseData {
    try await forwarded(#function).relinkAccountDevice(deviceId, request: request)
  }
  @discardableResult
  public func rescopeAccountDevice(
    _ deviceId: String, request: RescopeDeviceRequest
  ) async throws -> RescopeDeviceResponseData {
    try await forwarded(#function).rescopeAccountDevice(deviceId, request: request)
  }
  @discardableResult
  public func labelAccountDevice(
    _ deviceId: String, request: LabelDeviceRequest
  ) async throws -> LabelDeviceResponseData {
    try await forwarded(#function).labelAccountDevice(deviceId, request: request)
  }
  @discardableResult
  public func revokeAccountDevice(
    _ namespaceId: String, request: RevokeAccountDeviceRequest
  ) async throws -> RevokeAccountDeviceResponseData {
    try await forwarded(#function).revokeAccountDevice(namespaceId, request: request)
  }

  // MARK: Hardware
  public func getTeeInfo() async throws -> TeeInfoResponseData { try await forwarded(#function).getTeeInfo() }
  public func teeAttest(_ request: TeeAttestRequest) async throws -> TeeAttestResponseData {
    try await forwarded(#function).teeAttest(request)
  }
  public func getTeeAdmissionPolicy(_ namespaceId: String) async throws -> GetTeeAdmissionPolicyResponseData {
    try await forwarded(#function).getTeeAdmissionPolicy(namespaceId)
  }
  public func setTeeAdmissionPolicy(
    _ namespaceId: String, request: SetTeeAdmissionPolicyRequest
  ) async throws {
    try await forwarded(#function).setTeeAdmissionPolicy(namespaceId, request: request)
  }
  public func setTeeAuthoringPolicy(
    _ namespaceId: String, request: SetTeeAuthoringPolicyRequest
  ) async throws {
    try await forwarded(#function).setTeeAuthoringPolicy(namespaceId, request: request)
  }
  public func disableTeeAuthoringPolicy(_ namespaceId: String, request: RootGuardedOpRequest?) async throws {
    try await forwarded(#function).disableTeeAuthoringPolicy(namespaceId, request: request)
  }
}
