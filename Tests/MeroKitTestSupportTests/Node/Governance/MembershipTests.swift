import Testing

@testable import MeroKitTestSupport

@Suite("How an account belongs to a group")
struct MembershipTests {
  static let id = GroupWorld.id

  @Test("members of the parent are members of an Open subgroup, and not of a Restricted one")
  func openInherits() throws {
    var world = try GroupWorld()
    let open = try world.makeGroup(0x30)
    let closed = try world.makeGroup(0x31, isOpen: false)
    #expect(world.tree.path(of: GroupWorld.member, in: open) == .inherited(from: world.root))
    #expect(world.tree.path(of: GroupWorld.member, in: closed) == .none)
    #expect(world.tree.members(of: open).contains(GroupWorld.member))
  }

  @Test("without CAN_JOIN_OPEN_SUBGROUPS nobody is inherited, but for admins")
  func inheritanceNeedsTheCapability() throws {
    var world = try GroupWorld()
    let open = try world.makeGroup(0x30)
    try world.grant([])
    try world.grant([], to: GroupWorld.admin)
    #expect(world.tree.path(of: GroupWorld.member, in: open) == .none)
    #expect(world.tree.role(of: GroupWorld.admin, in: open) == .admin)
  }

  @Test("a Restricted group is a wall: nothing passes through it")
  func restrictedIsAWall() throws {
    var world = try GroupWorld()
    let wall = try world.makeGroup(0x30, isOpen: false)
    let below = try world.makeGroup(0x31, under: wall)
    #expect(world.tree.path(of: GroupWorld.admin, in: below) == .none)
    try world.act(.memberAdded(GroupWorld.member, .member, in: wall))
    #expect(world.tree.path(of: GroupWorld.member, in: below) == .inherited(from: wall))
  }

  @Test("whoever is removed from an Open subgroup is denied there and further down")
  func denialHoldsBelow() throws {
    var world = try GroupWorld()
    let open = try world.makeGroup(0x30)
    let below = try world.makeGroup(0x31, under: open)
    #expect(world.tree.isMember(GroupWorld.member, of: below))
    try world.act(.memberRemoved(GroupWorld.member, from: open))
    #expect(!world.tree.isMember(GroupWorld.member, of: open))
    #expect(!world.tree.isMember(GroupWorld.member, of: below))
    #expect(world.tree.isMember(GroupWorld.member, of: world.root))
    try world.act(.memberAdded(GroupWorld.member, .member, in: open))
    #expect(world.tree.isMember(GroupWorld.member, of: below))
  }

  @Test("an inherited member publishes itself once; a direct one is told it is one")
  func publishesItself() throws {
    var world = try GroupWorld()
    let open = try world.makeGroup(0x30)
    try world.act(.memberJoinedOpen(open), by: GroupWorld.member)
    #expect(world.tree.path(of: GroupWorld.member, in: open) == .direct)
    #expect(world.refusal(.memberJoinedOpen(open), by: GroupWorld.member) == 409)
    #expect(world.refusal(.memberJoinedOpen(open), by: GroupWorld.outsider) == 403)
  }

  @Test("capabilities of a member are not inherited; what the subgroup grants is its own")
  func capabilitiesStay() throws {
    var world = try GroupWorld()
    try world.grant([.joinOpenSubgroups, .createContext, .inviteMembers])
    let open = try world.makeGroup(0x30)
    #expect(world.tree.capabilities(of: GroupWorld.member, in: open) == .joinOpenSubgroups)
    try world.grant([.createContext], in: open)
    #expect(world.tree.capabilities(of: GroupWorld.member, in: open) == [.joinOpenSubgroups, .createContext])
    #expect(world.tree.path(of: GroupWorld.member, in: open) != .direct)
  }

  @Test("authorship granted at the root reaches Open subgroups, and no Restricted one")
  func authorshipIsInherited() throws {
    var world = try GroupWorld()
    try world.grant([.joinOpenSubgroups, .authorOnBehalf])
    let open = try world.makeGroup(0x30)
    let closed = try world.makeGroup(0x31, isOpen: false)
    #expect(world.tree.grantOfAuthorship(to: GroupWorld.member, for: open) == world.root)
    #expect(world.tree.grantOfAuthorship(to: GroupWorld.member, for: closed) == nil)
    #expect(world.tree.grantOfAuthorship(to: GroupWorld.founder, for: open) == nil)
  }

