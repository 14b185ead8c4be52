import Foundation
import MeroHTTP
import MeroKitTestSupport
import MeroWire
import Testing

@testable import MeroKit

/// An account's admin whose relay answers by a rule, and whose other doings are noted.
struct AccountAdminRig {
  enum Done: Sendable, Equatable {
    case group(String, Warrants.GovernanceOp)
    case root(String, Warrants.GovernanceOp)
    case context(CreateDelegatedContextRequest)
    case found(UInt32?, FoundingApplication?)
    case version(String, String)
  }

  let admin: AccountAdmin
  let relay: RecordingTransport
  let done = Locked<[Done]>([])
  let session: DelegatedSession

  static let namespace = AccountFixture.id(0x42)
  static let group = AccountFixture.id(0x43)
  static let made = AccountFixture.id(0x44)

  /// - Parameters:
  ///   - answer: what the relay answers to a path below the admin API.
  ///   - refusal: what ops are refused with.
  init(
    hasRelay: Bool = true, app: AdminAppConfig = AdminAppConfig(), refusal: (any Error)? = nil,
    change: (inout AccountAdminDeps) -> Void = { _ in },
    answer: @escaping @Sendable (String) -> String = { _ in "{}" }
  ) throws {
    session = try AccountFixture.session(relay: hasRelay ? "https://r" : nil)
    relay = RecordingTransport { request in
      .json(answer(request.url.absoluteString.components(separatedBy: "/admin-api/").last ?? ""))
    }
    let done = done
    @Sendable func note(_ one: Done) throws {
      done.withLock { $0.append(one) }
      if let refusal { throw refusal }
    }
    let made = Self.made
    var env = DelegatedEnvironment(store: .memory(), nonces: MemoryWarrantNonceStore())
    env.clock = FakeClock().clock
    var deps = AccountAdminDeps.live(env)
    deps.governGroup = { _, group, op in
      try note(.group(group, op)); return group
    }
    deps.governRoot = { _, group, op in
      try note(.root(group, op))
      // A creation: behind the tag is the id, which the relay answers.
      return op.bytes.first == 0 ? Hex.encode(op.bytes[1..<33]) : made
    }
    deps.createContext = { _, request in
      try note(.context(request)); return made
    }
    deps.found = { _, capabilities, application in
      try note(.found(capabilities, application))
      return FoundedDelegatedNamespace(
        namespaceId: made, salt: made, teeEnabled: true, haEnabled: false, haError: "not now",
        defaultCapabilitiesSet: true)
    }
    deps.latestVersion = { registry, package in
      try note(.version(registry, package)); return "2.0.0"
    }
    deps.routing = nil
    change(&deps)
    admin = DelegatedAccounts.createAccountAdmin(
      session: session, read: hasRelay ? try AdminApi(relay) : nil, app: app, env: env, deps: deps)
  }

