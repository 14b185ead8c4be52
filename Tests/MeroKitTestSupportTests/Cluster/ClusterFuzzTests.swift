import Foundation
import MeroHTTP
import MeroSealed
import MeroWire
import Testing

@testable import MeroKitTestSupport

@Suite("Requests with something wrong with them")
struct ClusterFuzzTests {
  @Test("every operation of the document is served")
  func complete() {
    // A node attests itself; the cluster's state has no part in it.
    let served = Set(ClusterState.handlers.keys).union(["public_attest"])
    #expect(APIDocument.shared.operations.map(\.id).filter { !served.contains($0) } == [])
  }

  @Test(
    "every operation answers 200 mutated requests with something its document knows, and the cluster goes on",
    .timeLimit(.minutes(5)), arguments: APIDocument.shared.operations.map(\.id))
  func mutatedRequests(_ id: String) async throws {
    let operation = try #require(APIDocument.shared.operations.first { $0.id == id })
    let world = try await FuzzWorld()
    for seed in 0..<200 as Range<UInt64> {
      let request = world.request(for: operation, seed: seed)
      let status = try await world.send(request)
      #expect(status != 500, "\(id), seed \(seed): \(request.path)")
    }
    #expect(world.cloud.violations.isEmpty, "\(id): \(world.cloud.violations.prefix(3))")
    // Whatever the operation did would survive the cluster.
    #expect(try world.rig.lost() == [], "\(id)")
    // Whatever came, the cluster still answers.
    let after = SealedInnerRequest(
      method: "GET", path: "/health", headers: [:], body: Data(), requestId: 1, sessionId: [])
    #expect(try await world.send(after) == 200)
  }
}

/// A cluster with an account that has everything an operation may name, and requests that are nearly right.
private struct FuzzWorld {
  let cloud: FakeCloud
  let rig: Rig
  private let token: String
  private let ids: [String: String]
  private let documents: [String: JSONValue]
  private let samples: SampleValue

  init() async throws {
    rig = try Rig(nodes: 1)
    cloud = rig.cloud
    let (token, app) = try await rig.appOf("ada")
    self.token = token
    let org = try await rig.send("GET", "/orgs", token: token).json["orgs"]?[0]?["orgId"]?.stringValue
    let me = try await rig.send("GET", "/auth/session", token: token).json
    ids = [
      "org": org ?? "", "app": app, "account": me["accountId"]?.stringValue ?? "",
      "principal": me["accountId"]?.stringValue ?? "", "session": me["sessionId"]?.stringValue ?? "",
      "package": "com.calimero.chat", "version": "1.4.0", "index": "0", "node": cloud.nodes[0].id,
    ]
    cloud.store.withState { $0.waivesQuestions = true }
    let root = try JSONValue(parsing: OpenAPIDocument.json)
    samples = SampleValue(document: root)
    var documents: [String: JSONValue] = [:]
    for (path, methods) in root["paths"]?.objectValue ?? [:] {
      for (_, operation) in methods.objectValue ?? [:] {
        guard let id = operation["operationId"]?.stringValue, case .object(var known) = operation else {
          continue
        }
        known["path"] = .string(path)
        documents[id] = .object(known)
      }
    }
    self.documents = documents
  }

  /// The request of an operation with one thing about it wrong, most of the time in its body.
  func request(for operation: ServedOperation, seed: UInt64) -> SealedInnerRequest {
    let random = SeededRandom(seed: seed &* 7919)
    let document = documents[operation.id] ?? .null
    var body = Data()
    switch operation.body {
    case .json:
      let content = document["requestBody"]?["content"]?["application/json"] ?? .null
      let good = named(content["example"] ?? samples.of(content["schema"] ?? .null))
      body = seed % 10 == 9 ? good.data() : HostileBody.variant(of: good.data(), seed: seed)
    case .bytes: body = Data(random.bytes(random.below(4_096)))
    case .empty, .stream: break
    }
    let isInPath = body.isEmpty || seed % 10 == 9
    return SealedInnerRequest(
      method: operation.method, path: path(document, operation, isInPath ? random : nil),
      headers: headers(random), body: body, requestId: seed, sessionId: [])
  }

  func send(_ request: SealedInnerRequest) async throws -> Int {
    let server = NodeServer(
      node: cloud.nodes[0], store: cloud.store, document: .shared, violations: cloud.violationList)
    let answer = try await server.serve(request, requestId: "r", idleTimeout: nil) { _ in }
    answer.response.body.cancel()
    return answer.response.status
  }

  private func headers(_ random: SeededRandom) -> HTTPHeaders {
    var headers: HTTPHeaders = ["authorization": "Bearer \(token)"]
    if random.below(8) == 0 {
      headers["range"] = ["bytes=0-", "bytes=9-1", "x", "bytes=-0"][random.below(4)]
    }
    if random.below(8) == 0 { headers["x-calimero-confirm"] = "v1.crq_1.\(random.below(99))" }
    if random.below(8) == 0 {
      headers["x-calimero-min-seq"] = ["-1", "x", "18446744073709551615"][random.below(3)]
    }
    return headers
  }

  /// The path with the ids that are there, and with one of them or a query item replaced.
  private func path(_ document: JSONValue, _ operation: ServedOperation, _ random: SeededRandom?) -> String {
    let template = document["path"]?.stringValue ?? ""
    let names = operation.pathParameters + operation.query.keys.sorted()
    let broken = random.flatMap { random in names.isEmpty ? nil : names[random.below(names.count)] }
    func value(_ name: String) -> String {
      let good = ids[name] ?? "x"
      guard name == broken, let random else { return good }
      let bad = [
        "", "%00", "%ff", "..", "%2F", "a%20b", "-1", "1e9", "18446744073709551616", "true", "oldest",
        String(repeating: "z", count: 5_000), good + "x",
      ]
      return bad[random.below(bad.count)]
    }
    var path = template.split(separator: "/").map { part in
      part.hasPrefix("{") ? value(String(part.dropFirst().dropLast())) : String(part)
    }.joined(separator: "/")
    let query = operation.query.keys.sorted().filter { name in
      name == broken || operation.query[name]?.isRequired == true
    }.map { "\($0)=\(value($0))" }
    path = "/" + path + (query.isEmpty ? "" : "?" + query.joined(separator: "&"))
    return path
  }

  /// The body with the ids of this cluster in place of the document's.
  private func named(_ body: JSONValue) -> JSONValue {
    guard case .object(var object) = body else { return body }
    for name in object.keys {
      if let id = ids[name], object[name]?.stringValue != nil { object[name] = .string(id) }
    }
    return .object(object)
  }
}
