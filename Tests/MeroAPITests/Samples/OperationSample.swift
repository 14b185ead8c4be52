import Foundation
import MeroAPI

/// An operation with everything set that it takes.
///
/// Every text is what ``text(_:)`` makes of its parameter's name, every number is 7, every flag true, and every
/// JSON body is what ``APIDocument/sample(_:)`` makes of its schema; so a test knows what to expect by reading
/// the document alone.
struct OperationSample: CustomStringConvertible {
  let operation: APIOperation
  let input: any OperationInput
  /// Nil for a stream.
  let output: (any OperationOutput.Type)?

  init<Input: OperationInput>(_ input: Input, _ output: (any OperationOutput.Type)? = nil) {
    self.operation = Input.operation
    self.input = input
    self.output = output
  }

  var description: String { operation.id }

  static func all() throws -> [OperationSample] {
    let document = try APIDocument()
    return try auth(document) + apps(document) + orgs(document) + consent(document) + ops(document)
      + packages(document) + deployments(document) + publicApi(document)
  }

  static let bytes = Data([0, 1, 254, 255])

  /// A text with characters that have to be encoded.
  static func text(_ name: String) -> String { "\(name) /?&=%+é~" }
}
