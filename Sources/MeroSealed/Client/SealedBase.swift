import Foundation

/// A node's base URL, and the rule which addresses are inside it (50 §1.7).
package struct SealedBase: Sendable, Hashable {
  private let scheme: String
  private let host: String
  private let port: Int
  /// The base's path without trailing slashes, percent-encoded as given.
  private let path: String
  package let handshakeURL: URL
  package let exchangeURL: URL

  /// Throws `outsideBase` when `base` is not an absolute `http` or `https` URL.
  package init(_ base: URL) throws(SealedError) {
    guard let parts = URLComponents(url: base, resolvingAgainstBaseURL: true), let origin = Origin(parts),
      parts.query == nil, parts.fragment == nil
    else { throw .outsideBase(base.absoluteString) }
    (scheme, host, port) = (origin.scheme, origin.host, origin.port)
    var path = parts.percentEncodedPath
    while path.hasSuffix("/") { path.removeLast() }
    self.path = path
    func url(_ suffix: String) -> URL? {
      var parts = parts
      parts.percentEncodedPath = path + suffix
      return parts.url
    }
    guard let handshake = url(SealedProtocol.handshakePath), let exchange = url(SealedProtocol.exchangePath)
    else {
      throw .outsideBase(base.absoluteString)
    }
    handshakeURL = handshake
    exchangeURL = exchange
  }

  /// The path and query of `url` as seen from the base.
  ///
  /// Throws `outsideBase` for another origin, a path that is not under the base's, and a path with `.` or `..` in it,
  /// which could climb out again on the other side.
  package func innerPath(of url: URL) throws(SealedError) -> String {
    guard let parts = URLComponents(url: url, resolvingAgainstBaseURL: true), let origin = Origin(parts),
      origin.scheme == scheme, origin.host == host, origin.port == port
    else { throw .outsideBase(Self.named(url)) }
    let whole = parts.percentEncodedPath
    guard whole.hasPrefix(path) else { throw .outsideBase(Self.named(url)) }
    var inner = String(whole.dropFirst(path.count))
    if inner.isEmpty, path.isEmpty { inner = "/" }
    guard inner.hasPrefix("/"), !Self.climbs(inner) else { throw .outsideBase(Self.named(url)) }
    guard let query = parts.percentEncodedQuery else { return inner }
    return "\(inner)?\(query)"
  }

  private struct Origin {
    let scheme: String
    let host: String
    let port: Int

    init?(_ parts: URLComponents) {
      guard let scheme = parts.scheme?.lowercased(), scheme == "http" || scheme == "https",
        let host = parts.host?.lowercased(), !host.isEmpty, parts.user == nil, parts.password == nil
      else { return nil }
      self.scheme = scheme
      self.host = host
      port = parts.port ?? (scheme == "https" ? 443 : 80)
    }
  }

  private static func climbs(_ path: String) -> Bool {
    path.split(separator: "/").contains { segment in
      let plain = segment.removingPercentEncoding ?? String(segment)
      return plain == "." || plain == ".."
    }
  }

  /// An address for an error's text: a query may hold what nobody should read in a log.
  private static func named(_ url: URL) -> String {
    var parts = URLComponents(url: url, resolvingAgainstBaseURL: true)
    parts?.query = nil
    parts?.fragment = nil
    parts?.user = nil
    parts?.password = nil
    return parts?.string ?? "an address"
  }
}
