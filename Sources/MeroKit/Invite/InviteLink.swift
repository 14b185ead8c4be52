import Foundation

/// Links that carry an invitation (30 §17.2).
public enum InviteLink {
  /// The host of links unless told otherwise.
  public static let defaultHost = "https://links.calimero.network"

  /// A link to an app that carries a token.
  ///
  /// - Parameter slug: the app's package, such as `com.example.notes`; never a name for people.
  public static func url(slug: String, token: String, host: String = defaultHost) -> String {
    let host = host.hasSuffix("/") ? String(host.dropLast()) : host
    return "\(host)/\(NodePath.segment(slug))/join?invitation=\(NodePath.segment(token))"
  }

  /// The token in what somebody pasted: a link's, or the text itself.
  ///
  /// - Parameter expectedSlug: the app's own package. Another app's invitation reads perfectly well, and would have one join
  ///   that app's namespace, so a link to another app is refused.
  /// - Returns: nil for nothing, and for a link to another app.
  public static func token(fromPasted text: String, expectedSlug: String? = nil) -> String? {
    let text = text.trimmingCharacters(in: .whitespacesAndNewlines)
    guard !text.isEmpty else { return nil }
    let lower = text.lowercased()
    guard ["http://", "https://", "calimero://"].contains(where: lower.hasPrefix) else { return text }
    // By hand: readers of URLs change a dotted host behind a scheme they do not know.
    let parts = text.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
    if let slug = expectedSlug?.lowercased() {
      guard parts[0].split(separator: "/").contains(where: { $0.lowercased() == slug }) else { return nil }
    }
    guard parts.count == 2 else { return text }
    for pair in parts[1].split(separator: "&") where pair.hasPrefix("invitation=") {
      let value = String(pair.dropFirst("invitation=".count))
      return value.removingPercentEncoding ?? value
    }
    return text
  }
}
