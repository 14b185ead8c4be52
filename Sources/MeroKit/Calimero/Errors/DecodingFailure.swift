import MeroWire

/// An answer does not fit its type.
public struct DecodingFailure: Sendable, Hashable {
  /// Where in the answer, such as `orgs[0].name`.
  public let path: String?
  /// What does not fit.
  public let reason: String
  /// The operation's id, when there is one.
  public let operation: String?
  /// Whether the answer was cut off because it was larger than the client accepts (70 §2.2).
  public let isTooLarge: Bool

  /// Describes an answer that does not fit.
  public init(path: String? = nil, reason: String, operation: String? = nil) {
    self.init(path: path, reason: reason, operation: operation, isTooLarge: false)
  }

  private init(path: String?, reason: String, operation: String?, isTooLarge: Bool) {
    self.path = path
    self.reason = reason
    self.operation = operation
    self.isTooLarge = isTooLarge
  }

  /// An answer of more bytes than the client accepts.
  package static func tooLarge(limit: Int, operation: String? = nil) -> DecodingFailure {
    DecodingFailure(
      path: nil, reason: "tooLarge: more than \(limit) bytes", operation: operation, isTooLarge: true)
  }

  /// Takes over what a reader of this package says, or what a type's own `init(from:)` threw.
  package init(_ error: any Error, operation: String? = nil) {
    switch error {
    case let wire as WireError:
      self.init(path: wire.path, reason: wire.reason, operation: operation)
    case let decoding as DecodingError:
      self.init(path: decoding.pathText, reason: decoding.reasonText, operation: operation)
    default:
      self.init(reason: "\(error)", operation: operation)
    }
  }
}

extension DecodingError {
  fileprivate var context: Context? {
    switch self {
    case .typeMismatch(_, let context), .valueNotFound(_, let context), .keyNotFound(_, let context),
      .dataCorrupted(let context):
      context
    @unknown default: nil
    }
  }

  fileprivate var pathText: String? {
    context.map { context in
      context.codingPath.map(\.stringValue).joined(separator: ".")
    }
  }

  fileprivate var reasonText: String { context?.debugDescription ?? "the value does not fit" }
}
