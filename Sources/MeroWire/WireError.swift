/// What one of the readers or writers of this module could not accept.
///
/// The text says which rule was broken and where. It never repeats the input, which may be a key, a token or
/// somebody's data.
public struct WireError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The format that was read or written: `hex`, `base58`, `base64url`, `borsh`, `cbor`, `der` or `json`.
  public let format: String
  /// The broken rule, in words.
  public let reason: String
  /// Where in the value the rule was broken, such as `members[3].joinedAt`; nil at the top and in byte formats.
  public let path: String?

  /// Describes a refusal.
  public init(format: String, reason: String, path: String? = nil) {
    self.format = format
    self.reason = reason
    self.path = path
  }

  /// Format, place and reason in one line.
  public var description: String {
    guard let path else { return "\(format): \(reason)" }
    return "\(format): \(path): \(reason)"
  }
}

extension WireError {
  static func json(_ reason: String, path: String? = nil) -> WireError {
    WireError(format: "json", reason: reason, path: path)
  }
}
