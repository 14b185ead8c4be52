import Foundation
import MeroHTTP
import MeroWire

/// The admin API of one node: applications, contexts, namespaces, groups, members, invitations, upgrades, blobs, names
/// and devices (20).
///
/// ```swift
/// let mero = Mero(config: MeroConfig(baseURL: node))
/// try await mero.authenticate(credentials)
/// let teams = try await mero.admin.allNamespaces()
/// ```
///
/// A member is addressed by its **account**. A signing key looks the same, is accepted, and names nobody: parameters say
/// `account` where an account is meant.
///
/// A write is decided, applied on this node and handed to the network when it returns; other nodes follow. Until data has
/// arrived an empty listing means "not synced yet" as often as "empty", and 503 means "ask again later".
///
/// Every call throws ``MeroError``, or `CancellationError`.
public struct AdminApi: AdminSurface, Sendable {
  /// How requests reach the node.
  package let http: NodeHTTP

  /// The admin API of the node that `http` talks to.
  public init(http: NodeHTTP) {
    self.http = http
  }
}

// What all calls are made of. The tables they are in are in `Calls/`, one line or a few for each.
extension AdminApi {
  /// A join waits for members on the network.
  static let joinTimeout: TimeInterval = 65

  /// Asks for a value.
  func get<T: Decodable & Sendable>(
    _ path: AdminPath, query: [(String, String?)] = [], _ envelope: NodeEnvelope = .data
  ) async throws -> T {
    try await call(.get, path, nil, query: query, envelope)
  }

  /// Sends a body, if any, and reads a value.
  func call<T: Decodable & Sendable>(
    _ method: HTTPMethod, _ path: AdminPath, _ body: NodeRequest.Body?, query: [(String, String?)] = [],
    _ envelope: NodeEnvelope = .data, timeout: TimeInterval? = nil
  ) async throws -> T {
    try await http.value(
      path.request(method, body, query: query, timeout: timeout), T.self, envelope)
  }

  /// Sends a body, if any, to a call that answers nothing: whatever a 2xx says is fine.
  func run(
    _ method: HTTPMethod, _ path: AdminPath, _ body: NodeRequest.Body?, timeout: TimeInterval? = nil
  ) async throws {
    _ = try await http.send(path.request(method, body, timeout: timeout))
  }

  /// The body of a request. Members that are nil are left out: most routes refuse what they do not know, null included.
  func json(_ request: some Encodable) throws -> NodeRequest.Body {
    do { return try .json(encoding: request) } catch {
      throw MeroError.decoding("the request cannot be written as JSON: \(error)")
    }
  }

  /// The part of a listing to answer.
  func page(_ offset: Int?, _ limit: Int?) -> [(String, String?)] {
    [("offset", offset.map(String.init)), ("limit", limit.map(String.init))]
  }
}
