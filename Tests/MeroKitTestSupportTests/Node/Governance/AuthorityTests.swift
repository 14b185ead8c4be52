import Testing

@testable import MeroKitTestSupport

/// 20 §3.3, row by row.
@Suite("Who may do what in a group")
struct AuthorityTests {
  /// An action, and the one capability that lets a member who is no admin do it.
  struct Action: Sendable, CustomTestStringConvertible {
    let name: String
    var right: GroupCapabilities?
    /// Whether it is done in a subgroup that everybody is inherited into, in place of the root.
    var isBelow = false
    let op: @Sendable (_ group: String, _ root: String) -> GovernanceOp

    var testDescription: String { name }
  }

  static let id = GroupWorld.id

  static let actions: [Action] = [
    Action(name: "create a subgroup under the root", right: .createSubgroup) { _, root in
      .groupCreated(GroupBirth(id: id(0x40), parent: root, isOpen: true))
    },
    Action(name: "create a subgroup deeper") { group, _ in
      .groupCreated(GroupBirth(id: id(0x40), parent: group, isOpen: true))
    },
    Action(name: "delete a subgroup", right: .deleteSubgroup) { group, _ in .groupDeleted(group) },
    Action(name: "reparent") { group, _ in .groupReparented(group, to: id(0x31)) },
    Action(name: "delete the namespace") { _, _ in .namespaceDeleted },
    Action(name: "create a context", right: .createContext) { _, root in
      .contextRegistered(GroupWorld.context(0x50), in: root)
    },
    Action(name: "detach a context") { _, root in .contextDetached(id(0x51), from: root) },
    Action(name: "add a member", right: .manageMembers) { _, root in
      .memberAdded(id(0x60), .member, in: root)
    },
    Action(name: "add an admin") { _, root in .memberAdded(id(0x60), .admin, in: root) },
    Action(name: "remove a member", right: .manageMembers) { _, root in
      .memberRemoved(id(0x61), from: root)
    },
    Action(name: "remove an admin") { _, root in .memberRemoved(id(0x62), from: root) },
    Action(name: "change a role") { _, root in .roleSet(id(0x61), .readOnly, in: root) },
    Action(name: "change capabilities") { _, root in .capabilitiesSet(id(0x61), .createContext, in: root) },
    Action(name: "change default capabilities") { _, root in .defaultsSet(.createContext, in: root) },
    Action(name: "change visibility", right: .manageVisibility) { _, root in
      .visibilitySet(isOpen: false, in: root)
    },
    Action(name: "set the group's metadata", right: .manageMetadata) { _, root in
      .metadataSet(.group(root), name: "x", data: [:])
    },
    Action(name: "set a context's metadata", right: .manageMetadata) { _, root in
      .metadataSet(.context(id(0x51), in: root), name: "x", data: [:])
    },
    Action(name: "set another member's metadata", right: .manageMetadata) { _, root in
      .metadataSet(.member(id(0x61), in: root), name: "x", data: [:])
    },
    Action(name: "set another member's auto-follow") { _, root in
      .autoFollowSet(id(0x61), GroupMember.AutoFollow(contexts: true, subgroups: true), in: root)
    },
    Action(name: "point the group at another application", right: .manageApplication) { _, root in
      .targetSet(
        ApplicationTarget(applicationId: id(0xA1), appKey: id(0xB1), version: "2.0.0"), in: root,
        cascade: false)
    },
    Action(name: "abort a migration") { _, _ in .migrationAborted },
    Action(name: "set the TEE admission policy") { _, _ in .teePolicySet(TeeAdmissionPolicy()) },
  ]

  /// With a subgroup 0x30 and a sibling 0x31, a context 0x51, another member 0x61 and another admin 0x62.
  func world() throws -> (GroupWorld, group: String) {
    var world = try GroupWorld()
    let group = try world.makeGroup(0x30)
    try world.makeGroup(0x31)
    try world.register(0x51, in: world.root)
    try world.act(.memberAdded(Self.id(0x61), .member, in: world.root))
    try world.act(.memberAdded(Self.id(0x62), .admin, in: world.root))
    try world.grant([])
    return (world, group)
  }

  @Test("an admin may do everything but what needs the owner", arguments: actions)
  func adminMay(_ action: Action) throws {
    var (world, group) = try world()
    #expect(world.refusal(action.op(group, world.root), by: GroupWorld.admin) == nil)
  }

  @Test("a member without the capability is refused with 403", arguments: actions)
  func memberMayNot(_ action: Action) throws {
    var (world, group) = try world()
    #expect(world.refusal(action.op(group, world.root), by: GroupWorld.member) == 403)
    try world.grant(GroupCapabilities.defined.subtracting(action.right ?? []))
    #expect(world.refusal(action.op(group, world.root), by: GroupWorld.member) == 403)
  }

  @Test("a member with the one capability may", arguments: actions.filter { $0.right != nil })
  func capabilityIsEnough(_ action: Action) throws {
    var (world, group) = try world()
    try world.grant(try #require(action.right))
    #expect(world.refusal(action.op(group, world.root), by: GroupWorld.member) == nil)
  }

  @Test("whoever is no member is refused with 403", arguments: actions)
  func outsiderMayNot(_ action: Action) throws {
    var (world, group) = try world()
    #expect(world.refusal(action.op(group, world.root), by: GroupWorld.outsider) == 403)
  }

  @Test("a read-only member creates no context, whatever its mask")
  func readersWriteNothing() throws {
    var (world, _) = try world()
    try world.grant(.defined, to: GroupWorld.reader)
    #expect(
      world.refusal(.contextRegistered(GroupWorld.context(0x50), in: world.root), by: GroupWorld.reader)
        == 403)
  }

