import Foundation
import MeroHTTP
import MeroKitTestSupport
import MeroWire

@testable import MeroKit

/// Stands before a relay: notes what presence is posted and when, and holds posts back when told to.
final class PresenceRelay: HTTPTransport {
  struct Post: Sendable, Hashable {
    let path: String
    let state: JSONValue?
    let seq: UInt64
    let sentAtMs: UInt64
    /// Seconds since the clock was made.
    let at: TimeInterval
  }

  private let inner: any HTTPTransport
  private let clock: FakeClock
  private let noted = Locked<[Post]>([])
  private let holds = Locked<[Gate]>([])

  init(_ inner: any HTTPTransport, clock: FakeClock) {
    self.inner = inner
    self.clock = clock
  }

  var posts: [Post] { noted.withLock { $0 } }
  var states: [JSONValue?] { posts.map(\.state) }

  /// Holds the next post that is not held yet, until the gate is opened.
  func hold() -> Gate {
    let gate = Gate()
    holds.withLock { $0.append(gate) }
    return gate
  }

  func send(_ request: HTTPRequest) async throws -> HTTPResponse {
    let body = request.json
    let post = Post(
      path: request.url.path, state: body["state"], seq: body["seq"]?.uint64 ?? 0,
      sentAtMs: body["sentAtMs"]?.uint64 ?? 0, at: clock.clock.uptime())
    // Before it is noted: whoever sees the post may rely on the gate being its.
    let gate = holds.withLock { $0.isEmpty ? nil : $0.removeFirst() }
    noted.withLock { $0.append(post) }
    try await gate?.wait()
    return try await inner.send(request)
  }
}

/// A member's presence over a relay.
struct PresenceRig {
  struct Typing: Codable, Sendable, Hashable { let typing: Bool }

  static let typing = JSONValue.string(Hex.encode(Array(#"{"typing":true}"#.utf8)))
  static let quiet = JSONValue.string(Hex.encode(Array(#"{"typing":false}"#.utf8)))

  let relay: MemberRig
  /// The device's own clock: what sleeps there is what the client waits for.
  let clock = FakeClock()
  let wire: PresenceRelay
  let presence: RelayPresenceClient

  init() async throws {
    relay = try await MemberRig()
    wire = PresenceRelay(relay.node.transport, clock: clock)
    presence = RelayPresenceClient(relay: relay.client(over: wire, clock: clock)) {
      throw AccountError.relayKeyUnavailable("no session")
    }
  }

  var context: String { relay.context }

  func set(_ typing: Bool?, in context: String? = nil) async throws {
    try await presence.set(contextId: context ?? self.context, state: typing.map { Typing(typing: $0) })
  }

  /// Lets the next repetition go out, and returns when the one after it is waited for.
  func passRepetition(of count: Int = 1) async {
    await waitForRepetition(of: count)
    let before = wire.posts.count
    await pass(2.5)
    await until { wire.posts.count >= before + count }
  }

  /// Moves the relay's time on, and then the device's.
  func pass(_ seconds: TimeInterval) async {
    await relay.clock.advance(by: seconds)
    await clock.advance(by: seconds)
  }

  /// Returns once every request has ended and so many repetitions are waited for.
  func waitForRepetition(of count: Int = 1) async {
    await until { clock.sleeperCount == count && clock.nextWake == 2.5 }
  }

  /// Returns once nothing is waited for and nothing is on its way.
  func waitUntilStill() async { await until { clock.sleeperCount == 0 } }
}
