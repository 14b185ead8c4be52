import MeroWire

/// What makes a cluster this one and no other.
final class IdentityRecord: Record {
  let clusterId: [UInt8]
  /// Cursors and made-up answers are made with it.
  let secret: [UInt8]
  /// By place. A cluster that is started with fewer nodes keeps the ids of the others.
  var nodeIds: [String] { didSet { changed() } }

  init(clusterId: [UInt8], secret: [UInt8], nodeIds: [String]) {
    self.clusterId = clusterId
    self.secret = secret
    self.nodeIds = nodeIds
    super.init(id: "cluster")
  }

  override class var table: String { "identity" }

  override func written() -> JSONObject {
    [
      "clusterId": .string(Base64URL.encode(clusterId)), "secret": .string(Base64URL.encode(secret)),
      "nodeIds": .array(nodeIds.map { .string($0) }),
    ]
  }

  init(_ row: RecordRow) throws {
    clusterId = try row.bytes("clusterId")
    secret = try row.bytes("secret")
    nodeIds = try row.strings("nodeIds")
    guard clusterId.count == 32 else { throw row.damage("clusterId") }
    super.init(id: row.id)
  }
}

/// How far a cluster has come.
final class ProgressRecord: Record {
  /// Changes of all apps together.
  var changes: UInt64 = 0 { didSet { changed() } }
  var signup: FakeCloud.SignupMode { didSet { changed() } }
  /// Codes that let somebody sign up, those that are used up among them.
  var signupInvites: Set<String> = [] { didSet { changed() } }
  /// How many accounts a code still makes, for those that do not make any number.
  var signupUsesLeft: [String: Int] = [:] { didSet { changed() } }

  init(signup: FakeCloud.SignupMode) {
    self.signup = signup
    super.init(id: "cluster")
  }

  override class var table: String { "progress" }

  override func written() -> JSONObject {
    [
      "changes": JSONValue(changes), "signup": .string(signup.rawValue),
      "signupInvites": .array(signupInvites.sorted().map { .string($0) }),
      "signupUsesLeft": .object(JSONObject(signupUsesLeft.map { ($0, JSONValue($1)) })),
    ]
  }

  init(_ row: RecordRow) throws {
    changes = try row.count("changes")
    signup = try row.word("signup")
    signupInvites = Set(try row.strings("signupInvites"))
    for (code, left) in row.optional("signupUsesLeft")?.objectValue ?? [:] {
      signupUsesLeft[code] = left.int ?? 0
    }
    super.init(id: row.id)
  }
}
