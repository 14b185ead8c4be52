/// Where a page in a browser returns to: a scheme of the app's own, a web address that the system hands to the app, or a port of
/// this machine.
///
/// ```swift
/// CloudCallback.scheme("notes").url                                    // "notes://enrol"
/// CloudCallback.https(host: "notes.example", path: "enrol").url        // "https://notes.example/enrol"
/// CloudCallback.loopback(port: 8123, path: "enrol").url                // "http://127.0.0.1:8123/enrol"
/// ```
public enum CloudCallback: Sendable, Hashable {
  /// A scheme that only this app is opened for.
  case scheme(String, path: String = "enrol")
  /// A web address that belongs to the app.
  case https(host: String, path: String)
  /// A port of this machine, on which the program that showed the page listens: ``LoopbackBrowserAuthenticator``.
  case loopback(port: UInt16, path: String)

  /// The address.
  public var url: String {
    switch self {
    case .scheme(let scheme, let path): "\(scheme)://\(path)"
    case .https(let host, let path): "https://\(host)\(Self.absolute(path))"
    case .loopback(let port, let path): "http://127.0.0.1:\(port)\(Self.absolute(path))"
    }
  }

  /// A path with exactly one slash before it.
  static func absolute(_ path: String) -> String { path.hasPrefix("/") ? path : "/" + path }
}
