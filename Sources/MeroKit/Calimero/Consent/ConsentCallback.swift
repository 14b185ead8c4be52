import Foundation
import MeroCrypto

/// What the consent page sent back: a code, or why there is none.
enum ConsentCallback: Equatable {
  case code(String)
  case denied

  /// Reads a callback as the answer to a flow.
  ///
  /// - Throws: ``ConsentFailure``: `badCallback` when it is none, `stateMismatch` when it is another flow's.
  init(_ callback: URL, of flow: ConsentFlow) throws(ConsentFailure) {
    guard let parts = URLComponents(url: callback, resolvingAgainstBaseURL: true),
      let expected = URLComponents(string: flow.redirectUri), Self.isSamePlace(parts, expected)
    else { throw .badCallback }
    // What the app put into its own address comes back with it.
    let own = Set((expected.queryItems ?? []).map(\.name))
    let items = (parts.queryItems ?? []).filter { !own.contains($0.name) }
    func only(_ name: String) throws(ConsentFailure) -> String? {
      let found = items.filter { $0.name == name }
      guard found.count <= 1 else { throw .badCallback }
      return found.first?.value
    }
    guard let state = try only("state") else { throw .badCallback }
    // Before anything else of the answer is believed. Compared in constant time: the other side may be guessing.
    guard ConstantTime.equal(Array(state.utf8), Array(flow.state.utf8)) else { throw .stateMismatch }
    let (code, error) = (try only("code"), try only("error"))
    switch (code, error) {
    case (let code?, nil) where !code.isEmpty: self = .code(code)
    case (nil, "access_denied"): self = .denied
    default: throw .badCallback
    }
  }

  /// Whether scheme, host, port and path are those of the redirect URI.
  private static func isSamePlace(_ one: URLComponents, _ other: URLComponents) -> Bool {
    func path(_ parts: URLComponents) -> String {
      parts.percentEncodedPath.isEmpty ? "/" : parts.percentEncodedPath
    }
    return one.scheme?.lowercased() == other.scheme?.lowercased()
      && (one.host ?? "").lowercased() == (other.host ?? "").lowercased() && one.port == other.port
      && one.user == nil && one.password == nil && path(one) == path(other)
  }
}
