import Foundation
import MeroAPI
import MeroHTTP
import MeroKitTestSupport
import MeroWire
import Testing

@testable import MeroKit

@Suite("Answers, errors and escape hatches")
struct EngineAnswerTests {
  /// What 70 §2.26 says must survive reading and writing as it stands.
  static let numbers = [
    "9007199254740993", "18446744073709551615", "-9223372036854775808",
    "340282366920938463463374607431768211455", "0.1", "1.0", "1E+2", "-0",
    "123456789012345678901234567890.123456789", "1e400",
  ]

  @Test(
    "70 §2.27 #23: numbers come through call, view, events and details as they were written",
    arguments: numbers)
  func exactNumbers(text: String) async throws {
    let rig = EngineRig()
    rig.cloud.register(.probe)
    let (client, app, _) = try await rig.member(package: "com.calimero.probe")
    let number = try #require(JSONNumber(text))
    let args: JSONValue = ["n": .number(number)]
    func written(_ value: JSONValue?) -> String? { value?["n"]?.numberValue?.text }
    #expect(written(try await client.call(app, "echo", args)) == text)
    #expect(written(try await client.view(app, "look", args)) == text)
    let events = try await client.get(["apps", app, "events"])
    #expect(written(events["events"]?.arrayValue?.last?["data"]) == text)
    let error = await calimeroError { _ = try await client.call(app, "fail", args) }
    guard case .api(let refusal) = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(refusal.code == .methodFailed)
    #expect(written(refusal.appError) == text)
  }

  struct Page: Codable, Hashable {
    var n: UInt64
    var d: Decimal
  }

  @Test("arguments and results of an app's own types are exact")
  func typed() async throws {
    let rig = EngineRig()
    rig.cloud.register(.probe)
    let (client, app, _) = try await rig.member(package: "com.calimero.probe")
    let page = Page(n: .max, d: Decimal(string: "0.1")!)
    #expect(try await client.call(app, "echo", page, as: Page.self) == page)
    #expect(try await client.view(app, "look", page, as: Page.self) == page)
    try await client.call(app, "put", ["a": 1], as: Void.self)
    let error = await calimeroError {
      _ = try await client.view(app, "look", ["n": -1, "d": 1], as: Page.self)
    }
    guard case .decoding(let failure) = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(failure.operation == "app_view")
    #expect(failure.path?.contains("n") == true)
  }

  @Test("70 §2.27 #24: every error code decodes to its constant", arguments: ErrorCode.table.keys.sorted())
  func codes(code: String) async throws {
    let rig = EngineRig(nodes: 1)
    let client = rig.client { $0.retry = .none }
    let entry = try #require(ErrorCode.table[code])
    rig.cloud.nodes[0].answer(
      entry.status, code, operation: "public_info", details: ["action": "public_info"])
    let error = await calimeroError { _ = try await client.info() }
    switch code {
    case "CONFIRM_REQUIRED": #expect(error == .confirm(.required(action: "public_info")))
    case "OPERATOR_SIGNATURE_REQUIRED":
      #expect(error == .operatorSignature(.required(action: "public_info")))
    default:
      guard case .api(let refusal) = error else {
        Issue.record("\(String(describing: error))")
        return
      }
      #expect(refusal.code == ErrorCode(code))
      #expect(refusal.status == entry.status)
      #expect(refusal.ran.rawValue == entry.ran)
      #expect(refusal.operation == "public_info")
      #expect(refusal.node?.port == 2501)
      #expect(refusal.requestId == rig.cloud.log.inner.first?.requestId)
    }
  }

  @Test("70 §2.27 #24: an unknown code is kept")
  func unknownCode() async {
    let rig = EngineRig(nodes: 1)
    let client = rig.client()
    rig.cloud.nodes[0].answer(418, "TEAPOT", operation: "public_info", message: "short and stout")
    let error = await calimeroError { _ = try await client.info() }
    #expect(error?.code?.rawValue == "TEAPOT")
    #expect(error?.mayHaveRun == false)
  }

  @Test("the generated client answers refusals, and 412 too as long as nobody is set to confirm")
  func generatedClient() async throws {
    let rig = EngineRig()
    let (client, _, org) = try await rig.member()
    guard case .notFound = try await client.api.orgGet(.init(path: .init(org: "org_none"))) else {
      Issue.record("not notFound")
      return
    }
    rig.cloud.nodes[0].answer(412, "CONFIRM_REQUIRED", operation: "org_delete", details: [:])
    guard case .confirmRequired = try await client.api.orgDelete(.init(path: .init(org: org))) else {
      Issue.record("not confirmRequired")
      return
    }
  }

