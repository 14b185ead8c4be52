import Testing

/// A row of the endpoint list, called through the method that `AdminApi` has for it.
struct TypedCall: Sendable, CustomTestStringConvertible {
  let row: String
  /// Makes the call and holds its answer against what is so on the node.
  let run: @Sendable (TypedTurn) async throws -> Void

  var testDescription: String { row }

  /// - Parameter path: below `/admin-api`, as in the list.
  init(_ method: String, _ path: String, _ run: @escaping @Sendable (TypedTurn) async throws -> Void) {
    row = "\(method) /admin-api\(path)"
    self.run = run
  }

  static let all =
    system + applications + contexts + participation + intents + identity + devices + namespaces + joins
    + groups + owners + members + metadata + upgrades + blobs + aliases + attestation + teePolicies
}
