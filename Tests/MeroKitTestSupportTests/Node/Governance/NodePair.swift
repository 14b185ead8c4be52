import Foundation
import MeroHTTP
import MeroKitTestSupport
import MeroWire
import Testing

/// Two nodes on one clock, linked or not.
struct NodePair {
  let clock: FakeClock
  let alice: NodeRig
  let bob: NodeRig

  init(_ clock: FakeClock, _ alice: FakeNode, _ bob: FakeNode, delay: TimeInterval? = 0) {
    self.clock = clock
    self.alice = NodeRig(alice, clock)
    self.bob = NodeRig(bob, clock)
    if let delay { alice.link(bob, delay: delay) }
  }

  init(delay: TimeInterval? = 0) {
    let clock = FakeClock()
    self.init(
      clock, FakeNode(url: "http://localhost:2528", clock: clock.clock, seed: 1),
      FakeNode(url: "http://localhost:2529", clock: clock.clock, seed: 2), delay: delay)
  }

  /// Has bob join a namespace of alice's and answers what the join was answered.
  @discardableResult
  func join(_ namespace: String) async throws -> NodeRig.Answer {
    let invitation = try await alice.invite(to: namespace)
    return try await bob.join(namespace, invitation)
  }
}

extension NodeRig {
  init(_ node: FakeNode, _ clock: FakeClock) {
    self.node = node
    self.clock = clock
  }

  /// Mints an invitation to a namespace.
  func invite(to namespace: String, _ request: JSONValue = [:]) async throws -> JSONValue {
    let answer = try await send(.post, "/admin-api/namespaces/\(namespace)/invite", json: request)
    return try #require(answer.data["invitation"])
  }

  func join(_ namespace: String, _ invitation: JSONValue) async throws -> Answer {
    try await send(.post, "/admin-api/namespaces/\(namespace)/join", json: ["invitation": invitation])
  }

  func get(_ path: String, as sender: Sender = .owner) async throws -> Answer {
    try await send(.get, "/admin-api" + path, as: sender)
  }

  func post(_ path: String, _ json: JSONValue = [:], as sender: Sender = .owner) async throws -> Answer {
    try await send(.post, "/admin-api" + path, json: json, as: sender)
  }

  func put(_ path: String, _ json: JSONValue, as sender: Sender = .owner) async throws -> Answer {
    try await send(.put, "/admin-api" + path, json: json, as: sender)
  }

  /// The ids in a list of namespaces.
  func namespaces(as sender: Sender = .owner) async throws -> [String] {
    try await get("/namespaces", as: sender).data.arrayValue?.compactMap { $0["namespaceId"]?.stringValue }
      ?? []
  }

  /// Makes a subgroup under a namespace and answers its id.
  func makeGroup(in namespace: String, _ request: JSONValue = [:]) async throws -> String {
    try #require(
      try await post("/namespaces/\(namespace)/groups", request).data["groupId"]?.stringValue)
  }

  /// The members a group lists, with their roles.
  func members(of group: String) async throws -> [String: String] {
    let list = try await get("/groups/\(group)/members").json["members"]?.arrayValue ?? []
    return Dictionary(
      list.map { ($0["identity"]?.stringValue ?? "", $0["role"]?.stringValue ?? "") },
      uniquingKeysWith: { $1 })
  }
}
