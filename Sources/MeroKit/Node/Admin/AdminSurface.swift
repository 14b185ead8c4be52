import Foundation

/// What an app asks of an admin, whether behind it is a node or an account on a relay (20 §7).
///
/// `AdminApi` conforms as it is, ``NodeAdmin`` also installs an app's package, and an account's admin turns writes into
/// signed warrants. Calls that have no meaning for an account throw there and say so. A member is addressed by its
/// **account**; a signing key looks the same and names nobody.
public protocol AdminSurface: Sendable {
  // MARK: The node

  /// Whether the node is alive; true while it starts or drains. Needs no token.
  ///
  /// - Throws: ``MeroError/http(_:)`` with 503 when its store does not answer.
  func healthCheck() async throws -> HealthStatus

  /// Whether the node serves requests. Needs no token.
  ///
  /// - Throws: ``MeroError/http(_:)`` with 503 while it does not.
  func readinessCheck() async throws -> HealthStatus

  /// Whether a Calimero node is at this address. It does not check a token.
  func isAuthed() async throws -> AdminAuthStatus

  /// How many peers the node is connected to.
  func getPeersCount() async throws -> PeersCountResponseData

  /// How the node stands in its peer-to-peer network.
  func getNetworkStatus() async throws -> NetworkStatusResponse

  /// What every namespace takes up on the node.
  func getUsage() async throws -> UsageResponse

  // MARK: Applications

  /// Has the node fetch a release from its own registry and install it. Installing it again changes nothing.
  @discardableResult
  func installApplication(
    _ request: InstallApplicationRequest
  ) async throws -> InstallApplicationResponseData

  /// Has the node fetch a release from its own registry and install it: `installApplication` by name and version.
  @discardableResult
  func installFromRegistry(
    packageName: String, version: String
  ) async throws -> InstallApplicationResponseData

  /// Installs a signed bundle from the node's own disk.
  @discardableResult
  func installDevApplication(
    _ request: InstallDevApplicationRequest
  ) async throws -> InstallApplicationResponseData

  /// The applications the node has.
  func listApplications() async throws -> ListApplicationsResponseData

  /// One application.
  ///
  /// - Throws: ``MeroError/http(_:)`` with 404 when the node does not have it.
  func getApplication(_ applicationId: String) async throws -> GetApplicationResponseData

  /// Removes an application from the node.
  @discardableResult
  func uninstallApplication(_ applicationId: String) async throws -> UninstallApplicationResponseData

  /// The versions of an application the node has installed.
  func listApplicationVersions(_ applicationId: String) async throws -> [ApplicationVersionEntry]

  /// What an application's methods are, from its newest bytecode.
  ///
  /// - Parameter serviceName: which service of a bundle with several.
  func getApplicationAbi(_ applicationId: String, serviceName: String?) async throws -> ApplicationAbi

  /// The packages the node has.
  func listPackages() async throws -> ListPackagesResponseData

  /// The versions of a package the node has.
  func listPackageVersions(_ package: String) async throws -> ListVersionsResponseData

  /// The newest version of a package the node has.
  func getLatestPackageVersion(_ package: String) async throws -> GetLatestVersionResponseData

  /// The versions of a package that a registry has published and not withdrawn, newest first. It asks the registry, not
  /// the node, and sends it no token.
  func getRegistryVersions(registryURL: String, packageName: String) async throws -> [String]

  // MARK: Contexts

  /// The contexts the caller may see; the node answers at most 1000 at a time, 100 when nothing is said.
  func getContexts(offset: Int?, limit: Int?) async throws -> GetContextsResponseData

  /// Makes a context of an application in a group.
  @discardableResult
  func createContext(_ request: CreateContextRequest) async throws -> CreateContextResponseData

  /// One context.
  func getContext(_ contextId: String) async throws -> Context

  /// Drops the node's own copy of a context. To remove it for everybody, `detachContextFromGroup`.
  @discardableResult
  func deleteContext(_ contextId: String) async throws -> DeleteContextResponseData

  /// Has one context run another application's code; prefer `upgradeGroup`.
  func updateContextApplication(_ contextId: String, request: UpdateContextApplicationRequest) async throws

