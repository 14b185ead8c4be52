import Foundation
import MeroHTTP
import MeroWire

/// The ports on which a node of this machine is looked for, in this order (10 §7).
public let defaultLocalNodePorts = [2428, 2429, 2528, 2529]

/// The address of a node of this machine.
public func localNodeUrl(_ port: Int) -> String { "http://localhost:\(port)" }

/// A path below a node's address, whose own path is kept.
public func nodeEndpoint(_ base: String, _ path: String) -> String { NodePath.join(base, path) }

/// Whether a node answers and says that it is well. Never throws; a cancelled task answers false.
///
/// - Parameter timeout: seconds.
public func probeNodeHealth(
  _ base: String, timeout: TimeInterval = 2, allowInsecureHTTP: Bool = false,
  transport: any HTTPTransport = URLSessionTransport(), clock: MeroClock = .system
) async -> Bool {
  let probe = NodeProbe(
    base, timeout: timeout, allowInsecureHTTP: allowInsecureHTTP, transport: transport, clock: clock)
  return await probe?.ask("/admin-api/health").map(NodeProbe.isHealthy) ?? false
}

/// The addresses of the nodes of this machine that are well, in the order of the ports. Never throws.
///
/// On an iPhone this machine is the phone, so it finds something only in the simulator, on a Mac or on Linux.
///
/// - Parameter timeout: seconds, for all ports at once.
public func discoverLocalNodes(
  ports: [Int] = defaultLocalNodePorts, timeout: TimeInterval = 2,
  transport: any HTTPTransport = URLSessionTransport(), clock: MeroClock = .system
) async -> [String] {
  let nodes = ports.map(localNodeUrl)
  let healthy = await withTaskGroup(of: String?.self) { group in
    for node in Set(nodes) {
      group.addTask {
        await probeNodeHealth(node, timeout: timeout, transport: transport, clock: clock) ? node : nil
      }
    }
    return await group.reduce(into: Set<String>()) { found, node in
      if let node { found.insert(node) }
    }
  }
  return nodes.filter(healthy.contains)
}

/// Whether an address that a person typed is one of a node: it answers `is-authed`, or something guards it. Never throws.
///
/// - Parameter timeout: seconds.
public func isNodeAddress(
  _ base: String, timeout: TimeInterval = 10, allowInsecureHTTP: Bool = false,
  transport: any HTTPTransport = URLSessionTransport(), clock: MeroClock = .system
) async -> Bool {
  let probe = NodeProbe(
    base, timeout: timeout, allowInsecureHTTP: allowInsecureHTTP, transport: transport, clock: clock)
  guard let answer = await probe?.ask("/admin-api/is-authed") else { return false }
  if answer.status == 401 { return true }
  guard (200..<300).contains(answer.status), let json = try? answer.json() else { return false }
  return json["data"]?["status"] != nil
}

/// One question to a node without a token.
struct NodeProbe: Sendable {
  private let http: NodeHTTP

  init?(
    _ base: String, timeout: TimeInterval, allowInsecureHTTP: Bool, transport: any HTTPTransport,
    clock: MeroClock
  ) {
    guard let url = URL(string: base) else { return nil }
    http = NodeHTTP(
      baseURL: url, transport: transport, timeout: timeout, allowInsecureHTTP: allowInsecureHTTP, clock: clock
    )
  }

  /// The answer, whatever its status; nil when there is none.
  func ask(_ path: String) async -> NodeResponse? {
    do {
      return try await http.send(NodeRequest(.get, path, attempts: 1))
    } catch {
      guard let refusal = (error as? MeroError)?.http else { return nil }
      return NodeResponse(
        status: refusal.status, headers: refusal.headers, body: Data(refusal.bodyText.utf8))
    }
  }

  /// Whether a health answer is a good one. What is no JSON, or says nothing about itself, counts as good: older nodes
  /// answer so.
  static func isHealthy(_ answer: NodeResponse) -> Bool {
    guard (200..<300).contains(answer.status) else { return false }
    guard let json = try? JSONValue(parsing: answer.body) else { return true }
    guard let status = json["data"]?["status"] ?? json["status"] else { return true }
    return status.stringValue?.lowercased() == "alive"
  }
}