  @Test("an answer that does not fit its type is a decoding error with the operation")
  func undecodable() async {
    let rig = EngineRig(nodes: 1)
    let client = rig.client()
    let request = APIRequest(operation: .publicInfo, method: .get, path: "/info")
    let response = APIResponse(status: 200, body: Data("{}".utf8))
    _ = client
    let error = await calimeroError {
      let _: Components.Schemas.ClusterInfo = try response.decoded(for: request)
    }
    guard case .decoding(let failure) = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(failure.operation == "public_info")
  }

  @Test("escape hatches are sealed, authenticated and answer JSON, or null for an empty body")
  func hatches() async throws {
    let rig = EngineRig()
    let (client, app, org) = try await rig.member()
    #expect(try await client.get("/orgs/\(org)")["name"]?.stringValue == "Acme")
    #expect(try await client.get(["orgs", org])["name"]?.stringValue == "Acme")
    let apps = try await client.get("/apps", query: ["org": org])
    #expect(apps["apps"]?.arrayValue?.first?["appId"]?.stringValue == app)
    let called = try await client.post(
      ["apps", app, "intents"], body: ["method": "send_message", "args": ["message": "hi"]])
    #expect(called["seq"]?.uint64 != nil)
    let error = await calimeroError { _ = try await client.get("/nothing/here") }
    #expect(error?.code == .notFound)
    #expect(rig.cloud.log.outer.allSatisfy { $0.isSealed })
  }

  @Test("request answers a refusal with its status, headers and bytes")
  func rawRequest() async throws {
    let rig = EngineRig()
    let (client, _, org) = try await rig.member()
    rig.cloud.nodes[0].answer(412, "CONFIRM_REQUIRED", operation: "org_delete", details: [:])
    let refused = try await client.request(CalimeroRequest(method: .delete, path: "/orgs/\(org)"))
    #expect(refused.status == 412)
    #expect(try JSONValue(parsing: refused.body)["error"]?["code"]?.stringValue == "CONFIRM_REQUIRED")
    #expect(refused.headers["x-calimero-node"] == rig.cloud.nodes[0].id)
    #expect(refused.node?.port == 2501)
    let anonymous = try await client.request(CalimeroRequest(path: "/orgs", isAuthenticated: false))
    #expect(anonymous.status == 401)
  }

  @Test("a stream of the caller's own yields events as they come and ends with its loop")
  func rawStream() async throws {
    let rig = EngineRig()
    let (client, app, _) = try await rig.member()
    for try await event in client.stream("/apps/\(app)/events/stream") {
      #expect(event.event == "calimero.ready")
      #expect(try JSONValue(parsing: event.data)["appId"]?.stringValue == app)
      break
    }
    let error = await calimeroError { for try await _ in client.stream("/apps/app_none/events/stream") {} }
    #expect(error?.code == .notFound)
  }

  @Test("the log tells each try and never a token or a body")
  func log() async throws {
    let rig = EngineRig()
    let (client, app, _) = try await rig.member()
    rig.cloud.nodes[0].answer(503, "OVERLOADED", operation: "app_call")
    _ = try await client.call(app, "send_message", ["message": "a secret message"])
    let events = rig.log.withLock { $0 }
    let tries = events.filter { $0.kind == .tryEnded && $0.operation == "app_call" }
    #expect(tries.map(\.attempt) == [1, 2])
    #expect(tries.map(\.status) == [503, 200])
    let text = events.map(\.description).joined(separator: "\n")
    #expect(!text.contains("secret"))
    #expect(!text.contains("cms_"))
    #expect(!text.contains("cmr_"))
  }

  @Test("an API key is sent instead of a session and never refreshed")
  func apiKey() async throws {
    let rig = EngineRig(nodes: 1)
    let store = MemorySessionStore()
    let (member, _, _) = try await rig.member { $0.sessionStore = store }
    let client = rig.client {
      $0.sessionStore = store
      $0.apiKey = "cmk_nobody"
    }
    #expect(await calimeroError { _ = try await client.orgs.list() }?.code == .unauthenticated)
    await client.useApiKey(nil)
    #expect(try await client.orgs.list().orgs.count == 1)
    _ = member
  }
}
