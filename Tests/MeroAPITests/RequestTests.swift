import Foundation
import MeroAPI
import MeroWire
import Testing

@Suite("A generated request")
struct RequestTests {
  private static let unreserved = CharacterSet(
    charactersIn: "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~")

  private func encoded(_ text: String) throws -> String {
    try #require(text.addingPercentEncoding(withAllowedCharacters: Self.unreserved))
  }

  @Test("the samples cover every operation of the document, and so does the table")
  func complete() throws {
    let ids = try APIDocument().operations.map { $0.body["operationId"]?.stringValue }
    #expect(try Set(OperationSample.all().map(\.operation.id)) == Set(ids.compactMap { $0 }))
    #expect(APIOperation.all.map(\.id) == ids)
    #expect(ids.count == 103)
  }

  @Test(
    "70 §2.23: method, path, query, headers and body are the document's", arguments: try OperationSample.all()
  )
  func encodes(_ sample: OperationSample) throws {
    let document = try APIDocument()
    let (path, method, body) = try #require(document.operation(sample.operation.id))
    let request = try sample.input.request()
    #expect(request.operation == sample.operation)
    #expect(request.method.rawValue == method.uppercased())

    var expected: String = path
    for parameter in document.parameters(body, in: "path") {
      let name = try #require(parameter["name"]?.stringValue)
      expected = try expected.replacingOccurrences(of: "{\(name)}", with: encoded(value(of: parameter)))
    }
    let query = try document.parameters(body, in: "query").map {
      try encoded($0["name"]?.stringValue ?? "") + "=" + encoded(value(of: $0))
    }
    if !query.isEmpty { expected += "?" + query.joined(separator: "&") }
    #expect(request.path == expected)

    var headers: [String: String] = [:]
    for parameter in document.parameters(body, in: "header") {
      headers[try #require(parameter["name"]?.stringValue).lowercased()] = value(of: parameter)
    }
    headers["accept"] = accept(body)
    if let content = body["requestBody"]?["content"]?.objectValue?.keys.first {
      headers["content-type"] = content == "application/json" ? content : "image/png"
    }
    #expect(Dictionary(request.headers.map { ($0.name, $0.value) }) { $1 } == headers)

    if let json = document.bodySample(body) {
      let sent = try JSONValue(parsing: #require(request.body))
      #expect(sent == json)
      #expect(sent.text == json.text)
    } else {
      #expect(request.body == (body["requestBody"] == nil ? nil : OperationSample.bytes))
    }
    #expect(request.isKeyed == (body["x-calimero-retry-safe"]?.stringValue != nil))
  }

  /// What the samples set a parameter to.
  private func value(of parameter: JSONValue) -> String {
    switch parameter["schema"]?["type"]?.stringValue {
    case "integer": return "7"
    case "boolean": return "true"
    default: return OperationSample.text(parameter["name"]?.stringValue ?? "")
    }
  }

  private func accept(_ operation: JSONValue) -> String {
    for (status, response) in operation["responses"]?.objectValue ?? [:] where status.hasPrefix("2") {
      return response["content"]?.objectValue?.keys.first ?? "application/json"
    }
    return ""
  }

  @Test(
    "70 §2.23: the table says of each operation what the document says",
    arguments: APIOperation.all.map(\.id))
  func table(id: String) throws {
    let operation = try #require(APIOperation.named(id))
    let (path, method, body) = try #require(APIDocument().operation(operation.id))
    #expect(operation.pathTemplate == path)
    #expect(operation.httpMethod.rawValue == method.uppercased())
    #expect(operation.group == body["x-calimero-group"]?.stringValue)
    #expect(operation.name == body["x-calimero-method"]?.stringValue)
    #expect(Int64(operation.tier) == body["x-calimero-tier"]?.int64)
    let retrySafety: JSONValue
    switch operation.retrySafety {
    case .always: retrySafety = true
    case .never: retrySafety = false
    case .field(let name): retrySafety = .string(name)
    }
    #expect(retrySafety == body["x-calimero-retry-safe"])
    let stepUp: String?
    switch operation.stepUp {
    case .none: stepUp = nil
    case .conditional: stepUp = "conditional"
    case .always: stepUp = "always"
    }
    #expect(stepUp == body["x-calimero-step-up"]?.stringValue)
    #expect(operation.needsOperatorSignature == (body["x-calimero-operator"]?.boolValue ?? false))
    #expect(operation.isUnsealed == (body["x-calimero-unsealed"]?.boolValue ?? false))
    #expect(operation.isStream == (body["x-calimero-stream"] != nil))
    let schemes = (body["security"]?.arrayValue ?? []).flatMap { $0.objectValue?.keys ?? [] }
    #expect(operation.acceptsSession == schemes.contains("session"))
    #expect(operation.acceptsApiKey == schemes.contains("apiKey"))
    #expect(operation.scopes == (body["x-calimero-scopes"]?.arrayValue ?? []).compactMap(\.stringValue))
    #expect(operation.errorCodes == (body["x-calimero-errors"]?.arrayValue ?? []).compactMap(\.stringValue))
  }

  @Test("what is not set is not sent")
  func leftOut() throws {
    #expect(try Operations.OrgList.Input().request().path == "/orgs")
    #expect(try Operations.OrgList.Input(query: .init(limit: 5)).request().path == "/orgs?limit=5")
    #expect(try Operations.AuthSigninBegin.Input().request().body == Data("{}".utf8))
    let create = Operations.OrgCreate.Input(body: .json(.init(name: "Acme")))
    #expect(try create.request().body == Data(#"{"name":"Acme"}"#.utf8))
    #expect(try !create.request().isKeyed)
    let blob = Operations.AppBlobGet.Input(path: .init(app: "a", blob: "b"))
    #expect(try blob.request().headers["range"] == nil)
    #expect(try blob.request().body == nil)
  }

  @Test("a null is sent where a value may be any JSON, and numbers keep their digits")
  func anyValue() throws {
    let number = JSONValue.number(try #require(JSONNumber("340282366920938463463374607431768211455")))
    let call = Operations.AppCall.Input(
      path: .init(app: "a"), body: .json(.init(method: "m", args: ["n": number, "none": nil, "one": 1.0])))
    #expect(
      try call.request().body
        == Data(
          #"{"method":"m","args":{"n":340282366920938463463374607431768211455,"none":null,"one":1.0}}"#.utf8))
    let presence = Operations.AppPresenceSet.Input(
      path: .init(app: "a"), body: .json(.init(state: nil, version: UInt64.max)))
    #expect(try presence.request().body == Data(#"{"state":null,"version":18446744073709551615}"#.utf8))
  }

  @Test("a path parameter that would lead elsewhere is refused", arguments: ["", ".", ".."])
  func pathParameter(value: String) {
    #expect(throws: APIFailure.self) { try Operations.OrgGet.Input(path: .init(org: value)).request() }
    #expect(throws: APIFailure.self) {
      try Operations.OrgMemberRemove.Input(path: .init(org: "o", account: value)).request()
    }
  }

  @Test("a header value cannot write headers of its own", arguments: ["bytes=0-1\r\nx: y", "a\0", "a\u{7f}"])
  func headerInjection(value: String) {
    let ranged = Operations.AppBlobGet.Input(path: .init(app: "a", blob: "b"), headers: .init(range: value))
    #expect(throws: APIFailure.self) { try ranged.request() }
    let typed = Operations.AppBlobPut.Input(
      path: .init(app: "a"), body: .binary(Data(), contentType: value))
    #expect(throws: APIFailure.self) { try typed.request() }
  }
}