  /// What a context's state takes up on the node.
  func getContextStorage(_ contextId: String) async throws -> ContextStorageResponseData

  /// The signing keys that take part in a context.
  func getContextIdentities(_ contextId: String) async throws -> GetContextIdentitiesResponseData

  /// The signing keys in a context that are the caller's.
  func getContextIdentitiesOwned(_ contextId: String) async throws -> GetContextIdentitiesResponseData

  /// The group a context belongs to; nil for none.
  func getContextGroup(_ contextId: String) async throws -> String?

  /// Takes part in a context of a group one is a member of. Its state arrives afterwards, by sync.
  @discardableResult
  func joinContext(_ contextId: String) async throws -> JoinContextResponseData

  /// Stops taking part in a context on this node; nobody else is told.
  func leaveContext(_ contextId: String) async throws

  /// Replaces a context's state by a peer's.
  ///
  /// - Throws: ``MeroError/http(_:)`` with 409 without `force` when the context has changes of its own.
  @discardableResult
  func resyncContext(
    _ contextId: String, request: ResyncContextRequest
  ) async throws -> ResyncContextResponseData

  /// Has the node sync a context, or all of them when nil. It returns once that was tried or queued, not when peers agree.
  func syncContext(_ contextId: String?) async throws

  /// Reads a context as the session's account, without a warrant.
  ///
  /// - Throws: ``MeroError/http(_:)`` with 409 when the method is not declared read-only and needs a warrant.
  func queryContext(
    _ contextId: String, request: QueryContextRequest
  ) async throws -> QueryContextResponseData

  /// Makes a new signing key, another one at each call.
  func generateContextIdentity() async throws -> GenerateContextIdentityResponseData

  /// Has the node take part in every context of a group and sync it, as one does after joining.
  ///
  /// A context that cannot be joined or synced now is left as it is; peers may be away, and the call can be repeated.
  ///
  /// - Returns: the group's contexts.
  @discardableResult
  func syncGroupContexts(_ groupId: String) async throws -> [GroupContextEntry]

  // MARK: Namespaces

  /// The namespaces the caller may see; the node answers 100 at a time when nothing is said.
  func listNamespaces(offset: Int?, limit: Int?) async throws -> [Namespace]

  /// Founds a namespace, another one at each call. The application must be installed; `NodeAdmin` sees to that.
  @discardableResult
  func createNamespace(_ request: CreateNamespaceRequest) async throws -> CreateNamespaceResponseData

  /// One namespace.
  func getNamespace(_ namespaceId: String) async throws -> Namespace

  /// Deletes a namespace and everything in it.
  @discardableResult
  func deleteNamespace(_ namespaceId: String) async throws -> DeleteNamespaceResponseData

  /// The namespaces of an application; the node answers 100 at a time when nothing is said.
  func listNamespacesForApplication(
    _ applicationId: String, offset: Int?, limit: Int?
  ) async throws -> [Namespace]

  /// The groups directly under a namespace's root that the caller may see.
  func listNamespaceGroups(_ namespaceId: String) async throws -> [SubgroupEntry]

  /// Makes a group directly under a namespace's root, open unless the request says otherwise.
  @discardableResult
  func createGroupInNamespace(
    _ namespaceId: String, request: CreateGroupInNamespaceRequest?
  ) async throws -> CreateGroupInNamespaceResponseData

  /// Makes an invitation to a namespace, or one for each group of its tree.
  func createNamespaceInvitation(
    _ namespaceId: String, request: CreateNamespaceInvitationRequest?
  ) async throws -> CreateNamespaceInvitationResult

  /// Joins a namespace with an invitation. Joining twice is fine, and a failure does not prove that one is no member:
  /// `redeemInvitation` asks.
  @discardableResult
  func joinNamespace(
    _ namespaceId: String, request: JoinNamespaceRequest
  ) async throws -> JoinNamespaceResponseData

  /// Leaves a namespace and every group below it.
  func leaveNamespace(_ namespaceId: String) async throws

