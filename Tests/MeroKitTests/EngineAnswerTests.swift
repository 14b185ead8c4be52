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
    for try await event in client.events(app, from: .oldest, kinds: ["Echoed"]) {
      #expect(written(event.data) == text)
      break
    }
    let error = await calimeroError { _ = try await client.call(app, "fail", args) }
    guard case .api(let refusal) = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(refusal.code == .methodFailed)
    #expect(written(refusal.appError) == text)
    #expect(written(refusal.details?["error"]) == text)
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
    #expect(try await client.callOutcome(app, "echo", page).result.decode(Page.self) == page)
    #expect(try await client.viewOutcome(app, "look", page).result.decode(Page.self) == page)
    #expect(try await client.call(app, "echo", page).decode(Page.self) == page)
    #expect(try await client.view(app, "look", page).decode(Page.self) == page)
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

  @Test("a result that nobody wants is not read, whatever it is")
  func ignored() async throws {
    let rig = EngineRig()
    rig.cloud.register(.probe)
    let (client, app, _) = try await rig.member(package: "com.calimero.probe")
    let page = Page(n: 1, d: 2)
    try await client.call(app, "put", ["a": 1], as: Void.self)
    try await client.call(app, "echo", page, as: Void.self)
    try await client.view(app, "look", ["a": 1], as: Void.self)
    try await client.view(app, "look", page, as: Void.self)
    #expect(rig.cloud.log.requests("app_call").count == 2)
    #expect(rig.cloud.log.requests("app_view").count == 2)
    let error = await calimeroError { try await client.view(app, "nothing_of_the_kind", page, as: Void.self) }
    #expect(error?.code == .methodNotFound)
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

  @Test("JSON is read within the limits of JSON, whatever the node calls its answer")
  func limitsByRequest() async throws {
    let rig = EngineRig(nodes: 1)
    let (client, _, _) = try await rig.member()
    let (chunk, sent) = (Data(repeating: 0x20, count: 1 << 20), Locked(0))
    rig.cloud.nodes[0].replaceAnswers { operation in
      guard operation == "org_list" else { return nil }
      let body = HTTPBody(next: {
        let count = sent.withLock { count in
          count += 1
          return count
        }
        return count <= 40 ? chunk : nil
      })
      return HTTPResponse(status: 200, headers: ["content-type": "application/octet-stream"], body: body)
    }
    let error = await calimeroError { _ = try await client.orgs.list() }
    guard case .decoding(let failure)? = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(failure.isTooLarge)
    #expect(sent.withLock { $0 } < 40)
  }

  @Test("JSON that comes a byte at a time ends with the try, whatever the node calls it")
  func timeByRequest() async throws {
    let rig = EngineRig(nodes: 1)
    let (client, _, _) = try await rig.member { $0.retry = .none }
    let clock = rig.clock.clock
    let hasBegun = Gate()
    rig.cloud.nodes[0].replaceAnswers { operation in
      guard operation == "org_list" else { return nil }
      let body = HTTPBody(next: {
        hasBegun.open()
        try await clock.sleep(7)
        return Data([0x20])
      })
      return HTTPResponse(status: 200, headers: ["content-type": "application/octet-stream"], body: body)
    }
    let end = Locked<CalimeroError?>(nil)
    let list = Task {
      let error = await calimeroError { _ = try await client.orgs.list() }
      end.withLock { $0 = error }
    }
    try await hasBegun.wait()
    for _ in 0..<100 where end.withLock({ $0 == nil }) { await rig.clock.advance(by: 5) }
    list.cancel()
    await list.value
    #expect(end.withLock { if case .unknownOutcome? = $0 { true } else { false } })
  }

  @Test("a log has a line for a try with its status once, and a refusal's code")
  func logLines() async throws {
    let rig = EngineRig(nodes: 1)
    let (client, _, org) = try await rig.member()
    rig.log.withLock { $0 = [] }
    _ = try await client.orgs.get(org: org)
    _ = await calimeroError { _ = try await client.orgs.get(org: "org_none") }
    let lines = rig.log.withLock { $0 }.filter { $0.kind == .tryEnded }
    let parts = lines.map { $0.description.components(separatedBy: " · ") }
    let start = ["tryEnded", "org_get", "try 1", "at \(rig.cloud.urls[0])"]
    #expect(
      parts == [
        start + ["200", "0.000 s", "request \(lines[0].requestId ?? "")"],
        start + ["404", "0.000 s", "NOT_FOUND", "request \(lines[1].requestId ?? "")"],
      ])
  }

  @Test("every escape hatch takes segments and a query, which the client encodes")
  func segments() async throws {
    let rig = EngineRig(nodes: 1)
    let (client, app, org) = try await rig.member()
    let (segments, query) = (["x", "a/b ü"], ["q": "1 & 2", "a": "?"])
    let path = "/x/a%2Fb%20%C3%BC?a=%3F&q=1%20%26%202"
    for request: () async throws -> Void in [
      { _ = try await client.get(segments, query: query) },
      { _ = try await client.post(segments, query: query) },
      { _ = try await client.put(segments, query: query, body: [:]) },
      { _ = try await client.patch(segments, query: query, body: [:]) },
      { try await client.delete(segments, query: query) },
      { _ = try await client.postConfirmed(segments, query: query) },
      { _ = try await client.postSigned(segments, query: query) },
      { for try await _ in client.stream(segments, query: query) {} },
    ] { #expect(await calimeroError(request)?.code == .notFound) }
    #expect(try await client.request(CalimeroRequest(segments: segments, query: query)).status == 404)
    #expect(
      rig.cloud.log.inner.map(\.method)
        == ["GET", "POST", "PUT", "PATCH", "DELETE", "POST", "POST", "GET", "GET"])
    #expect(rig.cloud.log.inner.allSatisfy { $0.path == path })
    var events = client.stream(["apps", app, "events", "stream"]).makeAsyncIterator()
    #expect(try await events.next()?.event == "calimero.ready")
    _ = await calimeroError { _ = try await client.get("/orgs?limit=1", query: ["cursor": "x"]) }
    #expect(rig.cloud.log.inner.last?.path == "/orgs?limit=1&cursor=x")
    #expect(try await client.request(CalimeroRequest(path: "/orgs/\(org)")).status == 200)
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
