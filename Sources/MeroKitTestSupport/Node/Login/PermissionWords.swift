/// What a permission means, for whoever is asked to grant it (10 §2.4).
enum PermissionWords {
  private static let known: [String: String] = [
    "admin": "Everything the node can do, keys and other users included",
    "application": "See, install and remove applications",
    "application:list": "See which applications are installed",
    "application:install": "Install applications",
    "application:uninstall": "Remove applications",
    "package": "See packages and their versions",
    "blob": "See, read, add and remove files",
    "blob:add": "Add files",
    "blob:list": "See which files there are",
    "blob:get": "Read files",
    "blob:remove": "Remove files",
    "namespace": "See, found and manage namespaces",
    "namespace:list": "See namespaces",
    "namespace:create": "Found namespaces",
    "namespace:manage": "Manage namespaces",
    "group": "See, make and manage groups and their members",
    "group:list": "See groups and their members",
    "group:create": "Make groups",
    "group:manage": "Manage groups and their members",
    "context:create": "Make contexts",
    "context:list": "See contexts",
    "context:delete": "Remove contexts",
    "context:leave": "Leave contexts",
    "context:invite": "Invite others to contexts",
    "context:execute": "Read and change the data of contexts",
    "context:subscribe": "Follow what happens in contexts",
    "context:alias": "See and change short names",
    "keys": "See, make and remove keys",
  ]

  /// A sentence; nil for a permission this version does not know.
  static func of(_ permission: String) -> String? {
    let parsed = NodePermission(permission)
    var words = parsed.words
    while !words.isEmpty {
      if let text = known[words.joined(separator: ":")] {
        return parsed.scope.isEmpty ? text : "\(text), limited to \(parsed.scope.joined(separator: ", "))"
      }
      words.removeLast()
    }
    return nil
  }
}
