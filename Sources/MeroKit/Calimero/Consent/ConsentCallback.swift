import Foundation
import MeroCrypto

/// What the consent page sent back: a code, or why there is none.
enum ConsentCallback: Equatable {
  case code(String)
  case denied
  /// It carries the flow's state, and so is its one answer, but says neither yes nor no.
  case neither

  /// Reads a callback as the answer to a flow.
  ///
  /// - Throws: ``ConsentFailure``: `badCallback` when it is no flow's, `stateMismatch` when it is another flow's.
  init(_ callback: URL, of flow: ConsentFlow) throws(ConsentFailure) {
    guard let parts = URLComponents(url: callback, resolvingAgainstBaseURL: true),
      let expected = URLComponents(string: flow.redirectUri), Self.isSamePlace(parts, expected)
    else { throw .badCallback }
    // What the app put into its own address comes back with it.
    let own = Set((expected.queryItems ?? []).map(\.name))
    let items = (parts.queryItems ?? []).filter { !own.contains($0.name) }
    func values(_ name: String) -> [String?] { items.filter { $0.name == name }.map(\.value) }
    let states = values("state")
    guard states.count == 1, let state = states[0] else { throw .badCallback }
    // Before anything else of the answer is believed. Compared in constant time: the other side may be guessing.
    guard ConstantTime.equal(Array(state.utf8), Array(flow.state.utf8)) else { throw .stateMismatch }
    switch (values("code"), values("error")) {
    case (let codes, []) where codes.count == 1 && codes[0]?.isEmpty == false: self = .code(codes[0] ?? "")
    case ([], ["access_denied"]): self = .denied
    default: self = .neither
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
