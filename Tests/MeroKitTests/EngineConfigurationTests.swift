import Foundation
import MeroTrust
import MeroWire
import Testing

@testable import MeroKit

@Suite("Checking a client's options")
struct EngineConfigurationTests {
  @Test(
    "a node's URL has one spelling",
    arguments: [
      ("HTTP://LocalHost:2501/", "http://localhost:2501"), ("https://Example.org:443", "https://example.org"),
      ("http://127.0.0.1:80/", "http://127.0.0.1"), ("https://h.example/node//", "https://h.example/node"),
      ("https://h.example:8443/a%20b", "https://h.example:8443/a%20b"),
    ])
  func spelling(text: String, expected: String) throws {
    #expect(try ClientConfiguration.nodeURL(text).absoluteString == expected)
  }

  @Test(
    "what is not a plain http or https address is refused",
    arguments: [
      "", "example.org", "/node", "ftp://example.org", "https://", "https://user@example.org",
      "https://user:pass@example.org", "https://example.org?x=1", "https://example.org#f",
      "https://example.org/a/../b", "https:example.org", "https://exa mple.org", "https://example.org:99999",
      "https://example.org:0",
    ])
  func refused(text: String) {
    #expect(throws: CalimeroError.self) { try ClientConfiguration.nodeURL(text) }
  }

  @Test("a password in a URL is not repeated in the error")
  func password() {
    let error = #expect(throws: CalimeroError.self) {
      try ClientConfiguration.nodeURL("https://ada:hunter2@example.org")
    }
    #expect(error.map { "\($0)" }?.contains("hunter2") == false)
  }

  @Test("the ring keeps the order of the options and drops doubles")
  func ring() throws {
    let options = CalimeroClientOptions(
      baseUrl: "http://127.0.0.1:2501/", nodes: ["http://127.0.0.1:2502", "HTTP://127.0.0.1:2501"],
      policy: .development)
    let configuration = try ClientConfiguration(options)
    #expect(configuration.nodes.map(\.absoluteString) == ["http://127.0.0.1:2501", "http://127.0.0.1:2502"])
  }

  @Test("under production a node elsewhere needs TLS, unless the option says otherwise")
  func outerTransport() throws {
    var options = CalimeroClientOptions(baseUrl: "http://node.example")
    #expect(throws: CalimeroError.self) { try ClientConfiguration(options) }
    options.nodes = ["http://node.example"]
    options.baseUrl = "https://node.example"
    #expect(throws: CalimeroError.self) { try ClientConfiguration(options) }
    options.allowInsecureOuterTransport = true
    #expect(try ClientConfiguration(options).nodes.count == 2)
    #expect(throws: Never.self) {
      try ClientConfiguration(CalimeroClientOptions(baseUrl: "http://localhost:1"))
    }
    #expect(throws: Never.self) {
      try ClientConfiguration(CalimeroClientOptions(baseUrl: "http://node.example", policy: .development))
    }
  }

  @Test("a cluster id is 64 hex characters")
  func clusterId() throws {
    var options = CalimeroClientOptions(baseUrl: "https://node.example")
    options.clusterId = String(repeating: "AB", count: 32)
    #expect(try ClientConfiguration(options).clusterId == String(repeating: "ab", count: 32))
    options.clusterId = "ab"
    #expect(throws: CalimeroError.self) { try ClientConfiguration(options) }
  }

  @Test("what would break a header, a wait or a time limit is refused")
  func values() throws {
    let good = CalimeroClientOptions(baseUrl: "https://node.example")
    let changes: [(inout CalimeroClientOptions) -> Void] = [
      { $0.apiKey = "" }, { $0.apiKey = "cmk_a\r\nx: y" }, { $0.userAgent = "a\nb" },
      { $0.deviceLabel = String(repeating: "x", count: 81) }, { $0.deviceLabel = "a\u{7}b" },
      { $0.retry.deadline = 0 }, { $0.retry.callDeadline = 0 },
      { $0.retry.maxTries = 0 },
      { $0.retry.factor = 0.5 }, { $0.retry.baseWait = -1 }, { $0.retry.deadline = .nan },
      { $0.timeouts.request = 0 }, { $0.timeouts.attest = -1 },
    ]
    for change in changes {
      var options = good
      change(&options)
      #expect(throws: CalimeroError.self) { try ClientConfiguration(options) }
    }
    #expect(throws: Never.self) { try ClientConfiguration(good) }
    var labelled = good
    labelled.deviceLabel = " Ada's phone \n"
    #expect(try ClientConfiguration(labelled).deviceLabel == "Ada's phone")
  }

  @Test("an option that cannot be used throws at the first use, not when the client is made")
  func firstUse() async {
    let client = CalimeroClient(CalimeroClientOptions(baseUrl: "not a url"))
    await #expect(throws: CalimeroError.self) { try await client.info() }
    #expect(await client.nodeStates().isEmpty)
  }
}

@Suite("What is checked before sending")
struct EngineInputTests {
  private let client = CalimeroClient(CalimeroClientOptions(baseUrl: "https://nobody.invalid"))

  private func expectInvalid(_ body: () async throws -> Void) async {
    do {
      try await body()
      Issue.record("nothing was thrown")
    } catch CalimeroError.invalidInput {
    } catch {
      Issue.record("\(error)")
    }
  }

