import Foundation
import MeroWire
import Testing

/// The messages of `Vectors/node-protocol.json`.
enum NodeVectors {
  static let all: JSONValue = {
    guard
      let url = Bundle.module.url(
        forResource: "node-protocol", withExtension: "json", subdirectory: "Vectors"),
      let data = try? Data(contentsOf: url), let value = try? JSONValue(parsing: data)
    else { return .null }
    return value
  }()

  /// The vectors of a group, each a test's argument.
  static func group(_ name: String) -> [NodeVector] {
    (all[name]?.arrayValue ?? []).map(NodeVector.init)
  }
}

/// One vector, which a failing test names by its id.
struct NodeVector: Sendable, CustomTestStringConvertible {
  let json: JSONValue
  var testDescription: String { json["id"].text }

  init(_ json: JSONValue) { self.json = json }

  subscript(_ name: String) -> JSONValue? { json[name] }
  var expect: JSONValue { json["expect"] ?? .null }
}
