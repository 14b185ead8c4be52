import MeroWire

/// Where a node stands among its peers, by its id. Made when an operator first changes it.
final class NodeRecord: Record {
  var state: ClusterState.Node.State { didSet { changed() } }

  init(id: String, state: ClusterState.Node.State) {
    self.state = state
    super.init(id: id)
  }

  override class var table: String { "nodes" }

  override func written() -> JSONObject { ["state": .string(state.rawValue)] }

  init(_ row: RecordRow) throws {
    state = try row.word("state")
    super.init(id: row.id)
  }
}

/// A release of the node image that the cluster knows, by its version.
final class ReleaseRecord: Record {
  static let registers = ["mrtd", "rtmr0", "rtmr1", "rtmr2", "rtmr3"]

  let addedAt: Int64
  var isAllowed: Bool { didSet { changed() } }
  var profile: String? { didSet { changed() } }
  /// The five registers by name, in hex.
  var measurements: JSONObject { didSet { changed() } }

  init(version: String, isAllowed: Bool, profile: String?, measurements: JSONObject, addedAt: Int64) {
    self.isAllowed = isAllowed
    self.profile = profile
    self.measurements = measurements
    self.addedAt = addedAt
    super.init(id: version)
  }

  override class var table: String { "releases" }

  override func written() -> JSONObject {
    var row: JSONObject = [
      "isAllowed": .bool(isAllowed), "measurements": .object(measurements), "addedAt": JSONValue(addedAt),
    ]
    row["profile"] = profile.map { .string($0) }
    return row
  }

  init(_ row: RecordRow) throws {
    isAllowed = try row.bool("isAllowed")
    profile = row.optional("profile")?.stringValue
    guard let registers = try row.json("measurements").objectValue else { throw row.damage("measurements") }
    measurements = registers
    addedAt = try row.time("addedAt")
    super.init(id: row.id)
  }
}

/// What an organization may use and uses, by its id. Apps and members are counted where they are.
final class QuotaRecord: Record {
  struct Limits {
    var apps = 1000
    var members = 10_000
    var storageBytes: UInt64 = 1 << 40
    var callsPerDay: UInt64 = 100_000_000
  }

  var limits = Limits() { didSet { changed() } }
  /// Bytes in sealed storage.
  var usedStorageBytes: UInt64 = 0 { didSet { changed() } }
  /// The day that calls are counted for, in days since 1970, and how many there were.
  private var day: Int64 = 0
  private var calls: UInt64 = 0 { didSet { changed() } }

  func usedCalls(at now: Int64) -> UInt64 { day == now / 86_400_000 ? calls : 0 }

  func countCall(at now: Int64) {
    let used = usedCalls(at: now)
    day = now / 86_400_000
    calls = used + 1
  }

  override init(id: String) { super.init(id: id) }

  override class var table: String { "quotas" }

  override func written() -> JSONObject {
    [
      "apps": JSONValue(limits.apps), "members": JSONValue(limits.members),
      "storageBytes": JSONValue(limits.storageBytes), "callsPerDay": JSONValue(limits.callsPerDay),
      "usedStorageBytes": JSONValue(usedStorageBytes), "day": JSONValue(day), "calls": JSONValue(calls),
    ]
  }

  init(_ row: RecordRow) throws {
    limits = Limits(
      apps: Int(try row.integer("apps")), members: Int(try row.integer("members")),
      storageBytes: try row.limit("storageBytes"), callsPerDay: try row.limit("callsPerDay"))
    usedStorageBytes = try row.count("usedStorageBytes")
    day = try row.integer("day")
    calls = try row.count("calls")
    super.init(id: row.id)
  }
}
