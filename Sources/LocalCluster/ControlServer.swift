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
/// | `POST /mirror/stop` | the release mirror fails, for clusters that have one |
/// | `POST /mirror/start` | it works again |
///
/// A web page must not be able to reach it through the visitor's browser: a request that carries an `Origin`, or a
/// `Host` that is not loopback (DNS rebinding), is refused.
package final class ControlServer: Sendable {
  private let cluster: LocalCluster
  private let listener: HTTPListener

  package init(port: UInt16, cluster: LocalCluster) {
    self.cluster = cluster
    listener = HTTPListener(port: port, limits: .init(body: 64 << 10)) { request in
      await Self.answer(request, cluster)
    }
  }

  /// Starts listening and answers the port in use.
  package func start() throws -> UInt16 { try listener.start() }

  package func stop() async { await listener.stop() }

  private static func answer(_ request: HTTPRequest, _ cluster: LocalCluster) async -> HTTPResponse {
    guard request.headers["origin"] == nil, isLoopback(request.headers["host"]) else {
      return refusal(403, "the control listener answers programs on this machine, not web pages")
    }
    do {
      return try await perform(request, cluster)
    } catch let error as ControlError {
      return refusal(error.status, error.text)
    } catch {
      return refusal(500, "\(error)")
    }
  }

  private static func perform(_ request: HTTPRequest, _ cluster: LocalCluster) async throws -> HTTPResponse {
    let path = request.url.path.split(separator: "/").map(String.init)
    if request.method == .get, path == ["state"] { return json(200, await state(of: cluster)) }
    let isMirror = path == ["mirror", "stop"] || path == ["mirror", "start"]
    guard isMirror || (path.count == 3 && path[0] == "nodes") else {
      throw ControlError(404, "there is no such path")
    }
    guard request.method == .post else { throw ControlError(405, "use POST") }
    if isMirror {
      guard let mirror = cluster.cloud.releaseMirror else {
        throw ControlError(404, "there is no release mirror; start the cluster with --tdx")
      }
      mirror.fail(path[1] == "stop" ? .status(503) : nil)
      return json(200, await state(of: cluster))
    }
    guard let number = Int(path[1]), cluster.cloud.nodes.indices.contains(number - 1) else {
      throw ControlError(404, "there is no node \(path[1]); they are 1 to \(cluster.cloud.nodes.count)")
    }
    let index = number - 1
    switch path[2] {
    case "stop": await cluster.stopNode(index)
    case "start": try await cluster.startNode(index)
    case "restart": try await cluster.restartNode(index)
    case "fault":
      guard case .data(let body) = request.body else { throw ControlError(400, "the body names the fault") }
      try await ControlFault(parsing: body).apply(to: cluster.cloud.nodes[index])
    default: throw ControlError(404, "a node can be stopped, started, restarted or given a fault")
    }
    return json(200, await state(of: cluster))
  }

  private static func state(of cluster: LocalCluster) async -> JSONValue {
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
    state["mirror"] = await cluster.mirrorURL.map { .string($0.absoluteString) }
    return .object(state)
  }

  private static func isLoopback(_ host: String?) -> Bool {
    guard let host, let name = URLComponents(string: "http://\(host)")?.host else { return false }
    return Loopback.isLoopback(host: name)
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
