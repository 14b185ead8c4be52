import Foundation
import MeroHTTP
import MeroKitTestSupport
import MeroWire
import Testing

/// A fake node on a clock of its own, spoken to with plain requests.
struct NodeRig {
  let clock: FakeClock
  let node: FakeNode

  init(seed: UInt64 = 7, url: String = "http://localhost:2528") {
    clock = FakeClock()
    node = FakeNode(url: url, clock: clock.clock, seed: seed)
  }

  /// An answer that was read to its end.
  struct Answer {
    let status: Int
    let headers: HTTPHeaders
    let bytes: Data

    var json: JSONValue { (try? JSONValue(parsing: bytes)) ?? .null }
    var text: String { String(decoding: bytes, as: UTF8.self) }
    var data: JSONValue { json["data"] ?? .null }
    var error: String? { json["error"]?.stringValue }
    var authError: String? { headers["x-auth-error"] }
  }

  /// Who sends a request.
  enum Sender {
    case owner
    case nobody
    case bearer(String)
  }

  func request(
    _ method: HTTPMethod, _ path: String, json: JSONValue? = nil, bytes: Data? = nil,
    as sender: Sender = .owner,
    headers: HTTPHeaders = [:]
  ) throws -> HTTPRequest {
    let url = try #require(URL(string: node.url.absoluteString + path))
    var request = HTTPRequest(method, url, headers: headers)
    switch sender {
    case .owner: request.headers["authorization"] = "Bearer \(node.accessToken)"
    case .nobody: break
    case .bearer(let token): request.headers["authorization"] = "Bearer \(token)"
    }
    if let json {
      if request.headers["content-type"] == nil { request.headers["content-type"] = "application/json" }
      request.body = .data(json.data())
    }
    if let bytes { request.body = .data(bytes) }
    return request
  }

  func send(
    _ method: HTTPMethod, _ path: String, json: JSONValue? = nil, bytes: Data? = nil,
    as sender: Sender = .owner,
    headers: HTTPHeaders = [:]
  ) async throws -> Answer {
    let response = try await node.transport.send(
      request(method, path, json: json, bytes: bytes, as: sender, headers: headers))
    return Answer(
      status: response.status, headers: response.headers,
      bytes: try await response.body.collect(upTo: 1 << 24))
  }

  /// Sends a login.
  func logIn(
    _ name: String = FakeNode.username, password: String = FakeNode.password, client: String = "a-test",
    permissions: JSONValue = ["admin"]
  ) async throws -> Answer {
    try await send(
      .post, "/auth/token",
      json: [
        "auth_method": "user_password", "public_key": .string(name), "client_name": .string(client),
        "permissions": permissions, "timestamp": 1_790_000_000,
        "provider_data": ["username": .string(name), "password": .string(password)],
      ], as: .nobody)
  }

  func refresh(_ access: String, _ refresh: String) async throws -> Answer {
    try await send(
      .post, "/auth/refresh", json: ["access_token": .string(access), "refresh_token": .string(refresh)],
      as: .nobody)
  }

  /// Sends a call of JSON-RPC.
  func rpc(_ method: String, _ params: JSONValue, id: JSONValue = 1, as sender: Sender = .owner) async throws
    -> Answer
  {
    try await send(
      .post, "/jsonrpc",
      json: ["jsonrpc": "2.0", "id": id, "method": .string(method), "params": params], as: sender)
  }

  /// Executes a method and answers what came back whole.
  func execute(
    _ method: String, _ arguments: JSONValue = [:], in context: String, as sender: Sender = .owner
  ) async throws -> JSONValue {
    try await rpc(
      "execute", ["contextId": .string(context), "method": .string(method), "argsJson": arguments], as: sender
    ).json
  }

  /// Opens an event stream.
  func follow(as sender: Sender = .owner, headers: HTTPHeaders = [:]) async throws -> NodeStreamReader {
    var request = try request(.get, "/sse", as: sender, headers: headers)
    request.headers["accept"] = "text/event-stream"
    request.idleTimeout = 60
    return NodeStreamReader(try await node.transport.send(request))
  }

  /// Subscribes a stream.
  func subscribe(
    _ session: String, contexts: [String] = [], groups: [String] = [], method: String = "subscribe",
    as sender: Sender = .owner
  ) async throws -> Answer {
    try await send(
      .post, "/sse/subscription",
      json: [
        "id": .string(session), "method": .string(method),
        "params": [
          "contextIds": .array(contexts.map { .string($0) }), "groupIds": .array(groups.map { .string($0) }),
        ],
      ], as: sender)
  }

  static let anId = String(repeating: "ab", count: 32)
}

/// Reads an event stream frame by frame, comments included.
final class NodeStreamReader {
  let response: HTTPResponse
  private var body: HTTPBody.AsyncIterator
  private var buffer = Data()

  init(_ response: HTTPResponse) {
    self.response = response
    body = response.body.makeAsyncIterator()
  }

  /// The next frame's lines; nil when the stream has ended.
  func frame() async throws -> [String]? {
    let end = Data("\n\n".utf8)
    while true {
      if let range = buffer.firstRange(of: end) {
        let text = String(decoding: buffer[buffer.startIndex..<range.lowerBound], as: UTF8.self)
        buffer = Data(buffer[range.upperBound...])
        return text.split(separator: "\n").map(String.init)
      }
      guard let chunk = try await body.next() else { return nil }
      buffer.append(chunk)
    }
  }

  /// The next frame's data.
  func data() async throws -> JSONValue? {
    guard let lines = try await frame() else { return nil }
    let data = lines.first { $0.hasPrefix("data: ") }.map { String($0.dropFirst(6)) }
    return try data.map { try JSONValue(parsing: $0) }
  }

  /// The next frame's event.
  func event() async throws -> JSONValue? { try await data()?["result"] }

  /// Reads the connect frame and answers the session.
  func connect() async throws -> String {
    try #require(try await data()?["session_id"]?.stringValue)
  }
}
