import Foundation
import MeroWire
import Testing

/// The known messages of `Vectors/node-protocol.json`.
enum NodeProtocolVectors {
  static let all: JSONValue = {
    guard
      let url = Bundle.module.url(
        forResource: "node-protocol", withExtension: "json", subdirectory: "Vectors"),
      let data = try? Data(contentsOf: url), let value = try? JSONValue(parsing: data)
    else { return .null }
    return value
  }()

  static func group(_ name: String) -> [NodeProtocolVector] {
    (all[name]?.arrayValue ?? []).map { NodeProtocolVector(json: $0) }
  }
}

/// One of them.
struct NodeProtocolVector: Sendable, CustomTestStringConvertible {
  let json: JSONValue

  var id: String { json["id"]?.stringValue ?? "" }
  var expect: JSONValue { json["expect"] ?? .null }
  var testDescription: String { id }
}