  /// Makes another member the namespace's admin. Needs the owner's root.
  func changeNamespaceAdmin(_ namespaceId: String, request: ChangeNamespaceAdminRequest) async throws

  // MARK: Groups

  /// A group as the node sees it.
  func getGroupInfo(_ groupId: String) async throws -> GroupInfoResponseData

  /// The mask new members of a group start with.
  func getDefaultCapabilities(_ groupId: String) async throws -> UInt32

  /// Whether members of the parent are members of a group.
  func getSubgroupVisibility(_ groupId: String) async throws -> GroupVisibility

  /// Deletes a group with everything below it. A namespace's root goes with `deleteNamespace`.
  @discardableResult
  func deleteGroup(_ groupId: String) async throws -> DeleteGroupResponseData

  /// The contexts of a group; the node answers at most 1000 at a time, 100 when nothing is said.
  func listGroupContexts(
    _ groupId: String, offset: Int?, limit: Int?
  ) async throws -> ListGroupContextsResponseData

  /// The groups directly under a group that the caller may see.
  func listSubgroups(_ groupId: String) async throws -> [SubgroupEntry]

  /// Moves a group under another one of the same namespace.
  @discardableResult
  func reparentGroup(
    _ groupId: String, request: ReparentGroupRequest
  ) async throws -> ReparentGroupResponseData

  /// Takes a context out of a group, for everybody.
  func detachContextFromGroup(_ groupId: String, contextId: String) async throws

  /// Leaves a group. A namespace is left with `leaveNamespace`.
  func leaveGroup(_ groupId: String) async throws

  /// Fetches a group's decisions from peers.
  @discardableResult
  func syncGroup(_ groupId: String) async throws -> SyncGroupResponseData

  /// Makes an inherited membership of an open subgroup an explicit one.
  @discardableResult
  func joinSubgroupInheritance(_ groupId: String) async throws -> JoinSubgroupInheritanceResponseData

  /// Sets the mask new members of a group start with. Members keep theirs.
  func setDefaultCapabilities(_ groupId: String, request: SetDefaultCapabilitiesRequest) async throws

  /// Sets whether members of the parent are members of a group.
  func setSubgroupVisibility(_ groupId: String, request: SetSubgroupVisibilityRequest) async throws

  /// Makes another admin the group's owner. Needs the owner's root.
  func transferOwnership(_ groupId: String, request: TransferOwnershipRequest) async throws

  /// Deletes a group that holds no contexts. Needs the owner's root; `deleteGroup` is an admin's.
  func ownerDeleteGroup(_ groupId: String, request: RootGuardedOpRequest?) async throws

  /// A signed statement for an outside service that the caller administers a context's group.
  func issueOwnershipProof(
    _ groupId: String, request: IssueOwnershipProofRequest
  ) async throws -> IssueOwnershipProofResponseData

  /// A signed statement for an outside service that the caller administers a namespace.
  func issueNamespaceOwnershipProof(
    _ groupId: String, request: IssueNamespaceOwnershipProofRequest
  ) async throws -> IssueOwnershipProofResponseData

  // MARK: Members

  /// The members of a group, inherited ones included; the node answers at most 1000 at a time, 100 when nothing is said.
  func listGroupMembers(
    _ groupId: String, offset: Int?, limit: Int?
  ) async throws -> ListGroupMembersResponseData

  /// Adds accounts to a group.
  func addGroupMembers(_ groupId: String, request: AddGroupMembersRequest) async throws

  /// Removes accounts from a group. Its key changes for those who remain.
  func removeGroupMembers(_ groupId: String, request: RemoveGroupMembersRequest) async throws

  /// Sets what a member is.
  func updateMemberRole(_ groupId: String, account: String, request: UpdateMemberRoleRequest) async throws

  /// What a member may do, inherited rights included.
  func getMemberCapabilities(_ groupId: String, account: String) async throws -> MemberCapabilities

  /// Replaces what a member may do.
  func setMemberCapabilities(
    _ groupId: String, account: String, request: SetMemberCapabilitiesRequest
  ) async throws

  /// Sets what a member's node joins by itself.
  func setMemberAutoFollow(
    _ groupId: String, account: String, request: SetMemberAutoFollowRequest
  ) async throws

