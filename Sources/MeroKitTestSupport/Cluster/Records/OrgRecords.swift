import MeroWire

enum OrgRole: String {
  case owner, admin, member, viewer

  /// Owner is the strongest.
  var strength: Int {
    switch self {
    case .owner: return 3
    case .admin: return 2
    case .member: return 1
    case .viewer: return 0
    }
  }
}

final class OrgRecord: Record {
  struct Member {
    var role: OrgRole
    let joinedAt: Int64
  }

  struct Team {
    let id: String
    var name: String
    let createdAt: Int64
    var members: [String: TeamMember] = [:]
  }

  struct TeamMember {
    var isLead: Bool
    let addedAt: Int64
  }

  let createdAt: Int64
  var name: String { didSet { changed() } }
  var isSuspended = false { didSet { changed() } }
  /// By account.
  var members: [String: Member] = [:] { didSet { changed() } }
  var teams: [String: Team] = [:] { didSet { changed() } }
  /// By id. The apps say where they belong; this is an index.
  var apps: [String: AppRecord] = [:]

  init(id: String, name: String, createdAt: Int64) {
    self.name = name
    self.createdAt = createdAt
    super.init(id: id)
  }

  func role(of account: String) -> OrgRole? {
    members[account]?.role
  }

  override class var table: String { "orgs" }

  override func written() -> JSONObject {
    [
      "name": .string(name), "createdAt": JSONValue(createdAt), "isSuspended": .bool(isSuspended),
      "members": .object(
        JSONObject(
          members.map {
            ($0, ["role": .string($1.role.rawValue), "joinedAt": JSONValue($1.joinedAt)])
          })),
      "teams": .object(JSONObject(teams.map { ($0, $1.written) })),
    ]
  }

  init(_ row: RecordRow) throws {
    name = try row.string("name")
    createdAt = try row.time("createdAt")
    isSuspended = try row.bool("isSuspended")
    for member in try row.rows("members") {
      members[member.id] = Member(role: try member.word("role"), joinedAt: try member.time("joinedAt"))
    }
    for team in try row.rows("teams") { teams[team.id] = try Team(team) }
    super.init(id: row.id)
  }
}

extension OrgRecord.Team {
  fileprivate var written: JSONValue {
    let members = members.map { account, member in
      (account, ["isLead": .bool(member.isLead), "addedAt": JSONValue(member.addedAt)] as JSONValue)
    }
    return [
      "name": .string(name), "createdAt": JSONValue(createdAt), "members": .object(JSONObject(members)),
    ]
  }

  fileprivate init(_ row: RecordRow) throws {
    self.init(id: row.id, name: try row.string("name"), createdAt: try row.time("createdAt"))
    for member in try row.rows("members") {
      members[member.id] = .init(
        isLead: try member.bool("isLead"), addedAt: try member.time("addedAt"))
    }
  }
}
