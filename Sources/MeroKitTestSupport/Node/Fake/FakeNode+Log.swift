import Foundation
import MeroHTTP
import MeroWire

extension FakeNode {
  /// A request as it arrived, so that a test can count tries and look at what a client sends.
  public struct Request: Sendable {
    /// The method.
    public let method: String
    /// The path below the node's URL, with its query, as it was sent.
    public let path: String
    /// The route's path with its parameters in braces; nil when there is none.
    public let route: String?
    /// The header fields; those that carry a token too.
    public let headers: HTTPHeaders
    /// The body; empty where it was longer than a mebibyte, as blobs are.
    public let body: Data
    /// The status of the answer; nil while there is none, and for good when the connection was dropped instead.
    public internal(set) var status: Int?

    /// The body as JSON.
    public var json: JSONValue? { try? JSONValue(parsing: body) }
    /// The token it was sent with.
    public var bearer: String? { NodeExchange.bearer(in: headers) }
  }

  /// What arrived so far, in order. The oldest half is given up when it has grown very long.
  public var log: [Request] { store.withState { $0.log.entries } }

  /// Forgets the log, to look only at what comes next.
  public func clearLog() { store.withState { $0.log.clear() } }

  /// Requests at one route, such as `POST /admin-api/contexts/{context_id}/join`.
  public func requests(_ route: String) -> [Request] {
    log.filter { request in request.route.map { "\(request.method) \($0)" } == route }
  }
}

/// Keeps the log.
struct NodeLog: Sendable {
  private static let most = 20_000
  private(set) var entries: [FakeNode.Request] = []
  private var dropped = 0

  /// Enters a request and answers its number.
  mutating func enter(_ request: FakeNode.Request) -> Int {
    if entries.count >= Self.most {
      entries.removeFirst(Self.most / 2)
      dropped += Self.most / 2
    }
    entries.append(request)
    return dropped + entries.count - 1
  }

  mutating func answered(_ number: Int, status: Int) {
    guard entries.indices.contains(number - dropped) else { return }
    entries[number - dropped].status = status
  }

  mutating func clear() {
    dropped += entries.count
    entries = []
  }
}

extension NodeStore {
  func enter(_ request: FakeNode.Request) -> Int { withState { $0.log.enter(request) } }

  func answered(_ number: Int, status: Int) { withState { $0.log.answered(number, status: status) } }
}
