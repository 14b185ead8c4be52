import APIGenerator
import Foundation
import MeroWire
import Testing

@Suite("What the generator does not understand")
struct RefusalTests {
  /// A change to the small document, and the place and words of the refusal it leads to.
  struct Case: Sendable, CustomTestStringConvertible {
    let way: [String]
    let value: JSONValue?
    let place: String
    let reason: String
    var testDescription: String { reason }

    init(_ way: [String], _ value: JSONValue?, at place: String, _ reason: String) {
      self.way = way
      self.value = value
      self.place = place
      self.reason = reason
    }
  }

  private static let operation = SmallDocument.operation
  private static let extra = SmallDocument.thing + ["properties", "extra"]
  private static let extraPlace = "components.schemas.Thing.properties.extra"
  private static let place = "paths./things/{thing}.post"

  private static let schemaCases: [Case] = [
    Case(extra, ["oneOf": []], at: extraPlace, "\"oneOf\" is not understood"),
    Case(extra, ["type": "string", "nullable": true], at: extraPlace, "\"nullable\" is not understood"),
    Case(extra, ["type": "integer"], at: extraPlace, "\"integer\" without a format"),
    Case(extra, ["type": "number", "format": "float"], at: extraPlace, "with the format \"float\""),
    Case(extra, ["type": "string", "format": "date-time"], at: extraPlace, "with the format \"date-time\""),
    Case(extra, ["type": ["string", "null"]], at: extraPlace + ".type", "a string is expected"),
    Case(extra, ["type": "object"], at: extraPlace, "has to be a named schema"),
    Case(extra, ["type": "array"], at: extraPlace, "\"items\" is missing"),
    Case(extra, ["type": "string", "items": ["type": "string"]], at: extraPlace, "only an array has items"),
    Case(extra, ["$ref": "other.json"], at: extraPlace + ".$ref", "a reference into"),
    Case(
      extra, ["$ref": "#/components/schemas/Nothing"], at: "components.schemas.Thing.extra",
      "there is no schema \"Nothing\""),
    Case(
      extra, ["$ref": "#/components/schemas/ErrorBody", "default": 1], at: extraPlace + ".default",
      "cannot stand beside a reference"),
    Case(
      extra, ["$ref": "#/components/schemas/Thing"], at: "components.schemas.Thing", "it holds itself"),
    Case(
      SmallDocument.thing + ["properties", "9"], ["type": "string"],
      at: "components.schemas.Thing.properties.9", "cannot be a Swift name"),
    Case(
      SmallDocument.thing + ["required"], ["name", "other"], at: "components.schemas.Thing",
      "\"other\" is required and no property"),
    Case(
      SmallDocument.thing + ["allOf"], [], at: "components.schemas.Thing", "\"allOf\" is not understood"),
    Case(
      ["components", "schemas", "String"], ["type": "string"], at: "components.schemas.String",
      "hides a type of Swift"),
    Case(
      ["components", "schemas", "thing"], ["type": "string"], at: "components.schemas.thing",
      "begin with a capital"),
    Case(
      ["components", "schemas", "Any"], [:], at: "components.schemas.Any", "only AnyValue may have no type"),
    Case(
      ["components", "schemas", "Number"], ["type": "integer", "format": "int32"],
      at: "components.schemas.Number.type", "an object or a string"),
    Case(
      ["components", "schemas", "Word"], ["type": "string", "enum": ["a-b", "a_b"]],
      at: "components.schemas.Word.enum[1]", "a Swift name of its own"),
    Case(
      ["components", "schemas", "Word"],
      ["type": "string", "enum": ["a"], "x-calimero-enum-descriptions": ["b": "?"]],
      at: "components.schemas.Word.x-calimero-enum-descriptions.b", "described and no value"),
  ]

