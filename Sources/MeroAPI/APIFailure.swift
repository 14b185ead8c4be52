/// Why a generated request could not be written, or an answer not be read.
public enum APIFailure: Error, Sendable, Hashable, CustomStringConvertible {
  /// A value cannot be sent; nothing was.
  case invalidInput(String)
  /// A success does not fit its type.
  case decoding(operation: String, path: String?, reason: String)

  /// What happened, in a sentence.
  public var description: String {
    switch self {
    case .invalidInput(let text): return text
    case .decoding(let operation, let path, let reason):
      let place: String = path.map { " at \($0)" } ?? ""
      return "the answer to \(operation) does not fit its type\(place): \(reason)"
    }
  }
}
