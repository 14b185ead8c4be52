import Foundation
import MeroWire
import Testing

@testable import MeroKitTestSupport

/// The table of 70 §2.19, a line at a time and a cell at a time.
@Suite("FakeCloud: who may do what in an organization")
struct OrgRoleTableTests {
  /// What a cell says: `+` done, `p` done with a passkey, `-` the role is too weak, `!` no role could, `0` not there.
  typealias Cell = Character

  static let columns = ["owner", "admin", "member", "viewer"]

  /// One line of the table. In paths and bodies `{org}`, `{team}`, `{led}` (a team that every column leads),
  /// `{invite}` (for a member), `{adminInvite}`, `{app}`, `{self}` and the accounts `{owner}`, `{admin}`, `{member}`, `{viewer}`, `{other}` stand for ids.
  struct Line: CustomTestStringConvertible, Sendable {
    let what: String
    /// In the order of ``columns``.
    let cells: String
    /// The owner's API key with every scope: the operation takes keys, or a person is needed.
    let takesKey: Bool
    let method: String
    let path: String
    let body: String?

    init(
      _ what: String, _ cells: String, key takesKey: Bool, _ method: String, _ path: String,
      _ body: String? = nil
    ) {
      self.what = what
      self.cells = cells
      self.takesKey = takesKey
      self.method = method
      self.path = path
      self.body = body
    }

    var testDescription: String { what }
  }

