import Foundation
import MeroHTTP
import MeroKitTestSupport
import MeroWire
import Testing

@testable import MeroKit

@Suite("Joining without a node", .timeLimit(.minutes(5)))
struct BootstrapTests {
  /// A namespace that is hosted by two relays, an invitation to it, and an account that holds it.
  private struct Invited {
    let world: AccountWorld
    let env: DelegatedEnvironment
    let inviter: DelegatedSession
    let newcomer: DelegatedSession
    let namespace: String

    init() async throws {
      world = try AccountWorld()
      env = world.environment()
      inviter = try world.account(1, relay: world.one)
      newcomer = try world.account(2)
      namespace = try await DelegatedAccounts.foundDelegatedNamespace(inviter, env: world.environment())
        .namespaceId
      try #require(try await world.two.joinFleet(of: namespace))
    }

    func invitation(
      _ admitters: [String]? = nil, addresses: [String] = [], validFor: TimeInterval = 3600
    ) throws -> SignedGroupOpenInvitation {
      try GroupInvitations.sign(
        groupId: namespace, inviterAccount: inviter.account, keys: inviter.keys,
        admitters: .accounts(admitters ?? [world.one.account, world.two.account]), now: world.clock.now,
        validFor: validFor, admitterAddrs: addresses)
    }

    func list(_ nodes: FakeManager.Row..., servable: Bool = true) {
      world.manager.setRouting(namespace, nodes: nodes, servable: servable)
    }

    /// Joins, and answers what the session became.
    func join(
      _ invitation: SignedGroupOpenInvitation, as session: DelegatedSession? = nil
    ) async throws -> DelegatedSession? {
      let moved = Locked<DelegatedSession?>(nil)
      try await DelegatedAccounts.joinAsAccount(
        session ?? newcomer, namespaceId: namespace, invitation: invitation, env: env
      ) { session in moved.withLock { $0 = session } }
      return moved.withLock { $0 }
    }

    var admits: [String] {
      (world.one.log + world.two.log).filter { $0.path.hasSuffix("/admit") }.map(\.path)
    }
  }

  private func failure(_ body: () async throws -> Void) async -> BootstrapFailure? {
    do { try await body() } catch { return error as? BootstrapFailure }
    return nil
  }

  @Test("40 §19 #116: an address on the invitation never stands in for the cloud's list")
  func noNodes() async throws {
    let invited = try await Invited()
    let invitation = try invited.invitation(addresses: [invited.world.one.url])
    let failure = await failure { _ = try await invited.join(invitation) }
    #expect(failure?.step == .noNodes)
    #expect(invited.admits == [])
  }

