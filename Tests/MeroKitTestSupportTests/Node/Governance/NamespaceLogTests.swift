import Testing

@testable import MeroKitTestSupport

@Suite("The log of a namespace")
struct NamespaceLogTests {
  /// Two copies of one log, as two nodes that lost sight of each other have them.
  func fork() throws -> (GroupWorld, GroupWorld) {
    let world = try GroupWorld()
    return (world, world)
  }

  @Test("nodes that wrote apart have the same tree when they hear of each other, whoever hears first")
  func converges() throws {
    var (one, other) = try fork()
    try one.makeGroup(0x30)
    try one.act(.metadataSet(.group(one.root), name: "one", data: [:]), on: "a")
    try other.act(.metadataSet(.group(one.root), name: "other", data: [:]), by: GroupWorld.admin, on: "b")
    try other.act(.memberRemoved(GroupWorld.member, from: one.root), on: "b")
    let (fromOne, fromOther) = (one.log.entries, other.log.entries)
    _ = one.log.merge(fromOther)
    _ = other.log.merge(fromOne)
    #expect(one.log.entries.map(\.position) == other.log.entries.map(\.position))
    #expect(one.tree.stateHash(of: one.tree.root) == other.tree.stateHash(of: other.tree.root))
    #expect(one.tree.root.metadata?.name == other.tree.root.metadata?.name)
    #expect(one.tree.groups.count == 2)
    #expect(!other.tree.isMember(GroupWorld.member, of: other.root))
  }

  @Test("a line that is heard twice counts once")
  func mergesOnce() throws {
    var (one, other) = try fork()
    try one.act(.ownerOp(.setTeeAuthoring(["aa"]), counter: 0))
    #expect(other.log.merge(one.log.entries).count == 1)
    #expect(other.log.merge(one.log.entries).isEmpty)
    #expect(other.tree.ownerOpCounter == 1)
  }

  @Test("a line that was not allowed in its place changes nothing")
  func concurrentRemovalWins() throws {
    var (one, other) = try fork()
    // The admin is removed on one node, and adds somebody on the other one at the same time.
    try one.act(.memberRemoved(GroupWorld.admin, from: one.root), on: "a")
    try other.act(.memberAdded(GroupWorld.outsider, .member, in: one.root), by: GroupWorld.admin, on: "b")
    _ = one.log.merge(other.log.entries)
    _ = other.log.merge(one.log.entries)
    #expect(!one.tree.isMember(GroupWorld.outsider, of: one.root))
    #expect(!other.tree.isMember(GroupWorld.outsider, of: one.root))
  }

  @Test("what is refused leaves no line")
  func refusalsLeaveNothing() throws {
    var world = try GroupWorld()
    let before = world.log.entries.count
    #expect(
      world.refusal(.memberAdded(GroupWorld.outsider, .member, in: world.root), by: GroupWorld.outsider)
        == 403)
    #expect(world.log.entries.count == before)
  }

  @Test("a namespace's id is its founder's and its salt's alone (30 §4.7)")
  func idsAreDerived() throws {
    let (founder, salt) = (GroupWorld.id(0x11), GroupWorld.id(0x22))
    #expect(
      NamespaceTree.id(founder: founder, salt: salt)
        == "35f5e77cc3c7cdb18eef50f1ea2808f27069dd25143e935994fcd58b3876c0bd")
    #expect(
      NamespaceTree.subgroupId(admin: founder, parent: GroupWorld.id(0x33), isOpen: false, salt: salt)
        == "6c949a0f0e0c3c55310223f4cd03f888b6e84c7e963f9171a5639fc54ea93b1a")
    let birth = NamespaceBirth(
      id: GroupWorld.id(0x77), founding: NamespaceTree.Founding(account: founder, salt: salt),
      target: GroupWorld.target, device: GroupWorld.device(of: founder))
    let entry = LogEntry(
      position: LogEntry.Position(time: 1, node: "n"), author: founder, at: 0, op: .namespaceCreated(birth))
    #expect(throws: NodeRefusal.self) { try NamespaceLog(entry) }
  }
}
