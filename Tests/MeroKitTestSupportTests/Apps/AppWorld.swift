import Foundation
import MeroHTTP
import MeroWire
import Testing

@testable import MeroKitTestSupport

/// A cluster with an organization and one app, and everybody who can stand in some relation to it.
struct AppWorld {
  /// What makes somebody a manager, writer or reader of the app, or nothing at all (70 §2.20).
  enum Person: String, CaseIterable {
    case owner, admin, creator, manager, teamManager, writer, teamWriter, member, reader, viewer, stranger

    /// The role that comes of it; nil for none.
    var role: String? {
      switch self {
      case .owner, .admin, .creator, .manager, .teamManager: "manager"
      case .writer, .teamWriter, .member: "writer"
      case .reader, .viewer: "reader"
      case .stranger: nil
      }
    }
  }

  let rig: Rig
  let org: String
  let app: String
  private let tokens: [Person: String]
  private let keys: [Person: HandPasskey]

  /// - Parameter package: what the app runs; it is registered first.
  init(_ package: FakePackage = .kv, nodes: Int = 1) async throws {
    let rig = try Rig(nodes: nodes)
    rig.cloud.register(package)
    var tokens: [Person: String] = [:]
    var keys: [Person: HandPasskey] = [:]
    for person in Person.allCases {
      let key = HandPasskey()
      let session = try await rig.signUp(Self.name(person), with: key)
      tokens[person] = try #require(session["accessToken"]?.stringValue)
      keys[person] = key
    }
    let made = try await rig.send("POST", "/orgs", #"{"name":"Acme"}"#, token: tokens[.owner])
    let org = try #require(made.json["orgId"]?.stringValue)
    for (person, role) in [
      (Person.admin, "admin"), (.creator, "member"), (.teamManager, "viewer"), (.teamWriter, "viewer"),
      (.member, "member"), (.viewer, "viewer"),
    ] {
      rig.cloud.join(Self.name(person), org: org, as: role)
    }
    let body =
      #"{"name":"app","package":"\#(package.name)","org":"\#(org)","version":"\#(package.version)","orgAccess":"writer"}"#
    let app = try await rig.send("POST", "/apps", body, token: tokens[.creator])
    self.app = try #require(app.json["appId"]?.stringValue, "\(app.json)")
    self.rig = rig
    self.org = org
    self.tokens = tokens
    self.keys = keys
    for (person, role) in [(Person.manager, "manager"), (.writer, "writer"), (.reader, "reader")] {
      rig.cloud.share(self.app, with: Self.name(person), as: role)
    }
    putInTeam(.teamManager, as: .manager)
    putInTeam(.teamWriter, as: .writer)
  }

  static func name(_ person: Person) -> String { person.rawValue.lowercased() }

  func token(_ person: Person) -> String { tokens[person] ?? "" }

  func accountId(_ person: Person) -> String {
    rig.cloud.store.withState { $0.accountsByName[Self.name(person)]?.id ?? "" }
  }

  /// Sets how many calls the organization has in a day, and forgets those it made.
  func allow(callsPerDay: UInt64) {
    rig.cloud.store.withState { state in
      let quota = QuotaRecord(id: org)
      quota.limits.callsPerDay = callsPerDay
      state.quotas.insert(quota)
    }
  }

  /// Gives a role to a team that consists of one person.
  private func putInTeam(_ person: Person, as role: AppRole) {
    let id = "team_\(person.rawValue)"
    rig.cloud.store.withState { state in
      guard let account = state.accountsByName[Self.name(person)], let org = state.orgs[org] else { return }
      org.teams[id] = OrgRecord.Team(
        id: id, name: person.rawValue, createdAt: 0, members: [account.id: .init(isLead: false, addedAt: 0)])
      state.apps[app]?.members[id] = AppRecord.Member(role: role, addedAt: 0)
    }
  }

  /// Asks something of the app: `path` begins after its id.
  @discardableResult
  func ask(
    _ method: String, _ path: String = "", _ body: String? = nil, as person: Person = .owner, node: Int = 0
  ) async throws -> Rig.Reply {
    try await rig.send(method, "/apps/\(app)\(path)", body, token: token(person), node: node)
  }

  /// As ``ask(_:_:_:as:node:)``, and confirms with the person's passkey when a node wants that.
  @discardableResult
  func confirm(
    _ method: String, _ path: String = "", _ body: String? = nil, as person: Person = .owner
  ) async throws -> Rig.Reply {
    let asked = try await ask(method, path, body, as: person)
    guard asked.code == "CONFIRM_REQUIRED", let key = keys[person] else { return asked }
    let details = try #require(asked.details)
    let assertion = try key.assertion(for: details)["credential"] ?? .null
    let header =
      "v1.\(details["confirmId"]?.stringValue ?? "").\(Base64URL.encode(Array(assertion.data())))"
    return try await rig.send(
      method, "/apps/\(app)\(path)", body, token: token(person), headers: [("x-calimero-confirm", header)])
  }

  /// Calls a method of the app.
  @discardableResult
  func call(_ method: String, _ args: JSONValue = [:], as person: Person = .owner) async throws -> Rig.Reply {
    let body: JSONValue = ["method": .string(method), "args": args]
    return try await ask("POST", "/intents", body.text, as: person)
  }

  func view(_ method: String, _ args: JSONValue = [:], as person: Person = .owner) async throws -> Rig.Reply {
    let body: JSONValue = ["method": .string(method), "args": args]
    return try await ask("POST", "/views", body.text, as: person)
  }

  /// The events of these kinds so far, oldest first.
  func events(_ kinds: String...) async throws -> [JSONValue] {
    let page = try await ask("GET", "/events?kinds=\(kinds.joined(separator: ","))&limit=500")
    return page.json["events"]?.arrayValue ?? []
  }

  func follow(
    _ query: String = "", as person: Person = .owner, node: Int = 0
  ) async throws -> EventTests.Reader {
    EventTests.Reader(
      try await rig.open("GET", "/apps/\(app)/events/stream\(query)", token: token(person), node: node))
  }
}

extension EventTests.Reader {
  /// The next event's kind and data; nil at the end.
  mutating func nextEvent() async throws -> (kind: String, json: JSONValue)? {
    guard let event = try await next() else { return nil }
    return (event.event ?? "", try JSONValue(parsing: event.data))
  }
}
