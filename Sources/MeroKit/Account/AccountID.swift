import Foundation
import MeroWire

/// The two spellings of an account (30 §4.3).
///
/// Nodes write accounts in hex; what contracts store, such as a message's sender, is in base58. Compared as texts the two
/// never match.
public enum AccountID {
  /// The account in hex. Anything that is no account, an alias say, comes back trimmed and otherwise as it was.
  public static func hex(_ id: String) -> String {
    let text = id.trimmingCharacters(in: .whitespacesAndNewlines)
    if let bytes = try? Hex.decode(text, count: 32) { return Hex.encode(bytes) }
    guard let bytes = try? Base58.decode(text, count: 32) else { return text }
    return Hex.encode(bytes)
  }

  /// The account in base58. Anything that is not 64 hex digits comes back trimmed and otherwise as it was.
  public static func base58(_ id: String) -> String {
    let text = id.trimmingCharacters(in: .whitespacesAndNewlines)
    guard let bytes = try? Hex.decode(text, count: 32) else { return text }
    return Base58.encode(bytes)
  }

  /// Whether both name one account. Two equal texts that name none are not the same account.
  public static func areSame(_ one: String, _ other: String) -> Bool {
    let account = hex(one)
    return HexField.isId(account) && account == hex(other)
  }
}
