import Foundation
import MeroWire

/// One app: who may use it, its history, and its events. Lives inside `ClusterState`, as the other records do.
final class AppRecord {
  /// The state after a change.
  struct Position {
    /// The cluster's change that made it, over all apps.
    let change: UInt64
    let seq: UInt64
    let data: AppData
  }

  let id: String
  let org: OrgRecord
  let createdAt: Int64
  let createdBy: AccountRecord
  var name: String
  var package: FakePackage
  var orgAccess: OrgAccess
  var state: AppState = .ready
  /// By account or team.
  var members: [String: (role: AppRole, addedAt: Int64)] = [:]
  /// How often each method ran, failed runs included.
  var runs: [String: Int] = [:]
  let events: EventLog
  var followers: [ObjectIdentifier: EventFollower] = [:]
  var waiters: [Waiter] = []
  /// Oldest first, never empty. Nodes that lag read older ones.
  private(set) var history: [Position]

  init(
    id: String, name: String, package: FakePackage, org: OrgRecord, orgAccess: OrgAccess,
    createdBy: AccountRecord, createdAt: Int64, change: UInt64, data: AppData, events: EventLog
  ) {
    self.id = id
    self.name = name
    self.package = package
    self.org = org
    self.orgAccess = orgAccess
    self.createdBy = createdBy
    self.createdAt = createdAt
    self.events = events
    history = [Position(change: change, seq: 0, data: data)]
  }

  var now: Position { history[history.count - 1] }

  /// The state a node has that has applied the cluster's changes up to `change`; `nil` when it has not heard of the app.
  func position(at change: UInt64) -> Position? {
    guard let first = history.first else { return nil }
    if let found = history.last(where: { $0.change <= change }) { return found }
    return first.seq == 0 ? nil : first
  }

  func apply(_ data: AppData, change: UInt64) {
    history.append(Position(change: change, seq: now.seq + 1, data: data))
    if history.count > 512 { history.removeFirst(256) }
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
}
