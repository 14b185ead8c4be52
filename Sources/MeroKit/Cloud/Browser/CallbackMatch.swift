import Foundation

extension CloudCallback {
  /// Whether a page that led to this address answered here. Query and fragment are the answer, and are not looked at.
  ///
  /// The system tells an app of every address with its scheme, and any page may lead to one: what comes back at another path is the
  /// answer to something else.
  func matches(_ address: URL) -> Bool { Self.place(address.absoluteString) == Self.place(url) }

  /// An address without its answer. Scheme and host are the same in any case of letters, a path is not.
  private static func place(_ address: String) -> String {
    let bare = address.prefix { $0 != "?" && $0 != "#" }
    guard let colon = bare.range(of: "://") else { return String(bare) }
    let host = bare[colon.upperBound...].prefix { $0 != "/" }
    let path = bare[host.endIndex...]
    return bare[..<host.endIndex].lowercased() + (path == "/" ? "" : path)
  }
}

/// A callback as the system's sign-in sheet takes it.
enum SheetCallback: Sendable, Hashable {
  case scheme(String)
  /// The path begins with a slash.
  case https(host: String, path: String)

  /// - Parameter takesWebAddresses: whether this system's sheet can come back to a web address.
  init(_ callback: CloudCallback, takesWebAddresses: Bool) throws(WebAuthenticationError) {
    switch callback {
    case .scheme(let scheme, _): self = .scheme(scheme)
    case .https(let host, let path):
      guard takesWebAddresses else {
        throw .callbackNotSupported(
          "a web address takes iOS 17.4 or macOS 14.4; give the app a scheme of its own")
      }
      self = .https(host: host, path: CloudCallback.absolute(path))
    case .loopback:
      throw .callbackNotSupported("the system's sheet comes back to an app's scheme or to its web address")
    }
  }
}
