import MeroWire

@testable import MeroKitTestSupport

/// A namespace without a node around it: who is in it, and what they do.
struct GroupWorld {
  static let founder = id(1)
  static let admin = id(2)
  static let member = id(3)
  static let reader = id(4)
  static let outsider = id(5)
  static let application = id(0xA0)

  var log: NamespaceLog
  let root: String

  static func id(_ byte: UInt8) -> String { Hex.encode([UInt8](repeating: byte, count: 32)) }

  static func device(of account: String, _ byte: UInt8 = 0xD0) -> BoundDevice {
    BoundDevice(id: id(byte), account: account, signingKey: id(byte ^ 0xFF), rootKey: id(byte))
  }

  static let target = ApplicationTarget(applicationId: application, appKey: id(0xB0), version: "1.0.0")

  /// The founder, an admin, a plain member and a read-only one.
  init() throws {
    let founding = NamespaceTree.Founding(account: Self.founder, salt: Self.id(9))
    root = NamespaceTree.id(founder: founding.account, salt: founding.salt)
    let birth = NamespaceBirth(
      id: root, founding: founding, target: Self.target, device: Self.device(of: Self.founder))
    log = try NamespaceLog(
      LogEntry(
        position: LogEntry.Position(time: 1, node: "n"), author: Self.founder, at: 1_790_000_000_000,
        op: .namespaceCreated(birth)))
    try act(.memberAdded(Self.admin, .admin, in: root))
    try act(.memberAdded(Self.member, .member, in: root))
    try act(.memberAdded(Self.reader, .readOnly, in: root))
  }

  var tree: NamespaceTree { log.tree }

  mutating func act(_ op: GovernanceOp, by author: String = founder, on node: String = "n") throws {
    _ = try log.append(op, by: author, on: node, at: 1_790_000_000_000)
  }

  /// The status an op is refused with; nil when it is done.
  mutating func refusal(_ op: GovernanceOp, by author: String = founder) -> Int? {
    do {
      try act(op, by: author)
      return nil
    } catch { return (error as? NodeRefusal)?.status }
  }

  /// Makes a group and answers its id.
  @discardableResult
  mutating func makeGroup(
    _ byte: UInt8, under parent: String? = nil, isOpen: Bool = true, by author: String = founder
  ) throws -> String {
    try act(
      .groupCreated(GroupBirth(id: Self.id(byte), parent: parent ?? root, isOpen: isOpen)), by: author)
    return Self.id(byte)
  }

  mutating func grant(_ mask: GroupCapabilities, to account: String = member, in group: String? = nil) throws
  {
    try act(.capabilitiesSet(account, mask, in: group ?? root))
  }

  mutating func register(_ byte: UInt8, in group: String, by author: String = founder) throws {
    try act(.contextRegistered(Self.context(byte), in: group), by: author)
  }

  static func context(_ byte: UInt8) -> RegisteredContext {
    RegisteredContext(id: id(byte), applicationId: application, serviceName: nil, createdBy: founder)
  }
}
