import Testing

@Suite("What the generator makes of each construct")
struct ConstructTests {
  private let small = SmallDocument()

  @Test(
    "each type of the document has its Swift type",
    arguments: [
      (#"{"type":"string"}"#, "String"), (#"{"type":"boolean"}"#, "Bool"),
      (#"{"type":"integer","format":"int32"}"#, "Int32"), (#"{"type":"integer","format":"int64"}"#, "Int64"),
      (#"{"type":"integer","format":"uint64"}"#, "UInt64"),
      (#"{"type":"number","format":"double"}"#, "Double"),
      (##"{"$ref":"#/components/schemas/AnyValue"}"##, "JSONValue"),
      (##"{"$ref":"#/components/schemas/ErrorBody","description":"d"}"##, "ErrorBody"),
      (#"{"type":"array","items":{"type":"array","items":{"type":"string"}}}"#, "[[String]]"),
      (#"{"type":"string","enum":["a","b"]}"#, "String"),
    ])
  func types(schema: String, type: String) throws {
    let document = small.property("extra", try .init(parsing: schema))
    let text = try document.text("MeroAPI/Generated/Schemas/ThingSchemas.swift")
    #expect(text.contains("public var extra: \(type)?\n"))
    #expect(text.contains("extra: \(type)? = nil"))
  }

  @Test("a required field is not optional and has no default")
  func required() throws {
    let text = try small.text("MeroAPI/Generated/Schemas/ThingSchemas.swift")
    #expect(text.contains("public struct Thing: Codable, Sendable, Hashable {"))
    #expect(text.contains("public init(name: String) {"))
  }

  @Test("a structure with a secret shows every other field, and one without is as it was")
  func secrets() throws {
    let document = small.property("refreshToken", ["type": "string"]).property("size", ["type": "boolean"])
    let text = try document.text("MeroAPI/Generated/Schemas/ThingSchemas.swift")
    #expect(text.contains("public struct Thing: Codable, Sendable, Hashable, SecretBearing {"))
    let shown =
      "var shown: [(label: String?, value: Any)] {\n      [(\"name\", name as Any), (\"size\", size as Any)]"
    #expect(text.contains(shown))
  }

  @Test("a named set of words is an open struct with a member for each, in the document's order")
  func words() throws {
    let document = small.schema(
      "Colour",
      [
        "type": "string", "description": "A colour.", "enum": ["red", "dark-blue", "default"],
        "x-calimero-enum-descriptions": ["red": "Like blood."],
      ])
    let text = try document.text("MeroAPI/Generated/Schemas/SharedSchemas.swift")
    #expect(text.contains("public struct Colour: RawRepresentable, Codable, Sendable, Hashable {"))
    #expect(text.contains("/// Like blood.\n    public static let red = Colour(rawValue: \"red\")"))
    #expect(text.contains("public static let darkBlue = Colour(rawValue: \"dark-blue\")"))
    #expect(text.contains("public static let `default` = Colour(rawValue: \"default\")"))
    #expect(text.contains("public static let known: [Colour] = [.red, .darkBlue, .default]"))
  }

  @Test("words of Swift are put in back-ticks")
  func keywords() throws {
    let text = try small.property("operator", ["type": "boolean"]).property("in", ["type": "string"])
      .text("MeroAPI/Generated/Schemas/ThingSchemas.swift")
    #expect(text.contains("public var `operator`: Bool?"))
    #expect(text.contains("operator: Bool? = nil"))
    #expect(text.contains("self.operator = `operator`"))
    #expect(text.contains("public var `in`: String?"))
  }

  @Test("a name with underscores is written in Swift's way and keeps its own on the wire")
  func underscores() throws {
    let text = try small.property("tcb_info_chain", ["type": "string"])
      .text("MeroAPI/Generated/Schemas/ThingSchemas.swift")
    #expect(text.contains("public var tcbInfoChain: String?"))
    #expect(text.contains("case tcbInfoChain = \"tcb_info_chain\""))
    #expect(text.contains("case name\n"))
  }

  @Test("what the document says is said again in the code")
  func documentation() throws {
    let text = try small.text()
    for words in [
      "Change a thing.", "Changes it.", "The thing's id.", "The new name.", "A thing.", "Its name.",
    ] {
      #expect(text.contains("/// \(words)") || text.contains(": \(words)"), "\(words)")
    }
    #expect(text.contains("these are its own: `NOT_FOUND`."))
    #expect(text.contains("/// 404: There is none.\n  public static let notFound = ErrorCode(\"NOT_FOUND\")"))
  }

  @Test("bounds and defaults are told, unless the description tells them")
  func bounds() throws {
    let text = try small.property(
      "count", ["type": "integer", "format": "int32", "minimum": 1, "maximum": 9, "default": 3]
    ).property("label", ["type": "string", "maxLength": 80, "description": "Up to 80 characters."])
      .property("note", ["type": "string", "maxLength": 70]).text()
    #expect(text.contains("/// From 1 to 9. Left out it is `3`."))
    #expect(text.contains("/// At most 70 characters."))
    #expect(!text.contains("At most 80 characters."))
  }

  @Test("the facade's arguments stand in the order of the specification")
  func order() throws {
    let parameters = SmallDocument.operation + ["parameters"]
    var document = small.setting(
      parameters,
      [
        ["name": "filter", "in": "query", "required": false, "schema": ["type": "string"]],
        ["name": "org", "in": "query", "required": true, "schema": ["type": "string"]],
        [
          "name": "x-calimero-min-seq", "in": "header", "required": false,
          "schema": ["type": "integer", "format": "uint64"],
        ],
        ["name": "thing", "in": "path", "required": true, "schema": ["type": "string"]],
        ["$ref": "#/components/parameters/Confirm"],
      ])
    document = document.setting(SmallDocument.operation + ["x-calimero-step-up"], "always")
    document = document.setting(SmallDocument.operation + ["x-calimero-operator"], true)
    let text = try document.text("MeroKit/Api/Generated/ThingsFacade.swift")
    let signature = """
          public func change(
            thing: String,
            name: String,
            org: String,
            key: String? = nil,
            filter: String? = nil,
            minSeq: UInt64? = nil,
            passkey: (any PasskeyProvider)? = nil,
            operatorSigner: (any OperatorSigner)? = nil,
            options: RequestOptions = .init()
          ) async throws -> Components.Schemas.Thing {
      """
    #expect(text.contains(signature))
  }

  @Test("only what may be asked for a passkey or a signature takes one")
  func proofs() throws {
    let plain = try small.text("MeroKit/Api/Generated/ThingsFacade.swift")
    #expect(!plain.contains("passkey"))
    #expect(!plain.contains("operatorSigner"))
    let confirmed = try small.setting(SmallDocument.operation + ["x-calimero-step-up"], "conditional")
      .setting(SmallDocument.operation + ["x-calimero-step-up-when"], "It is large.")
      .text("MeroKit/Api/Generated/ThingsFacade.swift")
    #expect(confirmed.contains("passkey: (any PasskeyProvider)? = nil"))
    #expect(confirmed.contains("It is large."))
    #expect(!confirmed.contains("operatorSigner"))
  }

  @Test("a path parameter called passkey keeps its label beside the passkey that confirms")
  func sameLabel() throws {
    let document = small.setting(["paths", "/things/{thing}"], nil).setting(
      ["paths", "/things/{passkey}"],
      [
        "delete": [
          "operationId": "thing_remove", "x-calimero-group": "things", "x-calimero-method": "remove",
          "x-calimero-retry-safe": false, "x-calimero-tier": 1, "x-calimero-step-up": "always",
          "parameters": [
            ["name": "passkey", "in": "path", "required": true, "schema": ["type": "string"]]
          ],
          "responses": ["204": ["description": "Gone."]],
        ]
      ])
    let text = try document.text("MeroKit/Api/Generated/ThingsFacade.swift")
    #expect(text.contains("passkey: String,"))
    #expect(text.contains("passkey provider: (any PasskeyProvider)? = nil,"))
    #expect(text.contains("try await caller.nothing(input, passkey: provider, options: options)"))
  }

  @Test("a binary body is data with a content type, and a binary answer is data")
  func binary() throws {
    let bytes: String = #"{"application/octet-stream":{"schema":{"type":"string","format":"binary"}}}"#
    let document = small.setting(
      SmallDocument.operation + ["requestBody", "content"], try .init(parsing: bytes)
    ).setting(SmallDocument.operation + ["responses", "200", "content"], try .init(parsing: bytes))
    let text = try document.text("MeroKit/Api/Generated/ThingsFacade.swift")
    #expect(text.contains("body: Data,"))
    #expect(text.contains("contentType: String = \"application/octet-stream\","))
    #expect(text.contains(") async throws -> Data {"))
    #expect(
      try document.text().contains("case binary(Data, contentType: String = \"application/octet-stream\")"))
  }

  @Test("a stream has an input and neither an output nor methods")
  func stream() throws {
    let document = small.setting(SmallDocument.operation + ["x-calimero-stream"], "sse").setting(
      SmallDocument.operation + ["responses", "200", "content"],
      ["text/event-stream": ["schema": ["$ref": "#/components/schemas/Thing"]]])
    let text = try document.text("MeroAPI/Generated/Operations/Things/ThingChange.swift")
    #expect(text.contains("public struct Input"))
    #expect(text.contains("accept: \"text/event-stream\""))
    #expect(text.contains("isStream: true"))
    #expect(!text.contains("Output"))
    #expect(try document.text("MeroAPI/Generated/Clients/ThingsClient.swift").isEmpty)
    #expect(try document.text("MeroKit/Api/Generated/ThingsFacade.swift").isEmpty)
  }

  @Test("a deprecated operation is deprecated in client and facade")
  func deprecated() throws {
    let document = small.setting(SmallDocument.operation + ["deprecated"], true)
    for file in ["MeroAPI/Generated/Clients/ThingsClient.swift", "MeroKit/Api/Generated/ThingsFacade.swift"] {
      #expect(try document.text(file).contains("@available(*, deprecated)\n"))
      #expect(try !small.text(file).contains("@available"))
    }
  }

  @Test("a listing in pages has a sequence over all its items")
  func pages() throws {
    let document = small.schema(
      "ThingList",
      [
        "type": "object", "required": ["things"],
        "properties": [
          "things": ["type": "array", "items": ["$ref": "#/components/schemas/Thing"]],
          "nextCursor": ["type": "string"],
        ],
      ]
    ).setting(
      ["paths", "/things"],
      [
        "get": [
          "operationId": "thing_list", "x-calimero-group": "things", "x-calimero-method": "partList",
          "x-calimero-retry-safe": true, "x-calimero-tier": 1,
          "parameters": [
            ["name": "kind", "in": "query", "required": false, "schema": ["type": "string"]],
            ["name": "cursor", "in": "query", "required": false, "schema": ["type": "string"]],
            [
              "name": "limit", "in": "query", "required": false,
              "schema": ["type": "integer", "format": "int32"],
            ],
          ],
          "responses": [
            "200": [
              "description": "A page.",
              "content": ["application/json": ["schema": ["$ref": "#/components/schemas/ThingList"]]],
            ]
          ],
        ]
      ])
    let text = try document.text("MeroKit/Api/Generated/ThingsFacade.swift")
    #expect(text.contains("public func partAll("))
    #expect(text.contains(") -> Pages<Components.Schemas.Thing> {"))
    #expect(text.contains("partList(kind: kind, cursor: cursor, limit: pageLimit, options: options)"))
    #expect(text.contains("return (page.things, page.nextCursor)"))
  }

  @Test("the field that makes a repeat safe marks the request")
  func keyed() throws {
    let document = small.setting(SmallDocument.operation + ["x-calimero-retry-safe"], "key")
    let text = try document.text("MeroAPI/Generated/Operations/Things/ThingChange.swift")
    #expect(text.contains("retrySafety: .field(\"key\")"))
    #expect(text.contains("request.isKeyed = payload.key != nil"))
  }

  @Test("the document for the fake keeps a property called summary and loses what only a reader needs")
  func bareDocument() throws {
    let text = try small.property(
      "summary", ["type": "string", "example": "An example.", "description": "d"]
    )
    .text("MeroKitTestSupport/Generated/OpenAPIDocument.swift")
    #expect(text.contains(#""summary":{"type":"string"}"#))
    for word in ["\"description\"", "\"example\"", "Change a thing"] { #expect(!text.contains(word)) }
  }

  @Test("a text that would end the string literal is fenced")
  func fence() throws {
    let text = try small.setting(["info", "title"], "\"#").text(
      "MeroKitTestSupport/Generated/OpenAPIDocument.swift")
    #expect(text.contains("##\"{"))
    #expect(text.contains("}\"##"))
  }
}
