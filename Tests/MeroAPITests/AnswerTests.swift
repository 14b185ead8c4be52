import Foundation
import MeroAPI
import MeroHTTP
import MeroWire
import Testing

@Suite("A generated answer")
struct AnswerTests {
  /// The document's names for the statuses of successes.
  private static let names = [
    200: "ok", 201: "created", 202: "accepted", 204: "noContent", 206: "partialContent",
  ]

  @Test(
    "70 §2.23: each status the document lists is a case with its body", arguments: try OperationSample.all())
  func decodes(_ sample: OperationSample) throws {
    guard let output = sample.output else { return #expect(sample.operation.isStream) }
    let document = try APIDocument()
    let (_, _, body) = try #require(document.operation(sample.operation.id))
    for (name, response) in body["responses"]?.objectValue ?? [:] {
      let status = try #require(Int(name))
      let content = document.resolved(response)["content"]
      let json = content?["application/json"]?["schema"].map(document.sample)
      let bytes = content == nil ? Data() : json?.data() ?? OperationSample.bytes
      let headers: HTTPHeaders = ["x-calimero-node": "node_1"]
      let answer = try output.init(response: APIResponse(status: status, headers: headers, body: bytes))

      let (label, value) = try #require(associated(answer))
      let refusal = response["$ref"]?.stringValue.map { String($0.split(separator: "/").last ?? "") }
      #expect(label == Self.names[status] ?? refusal.map { $0.prefix(1).lowercased() + $0.dropFirst() })
      #expect(member("headers", of: value) as? HTTPHeaders == headers)
      guard content != nil else { continue }
      let (kind, payload) = try #require(associated(member("body", of: value)))
      if let json {
        #expect(kind == "json")
        let encodable = try #require(payload as? any Encodable)
        #expect(try JSONValue(encoding: encodable).text == json.text)
      } else {
        #expect(kind == "binary")
        #expect(payload as? Data == bytes)
      }
    }
  }

  /// The case of an enumeration and what it carries.
  private func associated(_ value: Any?) -> (String, Any)? {
    value.flatMap { Mirror(reflecting: $0).children.first }.map { ($0.label ?? "", $0.value) }
  }

  private func member(_ name: String, of value: Any) -> Any? {
    Mirror(reflecting: value).children.first { $0.label == name }?.value
  }

  @Test("a status the document does not list keeps its body", arguments: [302, 418, 207])
  func undocumented(status: Int) throws {
    let body = Data("<html>".utf8)
    let answer = try Operations.OrgGet.Output(
      response: APIResponse(status: status, headers: ["location": "/x"], body: body))
    guard case .undocumented(let code, let payload) = answer else {
      Issue.record("\(answer)")
      return
    }
    #expect(code == status)
    #expect(payload == UndocumentedPayload(headers: ["location": "/x"], body: body))
  }

  @Test(
    "a refusal that is none of the node's keeps its body", arguments: ["<html>", "", #"{"error":"no"}"#, "{"])
  func notARefusal(text: String) throws {
    let answer = try Operations.OrgGet.Output(response: APIResponse(status: 503, body: Data(text.utf8)))
    guard case .undocumented(503, let payload) = answer else {
      Issue.record("\(answer)")
      return
    }
    #expect(payload.body == Data(text.utf8))
  }

  @Test("a refusal keeps code, message and details")
  func refusal() throws {
    let text =
      #"{"error":{"code":"NEW_CODE","message":"m","requestId":"r","details":{"n":9007199254740993}}}"#
    let answer = try Operations.OrgGet.Output(response: APIResponse(status: 409, body: Data(text.utf8)))
    guard case .undocumented(409, let payload) = answer else {
      Issue.record("org_get has no 409")
      return
    }
    #expect(payload.body == Data(text.utf8))
    let listed = try Operations.OrgCreate.Output(response: APIResponse(status: 409, body: Data(text.utf8)))
    guard case .conflict(let conflict) = listed else {
      Issue.record("\(listed)")
      return
    }
    #expect(conflict.body.json.error.code == "NEW_CODE")
    #expect(conflict.body.json.error.details?["n"]?.int64 == 9_007_199_254_740_993)
  }

  @Test("a success that does not fit says where, and never what was in it")
  func decoding() throws {
    let text =
      #"{"orgs":[{"orgId":"o","name":"secret","role":"owner","createdAt":"yesterday","memberCount":1}]}"#
    let error = #expect(throws: APIFailure.self) {
      _ = try Operations.OrgList.Output(response: APIResponse(status: 200, body: Data(text.utf8)))
    }
    guard case .decoding("org_list", let path, _)? = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(path == "orgs[0].createdAt")
    #expect(error?.description.contains("secret") == false)
    #expect(error?.description.contains("yesterday") == false)
  }

  @Test("fields a client does not know are passed over")
  func unknownFields() throws {
    let text = #"{"orgId":"o","name":"n","role":"owner","createdAt":1,"memberCount":1,"later":{"a":[1]}}"#
    let org = try JSONValue(parsing: text).decode(Components.Schemas.Org.self)
    #expect(org == Components.Schemas.Org(orgId: "o", name: "n", role: .owner, createdAt: 1, memberCount: 1))
  }

  @Test("70 §2.2: a word added later is kept, compared and sent back unchanged")
  func openWords() throws {
    let member = try JSONValue(
      parsing: #"{"accountId":"a","name":"n","role":"auditor","joinedAt":1}"#
    ).decode(Components.Schemas.OrgMember.self)
    #expect(member.role == Components.Schemas.OrgRole(rawValue: "auditor"))
    #expect(member.role != .owner)
    #expect(!Components.Schemas.OrgRole.known.contains(member.role))
    let update = Operations.OrgMemberUpdate.Input(
      path: .init(org: "o", account: "a"), body: .json(.init(role: member.role)))
    #expect(try update.request().body == Data(#"{"role":"auditor"}"#.utf8))
    #expect(try JSONValue(encoding: member)["role"] == "auditor")
  }

  @Test(
    "70 §2.3: numbers of an app's values keep their text",
    arguments: [
      "9007199254740993", "18446744073709551615", "-9223372036854775808",
      "340282366920938463463374607431768211455",
      "0.1", "1.0", "1E+2", "-0", "123456789012345678901234567890.123456789", "1e400",
    ])
  func exactNumbers(number: String) throws {
    let body = Data(#"{"result":{"n":\#(number)},"seq":18446744073709551615}"#.utf8)
    let answer = try Operations.AppView.Output(response: APIResponse(status: 200, body: body))
    guard case .ok(let ok) = answer else {
      Issue.record("\(answer)")
      return
    }
    #expect(ok.body.json.result["n"]?.numberValue?.text == number)
    #expect(ok.body.json.seq == UInt64.max)
    #expect(try JSONValue(encoding: ok.body.json).data() == body)
  }

  @Test("every schema reads and writes every field it has")
  func schemas() throws {
    let document = try APIDocument()
    let event = document.sample(["$ref": "#/components/schemas/AppEvent"])
    #expect(try JSONValue(encoding: event.decode(Components.Schemas.AppEvent.self)).text == event.text)
    let collateral = document.sample(["$ref": "#/components/schemas/Collateral"])
    #expect(
      try JSONValue(encoding: collateral.decode(Components.Schemas.Collateral.self)).text == collateral.text)
    let challenge = document.sample(["$ref": "#/components/schemas/ConfirmChallenge"])
    #expect(
      try JSONValue(encoding: challenge.decode(Components.Schemas.ConfirmChallenge.self)).text
        == challenge.text)
    let signing = document.sample(["$ref": "#/components/schemas/OperatorChallenge"])
    #expect(
      try JSONValue(encoding: signing.decode(Components.Schemas.OperatorChallenge.self)).text == signing.text)
  }
}