  @Test("40 §19 #117: a node that the invitation does not name is not asked; spelling does not matter")
  func notInvited() async throws {
    let invited = try await Invited()
    invited.list(AccountWorld.row(invited.world.two))
    let failure = await failure {
      _ = try await invited.join(try invited.invitation([invited.world.one.account]))
    }
    #expect(failure?.step == .notInvited)
    #expect(invited.admits == [])
    invited.list(AccountWorld.row(invited.world.two, account: "0x" + invited.world.two.account.uppercased()))
    #expect(try await invited.join(try invited.invitation())?.relayUrl == invited.world.two.url)

    let routing = CloudNamespaceRouting(
      namespaceId: invited.namespace,
      nodes: [CloudNamespaceNode(peerId: "p", relayUrl: "https://x.test")], servable: true, writable: true)
    let anybody = try BootstrapChoice(routing: routing, admitters: []).resolution { $0 + "/admit" }
    #expect(anybody.relayURL == "https://x.test")
    #expect(throws: BootstrapFailure.self) {
      try BootstrapChoice(routing: routing, admitters: [invited.namespace]).resolution { $0 }
    }
  }

  @Test("40 §19 #118: what heartbeats say is advice: a node that seems not to admit is tried")
  func stale() async throws {
    let invited = try await Invited()
    invited.list(
      AccountWorld.row(invited.world.two).with("can_admit", false).with("fresh", false), servable: false)
    let result = try await DelegatedAccounts.bootstrap(
      namespaceId: invited.namespace, invitation: try invited.invitation(),
      credential: invited.newcomer.credential, keys: invited.newcomer.keys, env: invited.env)
    #expect(result.published)
    #expect(result.resolution?.stale == true)
    #expect(result.session.relayUrl == invited.world.two.url && result.session.executorAccount == nil)
  }

  @Test(
    "40 §19 #119: the node that runs writes is chosen, else a fresh one; without an address there is none")
  func choice() throws {
    func node(_ name: String, url: Bool = true, executes: Bool = false, fresh: Bool = false)
      -> CloudNamespaceNode
    {
      CloudNamespaceNode(
        peerId: name, account: name, relayUrl: url ? "https://\(name).test/" : nil, fresh: fresh,
        canAdmit: true, canExecute: executes)
    }
    func chosen(_ nodes: CloudNamespaceNode...) throws -> String {
      try BootstrapChoice(
        routing: CloudNamespaceRouting(namespaceId: "n", nodes: nodes, servable: true, writable: true),
        admitters: []
      ).resolution { $0 }.relayURL
    }
    #expect(try chosen(node("a"), node("b", fresh: true), node("c", executes: true)) == "https://c.test")
    #expect(try chosen(node("a"), node("b", fresh: true)) == "https://b.test")
    #expect(try chosen(node("a"), node("b")) == "https://a.test")
    #expect {
      try chosen(node("a", url: false), node("b", url: false, executes: true))
    } throws: { ($0 as? BootstrapFailure)?.step == .noRelayURL }
  }

  @Test("40 §19 #120: the join goes where the cloud says, and the session to the relay")
  func elsewhere() async throws {
    let invited = try await Invited()
    invited.list(
      AccountWorld.row(
        invited.world.two,
        admitURL: "\(invited.world.one.url)/admin-api/namespaces/\(invited.namespace)/admit"))
    let moved = try await invited.join(try invited.invitation())
    #expect(moved?.relayUrl == invited.world.two.url)
    #expect(invited.world.one.log.contains { $0.path.hasSuffix("/admit") })
    #expect(!invited.world.two.log.contains { $0.path.hasSuffix("/admit") })
  }

  @Test("40 §19 #121: a cloud that cannot be asked says nothing about the invitation")
  func lookup() async throws {
    let invited = try await Invited()
    invited.world.manager.fail(.status(503))
    let failure = await failure { _ = try await invited.join(try invited.invitation()) }
    #expect(failure?.step == .admittersLookup)
    #expect(failure?.reason.contains("503") == true)
  }

  @Test(
    "40 §19 #122: a node that refuses is told with its status, one that is away without; nothing is remembered"
  )
  func refused() async throws {
    let invited = try await Invited()
    invited.list(AccountWorld.row(invited.world.two))
    // Somebody changed what was signed.
    var json = try invited.invitation().json
    var body = try #require(json["invitation"]?.objectValue)
    body["invited_role"] = 0
    json["invitation"] = .object(body)
    let forged = try SignedGroupOpenInvitation(json: json)
    let refusal = await failure { _ = try await invited.join(forged) }
    #expect(refusal?.step == .admit && (refusal?.status == 400 || refusal?.status == 403))
    invited.world.two.node.down()
    let away = await failure { _ = try await invited.join(try invited.invitation()) }
    #expect(away?.step == .admit && away?.status == nil)
    #expect(
      DelegatedAccounts.readRelayMap(invited.newcomer.account, store: invited.env.store) == RelayMap())
    let old = try invited.invitation(validFor: 1)
    await invited.world.clock.advance(by: 600)
    invited.world.two.node.up()
    #expect(await failure { _ = try await invited.join(old) }?.status == 403)
  }

  @Test("40 §19 #123: at the session's own relay the executor stays, at another one it goes")
  func executor() async throws {
    for relay in [true, false] {
      let invited = try await Invited()
      invited.list(AccountWorld.row(invited.world.two))
      var session = invited.newcomer
      session.relayUrl = relay ? invited.world.two.url + "/" : invited.world.one.url
      session.executorAccount = AccountFixture.id(9)
      let moved = try await invited.join(try invited.invitation(), as: session)
      #expect(moved?.relayUrl == invited.world.two.url)
      #expect(moved?.executorAccount == (relay ? AccountFixture.id(9) : nil))
      #expect(
        DelegatedAccounts.readRelayMap(session.account, store: invited.env.store).namespaces
          == [invited.namespace: invited.world.two.url])
    }
  }

  @Test("40 §19 #124: a good answer that cannot be read is a join that was not said to be published")
  func unreadable() async throws {
    let invited = try await Invited()
    invited.world.two.node.replaceAnswer(
      "POST /admin-api/namespaces/{namespace_id}/admit", status: 200, json: ["data": "what"])
    let result = try await DelegatedAccounts.bootstrap(
      namespaceId: invited.namespace, invitation: try invited.invitation(),
      credential: invited.newcomer.credential, keys: invited.newcomer.keys, nodeURL: invited.world.two.url,
      env: invited.env)
    #expect(!result.published)
  }

  @Test("40 §19 #125: a node that was given is joined through without asking the cloud")
  func givenNode() async throws {
    let invited = try await Invited()
    invited.world.manager.clearLog()
    let result = try await DelegatedAccounts.bootstrap(
      namespaceId: invited.namespace, invitation: try invited.invitation(),
      credential: invited.newcomer.credential, keys: invited.newcomer.keys,
      nodeURL: invited.world.one.url + "/", env: invited.env)
    #expect(result.published && result.resolution == nil)
    #expect(result.session.relayUrl == invited.world.one.url)
    #expect(invited.world.manager.log.isEmpty)
    let nobody = await failure {
      _ = try await DelegatedAccounts.bootstrap(
        namespaceId: invited.namespace, invitation: try invited.invitation(), credential: nil,
        keys: invited.newcomer.keys, env: invited.env)
    }
    #expect(nobody?.step == .noCredential)
  }
}

