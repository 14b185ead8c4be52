import Foundation

/// Where the answer of a consent page may go: to an address that the package's publisher named, and nowhere else.
enum RedirectRule {
  private static let loopback = "http://127.0.0.1"

  /// Whether an address is one of those listed. It is compared as text, so that no two readers can tell it apart; only the
  /// port of a loopback address may differ, since a tool takes whichever is free (70 §2.14).
  static func allows(_ address: String, by listed: [String]) -> Bool {
    guard LoginDestination(address) != nil else { return false }
    let beyondPort = beyondPort(address)
    return listed.contains { $0 == address || (beyondPort != nil && Self.beyondPort($0) == beyondPort) }
  }

  /// The address with a query item more.
  static func address(_ address: String, adding items: [(String, String)]) -> String {
    let query = items.map { "\($0.0)=\(encode($0.1))" }.joined(separator: "&")
    return address + (address.contains("?") ? "&" : "?") + query
  }

  private static func encode(_ text: String) -> String {
    text.addingPercentEncoding(withAllowedCharacters: unreserved) ?? ""
  }

  /// 70 §2.2.
  private static let unreserved = CharacterSet(
    charactersIn: "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~")

  /// What follows host and port of a loopback address; nil for any other.
  private static func beyondPort(_ address: String) -> Substring? {
    guard address.hasPrefix(loopback) else { return nil }
    var rest = address.dropFirst(loopback.count)
    if rest.first == ":" {
      let port = rest.dropFirst().prefix { $0.isASCII && $0.isNumber }
      guard UInt16(port) != nil else { return nil }
      rest = rest.dropFirst(port.count + 1)
    }
    return rest.isEmpty || rest.first == "/" || rest.first == "?" ? rest : nil
  }
}
