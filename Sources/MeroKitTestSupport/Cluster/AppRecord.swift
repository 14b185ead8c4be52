import Foundation
import MeroWire

enum AppRole: String {
  case manager, writer, reader

  var strength: Int {
    switch self {
    case .manager: return 2
    case .writer: return 1
    case .reader: return 0
    }
  }
}

enum OrgAccess: String { case none, reader, writer }

enum AppState: String { case creating, ready, upgrading, suspended, deleting }

/// One app: who may use it, its history, and its events. Lives inside `ClusterState`, as the other records do.
final class AppRecord: Record {
  struct Member {
    var role: AppRole
    let addedAt: Int64
  }

  /// The state after a change.
  struct Position {
    /// The cluster's change that made it, over all apps.
    let change: UInt64
    let seq: UInt64
    let data: AppData
  }

  /// A move to another version that is under way.
  struct Upgrade {
    /// Stands for a version whose code is not there until it is.
    var version: FakePackage
    let by: AccountRecord?
    let endsAt: Int64
  }

  let org: OrgRecord
  let createdAt: Int64
  let createdBy: AccountRecord
  var name: String { didSet { changed() } }
  var package: FakePackage { didSet { changed() } }
  var orgAccess: OrgAccess { didSet { changed() } }
  /// Suspended while its code is not there, whatever it was put in.
  var state: AppState {
    get { package.isUnknown ? .suspended : ownState }
    set { ownState = newValue }
  }
  private var ownState: AppState = .ready { didSet { changed() } }
  /// Whether its creation has not come to its end, whether or not its code is there.
  var isUnfinished: Bool { ownState == .creating }
  var upgrade: Upgrade? { didSet { changed() } }
  var presence = AppPresence()
  /// By account or team.
  var members: [String: Member] = [:] { didSet { changed() } }
  /// How often each method ran since the cluster began, failed runs included.
  var runs: [String: Int] = [:]
  let events: EventLog
  var followers: [ObjectIdentifier: EventFollower] = [:]
  var waiters: [Waiter] = []
  /// Oldest first, never empty. Nodes that lag read older ones.
  private(set) var history: [Position]
  private var pieces = AppPieces()

  init(
    id: String, name: String, package: FakePackage, org: OrgRecord, orgAccess: OrgAccess,
    createdBy: AccountRecord, createdAt: Int64, change: UInt64, data: AppData, events: EventLog
  ) {
    self.name = name
    self.package = package
    self.org = org
    self.orgAccess = orgAccess
    self.createdBy = createdBy
    self.createdAt = createdAt
    self.events = events
    history = [Position(change: change, seq: 0, data: data)]
    super.init(id: id)
    events.changed = { [unowned self] in changed() }
  }

  var now: Position { history[history.count - 1] }

  /// The state a node has that has applied the cluster's changes up to `change`; `nil` when it has not heard of the app.
  func position(at change: UInt64) -> Position? {
    guard let first = history.first else { return nil }
    if let found = history.last(where: { $0.change <= change }) { return found }
    return first.seq == 0 ? nil : first
  }

  /// Takes the state that the app begins with, once that is made.
  func begin(_ data: AppData, change: UInt64) {
    history = [Position(change: change, seq: 0, data: data)]
    changed()
  }

  func apply(_ data: AppData, change: UInt64) {
    history.append(Position(change: change, seq: now.seq + 1, data: data))
    if history.count > 512 { history.removeFirst(256) }
    changed()
  }

  /// The strongest role the account has here, by whatever way (70 §2.20).
  func role(of account: AccountRecord) -> AppRole? {
    var roles: [AppRole] = []
    let orgRole = org.role(of: account.id)
    if let orgRole, orgRole.strength >= OrgRole.admin.strength { return .manager }
    if createdBy === account { return .manager }
    if let own = members[account.id] { roles.append(own.role) }
    for team in org.teams.values where team.members[account.id] != nil {
      if let role = members[team.id]?.role { roles.append(role) }
    }
    switch (orgAccess, orgRole) {
    case (.none, _), (_, nil): break
    case (.reader, _), (.writer, .viewer): roles.append(.reader)
    case (.writer, _): roles.append(.writer)
    }
    return roles.max { $0.strength < $1.strength }
  }

  override class var table: String { "apps" }

  /// What is kept besides the state and the events, which are kept a piece at a time.
  override func written() -> JSONObject {
    var row: JSONObject = [
      "org": .string(org.id), "createdAt": JSONValue(createdAt), "createdBy": .string(createdBy.id),
      "name": .string(name), "package": .string(package.name), "version": .string(package.version),
      "orgAccess": .string(orgAccess.rawValue), "state": .string(ownState.rawValue),
      "members": .object(
        JSONObject(
          members.map {
            ($0, ["role": .string($1.role.rawValue), "addedAt": JSONValue($1.addedAt)] as JSONValue)
          })),
      "change": JSONValue(now.change), "seq": JSONValue(now.seq),
      "forgotten": events.forgotten.written, "last": events.last.written,
      "dropped": JSONValue(events.dropped),
    ]
    if let upgrade {
      row["upgrade"] = [
        "version": .string(upgrade.version.version),
        "by": upgrade.by.map { JSONValue.string($0.id) } ?? .null,
        "endsAt": JSONValue(upgrade.endsAt),
      ]
    }
    return row
  }

  override func takePieces() -> [KeptChange] {
    pieces.changes(to: now.data, events, of: self)
  }

  init(_ row: RecordRow, _ state: ClusterState) throws {
    org = try row.record("org", in: state.orgs)
    createdAt = try row.time("createdAt")
    createdBy = try row.record("createdBy", in: state.accounts)
    name = try row.string("name")
    package = state.package(kept: try row.string("package"), version: try row.string("version"))
    orgAccess = try row.word("orgAccess")
    ownState = try row.word("state")
    for member in try row.rows("members") {
      members[member.id] = Member(role: try member.word("role"), addedAt: try member.time("addedAt"))
    }
    let code = package
    upgrade = try row.optional("upgrade").map { value in
      guard let version = value["version"]?.stringValue, let endsAt = value["endsAt"]?.int64 else {
        throw row.damage("upgrade")
      }
      return Upgrade(
        version: state.package(kept: code.name, version: version),
        by: value["by"]?.stringValue.flatMap { state.accounts[$0] }, endsAt: endsAt)
    }
    let data = try AppData(row)
    history = [Position(change: try row.count("change"), seq: try row.count("seq"), data: data)]
    events = EventLog(appId: row.id, secret: state.secret)
    try events.restore(
      row, forgotten: EventPlace(row, "forgotten"), last: EventPlace(row, "last"),
      dropped: Int(clamping: try row.integer("dropped")))
    pieces = AppPieces(read: data, events)
    super.init(id: row.id)
    events.changed = { [unowned self] in changed() }
  }
}
