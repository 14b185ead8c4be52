/// Where a page in a browser returns to: a scheme of the app's own, or a web address that the system hands to the app.
///
/// ```swift
/// CloudCallback.scheme("notes").url                                    // "notes://enrol"
/// CloudCallback.https(host: "notes.example", path: "enrol").url        // "https://notes.example/enrol"
/// ```
public enum CloudCallback: Sendable, Hashable {
  /// A scheme that only this app is opened for.
  case scheme(String, path: String = "enrol")
  /// A web address that belongs to the app.
  case https(host: String, path: String)

  /// The address.
  public var url: String {
    switch self {
    case .scheme(let scheme, let path): "\(scheme)://\(path)"
    case .https(let host, let path):
      "https://\(host)/\(path.hasPrefix("/") ? String(path.dropFirst()) : path)"
    }
  }
}
