import Foundation
import MeroHTTP
import MeroWire

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// The cloud's directory: which relays serve an account, which nodes serve a namespace, and the request to host one
/// (40 §4).
///
/// ```swift
/// let cloud = CloudClient(routingCredential: RoutingCredential(credential: credential, keys: keys))
/// let choice = CloudClient.chooseRelay(try await cloud.getAccountRelays(account))
/// print(choice.relayUrl ?? choice.note ?? "")
/// ```
///
/// It never sees what an account writes. No request carries a token, and each is sent once: a challenge is good for one
/// read, so a repeated one would be refused for the wrong reason. A status outside 2xx is ``MeroError/http(_:)``.
public struct CloudClient: Sendable {
  /// The cloud's API.
  public static let defaultBaseURL = CloudConfig.defaultBaseURL

  /// Where the cloud is, without a slash at its end.
  public let baseURL: String
  /// Proves who reads; without it only anonymous reads are possible.
  public let routingCredential: RoutingCredential?
  let clock: MeroClock
  let random: MeroRandom
  private let transport: any HTTPTransport
  private let timeout: TimeInterval

  /// A client of the cloud at `baseURL`.
  ///
  /// - Parameter timeout: seconds for each request with its answer.
  public init(
    baseURL: String = defaultBaseURL, routingCredential: RoutingCredential? = nil,
    transport: any HTTPTransport = URLSessionTransport(), timeout: TimeInterval = 10,
    clock: MeroClock = .system, random: MeroRandom = .system
  ) {
    self.baseURL = RelayOrigin.of(baseURL)
    self.routingCredential = routingCredential
    self.transport = transport
    self.timeout = timeout
    self.clock = clock
    self.random = random
  }

  /// A client over connections like those of `urlSession`.
  public init(
    baseURL: String = defaultBaseURL, routingCredential: RoutingCredential? = nil, urlSession: URLSession,
    timeout: TimeInterval = 10
  ) {
    self.init(
      baseURL: baseURL, routingCredential: routingCredential,
      transport: URLSessionTransport(session: urlSession), timeout: timeout)
  }

  // MARK: An account's relays

  /// A number to sign before an account's relays are read.
  public func getAccountRelaysChallenge(_ account: String) async throws -> CloudChallenge {
    try await challenge("/api/cloud/accounts/\(Self.segment(account))/challenge")
  }

  /// The relays that serve an account, the usable ones first. None at all is an answer too.
  ///
  /// - Throws: ``AccountError/notSignedIn(_:)`` without a ``routingCredential``, before anything is sent: to be unable to
  ///   ask must not look like having none.
  public func getAccountRelays(_ account: String) async throws -> [CloudAccountRelay] {
    guard let routingCredential else {
      throw AccountError.notSignedIn("an account's relays are told only to its devices; sign in first")
    }
    let challenge = try await getAccountRelaysChallenge(account)
    let answer = try await json(
      .get, "/api/cloud/accounts/\(Self.segment(account))/relays",
      headers: try Self.proof(challenge, routingCredential))
    guard let rows = answer["relays"]?.arrayValue else {
      throw AccountError.protocolViolation("the cloud's answer has no list of relays")
    }
    return rows.map { CloudAccountRelay($0) }
  }

  // MARK: A namespace's nodes

  /// A number to sign before a namespace's nodes are read.
  public func getRoutingChallenge(_ namespaceId: String) async throws -> CloudChallenge {
    try await challenge("/api/cloud/namespaces/\(Self.segment(namespaceId))/challenge")
  }

  /// The nodes that serve a namespace. It is read anonymously when there is no ``routingCredential``.
  public func getNamespaceRouting(_ namespaceId: String) async throws -> CloudNamespaceRouting {
    var headers = HTTPHeaders()
    if let routingCredential {
      headers = try Self.proof(try await getRoutingChallenge(namespaceId), routingCredential)
    }
    let answer = try await json(
      .get, "/api/cloud/namespaces/\(Self.segment(namespaceId))/admitters", headers: headers)
    return try CloudNamespaceRouting(answer, namespaceId: namespaceId.lowercased())
  }

  /// The first node that says it can admit, out of those an invitation names.
  ///
  /// - Parameter admitters: the accounts that the invitation names; empty for any.
  /// - Returns: nil when no such node is there now.
  public func findAdmitter(_ namespaceId: String, admitters: [String] = []) async throws
    -> CloudNamespaceNode?
  {
    let named = Set(admitters.map { $0.lowercased() })
    return try await getNamespaceRouting(namespaceId).nodes.first { node in
      node.canAdmit && (named.isEmpty || node.account.map { named.contains($0.lowercased()) } == true)
    }
  }

  // MARK: Requests

  private func challenge(_ path: String) async throws -> CloudChallenge {
    let answer = try await json(.get, path)
    guard let nonce = answer["nonce"]?.stringValue, !nonce.isEmpty else {
      throw AccountError.protocolViolation("the cloud's challenge has no number to sign")
    }
    return CloudChallenge(nonce: nonce, expiresAtMs: answer["expires_at_ms"]?.uint64)
  }

  private static func proof(
    _ challenge: CloudChallenge, _ prover: RoutingCredential
  ) throws(AccountError) -> HTTPHeaders {
    let headers = try RoutingProof.headers(nonce: challenge.nonce, by: prover)
    return HTTPHeaders(headers.sorted { $0.key < $1.key }.map { ($0.key, $0.value) })
  }

  /// An id in a path; the cloud keeps them in lower case.
  static func segment(_ id: String) -> String { NodePath.segment(id.lowercased()) }

  func json(
    _ method: HTTPMethod, _ path: String, body: JSONValue? = nil, headers: HTTPHeaders = [:]
  ) async throws -> JSONValue {
    guard let url = URL(string: baseURL) else {
      throw MeroError.network("the cloud's address is not an http or https address with a host")
    }
    let http = NodeHTTP(
      baseURL: url, transport: transport, timeout: timeout, clock: clock, random: random)
    var headers = headers
    headers["accept"] = "application/json"
    do {
      let response = try await http.send(
        NodeRequest(method, path, body: body.map { .json($0.data()) }, headers: headers, attempts: 1))
      return response.body.isEmpty ? .null : try response.json()
    } catch MeroError.authRevoked(_, let refusal) {
      // What ends a session at a node ends none here.
      throw MeroError.http(refusal)
    }
  }
}

/// A number that the cloud wants signed, good for about two minutes and for one read.
public struct CloudChallenge: Sendable, Hashable {
  /// Opaque, and signed as it is.
  public let nonce: String
  /// Unix milliseconds, when the cloud says.
  public let expiresAtMs: UInt64?

  /// A challenge of these parts.
  public init(nonce: String, expiresAtMs: UInt64? = nil) {
    self.nonce = nonce
    self.expiresAtMs = expiresAtMs
  }
}

extension JSONValue {
  /// A member that is a text with something in it: the cloud writes null, nothing or an empty text for what it lacks.
  func filled(_ name: String) -> String? {
    guard let text = self[name]?.stringValue, !text.isEmpty else { return nil }
    return text
  }

  /// A member that is true; anything else counts as false.
  func isTrue(_ name: String) -> Bool { self[name]?.boolValue ?? false }
}
