/// The word a node gives for a refusal, such as `NOT_FOUND`.
///
/// The set is open: there is a static member for each code of the API document (`.notFound`,
/// `.confirmRequired`, ...), and a code added by a later node is kept, compared and shown as it came.
public struct ErrorCode: RawRepresentable, Sendable, Hashable, CustomStringConvertible {
  /// The code as the node wrote it.
  public let rawValue: String

  /// Names a code, known or not.
  public init(rawValue: String) { self.rawValue = rawValue }

  /// Names a code, known or not.
  public init(_ code: String) { rawValue = code }

  /// The code as the node wrote it.
  public var description: String { rawValue }
}
