import Foundation

/// The one meaning of *loopback*: `localhost`, `*.localhost`, `127.0.0.0/8` and `::1`.
///
/// Cleartext HTTP and mock attestation are accepted there and nowhere else, so a name that merely looks like one of
/// these must not pass.
package struct Loopback {
  /// Whether a URL's host, with or without brackets, is this machine.
  package static func isLoopback(host: String) -> Bool {
    var name = host.lowercased()
    if name.hasPrefix("["), name.hasSuffix("]") {
      return isIPv6Loopback(String(name.dropFirst().dropLast()))
    }
    if name.contains(":") { return isIPv6Loopback(name) }
    if name.hasSuffix(".") { name.removeLast() }
    let labels = name.split(separator: ".", omittingEmptySubsequences: false)
    if labels.last == "localhost" { return labels.allSatisfy { !$0.isEmpty } }
    return isIPv4Loopback(labels)
  }

  private static func isIPv4Loopback(_ parts: [Substring]) -> Bool {
    guard parts.count == 4, parts[0] == "127" else { return false }
    return parts.allSatisfy { part in
      // A leading zero means octal to some resolvers, which would make it another address.
      guard part.utf8.allSatisfy({ (0x30...0x39).contains($0) }), part == "0" || part.first != "0" else {
        return false
      }
      return UInt8(part) != nil
    }
  }

  private static func isIPv6Loopback(_ text: String) -> Bool {
    var address = in6_addr()
    guard inet_pton(AF_INET6, text, &address) == 1 else { return false }
    return withUnsafeBytes(of: &address) { $0.dropLast().allSatisfy { $0 == 0 } && $0.last == 1 }
  }
}