  /// Members with their live devices: the only way from an account to its keys. An admin sees all, a member only itself.
  func listGroupMemberDevices(
    _ groupId: String, offset: Int?, limit: Int?
  ) async throws -> [MemberDevicesEntry]

  // MARK: Names and data

  /// A group's name and data; nil when never set.
  func getGroupMetadata(_ groupId: String) async throws -> MetadataRecord?

  /// Sets a group's name and data.
  func setGroupMetadata(_ groupId: String, request: SetGroupMetadataRequest) async throws

  /// A member's name and data; nil when never set.
  func getMemberMetadata(_ groupId: String, account: String) async throws -> MetadataRecord?

  /// Sets a member's name and data.
  func setMemberMetadata(_ groupId: String, account: String, request: SetMemberMetadataRequest) async throws

  /// A context's name and data; nil when never set.
  func getContextMetadata(_ groupId: String, contextId: String) async throws -> MetadataRecord?

  /// Sets a context's name and data.
  func setContextMetadata(
    _ groupId: String, contextId: String, request: SetContextMetadataRequest
  ) async throws

  // MARK: Invitations to groups

  /// Makes an invitation to a group.
  func createGroupInvitation(
    _ groupId: String, request: CreateGroupInvitationRequest?
  ) async throws -> CreateGroupInvitationResult

  /// Joins the group an invitation names.
  @discardableResult
  func joinGroup(_ request: JoinGroupRequest) async throws -> JoinGroupResponseData

  // MARK: Upgrades

  /// Has a group run another application, or a newer build of the same one. Whether and how state migrates is read from
  /// the builds themselves.
  @discardableResult
  func upgradeGroup(
    _ groupId: String, request: UpgradeGroupRequest
  ) async throws -> UpgradeGroupResponseData

  /// How far a group's upgrade is on this node; nil when there is none.
  func getGroupUpgradeStatus(_ groupId: String) async throws -> GroupUpgradeStatus?

  /// Takes up an upgrade of which contexts have failed.
  @discardableResult
  func retryGroupUpgrade(_ groupId: String) async throws -> RetryGroupUpgradeResponseData

  /// How far an upgrade is in each group of a namespace.
  func getCascadeStatus(_ namespaceId: String) async throws -> [CascadeStatusEntry]

  /// How far a namespace's members are with a migration, from what they last reported. For its admin.
  func getMigrationStatus(_ namespaceId: String) async throws -> MigrationStatus

  /// Calls off a migration. Contexts already migrated stay so.
  @discardableResult
  func abortMigration(_ namespaceId: String) async throws -> AbortMigrationResponseData

  // MARK: Blobs

  /// Keeps bytes on the node. Held for a context, its members can find them; otherwise only this node can.
  @discardableResult
  func uploadBlob(_ request: UploadBlobRequest) async throws -> BlobInfo

  /// The blobs the node holds.
  func listBlobs() async throws -> ListBlobsResponseData

  /// A blob's bytes.
  ///
  /// - Parameter contextId: asks that context's peers too: the only way to a blob that another node holds.
  func getBlob(_ blobId: String, contextId: String?) async throws -> Data

  /// What the node knows about a blob, without sending it.
  ///
  /// - Parameter contextId: asks that context's peers too. A peer's answer has only a size, and nobody has checked it.
  func getBlobInfo(_ blobId: String, contextId: String?) async throws -> GetBlobInfoResponseData

  /// Deletes a blob from the node.
  ///
  /// - Throws: ``MeroError/http(_:)`` with 403 when an installed application needs it, 404 when there is none.
  @discardableResult
  func deleteBlob(_ blobId: String) async throws -> DeleteBlobResponseData

  // MARK: Names of a node's own

  /// Names a context.
  ///
  /// - Throws: ``MeroError/http(_:)`` with 409 when the name is taken.
  func createContextAlias(_ request: CreateContextAliasRequest) async throws

  /// The context a name stands for.
  func lookupContextAlias(_ name: String) async throws -> LookupAliasResponseData

  /// Frees a context's name.
  func deleteContextAlias(_ name: String) async throws