  private static let operationCases: [Case] = [
    Case(["openapi"], "3.0.3", at: "openapi", "OpenAPI 3.1 is expected"),
    Case(["webhooks"], [:], at: "", "\"webhooks\" is not understood"),
    Case(
      ["paths", "/things/{thing}", "head"], [:], at: "paths./things/{thing}", "\"head\" is not understood"),
    Case(operation + ["x-calimero-new"], true, at: place, "\"x-calimero-new\" is not understood"),
    Case(operation + ["operationId"], nil, at: place, "\"operationId\" is missing"),
    Case(operation + ["x-calimero-group"], "none", at: place, "no group \"none\""),
    Case(
      operation + ["x-calimero-method"], "a b", at: place + ".x-calimero-method", "cannot be a Swift name"),
    Case(operation + ["x-calimero-stream"], "ws", at: place + ".x-calimero-stream", "only sse"),
    Case(operation + ["x-calimero-stream"], "sse", at: place, "a stream is text/event-stream"),
    Case(operation + ["x-calimero-step-up"], "often", at: place, "always or conditional"),
    Case(operation + ["x-calimero-retry-safe"], "other", at: place, "no optional field \"other\""),
    Case(operation + ["x-calimero-retry-safe"], "name", at: place, "no optional field \"name\""),
    Case(operation + ["x-calimero-errors"], ["LOST"], at: place, "has no LOST"),
    Case(operation + ["x-calimero-scopes"], ["all"], at: place, "has no all"),
    Case(operation + ["x-calimero-tier"], "1", at: place + ".x-calimero-tier", "an integer is expected"),
    Case(
      operation + ["security"], [["basic": []]], at: place + ".security[0]", "\"basic\" is not understood"),
    Case(operation + ["parameters"], [], at: place, "are not the same"),
    Case(operation + ["responses", "200"], nil, at: place + ".responses", "a success is missing"),
    Case(operation + ["responses", "default"], [:], at: place + ".responses.default", "three digits"),
    Case(
      operation + ["responses", "203"], ["description": ""], at: place + ".responses.203", "has no name here"),
    Case(
      operation + ["responses", "201"], ["description": ""], at: place + ".responses", "the same content"),
    Case(
      operation + ["responses", "409"], ["description": "inline"], at: place + ".responses.409",
      "\"description\" is not understood"),
    Case(
      operation + ["responses", "409"], ["$ref": "#/components/responses/Conflict"],
      at: place + ".responses.409", "no response \"Conflict\""),
    Case(
      operation + ["responses", "410"], ["$ref": "#/components/responses/NotFound"],
      at: place + ".responses", "two statuses share"),
    Case(
      operation + ["responses", "200", "content"], ["text/html": [:]], at: place + ".responses.200.content",
      "\"text/html\" is not understood"),
    Case(
      operation + ["responses", "200", "content", "application/json", "schema"], ["type": "string"],
      at: place + ".responses.200.content.application/json.schema", "\"type\" is not understood"),
    Case(
      operation + ["requestBody", "required"], false, at: place + ".requestBody", "has to be required"),
    Case(
      operation + ["requestBody", "content"], ["multipart/form-data": [:]],
      at: place + ".requestBody.content",
      "\"multipart/form-data\" is not understood"),
    Case(
      SmallDocument.body + ["properties", "thing"], ["type": "string"], at: place, "two arguments"),
    Case(
      SmallDocument.body + ["properties", "inner"], ["type": "object", "properties": [:]],
      at: place + ".requestBody.content.application/json.schema.properties.inner", "not understood"),
  ]

  private static func parameter(_ value: JSONValue, _ reason: String) -> Case {
    var parameter: JSONObject = [
      "name": "thing", "in": "path", "required": true, "schema": ["type": "string"],
    ]
    for (name, member) in value.objectValue ?? [:] { parameter[name] = member }
    return Case(operation + ["parameters"], [.object(parameter)], at: place + ".parameters[0]", reason)
  }

  private static let parameterCases: [Case] = [
    parameter(["in": "cookie"], "in the path, the query or a header"),
    parameter(["required": false], "always required"),
    parameter(["style": "matrix"], "\"style\" is not understood"),
    parameter(
      ["schema": ["type": "array", "items": ["type": "string"]]], "cannot be an array or a fraction"),
    parameter(["schema": ["type": "number", "format": "double"]], "cannot be an array or a fraction"),
    parameter(["schema": ["$ref": "#/components/schemas/Thing"]], "only name a set of words"),
    Case(
      operation + ["parameters"], [["$ref": "#/components/parameters/Nothing"]], at: place + ".parameters[0]",
      "no parameter \"Nothing\""),
  ]

