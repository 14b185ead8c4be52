import Foundation
import MeroHTTP
import MeroWire
import Testing

@testable import MeroKitTestSupport

/// The document holds both ways (70 §2.25): what does not fit it is found, whoever sent it.
@Suite("What is compared with the document")
struct AnswerCheckTests {
  private let checks = AnswerChecks(document: .shared)

  @Test("every kind of event that the document names has its shape, and no other kind has one")
  func kinds() throws {
    let root = try JSONValue(parsing: OpenAPIDocument.json)
    let kinds = (root["x-calimero-event-kinds"]?.arrayValue ?? []).compactMap { $0["kind"]?.stringValue }
    #expect(!kinds.isEmpty)
    #expect(Set(kinds) == Set(EventShapes.data.keys))
    #expect(Set(kinds) == Set(APIDocument.shared.eventData.keys))
  }

  @Test("a refusal is an ErrorBody, and the details of 412 and 428 are what the document names for them")
  func refusals() throws {
    func problem(_ status: Int, _ error: JSONObject) -> String? {
      checks.problem(ofRefusal: ["error": .object(error)], status: status)
    }
    let error: JSONObject = ["code": "C", "message": "m", "requestId": "r"]
    #expect(problem(404, error) == nil)
    #expect(problem(404, ["code": "C"]) == "error.message is missing")
    #expect(problem(404, error.with("retryAfterMs", "1")) == "error.retryAfterMs is not an integer")
    #expect(problem(404, error.with("hint", "x")) == "error.hint is not a field here")
    #expect(Set(APIDocument.shared.details.keys) == [412, 428])
    #expect(problem(412, error) == "error.details is missing")
    #expect(problem(428, error) == "error.details is missing")
    let signing: JSONObject = [
      "signingId": "sgn_1", "action": "ops_decision_vote", "issuedAt": 1, "expiresAt": 2,
      "nonce": .string(String(repeating: "ab", count: 32)), "summary": "approve deployer Acme",
    ]
    #expect(problem(428, error.with("details", .object(signing))) == nil)
    #expect(
      problem(428, error.with("details", .object(signing.with("nonce", 7))))
        == "error.details nonce is not a string")
    #expect(problem(412, error.with("details", .object(signing))) != nil)
  }

  @Test("bytes and streams are answers of those operations alone that the document gives them to")
  func shapes() throws {
    func operation(_ id: String) throws -> ServedOperation {
      try #require(APIDocument.shared.operations.first { $0.id == id })
    }
    let (file, stream) = (try operation("app_blob_get"), try operation("app_event_stream"))
    #expect(checks.problem(ofBytes: 200, for: file) == nil)
    #expect(checks.problem(ofBytes: 206, for: file) == nil)
    #expect(checks.problem(ofBytes: 416, for: file) != nil)
    #expect(checks.problem(ofBytes: 200, for: stream) != nil)
    #expect(checks.problem(ofStream: 200, for: stream) == nil)
    #expect(checks.problem(ofStream: 200, for: file) != nil)
    #expect(checks.problem(of: [:], status: 200, for: file) != nil)
  }

  @Test(
    "a frame of a stream is an AppEvent under its own kind and cursor, and the node's own kinds hold what is theirs"
  )
  func frames() {
    func problems(
      _ kind: String, _ data: String, id: String = "c1", event: String? = nil, more: String = ""
    ) -> [String] {
      let json =
        #"{"cursor":"c1","seq":1,"index":0,"kind":"\#(kind)","appId":"app_1","at":1,"data":\#(data)\#(more)}"#
      return checks.problems(ofFrames: Data("id: \(id)\nevent: \(event ?? kind)\ndata: \(json)\n\n".utf8))
    }
    #expect(checks.problems(ofFrames: Data(": still here\n\n".utf8)) == [])
    #expect(problems("Message", "[1]") == [])
    #expect(problems("Message", "1", id: "c2") == ["Message: the frame's id is not the event's cursor"])
    #expect(problems("Message", "1", event: "Other") == ["an event's frame names another kind than it has"])
    #expect(problems("Message", "1", more: #","tag":1"#) == ["an event: tag is not a field here"])
    #expect(checks.problems(ofFrames: Data("data: {\n\n".utf8)) == ["an event is not JSON"])
    #expect(checks.problems(ofFrames: Data("data: {}".utf8)) == ["a frame has no end"])
    #expect(problems("calimero.ready", #"{"seq":1}"#) == [])
    #expect(problems("calimero.ready", "{}") == ["calimero.ready: data seq is missing"])
    #expect(problems("calimero.new", "{}") == ["calimero.new is no kind of the document"])
    #expect(problems("calimero.job", "{}").count == 1)
    #expect(problems("calimero.deleted", "null") == [])
  }

  @Test("an event of a cluster's own that does not fit is a violation, once for each who reads it")
  func stream() async throws {
    let rig = try Rig(nodes: 1)
    let (token, app) = try await rig.appOf("ada")
    let response = try await rig.open(
      "GET", "/apps/\(app)/events/stream?cursor=oldest", token: token)
    let now = rig.cloud.store.now
    rig.cloud.store.withState { state in
      guard let record = state.apps[app] else { return }
      state.note("calimero.upgraded", ["from": "1.0.0"], in: record, by: nil, at: now)
      state.delete(record, by: nil, at: now)
    }
    _ = try await response.body.collect(upTo: 1 << 20)
    #expect(rig.cloud.violations == ["app_event_stream: calimero.upgraded: data to is missing"])
  }

  @Test("a request that does not fit is noted with what is wrong and without what it said")
  func requests() async throws {
    let rig = try Rig(nodes: 1)
    let session = try await rig.signUp("ada")
    let token = try #require(session["accessToken"]?.stringValue)
    #expect(rig.cloud.unfitRequests == [])
    try await rig.send("POST", "/orgs", #"{"name":"Acme","colour":"secret"}"#, token: token)
    try await rig.send("GET", "/orgs?limit=secret", token: token)
    // Who asks is looked at first; the request does not fit all the same.
    try await rig.send("POST", "/orgs", #"{"name":7}"#)
    try await rig.send("GET", "/secret", token: token)
    #expect(
      rig.cloud.unfitRequests == [
        "org_create: colour is not a field here", "org_list: limit cannot be read",
        "org_create: name is not a string", "GET: no operation of the document",
      ])
    rig.cloud.clearLog()
    #expect(rig.cloud.unfitRequests == [])
    #expect(rig.cloud.violations == [])
  }
}

extension JSONObject {
  fileprivate func with(_ name: String, _ value: JSONValue) -> JSONObject {
    var changed = self
    changed[name] = value
    return changed
  }
}