  @Test("a method's name, the arguments and the idempotency key have limits")
  func calls() async {
    await expectInvalid { _ = try await client.call("app_1", "") }
    await expectInvalid { _ = try await client.call("app_1", String(repeating: "m", count: 129)) }
    await expectInvalid { _ = try await client.call("app_1", "m", 1) }
    await expectInvalid { _ = try await client.view("app_1", "m", "text") }
    await expectInvalid { _ = try await client.call("", "m") }
    await expectInvalid { _ = try await client.call("..", "m") }
    for key in ["", "a b", "ä", String(repeating: "k", count: 65)] {
      await expectInvalid {
        _ = try await client.call("app_1", "m", options: CallOptions(idempotencyKey: key))
      }
    }
  }

  @Test("no time at all is no time limit", arguments: [0, -1, .nan] as [TimeInterval])
  func noTime(seconds: TimeInterval) async {
    let (none, call) = (RetryPolicy(deadline: seconds), RetryPolicy(callDeadline: seconds))
    await expectInvalid { _ = try await client.call("app_1", "m", options: CallOptions(timeout: seconds)) }
    await expectInvalid { _ = try await client.call("app_1", "m", options: CallOptions(retry: call)) }
    await expectInvalid { _ = try await client.view("app_1", "m", options: ViewOptions(timeout: seconds)) }
    await expectInvalid { _ = try await client.view("app_1", "m", options: ViewOptions(retry: none)) }
    await expectInvalid { _ = try await client.orgs.list(options: RequestOptions(timeout: seconds)) }
    #expect(await client.nodeStates().allSatisfy { $0.failures == 0 })
  }

  @Test(
    "a path of the caller's own stays below the node's URL",
    arguments: [
      "", "orgs", "//evil.example/x", "https://evil.example/x", "/a/../b", "/a/%2e%2E/b", "/..", "/a/./b",
      "/a b",
      "/a#b", "/ä", "/a\r\nb", "/%2e%2e%2fx", "/a\\b", "/%zz",
    ])
  func paths(path: String) async {
    await expectInvalid { _ = try await client.get(path) }
    await expectInvalid { _ = try await client.request(CalimeroRequest(path: path, query: ["a": "b"])) }
    await expectInvalid { for try await _ in client.stream(path) {} }
  }

  @Test(
    "segments cannot lead out of the node's URL either", arguments: [["..", "x"], [".", "x"], ["a", ".."]])
  func segments(_ segments: [String]) async {
    await expectInvalid { _ = try await client.post(segments) }
    await expectInvalid { _ = try await client.request(CalimeroRequest(segments: segments)) }
    await expectInvalid { for try await _ in client.stream(segments) {} }
  }

  @Test(
    "headers the client sets itself cannot be given",
    arguments: ["authorization", "X-Calimero-Confirm", "Host"])
  func headers(name: String) async {
    await expectInvalid {
      _ = try await client.request(CalimeroRequest(path: "/x", headers: [name: "v"]))
    }
  }

  @Test("a request of more than 64 MiB is not sent")
  func size() async {
    let body = Data(count: 64 << 20)
    await expectInvalid {
      _ = try await client.request(
        CalimeroRequest(method: .post, path: "/x", body: body, isAuthenticated: false))
    }
  }

  @Test("an API key that could end a header is refused")
  func apiKey() async {
    let client = CalimeroClient(CalimeroClientOptions(baseUrl: "https://nobody.invalid"))
    await client.useApiKey("a\nb")
    await expectInvalid { _ = try await client.get("/orgs") }
  }
}

@Suite("A node's attestation answer")
struct EngineAttestationClaimTests {
  private let node = URL(string: "https://node.example")!
  private let key = String(repeating: "ab", count: 32)
  private let cluster = String(repeating: "cd", count: 32)

  private func answer(_ change: (inout JSONObject) -> Void = { _ in }) -> JSONValue {
    var object: JSONObject = [
      "quoteB64": "TU9DSw==", "transportPublicKey": .string(key), "clusterId": .string(cluster),
      "release": "2.3.109",
    ]
    change(&object)
    return .object(object)
  }

  @Test("it is read bare and inside data")
  func forms() throws {
    for body in [answer(), ["data": answer()]] {
      let claim = try AttestationClaim(parsing: body.data(), node: node)
      #expect(claim.quote == Array("MOCK".utf8))
      #expect(claim.transportKey == [UInt8](repeating: 0xAB, count: 32))
      #expect(claim.clusterId == [UInt8](repeating: 0xCD, count: 32))
      #expect(claim.release == "2.3.109")
    }
  }

  @Test("whatever does not have its form is malformed, and nothing of it is used")
  func malformed() {
    let changes: [(inout JSONObject) -> Void] = [
      { $0["quoteB64"] = nil }, { $0["quoteB64"] = "" }, { $0["quoteB64"] = "%%%" }, { $0["quoteB64"] = 1 },
      { $0["transportPublicKey"] = nil }, { $0["transportPublicKey"] = "ab" },
      { $0["transportPublicKey"] = .string(String(repeating: "zz", count: 32)) },
      { $0["clusterId"] = nil }, { $0["clusterId"] = "" }, { $0["clusterId"] = .null },
    ]
    for change in changes {
      let error = #expect(throws: AttestationFailure.self) {
        try AttestationClaim(parsing: answer(change).data(), node: node)
      }
      #expect(error?.reason == .malformed)
    }
    for body in ["", "null", "[]", "{", "\u{FEFF}{}"] {
      #expect(throws: AttestationFailure.self) { try AttestationClaim(parsing: Data(body.utf8), node: node) }
    }
  }
}