  @Test("is refused with its place", arguments: schemaCases + operationCases + parameterCases)
  func refused(_ change: Case) {
    let document = SmallDocument().setting(change.way, change.value)
    let error = #expect(throws: GeneratorError.self) { _ = try document.files() }
    #expect(error?.reason.contains(change.reason) == true, "\(error?.description ?? "")")
    #expect(error?.place.hasPrefix(change.place) == true, "\(error?.description ?? "")")
  }

  @Test("two properties that Swift cannot tell apart are refused")
  func sameProperty() {
    let document = SmallDocument().property("na_me", ["type": "string"]).property("naMe", ["type": "string"])
    let error = #expect(throws: GeneratorError.self) { _ = try document.files() }
    #expect(error?.reason.contains("the same Swift name") == true)
  }

  @Test("two operations of one name, or one method twice in a group, are refused")
  func sameOperation() throws {
    let document = SmallDocument()
    let operation = try #require(document.json["paths"]?["/things/{thing}"]?["post"])
    let same = document.setting(["paths", "/things/{thing}", "put"], operation)
    var error = #expect(throws: GeneratorError.self) { _ = try same.files() }
    #expect(error?.reason.contains("another operation is called thing_change") == true)

    let method = same.setting(["paths", "/things/{thing}", "put", "operationId"], "thing_put")
    error = #expect(throws: GeneratorError.self) { _ = try method.files() }
    #expect(error?.reason.contains("another operation is things.change") == true)
  }

  @Test("a parameter that is only part of a segment is refused")
  func partOfSegment() throws {
    let document = SmallDocument()
    let operation = try #require(document.json["paths"]?["/things/{thing}"]?["post"])
    let other = document.setting(["paths"], ["/things/{thing}.json": ["post": operation]])
    let error = #expect(throws: GeneratorError.self) { _ = try other.files() }
    #expect(error?.reason.contains("a whole segment") == true)
  }

  @Test("refusals of different bodies are refused")
  func refusalBodies() {
    let document = SmallDocument().setting(
      ["components", "responses", "Other"],
      ["content": ["application/json": ["schema": ["$ref": "#/components/schemas/Thing"]]]])
    let error = #expect(throws: GeneratorError.self) { _ = try document.files() }
    #expect(error?.place == "components.responses.Other")
    #expect(error?.reason == "all refusals have to have the same body.")
  }

  @Test("an extension that is not Calimero's is passed over")
  func foreignExtension() throws {
    let document = SmallDocument().setting(SmallDocument.operation + ["x-other"], ["anything": 1])
    #expect(
      try document.setting(SmallDocument.operation + ["x-other"], nil).text(
        "MeroKit/Api/Generated/ThingsFacade.swift")
        == document.text("MeroKit/Api/Generated/ThingsFacade.swift"))
  }

  @Test("what is no JSON is refused as such")
  func noJSON() {
    let error = #expect(throws: GeneratorError.self) { _ = try Generator.files(for: Data("{".utf8)) }
    #expect(error?.reason.hasPrefix("not JSON") == true)
  }

  @Test("a value of the wrong kind is refused wherever it stands, and nothing crashes")
  func anyValueAnywhere() throws {
    let document = SmallDocument()
    let values: [JSONValue] = [nil, 7, "word", [], [:], [[:]], true]
    for (index, way) in ways(in: document.json, []).enumerated() {
      for value in [values[index % 7], values[(index + 3) % 7]] {
        do {
          _ = try document.setting(way, value).files()
        } catch is GeneratorError {}
      }
    }
  }

  private func ways(in value: JSONValue, _ way: [String]) -> [[String]] {
    guard let object = value.objectValue else { return [way] }
    return (way.isEmpty ? [] : [way]) + object.flatMap { ways(in: $0.value, way + [$0.key]) }
  }
}
