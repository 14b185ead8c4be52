import Foundation
import MeroHTTP
import MeroWire

/// The control listener of a ``LocalCluster``: HTTP and JSON on loopback, to stop and start nodes and to set faults
/// while a program under test runs.
///
/// | request | what happens |
/// |---|---|
/// | `GET /state` | the cluster and its nodes: URL, running or not |
/// | `POST /nodes/{n}/stop` | ends node n (from 1), as a killed process ends |
/// | `POST /nodes/{n}/start` | starts it again on its port |
/// | `POST /nodes/{n}/restart` | both |
/// | `POST /nodes/{n}/fault` | sets a fault; the body is `{"fault": NAME, …}` (see ``ControlFault``) |
/// | `POST /node/stop`, `/node/start`, `/node/restart` | the same with the single node, where one is served |
/// | `POST /node/fault` | sets a fault of it (see ``ControlNodeFault``) |
/// | `POST /relays/{n}/stop`, `/relays/{n}/start`, `/relays/{n}/restart` | the same with a relay, where accounts are served |
/// | `POST /relays/{n}/lose` | ends relay n as a machine that is lost with its keys; it can be started again |
/// | `POST /relays/{n}/fault` | sets a fault of it (see ``ControlNodeFault``) |
/// | `POST /mirror/stop` | the release mirror fails, for clusters that have one |
/// | `POST /mirror/start` | it works again |
///
/// A web page must not be able to reach it through the visitor's browser: a request that carries an `Origin`, or a
/// `Host` that is not loopback (DNS rebinding), is refused.
package final class ControlServer: Sendable {
  private let listener: HTTPListener

  package init(
    port: UInt16, cluster: LocalCluster, node: LocalNode? = nil, accounts: LocalAccounts? = nil
  ) {
    let controlled = Controlled(cluster: cluster, node: node, accounts: accounts)
    listener = HTTPListener(port: port, limits: .init(body: 64 << 10)) { request in
      await Self.answer(request, controlled)
    }
  }

  /// Starts listening and answers the port in use.
  package func start() throws -> UInt16 { try listener.start() }

  package func stop() async { await listener.stop() }

  private struct Controlled: Sendable {
    let cluster: LocalCluster
    let node: LocalNode?
    let accounts: LocalAccounts?
  }

  private static func answer(_ request: HTTPRequest, _ controlled: Controlled) async -> HTTPResponse {
    guard request.headers["origin"] == nil, LoopbackName.isNamed(in: request.headers) else {
      return refusal(403, "the control listener answers programs on this machine, not web pages")
    }
    do {
      return try await perform(request, controlled)
    } catch let error as ControlError {
      return refusal(error.status, error.text)
    } catch {
      return refusal(500, "\(error)")
    }
  }

  private static func perform(_ request: HTTPRequest, _ controlled: Controlled) async throws -> HTTPResponse {
    let path = request.url.path.split(separator: "/").map(String.init)
    if request.method == .get, path == ["state"] { return json(200, await state(of: controlled)) }
    let isMirror = path == ["mirror", "stop"] || path == ["mirror", "start"]
    let isSingle = path.count == 2 && path[0] == "node"
    let isRelay = path.count == 3 && path[0] == "relays"
    guard isMirror || isSingle || isRelay || (path.count == 3 && path[0] == "nodes") else {
      throw ControlError(404, "there is no such path")
    }
    guard request.method == .post else { throw ControlError(405, "use POST") }
    if isMirror {
      guard let mirror = controlled.cluster.cloud.releaseMirror else {
        throw ControlError(404, "there is no release mirror; start the cluster with --tdx")
      }
      mirror.fail(path[1] == "stop" ? .status(503) : nil)
    } else if isSingle {
      guard let node = controlled.node else { throw ControlError(404, "no single node is served") }
      try await control(node, path[1], request)
    } else if isRelay {
      guard let accounts = controlled.accounts else { throw ControlError(404, "no accounts are served") }
      try await control(accounts, relay: path[1], path[2], request)
    } else {
      try await control(controlled.cluster, node: path[1], path[2], request)
    }
    return json(200, await state(of: controlled))
  }

  private static func control(
    _ cluster: LocalCluster, node word: String, _ verb: String, _ request: HTTPRequest
  ) async throws {
    guard let number = Int(word), cluster.cloud.nodes.indices.contains(number - 1) else {
      throw ControlError(404, "there is no node \(word); they are 1 to \(cluster.cloud.nodes.count)")
    }
    let index = number - 1
    switch verb {
    case "stop": await cluster.stopNode(index)
    case "start": try await cluster.startNode(index)
    case "restart": try await cluster.restartNode(index)
    case "fault":
      try await ControlFault(ControlWords(parsing: try body(of: request))).apply(
        to: cluster.cloud.nodes[index])
    default: throw unknownVerb
    }
  }

  private static func control(_ node: LocalNode, _ verb: String, _ request: HTTPRequest) async throws {
    switch verb {
    case "stop": await node.pause()
    case "start": try await node.resume()
    case "restart": try await node.restart()
    case "fault": try ControlNodeFault(ControlWords(parsing: try body(of: request))).apply(to: node.node)
    default: throw unknownVerb
    }
  }

  private static func control(
    _ accounts: LocalAccounts, relay word: String, _ verb: String, _ request: HTTPRequest
  ) async throws {
    guard let number = Int(word), accounts.relays.indices.contains(number - 1) else {
      throw ControlError(404, "there is no relay \(word); they are 1 to \(accounts.relays.count)")
    }
    let index = number - 1
    switch verb {
    case "stop": await accounts.stopRelay(index)
    case "lose": await accounts.stopRelay(index, losesKeys: true)
    case "start": try await accounts.startRelay(index)
    case "restart":
      await accounts.stopRelay(index)
      try await accounts.startRelay(index)
    case "fault":
      try ControlNodeFault(ControlWords(parsing: try body(of: request))).apply(
        to: accounts.relays[index].node)
    default:
      throw ControlError(
        404, "a relay can be stopped, started, restarted, lost with its keys or given a fault")
    }
  }

  private static let unknownVerb = ControlError(
    404, "a node can be stopped, started, restarted or given a fault")

  private static func body(of request: HTTPRequest) throws -> Data {
    guard case .data(let body) = request.body else { throw ControlError(400, "the body names the fault") }
    return body
  }

  private static func state(of controlled: Controlled) async -> JSONValue {
    let cluster = controlled.cluster
    var nodes: [JSONValue] = []
    for (index, url) in await cluster.nodeURLs.enumerated() {
      nodes.append([
        "node": .number(JSONNumber(index + 1)),
        "url": .string(url.absoluteString),
        "running": .bool(await cluster.isRunning(index)),
      ])
    }
    var state: JSONObject = [
      "clusterId": .string(Hex.encode(cluster.cloud.clusterId)), "nodes": .array(nodes),
    ]
    if let node = controlled.node, let url = await node.url {
      state["node"] = ["url": .string(url.absoluteString), "running": .bool(await node.isRunning)]
    }
    if let accounts = controlled.accounts { state["relays"] = .array(await relays(of: accounts)) }
    state["mirror"] = await mirrorURL(of: controlled).map { .string($0.absoluteString) }
    return .object(state)
  }

  private static func relays(of accounts: LocalAccounts) async -> [JSONValue] {
    var relays: [JSONValue] = []
    for (index, url) in await accounts.relayURLs.enumerated() {
      relays.append([
        "relay": .number(JSONNumber(index + 1)), "url": .string(url.absoluteString),
        "running": .bool(await accounts.isRelayRunning(index)),
      ])
    }
    return relays
  }

  /// The mirror's own address, or the directory's, which serves it too.
  private static func mirrorURL(of controlled: Controlled) async -> URL? {
    if let own = await controlled.cluster.mirrorURL { return own }
    guard controlled.cluster.cloud.releaseMirror != nil else { return nil }
    return await controlled.accounts?.managerURL
  }

  private static func json(_ status: Int, _ value: JSONValue) -> HTTPResponse {
    HTTPResponse(
      status: status, headers: ["content-type": "application/json"],
      body: HTTPBody(value.data() + Data("\n".utf8)))
  }

  private static func refusal(_ status: Int, _ text: String) -> HTTPResponse {
    json(status, ["error": ["message": .string(text)]])
  }
}

/// What the control listener refuses, with the status it answers.
struct ControlError: Error {
  let status: Int
  let text: String

  init(_ status: Int, _ text: String) {
    self.status = status
    self.text = text
  }
}
