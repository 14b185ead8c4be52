import Foundation
import MeroHTTP
import MeroTrust
import MeroWire

/// The options after they were checked: what the engine works with.
package struct ClientConfiguration: Sendable {
  /// The ring's first nodes, in order, without duplicates.
  let nodes: [URL]
  /// The cluster the caller insists on, lower-case hex.
  let clusterId: String?
  /// What a session is called, trimmed.
  let deviceLabel: String?
  /// Where signed releases are fetched.
  let releaseMirror: URL

  /// Checks the options; pure, so a client can be made without `try` and say what is wrong at its first use.
  init(_ options: CalimeroClientOptions) throws(CalimeroError) {
    var urls: [URL] = []
    for text in [options.baseUrl] + options.nodes {
      let url = try Self.nodeURL(text)
      try Self.requireTLS(url, options)
      if !urls.contains(url) { urls.append(url) }
    }
    nodes = urls
    clusterId = try options.clusterId.map(Self.clusterId)
    if let agent = options.userAgent { try Self.check(agent, named: "userAgent") }
    deviceLabel = try options.deviceLabel.map { label throws(CalimeroError) in
      try NameLimits.checked(label, as: "deviceLabel", mayBeEmpty: true)
    }
    if let key = options.apiKey { try Self.check(key, named: "apiKey") }
    releaseMirror = try Self.nodeURL(options.releaseMirrorURL, calling: "a release mirror's")
    if let flaw = options.retry.flaw ?? options.timeouts.flaw { throw .invalidInput(flaw) }
  }

  /// A node's base URL in its one spelling: lower-case scheme and host, no default port, no trailing slash.
  package static func nodeURL(
    _ text: String, calling whose: String = "a node's"
  ) throws(CalimeroError) -> URL {
    func refuse(_ why: String) -> CalimeroError {
      // A user, a query or a fragment may be a secret, and errors end up in logs.
      .invalidInput(
        text.contains { "@?#".contains($0) }
          ? "the text given cannot be \(whose) URL: \(why)." : "\"\(text)\" cannot be \(whose) URL: \(why).")
    }
    guard var parts = URLComponents(string: text), let scheme = parts.scheme?.lowercased() else {
      throw refuse("it is not an absolute URL")
    }
    guard scheme == "http" || scheme == "https" else { throw refuse("it is neither http nor https") }
    guard let host = parts.host?.lowercased(), !host.isEmpty else { throw refuse("it names no host") }
    // A password in a URL ends up in logs and errors, so the text is not repeated here either.
    guard parts.user == nil, parts.password == nil else {
      throw .invalidInput("\(whose) URL at \(host) must not hold a user or a password.")
    }
    guard parts.query == nil, parts.fragment == nil else { throw refuse("it has a query or a fragment") }
    guard parts.port.map((1...65_535).contains) ?? true else { throw refuse("a port is 1 to 65535") }
    guard !parts.percentEncodedPath.split(separator: "/").contains(where: { $0 == ".." || $0 == "." }) else {
      throw refuse("its path goes up")
    }
    parts.scheme = scheme
    parts.host = host
    if parts.port == (scheme == "http" ? 80 : 443) { parts.port = nil }
    while parts.percentEncodedPath.hasSuffix("/") { parts.percentEncodedPath.removeLast() }
    guard let url = parts.url else { throw refuse("it is not an absolute URL") }
    return url
  }

  /// Under `.production`, and where only real hardware is accepted at all, nobody on the way may learn who speaks to
  /// whom, unless the caller says so.
  static func requireTLS(_ url: URL, _ options: CalimeroClientOptions) throws(CalimeroError) {
    let wantsHardware = !options.policy.acceptsMock(host: "localhost")
    guard url.scheme == "http", wantsHardware, !options.allowInsecureOuterTransport,
      !Loopback.isLoopback(host: url.host ?? "")
    else { return }
    throw .invalidInput(
      "\(url.absoluteString) is not encrypted on the way: use https, or set allowInsecureOuterTransport.")
  }

  private static func clusterId(_ text: String) throws(CalimeroError) -> String {
    do {
      return Hex.encode(try Hex.decode(text.lowercased(), count: 32, field: "clusterId"))
    } catch {
      throw .invalidInput("clusterId must be 64 hex characters.")
    }
  }

  /// What is to stand in a header must not be able to write another one.
  static func check(_ value: String, named name: String) throws(CalimeroError) {
    guard !value.isEmpty, value.utf8.allSatisfy({ (0x20...0x7E).contains($0) }) else {
      throw .invalidInput("\(name) is empty or holds characters that cannot stand in a header.")
    }
  }
}
