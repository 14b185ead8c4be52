import Foundation
import MeroHTTP
import MeroKit
import MeroKitTestSupport
import MeroWire
import Testing

/// Programs as the documents for app developers show them, against relays in memory.
@Suite("Programs of an account without a node", .timeLimit(.minutes(5)))
struct AccountPageTests {
  private let world: AccountWorld
  private let signIn: CloudSignIn
  private let wallet = FakeWallet(seed: 4)

  init() async throws {
    world = try AccountWorld()
    world.manager.setRelays(
      [.relay(world.one.url, executorAccount: world.one.account)], of: wallet.account)
    signIn = CloudSignIn(
      config: CloudConfig(
        walletURL: wallet.url, cloudBaseURL: world.manager.url, audience: .cli,
        relayKeyVerifier: world.environment().relayKeyVerifier, releaseMirrorURL: world.manager.url),
      keyStore: .memory(), sessionStore: .memory(), nonces: MemoryWarrantNonceStore(),
      accountStore: .memory(),
      transport: world.middle, clock: world.clock.clock)
    let page = try await signIn.beginEnrolment(callback: .scheme("notes"))
    try await signIn.completeEnrolment(callbackURL: try wallet.approve(page))
  }

  @Test(
    "from a session to a client that reads and writes, and an admin that founds, makes groups and invites")
  func everything() async throws {
    guard let session = await signIn.delegatedSession() else { throw StopError() }
    let env = signIn.delegatedEnvironment
    let store = env.store

    switch await DelegatedAccounts.attemptRelayNodeKey(world.one.url, env: env) {
    case .learned(let nodeKey): #expect(nodeKey == world.one.nodeKey)
    case .unavailable(let error), .refused(let error): throw error
    }
    #expect(await DelegatedAccounts.learnRelayNodeKey(world.one.url, env: env) == world.one.nodeKey)

    let founded = try await DelegatedAccounts.foundDelegatedNamespace(
      session, defaultCapabilities: 231, application: world.founding, env: env)
    let ns = founded.namespaceId
    try await DelegatedAccounts.governGroup(
      session, groupId: ns, op: GovernanceOps.groupMetadataSet(name: "general"), env: env)
    let bob = try world.account(9).account
    try await DelegatedAccounts.governGroup(
      session, groupId: ns, op: GovernanceOps.memberAdded(member: bob), env: env)
    let dm = try await DelegatedAccounts.createDelegatedPrivateContext(
      session, CreateDelegatedContextRequest(namespaceId: ns, applicationId: world.application),
      members: [bob],
      env: env)

    guard let client = try DelegatedAccounts.buildDelegatedClient(session, env: env) else {
      throw StopError()
    }
    let _: Empty = try await client.rpc.execute(
      contextId: dm.contextId, method: "set_value", argsJson: ["key": "k", "value": "v"])
    let value: String = try await client.rpc.execute(
      contextId: dm.contextId, method: "get_value", argsJson: ["key": "k"])
    #expect(value == "v")
    let mine = try await client.admin.getContexts()
    #expect(mine.contexts.map(\.id) == [dm.contextId])

    let admin: any AdminSurface = DelegatedAccounts.createAccountAdmin(
      session: session, read: try? await client.admin,
      app: AdminAppConfig(
        packageName: AccountWorld.package.name, packageVersion: AccountWorld.package.version),
      env: env)
    let team = try await admin.createNamespace(
      CreateNamespaceRequest(applicationId: world.application, name: "Team"))
    let general = try await admin.createGroupInNamespace(team.namespaceId, request: nil)
    try await admin.addGroupMembers(
      team.namespaceId,
      request: AddGroupMembersRequest(members: [GroupMemberInput(identity: bob, role: "Member")]))
    try await admin.addGroupMembers(
      general.groupId,
      request: AddGroupMembersRequest(members: [GroupMemberInput(identity: bob, role: "Member")]))
    world.manager.setRouting(team.namespaceId, nodes: [AccountWorld.row(world.one)])
    let invite = try await admin.createNamespaceInvitation(team.namespaceId, request: nil)
    #expect(invite.invitation?.invitation.admitters == [world.one.account])

    let contexts = await DelegatedAccounts.listDelegatedContexts(session, env: env)
    #expect(contexts.map(\.context.id) == [dm.contextId])
    #expect(
      DelegatedAccounts.relayForContext(session.account, contextId: dm.contextId, store: store)
        == world.one.url)
    let namespaces = await DelegatedAccounts.listDelegatedNamespaces(session, env: env)
    #expect(Set(namespaces.map(\.namespace.namespaceId)) == [ns, team.namespaceId])
    #expect(DelegatedAccounts.knownRelays(session, store: store) == [world.one.url])
    #expect(
      DelegatedAccounts.namespaceOfGroup(session, groupId: general.groupId, store: store) == team.namespaceId)
    await client.close()
  }

  @Test(
    "presence of an account: said again until it is taken back, and read by others with the account's name")
  func presence() async throws {
    struct Typing: Codable, Sendable { let typing: Bool }
    let env = signIn.delegatedEnvironment
    guard let session = await signIn.delegatedSession() else { throw StopError() }
    let founded = try await DelegatedAccounts.foundDelegatedNamespace(
      session, defaultCapabilities: 231, application: world.founding, env: env)
    let contextId = try await DelegatedAccounts.createDelegatedContext(
      session,
      CreateDelegatedContextRequest(namespaceId: founded.namespaceId, applicationId: world.application),
      env: env)
    guard let cloud = await signIn.restoreSession() else { throw StopError() }
    let connection = await signIn.connect(cloud)
    guard let presence = connection.presence else { throw StopError() }
    var entries = presence.subscribe(contextId: contextId, as: Typing.self).makeAsyncIterator()
    if let mero = connection.mero { try await mero.sse.subscribe(contextIds: [contextId]) }
    try await presence.set(contextId: contextId, state: Typing(typing: true))
    let entry = try await entries.next()
    #expect(entry?.state?.typing == true && entry?.account == session.account && entry?.ageMs == nil)
    // A relay takes no two statements of a device in one moment.
    await world.clock.advance(by: 1)
    try await presence.set(contextId: contextId, state: Typing?.none)
    let gone = try await entries.next()
    #expect(gone?.removed == true)
    await presence.close()
  }

  @Test("40 §19 #129: an account upgrades nothing itself, and finishes its own entries through the relay")
  func upgrades() async throws {
    let package = FakePackage("com.example.entries", version: "1.0.0") {
      $0.initialize { context, _ in context["pending"] = 3 }
      $0.call("migrate_my_entries") { context, _ in
        context["pending"] = 1
        return ["converted": 2, "remaining": 1]
      }
      $0.view("count_my_pending") { context, _ in context["pending"] ?? 0 }
    }
    let namespace = world.one.node.makeNamespace(of: package)
    let context = world.one.node.makeContext(of: package, in: namespace)
    world.one.addMember(wallet.account, to: namespace)
    guard let session = await signIn.delegatedSession() else { throw StopError() }
    let env = signIn.delegatedEnvironment
    _ = await DelegatedAccounts.attemptRelayNodeKey(world.one.url, env: env)
    guard let client = try DelegatedAccounts.buildDelegatedClient(session, env: env) else {
      throw StopError()
    }
    let admin = DelegatedAccounts.createAccountAdmin(session: session, read: try await client.admin, env: env)
    await #expect(throws: AccountError.notForAccount("upgradeGroup")) {
      try await admin.upgradeGroup(
        namespace, request: UpgradeGroupRequest(targetApplicationId: AccountFixture.id(1)))
    }
    await #expect(throws: AccountError.notForAccount("installApplication")) {
      try await admin.installApplication(InstallApplicationRequest(package: "p", version: "1.0.0"))
    }
    await #expect(throws: AccountError.notForAccount("retryGroupUpgrade")) {
      try await admin.retryGroupUpgrade(namespace)
    }
    await #expect(throws: AccountError.notForAccount("abortMigration")) {
      try await admin.abortMigration(namespace)
    }
    #expect(try await client.rpc.countMyPending(context) == 3)
    #expect(
      try await client.rpc.migrateMyEntries(context) == MigrateMyEntriesSummary(converted: 2, remaining: 1))
    #expect(try await client.rpc.countMyPending(context) == 1)
    await client.close()
  }

  private struct StopError: Error {}
}
