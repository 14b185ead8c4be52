import Foundation
import MeroHTTP

/// Something that answers at an address, in memory or behind a listener on a socket.
public protocol FakeHost: Sendable {
  /// Where it is reached.
  var hostURL: URL { get }
  /// Answers a request that arrives there, whatever its host. Throws `TransportError` when the connection is to be dropped.
  func handle(_ request: HTTPRequest) async throws -> HTTPResponse
}

extension FakeHost {
  /// Reaches this host alone; any other address refuses the connection.
  public var transport: any HTTPTransport { FakeHosts([self]) }
}

extension FakeNode: FakeHost {
  /// Where the node is reached.
  public var hostURL: URL { url }
}

extension FakeRelay: FakeHost {
  /// Where the relay is reached.
  public var hostURL: URL { node.url }
}

/// Several hosts behind one transport, told apart by scheme, host and port.
///
/// ```swift
/// let network = FakeHosts([manager, registry, node])
/// let cloud = CloudClient(baseURL: manager.url, transport: network)
/// ```
public struct FakeHosts: HTTPTransport {
  private let hosts: [(address: NodeAddress, host: any FakeHost)]

  /// A network of these hosts.
  public init(_ hosts: [any FakeHost]) {
    self.hosts = hosts.map { (NodeAddress($0.hostURL), $0) }
  }

  /// Takes a request to its host.
  public func send(_ request: HTTPRequest) async throws -> HTTPResponse {
    guard let host = hosts.first(where: { $0.address.isOrigin(of: request.url) })?.host else {
      throw TransportError(
        kind: .cannotConnect, text: "nothing listens at \(request.url.host ?? "this address")",
        mayHaveBeenSent: false)
    }
    try Task.checkCancellation()
    return try await host.handle(request)
  }
}

/// How a host fails when it is told to.
public enum FakeOutage: Sendable, Hashable {
  /// Nothing listens there.
  case refused
  /// It answers with this status and nothing that would explain it.
  case status(Int)
}

/// A request as it arrived at a host.
public struct FakeRequest: Sendable {
  /// The method.
  public let method: String
  /// The path below the host's address, as it was sent, without the query.
  public let path: String
  /// The query, decoded.
  public let query: [String: String]
  /// The header fields.
  public let headers: HTTPHeaders
  /// The body.
  public let body: Data

  /// Method and path.
  public var line: String { "\(method) \(path)" }

  /// The parts of the path that stand where the pattern has `*`, decoded; nil when the path is another.
  func parts(of pattern: String) -> [String]? {
    let expected = pattern.split(separator: "/", omittingEmptySubsequences: false)
    let actual = path.split(separator: "/", omittingEmptySubsequences: false)
    guard expected.count == actual.count else { return nil }
    var parts: [String] = []
    for (expected, actual) in zip(expected, actual) {
      if expected == "*" {
        parts.append(actual.removingPercentEncoding ?? String(actual))
      } else if expected != actual {
        return nil
      }
    }
    return parts
  }
}