  // MARK: 20 §3.2

  @Test("a row is seeded from the defaults of the moment it is added, and an admin's is not")
  func seedsAtAddTime() throws {
    var world = try GroupWorld()
    #expect(world.tree.root.members[GroupWorld.member]?.mask == .joinOpenSubgroups)
    #expect(world.tree.root.members[GroupWorld.admin]?.mask == [])
    try world.act(.defaultsSet(GroupCapabilities(rawValue: 231), in: world.root))
    #expect(world.tree.root.members[GroupWorld.member]?.mask == .joinOpenSubgroups)
    try world.act(.memberAdded(Self.id(0x60), .member, in: world.root))
    #expect(world.tree.root.members[Self.id(0x60)]?.mask.rawValue == 231)
  }

  @Test("a mask of 0 stays 0, and undefined bits are dropped")
  func masksAreKept() throws {
    var world = try GroupWorld()
    try world.grant([])
    #expect(world.tree.capabilities(of: GroupWorld.member, in: world.root) == [])
    try world.grant(GroupCapabilities(rawValue: .max))
    #expect(world.tree.capabilities(of: GroupWorld.member, in: world.root)?.rawValue == 1023)
    try world.act(.defaultsSet(GroupCapabilities(rawValue: .max), in: world.root))
    #expect(world.tree.root.defaults.rawValue == 1023)
  }

  @Test("an admin may everything but author on behalf, unless that is granted too")
  func adminsDoNotAuthor() throws {
    var world = try GroupWorld()
    #expect(world.tree.capabilities(of: GroupWorld.admin, in: world.root)?.rawValue == 511)
    try world.grant(.authorOnBehalf, to: GroupWorld.admin)
    #expect(world.tree.capabilities(of: GroupWorld.admin, in: world.root)?.rawValue == 1023)
  }

  // MARK: The tree

  @Test("a group moves with what is below it, and never below itself")
  func reparenting() throws {
    var world = try GroupWorld()
    let one = try world.makeGroup(0x30)
    let other = try world.makeGroup(0x31)
    let below = try world.makeGroup(0x32, under: one)
    #expect(world.refusal(.groupReparented(one, to: one)) == 400)
    #expect(world.refusal(.groupReparented(world.root, to: one)) == 400)
    #expect(world.refusal(.groupReparented(one, to: below)) == 409)
    #expect(world.refusal(.groupReparented(one, to: Self.id(0x99))) == 404)
    try world.act(.groupReparented(one, to: other))
    #expect(world.tree.ancestors(of: below) == [one, other, world.root])
  }

  @Test("a group stands at most sixteen levels below its namespace")
  func depthIsLimited() throws {
    var world = try GroupWorld()
    var parent = world.root
    for level in 1...16 { parent = try world.makeGroup(UInt8(level) + 0x80, under: parent) }
    #expect(
      world.refusal(.groupCreated(GroupBirth(id: Self.id(0x30), parent: parent, isOpen: true))) == 400)
  }

  @Test("deleting a group takes its subtree and contexts along; the root is not deleted as a group")
  func deletesSubtrees() throws {
    var world = try GroupWorld()
    let one = try world.makeGroup(0x30)
    let below = try world.makeGroup(0x31, under: one)
    try world.register(0x50, in: below)
    #expect(world.refusal(.groupDeleted(world.root)) == 400)
    try world.act(.groupDeleted(one))
    #expect(world.tree.groups.count == 1)
    #expect(world.tree.group(ofContext: Self.id(0x50)) == nil)
  }

  @Test("leaving the namespace leaves every group below")
  func leavingLeavesAll() throws {
    var world = try GroupWorld()
    let closed = try world.makeGroup(0x30, isOpen: false)
    try world.act(.memberAdded(GroupWorld.member, .member, in: closed))
    try world.act(.memberLeft(world.root), by: GroupWorld.member)
    #expect(!world.tree.isMember(GroupWorld.member, of: closed))
  }
}
