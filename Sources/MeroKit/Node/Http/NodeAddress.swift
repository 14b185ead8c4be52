import Foundation
import MeroHTTP

/// Scheme, host and port of a web address. Tokens given for one origin are sent to no other.
package struct NodeOrigin: Hashable, Sendable {
  package let scheme: String
  package let host: String
  package let port: Int

  /// The origin of an `http` or `https` address with a host; nil for everything else, so that two addresses of another
  /// kind never seem the same.
  package init?(_ url: URL) {
    guard let scheme = url.scheme?.lowercased(), scheme == "https" || scheme == "http",
      let host = url.host?.lowercased(), !host.isEmpty
    else { return nil }
    self.scheme = scheme
    self.host = host
    port = url.port ?? (scheme == "https" ? 443 : 80)
  }

  /// The origin of an address given as text.
  package init?(_ text: String) {
    // Readers of addresses disagree about these characters; what one takes for a path another takes for a host.
    guard text.unicodeScalars.allSatisfy({ $0.value > 0x20 && $0 != "\\" && $0.value != 0x7F }),
      let url = URL(string: text)
    else { return nil }
    self.init(url)
  }
}

/// The pieces of a node's paths.
package enum NodePath {
  /// An id, a name or a value, so that it stays one segment whatever is in it.
  package static func segment(_ text: String) -> String {
    var result = ""
    for byte in text.utf8 {
      if isUnreserved(byte) {
        result.unicodeScalars.append(Unicode.Scalar(byte))
      } else {
        result += "%" + hex(byte)
      }
    }
    // A dot segment would climb; encoded it is a name like any other.
    switch result {
    case ".": return "%2E"
    case "..": return "%2E%2E"
    default: return result
    }
  }

  /// `base` and `path` with one slash between them, whatever prefix the base has (10 §1.1).
  package static func join(_ base: String, _ path: String) -> String {
    let lowered = path.prefix(8).lowercased()
    if lowered.hasPrefix("http://") || lowered.hasPrefix("https://") { return path }
    let base = base.hasSuffix("/") ? String(base.dropLast()) : base
    return base + (path.hasPrefix("/") ? path : "/" + path)
  }

  /// A path's query.
  static func query(_ pairs: [(String, String)]) -> String {
    pairs.map { "\(segment($0.0))=\(segment($0.1))" }.joined(separator: "&")
  }

  /// Two upper-case hex digits.
  static func hex(_ byte: UInt8) -> String {
    let digits = String(byte, radix: 16, uppercase: true)
    return digits.count == 1 ? "0" + digits : digits
  }

  private static func isUnreserved(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"):
      true
    default: "-._~".utf8.contains(byte)
    }
  }
}

extension NodeHTTP {
  /// The address of a request.
  ///
  /// - Throws: ``MeroError/network(_:)`` when it is no web address, or would carry everything in the clear.
  func address(of request: NodeRequest) throws(MeroError) -> URL {
    var text = NodePath.join(baseURL.absoluteString, request.path)
    if !request.query.isEmpty {
      text += (text.contains("?") ? "&" : "?") + NodePath.query(request.query)
    }
    guard let url = URL(string: text), let origin = NodeOrigin(url) else {
      throw .network("the node's address is not an http or https address with a host")
    }
    guard origin.scheme == "https" || allowsInsecureHTTP || Loopback.isLoopback(host: origin.host) else {
      throw .network(
        "\(origin.host) would be asked over http, which anybody on the way can read and change; use https, or set "
          + "allowInsecureHTTP")
    }
    return url
  }
}