  static let lines: [Line] = [
    Line("see the organization", "++++", key: true, "GET", "/orgs/{org}"),
    Line("see its members", "++++", key: true, "GET", "/orgs/{org}/members"),
    Line("see its teams", "++++", key: true, "GET", "/orgs/{org}/teams"),
    Line("see a team's members", "++++", key: true, "GET", "/orgs/{org}/teams/{team}/members"),
    Line("rename it", "++--", key: true, "PATCH", "/orgs/{org}", #"{"name":"Other"}"#),
    Line("delete it", "p---", key: false, "DELETE", "/orgs/{org}"),
    Line("invite a viewer", "pp--", key: false, "POST", "/orgs/{org}/invites", #"{"role":"viewer"}"#),
    Line("invite a member", "pp--", key: false, "POST", "/orgs/{org}/invites", #"{"role":"member"}"#),
    Line("invite an admin", "p---", key: false, "POST", "/orgs/{org}/invites", #"{"role":"admin"}"#),
    Line("invite an owner", "!!--", key: false, "POST", "/orgs/{org}/invites", #"{"role":"owner"}"#),
    Line("see invitations", "++--", key: true, "GET", "/orgs/{org}/invites"),
    Line("revoke an invitation", "++--", key: true, "DELETE", "/orgs/{org}/invites/{invite}"),
    Line(
      "revoke an invitation for an admin", "+---", key: true, "DELETE", "/orgs/{org}/invites/{adminInvite}"),
    Line("leave it", "++++", key: false, "DELETE", "/orgs/{org}/members/{self}"),
    Line("make a team", "++--", key: true, "POST", "/orgs/{org}/teams", #"{"name":"New"}"#),
    Line("rename a team", "++--", key: true, "PATCH", "/orgs/{org}/teams/{team}", #"{"name":"New"}"#),
    Line(
      "rename a team one leads", "++--", key: true, "PATCH", "/orgs/{org}/teams/{led}", #"{"name":"New"}"#),
    Line("delete a team", "pp--", key: false, "DELETE", "/orgs/{org}/teams/{team}"),
    Line("delete a team one leads", "pp--", key: false, "DELETE", "/orgs/{org}/teams/{led}"),
    Line(
      "put an account in a team", "++--", key: true, "PUT", "/orgs/{org}/teams/{team}/members/{other}", "{}"),
    Line(
      "put an account in a team one leads", "++++", key: true, "PUT",
      "/orgs/{org}/teams/{led}/members/{other}", #"{"lead":true}"#),
    Line(
      "take an account out of a team", "++--", key: true, "DELETE",
      "/orgs/{org}/teams/{team}/members/{other}"),
    Line(
      "take an account out of a team one leads", "++++", key: true, "DELETE",
      "/orgs/{org}/teams/{led}/members/{other}"),
    Line(
      "create apps", "+++-", key: true, "POST", "/apps",
      #"{"name":"new","package":"com.calimero.chat","org":"{org}"}"#),
    Line("delete apps", "pp--", key: false, "DELETE", "/apps/{app}"),
  ]

  /// Who changes a role (lines: the old role, columns: the new one), each in the order of ``columns``.
  static let roleChanges = [
    "owner": ["pppp", "pppp", "pp++", "pp++"],
    "admin": ["----", "----", "--++", "--++"],
    "member": ["----", "----", "----", "----"],
    "viewer": ["----", "----", "----", "----"],
  ]

  /// Who removes whom, in the order of ``columns``.
  static let removals = ["owner": "pppp", "admin": "--pp", "member": "----", "viewer": "----"]

  @Test("70 §2.27 #19: each cell of a line of 2.19, a stranger's and an API key's too", arguments: lines)
  func line(line: Line) async throws {
    let cast = try await Cast()
    for (column, cell) in zip(Self.columns, line.cells) {
      let place = try await cast.place()
      try await cast.expect(
        cell, line.method, place.fill(line.path, column), line.body.map { place.fill($0, column) },
        by: cast.person(column), "\(line.what), \(column)")
    }
    let place = try await cast.place()
    let (path, body) = (place.fill(line.path, "owner"), line.body.map { place.fill($0, "owner") })
    try await cast.expect("0", line.method, path, body, by: cast.person("stranger"), "\(line.what), stranger")
    let reply = try await cast.rig.send(line.method, path, body, token: cast.key)
    if line.takesKey {
      #expect((200..<300).contains(reply.status), "\(line.what), key: \(reply.json)")
    } else {
      #expect(reply.code == "HUMAN_REQUIRED", "\(line.what), key")
    }
    #expect(cast.rig.cloud.violations == [])
  }

  @Test("70 §2.27 #19: who changes which role into which", arguments: columns)
  func changes(column: String) async throws {
    let cast = try await Cast()
    for (old, cells) in zip(Self.columns, Self.roleChanges[column] ?? []) {
      for (new, cell) in zip(Self.columns, cells) {
        let place = try await cast.place()
        cast.rig.cloud.join("other", org: place.org, as: old)
        let path = place.fill("/orgs/{org}/members/{other}", column)
        try await cast.expect(
          cell, "PATCH", path, #"{"role":"\#(new)"}"#, by: cast.person(column),
          "\(column) makes \(old) \(new)")
        let seen = try await cast.rig.send(
          "GET", "/orgs/\(place.org)", token: cast.person("other").token)
        #expect(seen.json["role"]?.stringValue == (cell == "-" ? old : new), "\(column): \(old) to \(new)")
      }
    }
    let place = try await cast.place()
    let path = place.fill("/orgs/{org}/members/{member}", "owner")
    try await cast.expect("0", "PATCH", path, #"{"role":"viewer"}"#, by: cast.person("stranger"), "stranger")
    let robot = try await cast.rig.send("PATCH", path, #"{"role":"viewer"}"#, token: cast.key)
    #expect(robot.code == "HUMAN_REQUIRED")
    #expect(cast.rig.cloud.violations == [])
  }

  @Test("70 §2.27 #19: who removes whom", arguments: columns)
  func removal(column: String) async throws {
    let cast = try await Cast()
    for (role, cell) in zip(Self.columns, Self.removals[column] ?? "") {
      let place = try await cast.place()
      cast.rig.cloud.join("other", org: place.org, as: role)
      let path = place.fill("/orgs/{org}/members/{other}", column)
      try await cast.expect(
        cell, "DELETE", path, nil, by: cast.person(column), "\(column) removes \(role)")
      let seen = try await cast.rig.send("GET", "/orgs/\(place.org)", token: cast.person("other").token)
      #expect(seen.status == (cell == "-" ? 200 : 404), "\(column) removes \(role)")
    }
    let place = try await cast.place()
    let path = place.fill("/orgs/{org}/members/{member}", "owner")
    try await cast.expect("0", "DELETE", path, nil, by: cast.person("stranger"), "stranger")
    #expect(try await cast.rig.send("DELETE", path, token: cast.key).code == "HUMAN_REQUIRED")
    #expect(cast.rig.cloud.violations == [])
  }

  @Test("70 §2.27 #19: an owner sees every invitation, an admin those for members and viewers")
  func invitesSeen() async throws {
    let cast = try await Cast()
    let place = try await cast.place()
    _ = try await cast.rig.invite(#"{"role":"viewer"}"#, to: place.org, by: cast.person("founder"))
    for (column, roles) in [("owner", ["viewer", "admin", "member"]), ("admin", ["viewer", "member"])] {
      let token = try cast.person(column).token
      let all = try await cast.rig.send("GET", "/orgs/\(place.org)/invites", token: token)
      #expect(all.texts("invites", "role") == roles, "\(column)")
      let open = try await cast.rig.send("GET", "/orgs/\(place.org)/invites?state=open", token: token)
      #expect(open.texts("invites", "role") == roles, "\(column)")
    }
    #expect(cast.rig.cloud.violations == [])
  }

  @Test("70 §2.27 #19: the last owner cannot be made less, removed, or leave; one of two can")
  func lastOwner() async throws {
    let cast = try await Cast()
    let (rig, owner) = (cast.rig, try cast.person("owner"))
    let org = try await rig.org(of: owner)
    let me = "/orgs/\(org)/members/\(owner.account)"
    #expect(try await rig.send("PATCH", me, #"{"role":"admin"}"#, token: owner.token).code == "LAST_OWNER")
    #expect(try await rig.send("DELETE", me, token: owner.token).code == "LAST_OWNER")
    rig.cloud.join("other", org: org, as: "owner")
    let other = try cast.person("other")
    #expect(try await rig.confirmed("PATCH", me, #"{"role":"viewer"}"#, by: other).status == 200)
    let last = "/orgs/\(org)/members/\(other.account)"
    #expect(try await rig.send("DELETE", last, token: other.token).code == "LAST_OWNER")
    #expect(try await rig.send("DELETE", me, token: owner.token).status == 204)
    #expect(try await rig.send("GET", "/orgs/\(org)", token: owner.token).code == "NOT_FOUND")
    #expect(rig.cloud.violations == [])
  }

  @Test("70 §2.27 #19: a key has no more than its account's role when it is used")
  func keyOfViewer() async throws {
    let cast = try await Cast()
    let place = try await cast.place()
    let key = try await cast.rig.key(["orgs:manage", "orgs:read"], of: cast.person("member"))
    let rename = #"{"name":"Other"}"#
    let path = "/orgs/\(place.org)"
    #expect(try await cast.rig.send("PATCH", path, rename, token: key).code == "FORBIDDEN")
    cast.rig.cloud.join("member", org: place.org, as: "admin")
    #expect(try await cast.rig.send("PATCH", path, rename, token: key).status == 200)
  }
}

/// Five accounts, a sixth that belongs to nothing, and the owner's key; they meet in ever new organizations.
private struct Cast {
  let rig: Rig
  let key: String
  private let people: [String: Person]

  init() async throws {
    rig = try Rig(nodes: 1)
    var people: [String: Person] = [:]
    for name in OrgRoleTableTests.columns + ["other", "founder", "stranger"] {
      people[name] = try await rig.person(name)
    }
    self.people = people
    key = try await rig.key(
      APIDocument.shared.scopes.subtracting(["all"]).sorted(), of: try #require(people["owner"]))
  }

  func person(_ name: String) throws -> Person { try #require(people[name], "\(name)") }

  struct Place {
    let org: String
    let ids: [String: String]

    func fill(_ text: String, _ column: String) -> String {
      var text = text.replacingOccurrences(of: "{self}", with: "{\(column)}")
      for (name, id) in ids { text = text.replacingOccurrences(of: "{\(name)}", with: id) }
      return text
    }
  }

  /// A new organization with everybody in it. It is its founder's, so that everyone may leave.
  func place() async throws -> Place {
    let founder = try person("founder")
    let org = try await rig.org(of: founder)
    for column in OrgRoleTableTests.columns { rig.cloud.join(column, org: org, as: column) }
    rig.cloud.join("other", org: org, as: "member")
    let team = try await rig.team(of: founder, in: org)
    let led = try await rig.team(of: founder, in: org, "Led")
    for column in OrgRoleTableTests.columns {
      let path = "/orgs/\(org)/teams/\(led)/members/\(try person(column).account)"
      try await rig.send("PUT", path, #"{"lead":true}"#, token: founder.token)
      // Being in a team is not leading it.
      let plain = "/orgs/\(org)/teams/\(team)/members/\(try person(column).account)"
      try await rig.send("PUT", plain, "{}", token: founder.token)
    }
    let invite = try await rig.invite(to: org, by: founder).id
    let adminInvite = try await rig.invite(#"{"role":"admin"}"#, to: org, by: founder).id
    // Everybody reads it, so that a refusal is that of the role.
    let app = try await rig.app(of: founder, in: org, access: "reader")
    return Place(
      org: org,
      ids: people.mapValues(\.account).merging(
        [
          "org": org, "team": team, "led": led, "invite": invite, "adminInvite": adminInvite, "app": app,
        ]
      ) { $1 })
  }

  func expect(
    _ cell: OrgRoleTableTests.Cell, _ method: String, _ path: String, _ body: String?,
    by person: Person, _ what: String
  ) async throws {
    let reply = try await rig.send(method, path, body, token: person.token)
    switch cell {
    case "+": #expect((200..<300).contains(reply.status), "\(what): \(reply.json)")
    case "-": #expect(reply.code == "FORBIDDEN", "\(what): \(reply.json)")
    case "0": #expect(reply.code == "NOT_FOUND", "\(what): \(reply.json)")
    case "!": #expect(reply.code == "INVALID_ARGUMENT", "\(what): \(reply.json)")
    default:
      try #require(reply.code == "CONFIRM_REQUIRED", "\(what): \(reply.json)")
      let header = try rig.confirmation(of: reply, with: person.passkey)
      let done = try await rig.send(method, path, body, token: person.token, headers: [header])
      #expect((200..<300).contains(done.status), "\(what): \(done.json)")
    }
  }
}