@Suite("Inviting and redeeming as an account")
struct AccountInvitationTests {
  private static let relay = AccountFixture.id(0x0A)
  private static let admin = AccountFixture.id(0x0B)

  private func rig(
    relays: Bool = true, nodes: [CloudNamespaceNode]?, hasRelay: Bool = true
  ) throws -> AccountAdminRig {
    let rows =
      (relays ? [#"{"identity":"\#(Self.relay.uppercased())","role":"RelayTee"}"#] : [])
      + [#"{"identity":"\#(Self.admin)","role":"Admin"}"#]
    let members = #"{"members":[\#(rows.joined(separator: ","))],"selfIdentity":null}"#
    return try AccountAdminRig(change: { deps in
      deps.routing = { _, namespace in
        guard let nodes else { throw MeroError.network("the cloud is away") }
        return CloudNamespaceRouting(namespaceId: namespace, nodes: nodes, servable: true, writable: true)
      }
    }) { path in path.contains("members") ? members : AccountAdminRig.info() }
  }

  private func invite(_ rig: AccountAdminRig) async throws -> SignedGroupOpenInvitation {
    try #require(
      try await rig.admin.createNamespaceInvitation(AccountAdminRig.namespace, request: nil).invitation)
  }

  private func node(_ account: String?) -> CloudNamespaceNode {
    CloudNamespaceNode(peerId: "p", account: account, relayUrl: "https://x.test", fresh: true)
  }

  @Test("40 §19 #112: an invitation is made when somebody could redeem it, and not otherwise")
  func claimable() async throws {
    let named = try await invite(try rig(nodes: [node(Self.relay.uppercased())]))
    #expect(named.invitation.admitters == [Self.relay] && named.admitterAddrs == [])
    let unrouted = try await invite(try rig(nodes: []))
    #expect(unrouted.admitterAddrs == ["https://r"])
    #expect(try await invite(try rig(nodes: nil)).admitterAddrs == [])
    for (relays, nodes, reason) in [
      (false, [], "not-hosted"), (true, [node(AccountFixture.id(7)), node(nil)], "no-named-node"),
    ] {
      let rig = try rig(relays: relays, nodes: nodes)
      await #expect(
        throws: AccountError.invitationNotClaimable(namespaceId: AccountAdminRig.namespace, reason: reason)
      ) { try await rig.admin.createNamespaceInvitation(AccountAdminRig.namespace, request: nil) }
    }
  }

  @Test("40 §19 #111: with no relay among the members the admins may let people in")
  func admins() async throws {
    let made = try await invite(try rig(relays: false, nodes: [node(Self.admin)]))
    #expect(made.invitation.admitters == [Self.admin])
  }

  @Test("40 §19 #113: the join is sent once, and the listing decides when it fails")
  func redeem() async throws {
    let invitation = try await invite(try rig(nodes: []))
    let joins = Locked(0)
    func admin(_ error: (any Error)?, lists: String) throws -> AccountAdminRig {
      try AccountAdminRig(change: { deps in
        deps.join = { namespace, _ in
          joins.withLock { $0 += 1 }
          if let error { throw error }
          return namespace
        }
      }) { _ in #"{"data":[\#(lists)]}"# }
    }
    let listed = """
      {"namespaceId":"\(AccountAdminRig.namespace)","appKey":"a","targetApplicationId":"b","createdAt":1,
       "memberCount":1,"contextCount":0,"subgroupCount":0}
      """
    let failure = BootstrapFailure(step: .admit, reason: "no", status: 403)
    for (error, lists, expected) in [
      (nil, "7", RedeemOutcome.joined(namespaceId: AccountAdminRig.namespace, teamName: "Team")),
      (failure, listed, .alreadyMember(namespaceId: AccountAdminRig.namespace, teamName: "Team")),
      (
        failure, "",
        .failed(namespaceId: AccountAdminRig.namespace, message: "no", reason: .refused, retryable: false)
      ),
    ] as [((any Error)?, String, RedeemOutcome)] {
      joins.withLock { $0 = 0 }
      let outcome = await (try admin(error, lists: lists)).admin.redeemInvitation(
        AccountAdminRig.namespace, invitation: invitation, teamName: "Team")
      #expect(outcome == expected)
      #expect(joins.withLock { $0 } == 1)
    }
  }

  @Test("40 §19 #114 #115: what became of a join decides whether to keep the invitation")
  func reasons() {
    func why(_ status: Int?, _ text: String = "", _ step: BootstrapFailure.Step = .admit) -> InviteFailure {
      InviteFailure(BootstrapFailure(step: step, reason: text, status: status))
    }
    let table: [(Int, InviteFailureReason, Bool)] = [
      (400, .invalid, false), (403, .refused, false), (409, .refused, false), (410, .expired, false),
      (401, .signedOut, true), (404, .unknown, true), (413, .unknown, true), (429, .unknown, true),
      (500, .unknown, true), (503, .noOneOnline, true), (504, .noOneOnline, true),
    ]
    for (status, reason, retryable) in table {
      #expect(why(status) == InviteFailure(reason, isRetryable: retryable), "\(status)")
    }
    #expect(why(409, "the invitation has expired") == InviteFailure(.expired, isRetryable: false))
    #expect(why(500, "the invitation has expired") == InviteFailure(.expired, isRetryable: false))
    #expect(why(nil) == InviteFailure(.unknown, isRetryable: true))
    #expect(why(nil, "", .notInvited) == InviteFailure(.refused, isRetryable: false))
    #expect(why(nil, "", .sign) == InviteFailure(.unknown, isRetryable: false))
    #expect(why(nil, "", .noCredential) == InviteFailure(.signedOut, isRetryable: true))
  }
}

@Suite("Namespaces of whoever is signed in", .timeLimit(.minutes(5)))
struct SignedInNamespaceTests {
  private func signIn(_ world: AccountWorld, _ wallet: FakeWallet) async throws -> CloudSignIn {
    let env = world.environment()
    let signIn = CloudSignIn(
      config: CloudConfig(
        walletURL: wallet.url, cloudBaseURL: world.manager.url, audience: .cli,
        relayKeyVerifier: env.relayKeyVerifier, releaseMirrorURL: world.manager.url),
      keyStore: .memory(), sessionStore: .memory(), nonces: MemoryWarrantNonceStore(),
      accountStore: .memory(),
      transport: world.middle, clock: world.clock.clock)
    let page = try await signIn.beginEnrolment(callback: .scheme("notes"))
    try await signIn.completeEnrolment(callbackURL: try wallet.approve(page))
    return signIn
  }

  @Test("one founds and invites, another without a relay joins and has the relay that let her in")
  func foundInviteJoin() async throws {
    let world = try AccountWorld()
    let (adas, graces) = (FakeWallet(seed: 1), FakeWallet(seed: 2))
    world.manager.setRelays([.relay(world.one.url, executorAccount: world.one.account)], of: adas.account)
    let ada = try await signIn(world, adas)
    let founded = try await ada.foundNamespace(application: world.founding)
    world.manager.setRouting(founded.namespaceId, nodes: [AccountWorld.row(world.one)])
    let invitation = try await ada.createNamespaceInvitation(founded.namespaceId)

    let grace = try await signIn(world, graces)
    #expect(await grace.restoreSession()?.isRelayless == true)
    await #expect(throws: AccountError.noRelay("createNamespaceInvitation")) {
      try await grace.createNamespaceInvitation(founded.namespaceId)
    }
    try await grace.join(namespaceId: founded.namespaceId, invitation: invitation)
    let session = try #require(await grace.delegatedSession())
    #expect(session.relayUrl == world.one.url)
    #expect(await grace.restoreSession()?.relayUrl == world.one.url)
    _ = await DelegatedAccounts.attemptRelayNodeKey(world.one.url, env: grace.delegatedEnvironment)
    let mine = await DelegatedAccounts.listDelegatedNamespaces(session, env: grace.delegatedEnvironment)
    #expect(mine.map(\.namespace.namespaceId) == [founded.namespaceId])

    await grace.signOut()
    await #expect(throws: AccountError.self) {
      try await grace.join(namespaceId: founded.namespaceId, invitation: invitation)
    }
  }
}
