import Foundation
import MeroHTTP
import MeroKit
import MeroWire

/// A node whose event stream is written by a check, and what the client that follows it does.
///
/// All of it comes out as one sequence, so that a check can wait for the next thing that matters.
final class VectorStreams: HTTPTransport {
  enum Happening: Sendable {
    /// The client has opened its stream so often.
    case opened(Int)
    /// The client has posted a subscription.
    case posted(JSONValue)
    case state(SseState)
    /// A call of the client's has returned.
    case subscribed(SseSubscription)
  }

  private struct State {
    var requests: [HTTPRequest] = []
    /// Given to `GET /sse` before streams are.
    var refusals: [VectorAnswer]
    /// Given to `POST /sse/subscription` before everything is granted.
    var replies: [VectorAnswer]
    var stream: AsyncThrowingStream<Data, any Error>.Continuation?
  }

  let happenings: AsyncStream<Happening>
  private let happened: AsyncStream<Happening>.Continuation
  private let state: Locked<State>

  init(refusals: [VectorAnswer] = [], replies: [VectorAnswer] = []) {
    (happenings, happened) = AsyncStream.makeStream()
    state = Locked(State(refusals: refusals, replies: replies))
  }

  var requests: [HTTPRequest] { state.withLock { $0.requests } }

  func requests(to path: String) -> [HTTPRequest] { requests.filter { $0.url.path == path } }

  // MARK: The check's side

  /// Sends bytes over the stream that is open.
  func send(_ bytes: Data) { _ = state.withLock { $0.stream }?.yield(bytes) }

  /// Sends a frame over the stream that is open.
  func send(_ data: JSONValue) { send(Data("event: message\ndata: \(data.text)\n\n".utf8)) }

  func connect(_ session: String) {
    send(["reconnect": false, "session_id": .string(session), "type": "connect"])
  }

  /// Ends the stream that is open.
  func end() { state.withLock { $0.stream }?.finish() }

  /// Answers the next subscription like this.
  func reply(with answer: VectorAnswer) { state.withLock { $0.replies.append(answer) } }

  func report(_ happening: Happening) { happened.yield(happening) }

  /// Reports the states of a client's stream until the task is cancelled.
  func follow(_ sse: SseConnection) -> Task<Void, Never> {
    let states = sse.states
    return Task { for await state in states { report(.state(state)) } }
  }

  /// Waits for something.
  func wait<T: Sendable>(for isMet: @Sendable (Happening) -> T?) async throws -> T {
    for await happening in happenings {
      if let value = isMet(happening) { return value }
    }
    throw CancellationError()
  }

  func waitUntilOpened(_ count: Int = 1) async throws {
    try await wait { if case .opened(count) = $0 { () } else { nil } }
  }

  func waitUntilPosted() async throws -> JSONValue {
    try await wait { if case .posted(let body) = $0 { body } else { nil } }
  }

  // MARK: The client's side

  func send(_ request: HTTPRequest) async throws -> HTTPResponse {
    state.withLock { $0.requests.append(request) }
    switch request.url.path {
    case "/sse": return open()
    case "/auth/refresh": return .tokens("A2", "R2")
    default: return answer(request.json)
    }
  }

  private func open() -> HTTPResponse {
    let (stream, continuation) = AsyncThrowingStream.makeStream(of: Data.self)
    let (count, refusal) = state.withLock { state -> (Int, VectorAnswer?) in
      let count = state.requests.filter { $0.url.path == "/sse" }.count
      if !state.refusals.isEmpty { return (count, state.refusals.removeFirst()) }
      state.stream = continuation
      return (count, nil)
    }
    report(.opened(count))
    return refusal?.response
      ?? HTTPResponse(
        status: 200, headers: ["content-type": "text/event-stream"], body: HTTPBody(stream))
  }

  private func answer(_ body: JSONValue) -> HTTPResponse {
    let reply = state.withLock { $0.replies.isEmpty ? nil : $0.replies.removeFirst() }
    report(.posted(body))
    if let reply { return reply.response }
    return .json([
      "result": [
        "status": "subscribed", "contexts": body["params"]?["contextIds"] ?? [],
        "groups": body["params"]?["groupIds"] ?? [],
      ]
    ])
  }
}
