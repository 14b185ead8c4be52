import MeroWire
import Testing

@testable import MeroKitTestSupport

@Suite("FakeCloud: roles in an app")
struct AppRoleTests {
  private struct Action {
    let name: String
    let method: String
    let path: String
    var body: String?
    /// Who may: a role, or those of the organization that delete apps.
    let needs: String
    /// What those who may are answered.
    let status: Int
  }

  private static let actions = [
    Action(name: "get", method: "GET", path: "", needs: "reader", status: 200),
    Action(name: "interface", method: "GET", path: "/abi", needs: "reader", status: 200),
    Action(name: "members", method: "GET", path: "/members", needs: "reader", status: 200),
    Action(
      name: "view", method: "POST", path: "/views", body: #"{"method":"keys","args":{}}"#, needs: "reader",
      status: 200),
    Action(name: "events", method: "GET", path: "/events", needs: "reader", status: 200),
    Action(name: "presence", method: "GET", path: "/presence", needs: "reader", status: 200),
    Action(
      name: "be present", method: "PUT", path: "/presence", body: #"{"state":1,"version":1}"#,
      needs: "reader", status: 204),
    Action(
      name: "search", method: "POST", path: "/search", body: #"{"query":"x"}"#, needs: "reader", status: 200),
    Action(
      name: "call", method: "POST", path: "/intents",
      body: #"{"method":"set","args":{"key":"k","value":1}}"#, needs: "writer", status: 200),
    Action(
      name: "make a job", method: "POST", path: "/jobs",
      body: #"{"method":"set","args":{"key":"k","value":1}}"#, needs: "writer", status: 202),
    Action(name: "read a job", method: "GET", path: "/jobs/job_none", needs: "writer", status: 404),
    Action(name: "cancel a job", method: "POST", path: "/jobs/job_none/cancel", needs: "writer", status: 404),
    Action(
      name: "update", method: "PATCH", path: "", body: #"{"orgAccess":"writer"}"#, needs: "manager",
      status: 200),
    Action(
      name: "set a member", method: "PUT", path: "/members/acc_none", body: #"{"role":"reader"}"#,
      needs: "manager", status: 404),
    Action(
      name: "remove a member", method: "DELETE", path: "/members/acc_none", needs: "manager", status: 204),
    Action(name: "list timers", method: "GET", path: "/timers", needs: "manager", status: 200),
    Action(
      name: "make a timer", method: "POST", path: "/timers",
      body: #"{"method":"keys","schedule":{"everyMs":3600000}}"#, needs: "manager", status: 201),
    Action(name: "delete a timer", method: "DELETE", path: "/timers/tmr_none", needs: "manager", status: 204),
    Action(name: "list files", method: "GET", path: "/blobs", needs: "reader", status: 200),
    Action(name: "read a file", method: "GET", path: "/blobs/none", needs: "reader", status: 404),
    Action(name: "put a file", method: "POST", path: "/blobs", body: "x", needs: "writer", status: 201),
    Action(name: "delete a file", method: "DELETE", path: "/blobs/none", needs: "manager", status: 204),
    Action(
      name: "begin an upload", method: "POST", path: "/uploads",
      body: #"{"size":1,"sha256":"\#(String(repeating: "0a", count: 32))"}"#, needs: "writer", status: 201),
    Action(
      name: "send a part", method: "PUT", path: "/uploads/upl_none/parts/0", body: "x", needs: "writer",
      status: 404),
    Action(
      name: "finish an upload", method: "POST", path: "/uploads/upl_none/finish", needs: "writer", status: 404
    ),
    Action(
      name: "upgrade", method: "POST", path: "/upgrade", body: #"{"version":"2.0.0"}"#, needs: "manager",
      status: 412),
    Action(name: "delete", method: "DELETE", path: "", needs: "organization", status: 412),
  ]

  private func may(_ person: AppWorld.Person, _ action: Action) -> Bool {
    switch action.needs {
    case "organization": person == .owner || person == .admin
    case "manager": person.role == "manager"
    case "writer": person.role == "manager" || person.role == "writer"
    default: person.role != nil
    }
  }

  @Test("70 §2.27 #19: the role table of 2.20, cell by cell, for every way to a role")
  func table() async throws {
    let world = try await AppWorld()
    world.rig.cloud.register(FakePackage("com.calimero.kv", version: "2.0.0") { _ in })
    for person in AppWorld.Person.allCases {
      for action in Self.actions {
        let reply = try await world.ask(action.method, action.path, action.body, as: person)
        let cell = Comment(rawValue: "\(person) \(action.name): \(reply.json)")
        if person.role == nil {
          #expect(reply.code == "NOT_FOUND", cell)
        } else if may(person, action) || action.status == 404 {
          // What is not there is told to everybody who has a part in the app.
          #expect(reply.status == action.status, cell)
        } else {
          #expect(reply.code == "FORBIDDEN", cell)
        }
        if person.role != nil, action.name == "get" {
          #expect(reply.json["role"]?.stringValue == person.role, cell)
        }
      }
      let stream = try await world.rig.open(
        "GET", "/apps/\(world.app)/events/stream", token: world.token(person))
      #expect(stream.status == (person.role == nil ? 404 : 200), "\(person)")
      stream.body.cancel()
    }
    #expect(world.rig.cloud.violations == [])
  }

  @Test("70 §2.27 #19: the strongest way to a role counts, and orgAccess gives a viewer no more than reading")
  func strongest() async throws {
    let world = try await AppWorld()
    func role(_ person: AppWorld.Person) async throws -> String? {
      try await world.ask("GET", as: person).json["role"]?.stringValue
    }
    world.rig.cloud.share(world.app, with: "teamwriter", as: "reader")
    #expect(try await role(.teamWriter) == "writer")
    world.rig.cloud.share(world.app, with: "teamwriter", as: "manager")
    #expect(try await role(.teamWriter) == "manager")
    try await world.ask("PATCH", "", #"{"orgAccess":"reader"}"#)
    #expect(try await role(.member) == "reader")
    #expect(try await role(.viewer) == "reader")
    try await world.ask("PATCH", "", #"{"orgAccess":"none"}"#)
    #expect(try await role(.member) == nil)
    #expect(try await role(.viewer) == nil)
    #expect(try await role(.creator) == "manager")
    #expect(try await role(.writer) == "writer")
  }

  @Test("70 §2.27 #19: what an app answers in each of its states")
  func states() async throws {
    let world = try await AppWorld()
    world.rig.cloud.register(FakePackage("com.calimero.kv", version: "2.0.0") { _ in })
    for state in ["creating", "upgrading", "suspended", "deleting"] {
      world.rig.cloud.setState(state, ofApp: world.app)
      for action in Self.actions {
        let reply = try await world.ask(action.method, action.path, action.body)
        let cell = Comment(rawValue: "\(state) \(action.name): \(reply.json)")
        switch (state, action.name) {
        case (_, "get"):
          #expect(reply.json["state"]?.stringValue == state, cell)
        case ("suspended", _):
          #expect(reply.code == "SUSPENDED", cell)
        case ("upgrading", "call"), ("upgrading", "make a job"), ("upgrading", "upgrade"), ("creating", _),
          ("deleting", _):
          // What does not exist is not found before the state matters.
          #expect(reply.code == (action.status == 404 ? "NOT_FOUND" : "APP_NOT_READY"), cell)
        default:
          #expect(reply.status == action.status, cell)
        }
      }
    }
    world.rig.cloud.setState("ready", ofApp: world.app)
    #expect(try await world.call("set", ["key": "k", "value": 2]).status == 200)
    #expect(world.rig.cloud.violations == [])
  }
}
