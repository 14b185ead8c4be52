import Foundation
import MeroHTTP
import MeroKit
import MeroKitTestSupport
import MeroWire
import Testing

/// One row's turn: its call is made by the client of a node that somebody is signed in to, and what went over the wire is
/// held against the row.
final class TypedTurn {
  let row: EndpointRow
  let world: EndpointWorld
  /// A good request of the row. What it needs is there.
  let good: EndpointWorld.Request
  /// Where the row's calls go.
  var path: String
  private let mero: Mero
  private let token: String
  /// Whether the calls are answered as by a node of before rc.25.
  private let isOld: Bool
  private(set) var calls = 0
  private(set) var queried: Set<String> = []

  init(_ row: EndpointRow, isOld: Bool = false) async throws {
    self.row = row
    self.isOld = isOld
    world = try await EndpointWorld()
    good = try await world.request(row.name)
    path = good.path
    let node = world.rig.node
    mero = Mero(
      config: MeroConfig(baseURL: node.url, clock: world.pair.clock.clock), transport: node.transport)
    if case .bearer(let token) = good.sender {
      await mero.setTokenData(TokenData(accessToken: token, refreshToken: "", expiresAt: .distantFuture))
    } else {
      try await mero.authenticate(Credentials(username: FakeNode.username, password: FakeNode.password))
    }
    token = try #require(await mero.currentTokenData()?.accessToken)
  }

  /// Makes the row's call and answers what it answered.
  ///
  /// - Parameters:
  ///   - body: what the request is to carry; nil for the good request's.
  ///   - query: the parameters the address is to carry, in their order.
  func send<Value>(
    body: JSONValue? = nil, query: [(String, String)] = [], _ call: (AdminApi) async throws -> Value
  ) async throws -> Value {
    begin()
    defer { world.rig.node.setOld(false) }
    let value = try await call(mero.admin)
    try check(status: row.status, body, query)
    return value
  }

  /// Makes the row's call, whose answer has to be this.
  func expect<Value: Equatable>(
    _ expected: Value, query: [(String, String)] = [], at location: SourceLocation = #_sourceLocation,
    _ call: (AdminApi) async throws -> Value
  ) async throws {
    let value = try await send(query: query, call)
    #expect(value == expected, sourceLocation: location)
  }

  /// Makes a call that the node refuses with this status.
  func refused<Value>(
    _ status: Int, body: JSONValue? = nil, query: [(String, String)] = [],
    _ call: (AdminApi) async throws -> Value
  ) async throws {
    begin()
    defer { world.rig.node.setOld(false) }
    do {
      _ = try await call(mero.admin)
      Issue.record("the node did not refuse")
    } catch MeroError.http(let error) {
      #expect(error.status == status)
    }
    try check(status: status, body, query)
  }

  private func begin() {
    world.rig.node.clearLog()
    world.rig.node.setOld(isOld)
  }

  // MARK: The wire

  private func check(status: Int, _ body: JSONValue?, _ query: [(String, String)]) throws {
    calls += 1
    queried.formUnion(query.map(\.0))
    let log = world.rig.node.log
    #expect(log.count == 1)
    let sent = try #require(log.first)
    #expect(sent.method == row.method)
    #expect(sent.route == (row.isServed ? row.path : nil))
    #expect(sent.status == status)
    #expect(sent.bearer == token)
    let text = query.map { "\($0)=\($1)" }.joined(separator: "&")
    #expect(sent.path == (text.isEmpty ? path : "\(path)?\(text)"))
    try checkBody(of: sent, body ?? good.json)
  }

  private func checkBody(of sent: FakeNode.Request, _ body: JSONValue?) throws {
    let type = sent.headers["content-type"]
    switch row.request {
    case "-":
      #expect(sent.body.isEmpty)
      #expect(type == nil)
    case "{}":
      #expect(sent.body == Data("{}".utf8))
      #expect(type == "application/json")
    case "raw:bytes":
      #expect(sent.body == good.bytes)
      #expect(type == "application/octet-stream")
    case _ where row.request.hasSuffix("?") && body == nil:
      #expect(sent.body.isEmpty)
      #expect(type == nil)
    default:
      // The very members that were meant: most routes refuse others.
      #expect(try JSONValue(parsing: sent.body) == #require(body))
      #expect(type == "application/json")
    }
  }

  // MARK: What is there

  var node: FakeNode { world.rig.node }
  var rig: NodeRig { world.rig }
  var namespace: String { world.namespace }
  var group: String { world.group }
  var context: String { world.context }
  var application: String { world.application }
  /// An account that is an admin of the namespace and has no node.
  var account: String { world.device.account }
  var package: FakePackage { EndpointWorld.package }

  /// A text of the good request.
  func text(_ name: String) throws -> String { try #require(good.json?[name]?.stringValue) }

  /// An invitation of the good request.
  func invitation() throws -> SignedGroupOpenInvitation {
    try SignedGroupOpenInvitation(json: #require(good.json?["invitation"]?.objectValue))
  }

  /// What the node answers to a plain request, without its envelope.
  func read(_ path: String) async throws -> JSONValue { try await rig.get(path).data }

  /// The bytecode the namespace runs, 64 hex.
  func appKey() async throws -> String {
    try #require(try await read("/groups/\(namespace)")["appKey"]?.stringValue)
  }

  /// The id of the other application that is installed.
  func otherApplication() async throws -> String {
    let answer = try await rig.get("/packages/\(FakePackage.chat.name)/latest").json
    return try #require(answer["applicationId"]?.stringValue)
  }

  /// Publishes a newer version of the namespace's package on the node.
  func installNext() -> String {
    node.installApplication(FakePackage(package.name, version: "9.0.0") { _ in })
  }

  /// The value a key of the context has.
  func value(_ key: String) async throws -> JSONValue? {
    try await rig.execute("get_value", ["key": .string(key)], in: context)["result"]?["output"]
  }
}
