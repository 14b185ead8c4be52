/// What a login page is asked for, in its address and again in its form (10 §2.5).
struct LoginAsk: Sendable {
  let callback: String
  let mode: String
  /// What the tokens shall permit.
  let permissions: [String]
  let packageName: String
  /// What to send along with the form, so that it asks for the same.
  let fields: [(name: String, value: String)]

  private static let names = [
    "callback-url", "permissions", "mode", "package-name", "package-version", "registry-url",
  ]

  init(_ form: [String: String]) {
    callback = form["callback-url"] ?? ""
    mode = form["mode"] ?? ""
    packageName = form["package-name"] ?? ""
    let asked = (form["permissions"] ?? "").split(separator: ",").map(String.init)
    permissions = asked.isEmpty ? Self.permissions(of: mode) : asked
    fields = Self.names.compactMap { name in form[name].map { (name, $0) } }
  }

  /// What an app of a mode asks for that does not say it itself (10 §2.4).
  private static func permissions(of mode: String) -> [String] {
    let single = [
      "context:execute", "context:list", "context:subscribe", "application:list", "blob", "context:alias",
    ]
    switch mode {
    case "admin": return ["admin"]
    case "single-context": return single
    case "multi-context": return single + ["context:create", "context:delete", "namespace", "group"]
    default: return []
    }
  }

  /// Where the tokens go. Throws the refusal that the page shows.
  func destination(at node: String, besides allowed: Set<LoginDestination>) throws(NodeRefusal)
    -> LoginDestination
  {
    guard !callback.isEmpty else {
      throw NodeRefusal(400, "The address does not say where to go back to: callback-url is missing.", .text)
    }
    guard let destination = LoginDestination(callback),
      destination.isOpen(to: node) || allowed.contains(destination)
    else { throw NodeRefusal(400, "Login callback destination is not allowed.", .text) }
    return destination
  }
}
