import Foundation
import MeroAPI
import MeroWire

/// Names that people give things: trimmed, 1 to 80 characters, no control characters (70 §2.2). Checked before a
/// request of the generated methods is sent.
enum NameLimits {
  private static let operations: Set<APIOperation> = [
    .orgCreate, .orgUpdate, .orgTeamCreate, .orgTeamUpdate, .appCreate, .appUpdate,
  ]

  /// The request with its name trimmed; the same request when it gives no name.
  static func checked(_ request: APIRequest) throws(CalimeroError) -> APIRequest {
    guard let operation = request.operation, operations.contains(operation), let body = request.body,
      var fields = (try? JSONValue(parsing: body))?.objectValue, let name = fields["name"]?.stringValue
    else { return request }
    let trimmed = try checked(name)
    guard trimmed != name else { return request }
    fields["name"] = .string(trimmed)
    var request = request
    request.body = JSONValue.object(fields).data()
    return request
  }

  private static func checked(_ name: String) throws(CalimeroError) -> String {
    let trimmed = name.trimmingCharacters(in: .whitespacesAndNewlines)
    guard (1...80).contains(trimmed.count) else {
      throw .invalidInput("a name has 1 to 80 characters without the spaces around it.")
    }
    guard !trimmed.unicodeScalars.contains(where: { $0.properties.generalCategory == .control }) else {
      throw .invalidInput("a name must not hold control characters.")
    }
    return trimmed
  }
}
