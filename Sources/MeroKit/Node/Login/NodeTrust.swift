/// Whether a node that a login callback names may be given the callback's tokens, and the app's trust (10 §2.7).
///
/// Anyone can open an app's callback with an address of their own in it.
public enum NodeTrust {
  /// What to do with a callback.
  public enum Decision: Sendable, Equatable {
    /// Its tokens are good for this node.
    case trusted(String)
    /// It names a node that nobody asked: drop all of it, and keep the session there is.
    case rejected
    /// It names no node, and no login is under way: ignore it.
    case none
  }

  /// Whether two addresses are `http` or `https` and agree in scheme, host and port.
  public static func sameOrigin(_ a: String, _ b: String) -> Bool {
    guard let a = NodeOrigin(a), let b = NodeOrigin(b) else { return false }
    return a == b
  }

  /// Decides about a callback.
  ///
  /// - Parameters:
  ///   - candidate: the address in the callback.
  ///   - initiated: the node the login was begun with, remembered before the browser was opened.
  ///   - allowed: nodes that may be entered without a login of the app's own. They do not widen a login under way.
  public static func resolveTrustedNodeURL(
    candidate: String?, initiated: String?, allowed: [String] = []
  ) -> Decision {
    let initiated = initiated.flatMap { $0.isEmpty ? nil : $0 }
    guard let candidate, !candidate.isEmpty else { return initiated.map { .trusted($0) } ?? .none }
    let isExpected = (initiated.map { [$0] } ?? allowed).contains { sameOrigin(candidate, $0) }
    return isExpected ? .trusted(candidate) : .rejected
  }
}
