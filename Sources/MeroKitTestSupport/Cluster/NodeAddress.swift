import Foundation

/// Where a node is reached, split once: taking a URL apart for every request would cost more than serving it.
struct NodeAddress: Sendable {
  let url: URL
  private let origin: String
  private let basePath: String

  init(_ url: URL) {
    self.url = url
    let (origin, rest) = Self.split(url.absoluteString)
    self.origin = String(origin)
    basePath = rest.hasSuffix("/") ? String(rest.dropLast()) : String(rest)
  }

  /// Whether a request to this URL is for the node.
  func isOrigin(of url: URL) -> Bool {
    Self.split(url.absoluteString).origin == origin
  }

  /// The path below the base URL with its query, as it was sent.
  func innerPath(of url: URL) -> String {
    var path = Self.split(url.absoluteString).rest
    if !basePath.isEmpty, path.hasPrefix(basePath) { path = path.dropFirst(basePath.count) }
    path = path.prefix { $0 != "#" }
    return path.hasPrefix("/") ? String(path) : "/" + path
  }

  /// The base URL under the name and port of a `Host` header, which may differ from the node's own on a listener; the
  /// node's own where that is no name.
  func base(named host: String?) -> String {
    guard let host, !host.isEmpty, host.utf8.allSatisfy(Self.isOfAuthority) else { return origin + basePath }
    return (url.scheme ?? "http") + "://" + host + basePath
  }

  private static func isOfAuthority(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"):
      true
    default: ".-:[]".utf8.contains(byte)
    }
  }

  private static func split(_ text: String) -> (origin: Substring, rest: Substring) {
    guard let colon = text.utf8.firstIndex(of: UInt8(ascii: ":")) else { return ("", text[...]) }
    let authority = text.utf8[colon...].dropFirst(3)
    let end = authority.firstIndex { $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: "?") } ?? text.endIndex
    return (text[..<end], text[end...])
  }
}
