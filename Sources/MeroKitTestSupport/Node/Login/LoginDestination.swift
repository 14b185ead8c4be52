import Foundation
import MeroHTTP

/// Whose address a login callback is: that of an origin on the web, or of whichever app has claimed a scheme.
///
/// It decides who gets tokens, so an address that two readers could read differently is none.
enum LoginDestination: Sendable, Hashable {
  case origin(scheme: String, host: String, port: Int)
  case scheme(String)

  private static let longest = 2_048
  /// Schemes that a browser acts on by itself.
  private static let notOfApps: Set<String> = [
    "javascript", "data", "vbscript", "file", "blob", "filesystem", "about", "view-source", "ws", "wss",
    "ftp",
  ]

  init?(_ address: String) {
    guard address.utf8.count <= Self.longest, address.utf8.allSatisfy(Self.isOfAddress),
      let colon = address.firstIndex(of: ":")
    else { return nil }
    let scheme = address[..<colon].lowercased()
    let rest = address[address.index(after: colon)...]
    guard Self.isScheme(scheme), !Self.notOfApps.contains(scheme) else { return nil }
    guard scheme == "http" || scheme == "https" else {
      self = .scheme(scheme)
      return
    }
    guard rest.hasPrefix("//"),
      rest.dropFirst(2).prefix(while: { $0 != "/" && $0 != "?" }).utf8.allSatisfy(Self.isOfAuthority),
      let url = URL(string: address), let host = url.host?.lowercased(), !host.isEmpty
    else { return nil }
    self = .origin(scheme: scheme, host: host, port: url.port ?? (scheme == "https" ? 443 : 80))
  }

  /// Whether tokens may go there from a login page that knows of no other destinations.
  func isOpen(to node: String) -> Bool {
    guard case .origin(_, let host, _) = self else { return false }
    return Loopback.isLoopback(host: host) || LoginDestination(node) == self
  }

  /// As a content security policy names it.
  var policySource: String {
    switch self {
    case .origin(let scheme, let host, let port): "\(scheme)://\(Self.bracketed(host)):\(port)"
    case .scheme(let scheme): "\(scheme):"
    }
  }

  private static func bracketed(_ host: String) -> String {
    host.contains(":") && !host.hasPrefix("[") ? "[\(host)]" : host
  }

  /// Visible ASCII, without a fragment and without what stands in no address.
  private static func isOfAddress(_ byte: UInt8) -> Bool {
    (0x21...0x7E).contains(byte) && !#"#"<>\^`{|}'"#.utf8.contains(byte)
  }

  /// A host and a port: neither a user nor an escape, which readers tell apart in different ways.
  private static func isOfAuthority(_ byte: UInt8) -> Bool {
    isLetterOrDigit(byte) || ".-:[]".utf8.contains(byte)
  }

  private static func isScheme(_ text: String) -> Bool {
    guard let first = text.utf8.first, isLetterOrDigit(first), !(0x30...0x39).contains(first) else {
      return false
    }
    return text.utf8.allSatisfy { isLetterOrDigit($0) || "+-.".utf8.contains($0) }
  }

  private static func isLetterOrDigit(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"):
      true
    default: false
    }
  }
}
