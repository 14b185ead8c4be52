import APIGenerator
import Foundation
import MeroWire

/// A document of one operation that is whole in itself, for tests to change in one place.
struct SmallDocument {
  var json: JSONValue = [
    "openapi": "3.1.0",
    "info": ["title": "t", "version": "1"],
    "security": [["session": []]],
    "x-calimero-groups": [
      ["group": "things", "facade": "things"], ["group": "public", "facade": "publicApi"],
    ],
    "x-calimero-error-codes": [
      ["code": "NOT_FOUND", "status": 404, "description": "There is none.", "ran": "no"]
    ],
    "x-calimero-scopes": [["scope": "things:read", "description": "See things."]],
    "x-calimero-event-kinds": [["kind": "calimero.ready", "description": "It stands."]],
    "components": [
      "securitySchemes": ["session": ["type": "http"]],
      "parameters": [
        "Confirm": [
          "name": "x-calimero-confirm", "in": "header", "required": false, "schema": ["type": "string"],
        ]
      ],
      "responses": [
        "NotFound": [
          "description": "There is no such thing.",
          "content": ["application/json": ["schema": ["$ref": "#/components/schemas/ErrorBody"]]],
        ]
      ],
      "schemas": [
        "AnyValue": ["description": "Any value."],
        "ErrorBody": [
          "type": "object", "description": "A refusal.", "required": ["code"],
          "properties": ["code": ["type": "string", "description": "The code."]],
        ],
        "Thing": [
          "type": "object", "description": "A thing.", "required": ["name"],
          "properties": ["name": ["type": "string", "description": "Its name."]],
        ],
      ],
    ],
    "paths": [
      "/things/{thing}": [
        "post": [
          "operationId": "thing_change", "summary": "Change a thing", "description": "Changes it.",
          "x-calimero-group": "things", "x-calimero-method": "change", "x-calimero-retry-safe": false,
          "x-calimero-tier": 1, "x-calimero-errors": ["NOT_FOUND"], "x-calimero-scopes": ["things:read"],
          "parameters": [
            [
              "name": "thing", "in": "path", "required": true, "description": "The thing's id.",
              "schema": ["type": "string"],
            ]
          ],
          "requestBody": [
            "required": true,
            "content": [
              "application/json": [
                "schema": [
                  "type": "object", "description": "The change.", "required": ["name"],
                  "properties": [
                    "name": ["type": "string", "description": "The new name."],
                    "key": ["type": "string", "description": "Makes a repeat safe."],
                  ],
                ]
              ]
            ],
          ],
          "responses": [
            "200": [
              "description": "It is done.",
              "content": ["application/json": ["schema": ["$ref": "#/components/schemas/Thing"]]],
            ],
            "404": ["$ref": "#/components/responses/NotFound"],
          ],
        ]
      ]
    ],
  ]

  static let operation: [String] = ["paths", "/things/{thing}", "post"]
  static let thing: [String] = ["components", "schemas", "Thing"]
  static let body: [String] = operation + ["requestBody", "content", "application/json", "schema"]

  /// The document with the value at a way of names set, or removed when it is nil.
  func setting(_ way: [String], _ value: JSONValue?) -> SmallDocument {
    var copy = self
    copy.json = SmallDocument.set(json, way[...], value)
    return copy
  }

  /// The document with another schema.
  func schema(_ name: String, _ value: JSONValue) -> SmallDocument {
    setting(["components", "schemas", name], value)
  }

  /// The document with another property of `Thing`.
  func property(_ name: String, _ value: JSONValue) -> SmallDocument {
    setting(SmallDocument.thing + ["properties", name], value)
  }

  func files() throws -> [GeneratedFile] { try Generator.files(for: json.data()) }

  /// What is written at a path, below `Sources`.
  func text(_ path: String) throws -> String {
    try files().first { $0.path == "Sources/" + path }?.text ?? ""
  }

  /// All that is written.
  func text() throws -> String { try files().map(\.text).joined(separator: "\n") }

  private static func set(_ value: JSONValue, _ way: ArraySlice<String>, _ new: JSONValue?) -> JSONValue {
    guard let name = way.first, var object = value.objectValue else { return value }
    if way.count == 1 {
      if let new { object[name] = new } else { object.removeValue(forKey: name) }
    } else {
      object[name] = set(object[name] ?? [:], way.dropFirst(), new)
    }
    return .object(object)
  }
}
