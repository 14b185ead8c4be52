import Foundation
import MeroKit
import MeroWire

/// A session with a node, in a file that only its owner can read: its tokens, and the node they are for.
///
/// The two stand in one file so that tokens are never sent to another node than the one that gave them. Beyond the node's
/// address the file is what `FileTokenStore` keeps.
struct NodeSessionFile: SharedTokenStore {
  let path: String
  let node: URL

  var lockPath: String { path + ".lock" }

  static func standardPath(_ environment: [String: String]) -> String {
    "\(ToolSurroundings.dataFolder(environment))/node-session.json"
  }

  /// The node of the session in a file; nil when there is none.
  static func node(at path: String) -> String? { object(at: path)?["node_url"]?.stringValue }

  func getTokens() -> TokenData? {
    guard let object = Self.object(at: path), let owner = object["node_url"]?.stringValue,
      Self.isSameNode(owner, node.absoluteString)
    else { return nil }
    return TokenData(record: JSONValue.object(object).data(), now: Date())
  }

  /// One machine may serve several nodes, each below a path of its own.
  private static func isSameNode(_ one: String, _ other: String) -> Bool {
    func path(_ url: String) -> String {
      (URLComponents(string: url)?.percentEncodedPath ?? "").trimmingCharacters(
        in: CharacterSet(charactersIn: "/"))
    }
    return NodeTrust.sameOrigin(one, other) && path(one) == path(other)
  }

  func setTokens(_ tokens: TokenData) {
    // A file that cannot be written leaves the session in memory; a login looks whether it was.
    guard let record = try? tokens.record(), var object = try? JSONValue(parsing: record).objectValue else {
      return
    }
    object["node_url"] = .string(node.absoluteString)
    try? PrivateFile(path: path).write(JSONValue.object(object).data())
  }

  func clear() {
    // Another node's session is not this one's to end.
    guard getTokens() != nil else { return }
    try? PrivateFile(path: path).remove()
  }

  private static func object(at path: String) -> JSONObject? {
    guard let data = try? PrivateFile(path: path).read() else { return nil }
    return try? JSONValue(parsing: data).objectValue
  }
}
