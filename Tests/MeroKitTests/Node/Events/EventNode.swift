import Foundation
import MeroHTTP
import MeroKitTestSupport
import MeroWire

@testable import MeroKit

/// A node that does with its event streams what a test says, and notes what it is asked.
final class EventNode: HTTPTransport, Sendable {
  struct Asked: Sendable, Hashable {
    let method: HTTPMethod
    let path: String
    let headers: HTTPHeaders
    let body: JSONValue?
    let idleTimeout: TimeInterval?
    let timeout: TimeInterval?
  }

  /// A stream it has answered with.
  struct Stream: Sendable {
    fileprivate let continuation: AsyncThrowingStream<Data, any Error>.Continuation
    fileprivate let left = Gate()

    func send(_ text: String) { continuation.yield(Data(text.utf8)) }
    func connect(_ session: String) {
      send("event: message\nid: \(session)-0\nretry: 3000\ndata: ")
      send(#"{"reconnect":false,"session_id":"\#(session)","type":"connect"}"# + "\n\n")
    }
    func event(_ result: JSONValue) {
      let frame: JSONValue = ["result": result]
      send("event: message\ndata: \(frame.text)\n\n")
    }
    func presence(_ context: String, _ data: JSONValue) {
      event(["contextId": .string(context), "type": "Ephemeral", "data": data])
    }
    func end(_ error: (any Error)? = nil) { continuation.finish(throwing: error) }

    /// Returns once the client has left it.
    func waitUntilLeft() async throws { try await left.wait() }
  }

  typealias Reply = @Sendable (JSONValue) async throws -> HTTPResponse

  private struct State {
    var asked: [Asked] = []
    var streams: [Stream] = []
    var refusals: [HTTPResponse] = []
    var reply: Reply = EventNode.grantAll
    var watchers: [(isMet: @Sendable (State) -> Bool, gate: Gate)] = []
  }

  private let state = Locked(State())

  /// Answers `GET /sse` with these, one after the other, before it opens streams again.
  func refuse(_ responses: HTTPResponse...) { state.withLock { $0.refusals += responses } }

  /// Answers `POST /sse/subscription`, and every other `POST`, like this from now on.
  func answer(_ reply: @escaping Reply) { state.withLock { $0.reply = reply } }

  var asked: [Asked] { state.withLock { $0.asked } }

  /// The bodies of what was posted so far.
  var posts: [JSONValue] { asked.compactMap(\.body) }

  var streamCount: Int { state.withLock { $0.streams.count } }

  /// The stream of this number, beginning with 0, once there is one.
  func stream(_ number: Int) async throws -> Stream {
    try await wait { $0.streams.count > number }
    return state.withLock { $0.streams[number] }
  }

  /// What was posted, once there are so many.
  func posts(_ count: Int) async throws -> [JSONValue] {
    try await wait { $0.asked.filter { $0.body != nil }.count >= count }
    return posts
  }

  /// Returns once each of these contexts and groups was asked for: consumers join in no particular order.
  func waitForTopics(_ ids: String...) async throws {
    try await wait { state in
      let asked = state.asked.compactMap { $0.body?["params"] }.flatMap {
        ($0["contextIds"]?.arrayValue ?? []) + ($0["groupIds"]?.arrayValue ?? [])
      }
      return Set(ids).isSubset(of: asked.compactMap(\.stringValue))
    }
  }

  /// Returns once `GET /sse` was asked so often.
  func waitForConnects(_ count: Int) async throws {
    try await wait { $0.asked.filter { $0.path == "/sse" }.count >= count }
  }

  static let grantAll: Reply = { body in
    let ids = body["params"]
    let answer: JSONValue =
      body["method"] == "subscribe"
      ? [
        "result": [
          "status": "subscribed", "contexts": ids?["contextIds"] ?? [], "groups": ids?["groupIds"] ?? [],
        ]
      ] : ["result": ["status": "unsubscribed", "unsubscribed": [], "requested": []]]
    return HTTPResponse(status: 200, body: HTTPBody(answer.data()))
  }

  func send(_ request: HTTPRequest) async throws -> HTTPResponse {
    var body: JSONValue?
    if case .data(let data)? = request.body { body = try? JSONValue(parsing: data) }
    let asked = Asked(
      method: request.method, path: request.url.path, headers: request.headers, body: body,
      idleTimeout: request.idleTimeout, timeout: request.timeout)
    if let body {
      let reply = change { state in
        state.asked.append(asked)
        return state.reply
      }
      return try await reply(body)
    }
    return change { state in
      state.asked.append(asked)
      if !state.refusals.isEmpty { return state.refusals.removeFirst() }
      let (stream, continuation) = AsyncThrowingStream.makeStream(of: Data.self)
      let handle = Stream(continuation: continuation)
      continuation.onTermination = { _ in handle.left.open() }
      state.streams.append(handle)
      return HTTPResponse(
        status: 200, headers: ["content-type": "text/event-stream"], body: HTTPBody(stream))
    }
  }

  private func change<T>(_ body: (inout State) -> T) -> T {
    let (value, met) = state.withLock { state in
      let value = body(&state)
      let now = state
      let met = state.watchers.filter { $0.isMet(now) }.map(\.gate)
      state.watchers.removeAll { $0.isMet(now) }
      return (value, met)
    }
    for gate in met { gate.open() }
    return value
  }

  private func wait(_ isMet: @escaping @Sendable (State) -> Bool) async throws {
    let gate = Gate()
    let isMetNow = state.withLock { state in
      if isMet(state) { return true }
      state.watchers.append((isMet, gate))
      return false
    }
    if !isMetNow { try await gate.wait() }
  }
}

/// A session whose tokens are numbered.
actor NumberedSession: NodeSession {
  private(set) var refreshes = 0
  private(set) var revocations: [String] = []
  private let failure: MeroError?

  init(failing failure: MeroError? = nil) { self.failure = failure }

  func bearer() -> String? { "token\(refreshes)" }

  func refresh(sent: String) throws -> String {
    if let failure { throw failure }
    refreshes += 1
    return "token\(refreshes)"
  }

  func revoked(_ reason: String, http: HTTPError, sent: String?) -> MeroError {
    revocations.append(reason)
    return .authRevoked(reason: reason, http: http)
  }
}

/// A connection to an ``EventNode``.
struct EventRig {
  let node = EventNode()
  let clock = FakeClock()
  let session: NumberedSession?
  let http: NodeHTTP
  let sse: SseConnection

  init(session: NumberedSession? = nil) throws {
    self.session = session
    guard let url = URL(string: "http://localhost:2428") else { throw MeroError.network("no address") }
    http = NodeHTTP(baseURL: url, transport: node, clock: clock.clock, session: session)
    sse = SseConnection(http: http)
  }

  /// Waits for a state.
  func wait(for isWanted: (SseState) -> Bool) async {
    for await state in sse.states where isWanted(state) { return }
  }

  func waitUntilOnline(_ session: String) async { await wait { $0 == .online(sessionId: session) } }
}

extension FakeClock {
  /// Lets the wait for the next connection pass, whether it has begun or not.
  func passReconnect() async {
    autoAdvance = 3
    await advance(by: 3)
  }
}