  @Test("a member sets its own metadata and auto-follow without any capability")
  func ownRowIsOnesOwn() throws {
    var (world, _) = try world()
    let own = GroupWorld.member
    #expect(world.refusal(.metadataSet(.member(own, in: world.root), name: "me", data: [:]), by: own) == nil)
    let flags = GroupMember.AutoFollow(contexts: true, subgroups: false)
    #expect(world.refusal(.autoFollowSet(own, flags, in: world.root), by: own) == nil)
  }

  @Test("the subgroup's owner deletes it without being an admin of the namespace")
  func ownerDeletesItsSubgroup() throws {
    var (world, _) = try world()
    try world.grant(.createSubgroup)
    let group = try world.makeGroup(0x41, by: GroupWorld.member)
    #expect(world.refusal(.groupDeleted(group), by: GroupWorld.member) == nil)
  }

  @Test("the owner of a group is neither removed nor leaves")
  func ownerStays() throws {
    var (world, _) = try world()
    #expect(world.refusal(.memberRemoved(GroupWorld.founder, from: world.root), by: GroupWorld.admin) == 403)
    #expect(world.refusal(.memberLeft(world.root), by: GroupWorld.founder) == 403)
  }

  @Test("the last admin is neither demoted nor removed, nor does it leave: 409")
  func lastAdminStays() throws {
    var world = try GroupWorld()
    try world.act(.ownerOp(.transferOwnership(of: world.root, to: GroupWorld.admin), counter: 0))
    try world.act(.memberRemoved(GroupWorld.founder, from: world.root), by: GroupWorld.admin)
    #expect(
      world.refusal(.roleSet(GroupWorld.admin, .member, in: world.root), by: GroupWorld.admin) == 409)
    var group = try GroupWorld()
    let below = try group.makeGroup(0x30, isOpen: false)
    try group.act(.memberAdded(GroupWorld.admin, .admin, in: below))
    try group.act(.ownerOp(.transferOwnership(of: below, to: GroupWorld.admin), counter: 0))
    try group.act(.memberLeft(below))
    #expect(group.refusal(.roleSet(GroupWorld.admin, .member, in: below), by: GroupWorld.admin) == 409)
  }

  @Test("whoever owns a subgroup neither leaves the namespace nor is removed from it: 409")
  func ownersOfSubgroupsStay() throws {
    var (world, _) = try world()
    try world.grant(.createSubgroup)
    try world.makeGroup(0x41, by: GroupWorld.member)
    #expect(world.refusal(.memberLeft(world.root), by: GroupWorld.member) == 409)
    #expect(world.refusal(.memberRemoved(GroupWorld.member, from: world.root)) == 409)
  }

  @Test("a TEE role is never given by hand: 400")
  func teeRolesAreAttested() throws {
    var (world, _) = try world()
    #expect(world.refusal(.memberAdded(Self.id(0x70), .relayTee, in: world.root)) == 400)
    #expect(world.refusal(.roleSet(GroupWorld.member, .readOnlyTee, in: world.root)) == 400)
  }

  @Test("changing the admission policy's mode converts the TEEs that are in")
  func modeConvertsTees() throws {
    var (world, _) = try world()
    var policy = TeeAdmissionPolicy()
    policy.acceptMock = true
    try world.act(.teePolicySet(policy))
    let tee = GroupWorld.device(of: Self.id(0x70), 0x71)
    try world.act(.teeAdmitted(tee.account, tee))
    #expect(world.tree.role(of: tee.account, in: world.root) == .readOnlyTee)
    policy.isRelay = true
    try world.act(.teePolicySet(policy))
    #expect(world.tree.role(of: tee.account, in: world.root) == .relayTee)
  }

  @Test("only the owner transfers, to an admin, and a counter serves once")
  func ownerOps() throws {
    var (world, _) = try world()
    let transfer = GovernanceOp.OwnerOp.transferOwnership(of: world.root, to: GroupWorld.admin)
    #expect(world.refusal(.ownerOp(transfer, counter: 0), by: GroupWorld.admin) == 403)
    let toMember = GovernanceOp.OwnerOp.transferOwnership(of: world.root, to: GroupWorld.member)
    #expect(world.refusal(.ownerOp(toMember, counter: 0)) == 409)
    #expect(world.refusal(.ownerOp(transfer, counter: 7)) == 409)
    #expect(world.refusal(.ownerOp(transfer, counter: 0)) == nil)
    #expect(world.tree.root.owner == GroupWorld.admin)
    #expect(world.tree.ownerOpCounter == 1)
  }

  @Test("an owner deletes a group only when it holds no contexts")
  func ownerDelete() throws {
    var (world, group) = try world()
    try world.register(0x52, in: group)
    #expect(world.refusal(.ownerOp(.deleteGroup(group), counter: 0)) == 409)
    try world.act(.contextDetached(Self.id(0x52), from: group))
    #expect(world.refusal(.ownerOp(.deleteGroup(group), counter: 0)) == nil)
  }
}
