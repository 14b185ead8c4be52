import Foundation
import MeroHTTP
import MeroWire
import Testing

@testable import MeroKitTestSupport

@Suite("Routes of a fake node")
struct NodeRoutingTests {
  @Test("what needs no session works without a token, everything else is 401")
  func publicRoutes() async throws {
    let rig = NodeRig()
    for path in [
      "/admin-api/health", "/admin-api/ready", "/admin-api/is-authed", "/auth/health", "/auth/providers",
    ] {
      #expect(try await rig.send(.get, path, as: .nobody).status == 200, "\(path)")
    }
    for path in ["/admin-api/contexts", "/admin-api/peers", "/admin-api/blobs", "/sse"] {
      let answer = try await rig.send(.get, path, as: .nobody)
      #expect(answer.status == 401, "\(path)")
      #expect(answer.authError == "missing_token")
      #expect(answer.bytes.isEmpty)
    }
  }

  @Test("an unknown path is 404, a known one with another method 405, and a trailing slash is another path")
  func unknownRoutes() async throws {
    let rig = NodeRig()
    #expect(try await rig.send(.get, "/admin-api/certificate").status == 404)
    let wrong = try await rig.send(.patch, "/admin-api/contexts/\(NodeRig.anId)")
    #expect(wrong.status == 405)
    #expect(wrong.headers["allow"]?.contains("GET") == true)
    #expect(try await rig.send(.post, "/admin-api/contexts/sync").json == ["data": .null])
    #expect(try await rig.send(.post, "/admin-api/contexts/sync/").status == 404)
  }

  @Test("text in a path wins over a parameter")
  func staticSegmentsWin() async throws {
    let rig = NodeRig()
    #expect(try await rig.send(.post, "/admin-api/contexts/sync").status == 200)
    let found = try await rig.send(.get, "/admin-api/contexts/for-application/\(NodeRig.anId)")
    #expect(found.data == ["contexts": []])
  }

  @Test("an id that is none is 400, after the guard")
  func malformedIds() async throws {
    let rig = NodeRig()
    #expect(try await rig.send(.get, "/admin-api/contexts/xyz").status == 400)
    #expect(try await rig.send(.get, "/admin-api/contexts/xyz", as: .nobody).status == 401)
  }

  @Test("a body with a field the route does not know, of another type, or that is no JSON is 400")
  func strictBodies() async throws {
    let rig = NodeRig()
    let path = "/admin-api/install-application"
    let unknown = try await rig.send(
      .post, path, json: ["package": "a", "version": "1", "url": "https://x", "hash": "y"])
    #expect(unknown.status == 400)
    #expect(unknown.error == "Validation errors: url: unknown field; hash: unknown field")
    let long = JSONValue.string(String(repeating: "p", count: 129))
    #expect(try await rig.send(.post, path, json: ["package": long, "version": "1"]).status == 400)
    #expect(try await rig.send(.post, path, json: ["package": "", "version": "1"]).status == 400)
    #expect(try await rig.send(.post, path, json: ["package": "a"]).status == 400)
    #expect(try await rig.send(.post, path).status == 400)
    let text = try await rig.send(
      .post, path, json: ["package": "a", "version": "1"], headers: ["content-type": "text/plain"])
    #expect(text.status == 400)
    let broken = try await rig.send(
      .post, path, bytes: Data("{".utf8), headers: ["content-type": "application/json"])
    #expect(broken.status == 400)
  }

  @Test("JSON beyond the framework's limit is 413")
  func largeBodies() async throws {
    let rig = NodeRig()
    let answer = try await rig.send(
      .post, "/jsonrpc", bytes: Data(repeating: 0x20, count: (2 << 20) + 1),
      headers: ["content-type": "application/json"])
    #expect(answer.status == 413)
  }

  @Test("another address refuses the connection, and a base path stays in front of every route")
  func origins() async throws {
    let rig = NodeRig(url: "https://h.example/node1")
    #expect(try await rig.send(.get, "/admin-api/health", as: .nobody).status == 200)
    let other = try #require(URL(string: "https://other.example/admin-api/health"))
    await #expect {
      _ = try await rig.node.transport.send(HTTPRequest(.get, other))
    } throws: { ($0 as? TransportError)?.kind == .cannotConnect }
  }

  @Test("the door for sockets answers whatever host a request names")
  func socketDoor() async throws {
    let rig = NodeRig()
    let url = try #require(URL(string: "http://127.0.0.1:49152/admin-api/health"))
    #expect(try await rig.node.handle(HTTPRequest(.get, url)).status == 200)
  }

  @Test("an upload whose file is gone fails as a transport does")
  func missingFiles() async throws {
    let rig = NodeRig()
    var request = try rig.request(.put, "/admin-api/blobs")
    request.body = .file(URL(fileURLWithPath: "/nowhere/at all"))
    await #expect(throws: TransportError.self) { _ = try await rig.node.transport.send(request) }
  }

  @Test("every route of the endpoint list that is served needs what the list says")
  func endpointList() throws {
    let served = Dictionary(uniqueKeysWithValues: NodeRoutes.all.rows.map { ($0.name, $0) })
    let list = try EndpointList.read()
    #expect(list.count > 100)
    // Account sessions are served these two (20 §1.5), which the list leaves to a node's sessions.
    let wider: Set<String> = [
      "GET /admin-api/contexts/{context_id}/group", "GET /admin-api/contexts/{context_id}/identities-owned",
    ]
    for row in list where !wider.contains(row.name) {
      guard let route = served[row.name] else { continue }
      #expect(route.access == NodeAccess(row.auth), "\(row.name)")
    }
    let known = Set(list.map(\.name))
    for route in NodeRoutes.all.rows where route.template.hasPrefix("/admin-api/") {
      #expect(known.contains(route.name), "\(route.name) is not in the list")
    }
  }

  @Test("requests are kept as they came")
  func log() async throws {
    let rig = NodeRig()
    _ = try await rig.send(.get, "/admin-api/contexts?limit=2")
    _ = try await rig.send(.get, "/nowhere")
    #expect(rig.node.log.map(\.path) == ["/admin-api/contexts?limit=2", "/nowhere"])
    #expect(rig.node.log.map(\.route) == ["/admin-api/contexts", nil])
    #expect(rig.node.log.map(\.status) == [200, 404])
    #expect(rig.node.log.first?.bearer == rig.node.accessToken)
    rig.node.clearLog()
    #expect(rig.node.log.isEmpty)
  }
}

/// The package's list of admin endpoints.
enum EndpointList {
  struct Row {
    let name: String
    let auth: String
  }

  static func read() throws -> [Row] {
    let url = URL(fileURLWithPath: #filePath).appendingPathComponent(
      "../../../../openapi/node-admin-endpoints.tsv"
    ).standardized
    let text = try String(contentsOf: url, encoding: .utf8)
    return text.split(separator: "\n").dropFirst().map { line in
      let columns = line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
      return Row(name: "\(columns[1]) \(columns[2])", auth: columns[6])
    }
  }
}