  /// All names of contexts.
  func listContextAliases() async throws -> ListAliasesResponseData

  /// Names an application.
  ///
  /// - Throws: ``MeroError/http(_:)`` with 409 when the name is taken.
  func createApplicationAlias(_ request: CreateApplicationAliasRequest) async throws

  /// The application a name stands for.
  func lookupApplicationAlias(_ name: String) async throws -> LookupAliasResponseData

  /// Frees an application's name.
  func deleteApplicationAlias(_ name: String) async throws

  /// All names of applications.
  func listApplicationAliases() async throws -> ListAliasesResponseData

  /// Names a device.
  ///
  /// - Throws: ``MeroError/http(_:)`` with 409 when the name is taken.
  func createDeviceAlias(_ request: CreateDeviceAliasRequest) async throws

  /// The device a name stands for.
  func lookupDeviceAlias(_ name: String) async throws -> LookupAliasResponseData

  /// Frees a device's name.
  func deleteDeviceAlias(_ name: String) async throws

  /// All names of devices.
  func listDeviceAliases() async throws -> ListAliasesResponseData

  // MARK: Identity and devices

  /// Who the node is.
  ///
  /// - Throws: ``MeroError/http(_:)`` with 404 before it has joined or founded anything.
  func getNodeIdentity() async throws -> NodeIdentity

  /// The devices of the node's account, as this node sees them.
  func listAccountDevices() async throws -> [AccountDeviceEntry]

  /// On the joining node: what the node with the account's root needs to take this one in. It publishes nothing.
  func initAccountPairing(_ request: AccountPairInitRequest) async throws -> AccountPairInitResponseData

  /// On the node with the account's root: takes a device in, after a person has compared the code.
  func completeAccountPairing(
    _ request: AccountPairCompleteRequest
  ) async throws -> AccountPairCompleteResponseData

  /// Has the node's account root sign something for an outside service.
  func signWithAccountRoot(
    _ request: AccountSignWithRootRequest
  ) async throws -> AccountSignWithRootResponseData

  /// Links a device to namespaces gained since it was paired; adds to its scope and never narrows it.
  @discardableResult
  func relinkAccountDevice(
    _ deviceId: String, request: RelinkDeviceRequest
  ) async throws -> RelinkDeviceResponseData

  /// Replaces what a device may act for.
  @discardableResult
  func rescopeAccountDevice(
    _ deviceId: String, request: RescopeDeviceRequest
  ) async throws -> RescopeDeviceResponseData

  /// Names a device.
  @discardableResult
  func labelAccountDevice(
    _ deviceId: String, request: LabelDeviceRequest
  ) async throws -> LabelDeviceResponseData

  /// Withdraws a device for good, from every namespace that binds it and not only the one named. What it wrote stays.
  @discardableResult
  func revokeAccountDevice(
    _ namespaceId: String, request: RevokeAccountDeviceRequest
  ) async throws -> RevokeAccountDeviceResponseData

  // MARK: Hardware

  /// The hardware the node runs on. Needs no token.
  func getTeeInfo() async throws -> TeeInfoResponseData

  /// Asks the node's hardware for evidence. Needs no token; the answer is not checked here.
  func teeAttest(_ request: TeeAttestRequest) async throws -> TeeAttestResponseData

  /// Which TEEs a namespace admits.
  func getTeeAdmissionPolicy(_ namespaceId: String) async throws -> GetTeeAdmissionPolicyResponseData

  /// Sets which TEEs a namespace admits, and what they become. TEEs already in are converted.
  func setTeeAdmissionPolicy(_ namespaceId: String, request: SetTeeAdmissionPolicyRequest) async throws

  /// Sets which TEEs may author as the namespace's TEE authority. Needs the owner's root; it cannot be read back.
  func setTeeAuthoringPolicy(_ namespaceId: String, request: SetTeeAuthoringPolicyRequest) async throws

  /// Ends the namespace's TEE authority. Needs the owner's root.
  func disableTeeAuthoringPolicy(_ namespaceId: String, request: RootGuardedOpRequest?) async throws
}