  static func info(_ namespace: String = namespace) -> String {
    #"""
    {"data":{"groupId":"\#(group)","appKey":"\#(made)","targetApplicationId":"\#(made)","memberCount":1,
     "contextCount":0,"activeUpgrade":null,"defaultCapabilities":4,"subgroupVisibility":"open",
     "metadata":null,"groupStateHash":"h","namespaceId":"\#(namespace)","ownerOpCounter":0}}
    """#
  }
}

@Suite("The admin of an account")
struct AccountAdminTests {
  typealias Call = @Sendable (any AdminSurface) async throws -> Void

  private static let group = AccountAdminRig.group

  /// What the relay answers, unchanged (40 §14.2, A).
  private static let reads: [(name: String, call: Call)] = [
    ("getContexts", { _ = try await $0.getContexts(offset: nil, limit: nil) }),
    ("getContext", { _ = try await $0.getContext(group) }),
    ("getContextGroup", { _ = try await $0.getContextGroup(group) }),
    ("getContextIdentities", { _ = try await $0.getContextIdentities(group) }),
    ("getContextStorage", { _ = try await $0.getContextStorage(group) }),
    ("queryContext", { _ = try await $0.queryContext(group, request: QueryContextRequest(method: "get")) }),
    ("listNamespaces", { _ = try await $0.listNamespaces(offset: nil, limit: nil) }),
    ("getNamespace", { _ = try await $0.getNamespace(group) }),
    ("listNamespaceGroups", { _ = try await $0.listNamespaceGroups(group) }),
    ("getGroupInfo", { _ = try await $0.getGroupInfo(group) }),
    ("listGroupMembers", { _ = try await $0.listGroupMembers(group, offset: nil, limit: nil) }),
    ("listGroupContexts", { _ = try await $0.listGroupContexts(group, offset: nil, limit: nil) }),
    ("listSubgroups", { _ = try await $0.listSubgroups(group) }),
    ("listGroupMemberDevices", { _ = try await $0.listGroupMemberDevices(group, offset: nil, limit: nil) }),
    ("getDefaultCapabilities", { _ = try await $0.getDefaultCapabilities(group) }),
    ("getSubgroupVisibility", { _ = try await $0.getSubgroupVisibility(group) }),
    ("getMemberCapabilities", { _ = try await $0.getMemberCapabilities(group, account: group) }),
    ("getGroupMetadata", { _ = try await $0.getGroupMetadata(group) }),
    ("getMemberMetadata", { _ = try await $0.getMemberMetadata(group, account: group) }),
    ("getContextMetadata", { _ = try await $0.getContextMetadata(group, contextId: group) }),
    ("getGroupUpgradeStatus", { _ = try await $0.getGroupUpgradeStatus(group) }),
    ("getMigrationStatus", { _ = try await $0.getMigrationStatus(group) }),
    ("getCascadeStatus", { _ = try await $0.getCascadeStatus(group) }),
    ("listApplications", { _ = try await $0.listApplications() }),
    ("getApplication", { _ = try await $0.getApplication(group) }),
    ("getApplicationAbi", { _ = try await $0.getApplicationAbi(group, serviceName: nil) }),
    ("listApplicationVersions", { _ = try await $0.listApplicationVersions(group) }),
    ("getLatestPackageVersion", { _ = try await $0.getLatestPackageVersion("p") }),
    ("getBlob", { _ = try await $0.getBlob(group, contextId: group) }),
    ("getBlobInfo", { _ = try await $0.getBlobInfo(group, contextId: group) }),
    ("healthCheck", { _ = try await $0.healthCheck() }),
    ("isAuthed", { _ = try await $0.isAuthed() }),
  ]

  @Test("40 §19 #102: reads reach the relay as they are, the three states of an upgrade among them")
  func reads() async throws {
    for (name, call) in Self.reads {
      let rig = try AccountAdminRig()
      // What comes of the answer is the relay's call; here it is only asked.
      do { try await call(rig.admin) } catch let error as MeroError { _ = error }
      let asked = await rig.relay.lines
      let plain = RecordingTransport { _ in .json("{}") }
      do { try await call(try AdminApi(plain)) } catch let error as MeroError { _ = error }
      #expect(await plain.lines == asked, "\(name)")
      #expect(asked.count == 1, "\(name)")
      #expect(rig.done.withLock { $0 } == [], "\(name)")
    }
  }

  /// What is a node's own business (40 §14.2, C).
  private static let refused: [(name: String, call: Call)] = [
    (
      "upgradeGroup",
      { _ = try await $0.upgradeGroup(group, request: UpgradeGroupRequest(targetApplicationId: group)) }
    ),
    ("retryGroupUpgrade", { _ = try await $0.retryGroupUpgrade(group) }),
    ("abortMigration", { _ = try await $0.abortMigration(group) }),
    (
      "installApplication",
      {
        _ = try await $0.installApplication(InstallApplicationRequest(package: "p", version: "1.0.0"))
      }
    ),
    (
      "installDevApplication",
      { _ = try await $0.installDevApplication(InstallDevApplicationRequest(path: "/p")) }
    ),
    ("installFromRegistry", { _ = try await $0.installFromRegistry(packageName: "p", version: "1.0.0") }),
    ("uninstallApplication", { _ = try await $0.uninstallApplication(group) }),
    ("generateContextIdentity", { _ = try await $0.generateContextIdentity() }),
    ("deleteContext", { _ = try await $0.deleteContext(group) }),
    ("leaveContext", { try await $0.leaveContext(group) }),
    (
      "createContextAlias",
      { try await $0.createContextAlias(CreateContextAliasRequest(alias: "a", contextId: group)) }
    ),
    ("lookupContextAlias", { _ = try await $0.lookupContextAlias("a") }),
    ("deleteContextAlias", { try await $0.deleteContextAlias("a") }),
    ("listContextAliases", { _ = try await $0.listContextAliases() }),
    ("listApplicationAliases", { _ = try await $0.listApplicationAliases() }),
    ("listDeviceAliases", { _ = try await $0.listDeviceAliases() }),
    ("deleteNamespace", { _ = try await $0.deleteNamespace(group) }),
    ("createGroupInvitation", { _ = try await $0.createGroupInvitation(group, request: nil) }),
    ("getTeeAdmissionPolicy", { _ = try await $0.getTeeAdmissionPolicy(group) }),
    ("deleteBlob", { _ = try await $0.deleteBlob(group) }),
    ("listAccountDevices", { _ = try await $0.listAccountDevices() }),
    (
      "setMemberAutoFollow",
      {
        try await $0.setMemberAutoFollow(
          group, account: group,
          request: SetMemberAutoFollowRequest(autoFollowContexts: true, autoFollowSubgroups: true))
      }
    ),
    (
      "transferOwnership",
      { try await $0.transferOwnership(group, request: TransferOwnershipRequest(newOwner: group)) }
    ),
  ]

  @Test("40 §19 #103: what is a node's own business is refused by its name, and nothing is sent")
  func refused() async throws {
    let rig = try AccountAdminRig()
    for (name, call) in Self.refused {
      await #expect(throws: AccountError.notForAccount(name), "\(name)") { try await call(rig.admin) }
    }
    #expect(await rig.relay.sent.isEmpty)
    #expect(rig.done.withLock { $0 } == [])
  }

  @Test(
    "40 §19 #104: without a relay the listings are empty, identity and joining work, and all else says so")
  func noRelay() async throws {
    let invitation = try invitation()
    let rig = try AccountAdminRig(hasRelay: false) { $0.join = { namespace, _ in namespace } }
    let admin: any AdminSurface = rig.admin
    #expect(try await admin.getContexts(offset: nil, limit: nil).contexts == [])
    #expect(try await admin.listNamespaces(offset: nil, limit: nil) == [])
    #expect(try await admin.listNamespacesForApplication(Self.group, offset: nil, limit: nil) == [])
    let identity = try await admin.getNodeIdentity()
    #expect(identity.accountId == rig.session.account && identity.deviceCertified && identity.publicKey == "")
    let joined = try await admin.joinNamespace(
      AccountAdminRig.namespace, request: JoinNamespaceRequest(invitation: invitation))
    #expect(joined.namespaceId == AccountAdminRig.namespace)
    let reads = Self.reads.filter { !["getContexts", "listNamespaces"].contains($0.name) }
    for (name, call) in reads + Self.refused + Self.writes {
      await #expect(throws: AccountError.noRelay(name), "\(name)") { try await call(rig.admin) }
    }
    #expect(rig.done.withLock { $0 } == [])
  }

  /// What an account does by an op or otherwise (40 §14.2, B).
  private static let writes: [(name: String, call: Call)] = [
    ("createNamespace", { _ = try await $0.createNamespace(CreateNamespaceRequest(applicationId: group)) }),
    ("createGroupInNamespace", { _ = try await $0.createGroupInNamespace(group, request: nil) }),
    (
      "addGroupMembers", { try await $0.addGroupMembers(group, request: AddGroupMembersRequest(members: [])) }
    ),
    (
      "removeGroupMembers",
      { try await $0.removeGroupMembers(group, request: RemoveGroupMembersRequest(members: [])) }
    ),
    ("deleteGroup", { _ = try await $0.deleteGroup(group) }),
    ("leaveGroup", { try await $0.leaveGroup(group) }),
    ("leaveNamespace", { try await $0.leaveNamespace(group) }),
    ("detachContextFromGroup", { try await $0.detachContextFromGroup(group, contextId: group) }),
    ("joinContext", { _ = try await $0.joinContext(group) }),
    ("joinSubgroupInheritance", { _ = try await $0.joinSubgroupInheritance(group) }),
    ("getContextIdentitiesOwned", { _ = try await $0.getContextIdentitiesOwned(group) }),
    (
      "createContext",
      {
        _ = try await $0.createContext(CreateContextRequest(applicationId: group, groupId: group))
      }
    ),
    ("createNamespaceInvitation", { _ = try await $0.createNamespaceInvitation(group, request: nil) }),
    ("syncGroup", { _ = try await $0.syncGroup(group) }),
    ("syncContext", { try await $0.syncContext(nil) }),
  ]

  private func invitation() throws -> SignedGroupOpenInvitation {
    try GroupInvitations.sign(
      groupId: AccountAdminRig.namespace, inviterAccount: AccountFixture.id(0xCC),
      keys: AccountFixture.keys(),
      admitters: .accounts([AccountFixture.id(1)]), now: Date(timeIntervalSince1970: 1_790_000_000))
  }

  @Test("40 §19 #105: an account that was given no way to join cannot")
  func noJoin() async throws {
    let invitation = try invitation()
    for hasRelay in [true, false] {
      let rig = try AccountAdminRig(hasRelay: hasRelay)
      await #expect(throws: AccountError.notForAccount("joinNamespace")) {
        try await rig.admin.joinNamespace(
          AccountAdminRig.namespace, request: JoinNamespaceRequest(invitation: invitation))
      }
    }
  }

  @Test(
    "40 §19 #106: a subgroup is open unless asked to be restricted, made on the namespace and named on itself"
  )
  func subgroups() async throws {
    for (visibility, flag) in [(nil, 0), (GroupVisibility.open, 0), (.restricted, 1)]
      as [(GroupVisibility?, UInt8)]
    {
      let rig = try AccountAdminRig(answer: { _ in AccountAdminRig.info() })
      let made = try await rig.admin.createGroupInNamespace(
        AccountAdminRig.namespace,
        request: CreateGroupInNamespaceRequest(groupName: "general", visibility: visibility))
      let done = rig.done.withLock { $0 }
      guard done.count == 2, case .root(let scope, let op) = done[0],
        case .group(let named, let naming) = done[1]
      else {
        Issue.record("\(done)")
        return
      }
      #expect(scope == AccountAdminRig.namespace)
      // Behind the tag, the id and the parent.
      #expect(op.kind == .root && op.bytes[65] == flag)
      #expect(made.groupId == Hex.encode(op.bytes[1..<33]))
      #expect(named == made.groupId)
      #expect(naming == (try GovernanceOps.groupMetadataSet(name: "general")))
    }
  }

  @Test("40 §19 #101: the namespace of a group is asked for once")
  func learnsOnce() async throws {
    let rig = try AccountAdminRig(answer: { _ in AccountAdminRig.info() })
    for name in ["a", "b"] {
      try await rig.admin.setGroupMetadata(Self.group, request: SetGroupMetadataRequest(name: name))
    }
    #expect(await rig.relay.lines == ["GET groups/\(Self.group)"])
    #expect(rig.done.withLock { $0.count } == 2)
  }

  @Test("40 §19 #107: the refusal of who is a member already is swallowed; other refusals are not")
  func directMember() async throws {
    @Sendable func answer(_ path: String) -> String {
      path.hasSuffix("/group") ? #"{"data":"\#(AccountAdminRig.group)"}"# : AccountAdminRig.info()
    }
    func conflict(_ text: String) -> MeroError {
      .http(
        HTTPError(
          status: 409, url: "https://r", headers: [:], bodyText: #"{"error":"\#(text)"}"#))
    }
    let already = try AccountAdminRig(
      refusal: conflict("signer 0aBc is a direct member; nothing to do"), answer: answer)
    #expect(try await already.admin.joinSubgroupInheritance(Self.group).wasInherited == false)
    #expect(try await already.admin.joinContext(Self.group).memberPublicKey == already.session.account)
    for refusal: any Error in [
      conflict("signer 0abc is not a direct member"), conflict("signer is a direct member"),
      AccountError.intentRefused(reason: "signer 0abc is a direct member", retryable: false, status: 403),
    ] {
      let rig = try AccountAdminRig(refusal: refusal, answer: answer)
      await #expect(throws: (any Error).self) { try await rig.admin.joinSubgroupInheritance(Self.group) }
    }
    let inherited = try AccountAdminRig(answer: answer)
    #expect(try await inherited.admin.joinSubgroupInheritance(Self.group).wasInherited)
    #expect(
      inherited.done.withLock { $0 } == [
        .root(
          Self.group,
          try GovernanceOps.memberJoinedOpen(
            member: inherited.session.account, groupId: Self.group, credential: inherited.session.credential))
      ])
  }

  @Test("40 §19 #108: a context is made for the account, with everything that was asked for")
  func contexts() async throws {
    let rig = try AccountAdminRig(answer: { _ in AccountAdminRig.info() })
    let made = try await rig.admin.createContext(
      CreateContextRequest(
        applicationId: AccountAdminRig.made, groupId: Self.group, serviceName: "chat",
        contextSeed: AccountFixture.id(9), initializationParams: Array(#"{"a":1}"#.utf8),
        identitySecret: AccountFixture.id(8), name: "general"))
    #expect(made.contextId == AccountAdminRig.made && made.memberPublicKey == rig.session.account)
    #expect(
      rig.done.withLock { $0 } == [
        .context(
          CreateDelegatedContextRequest(
            namespaceId: AccountAdminRig.namespace, groupId: Self.group, applicationId: AccountAdminRig.made,
            serviceName: "chat", contextSeed: AccountFixture.id(9),
            initializationParams: Array(#"{"a":1}"#.utf8).map { Int($0) }, name: "general"))
      ])
  }

  @Test(
    "40 §19 #109: founding takes the app's package, at its pinned or newest version, and says what the cloud does"
  )
  func founding() async throws {
    let request = CreateNamespaceRequest(applicationId: AccountAdminRig.made, name: "Team")
    let nameless = try AccountAdminRig()
    await #expect(throws: AccountError.notForAccount("createNamespace")) {
      try await nameless.admin.createNamespace(request)
    }
    for (pinned, version) in [(nil, "2.0.0"), ("1.5.0", "1.5.0")] as [(String?, String)] {
      let rig = try AccountAdminRig(
        app: AdminAppConfig(packageName: "p", packageVersion: pinned, registryURL: "https://registry"))
      let made = try await rig.admin.createNamespace(request)
      #expect(made.namespaceId == AccountAdminRig.made && !made.haEnabled && made.haError == "not now")
      var expected: [AccountAdminRig.Done] = pinned == nil ? [.version("https://registry", "p")] : []
      expected += [
        .found(231, FoundingApplication(applicationId: AccountAdminRig.made, package: "p", version: version)),
        .group(AccountAdminRig.made, try GovernanceOps.groupMetadataSet(name: "Team")),
      ]
      #expect(rig.done.withLock { $0 } == expected)
    }
  }

  @Test("members are changed one by one, in order, and the first refusal ends it")
  func members() async throws {
    let (one, two) = (AccountFixture.id(1), AccountFixture.id(2))
    let request = AddGroupMembersRequest(members: [
      GroupMemberInput(identity: one, role: .admin), GroupMemberInput(identity: two, role: .member),
    ])
    let rig = try AccountAdminRig(answer: { _ in AccountAdminRig.info() })
    try await rig.admin.addGroupMembers(Self.group, request: request)
    #expect(
      rig.done.withLock { $0 } == [
        .group(Self.group, try GovernanceOps.memberAdded(member: one, role: .admin)),
        .group(Self.group, try GovernanceOps.memberAdded(member: two, role: .member)),
      ])
    let refusing = try AccountAdminRig(
      refusal: AccountError.intentRefused(reason: "no", retryable: false, status: 403),
      answer: { _ in AccountAdminRig.info() })
    await #expect(throws: AccountError.self) {
      try await refusing.admin.addGroupMembers(Self.group, request: request)
    }
    #expect(refusing.done.withLock { $0.count } == 1)
  }
}
