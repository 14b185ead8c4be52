import MeroHTTP

/// The login page as HTML: one page without scripts, with everything it needs in it.
///
/// What comes from outside (the address, a user's name) is escaped wherever it stands, and the policy lets the browser do
/// nothing but send the form to the node and go on to the one destination that was checked.
enum LoginPage {
  /// The form.
  ///
  /// - Parameters:
  ///   - isFirst: whether the node has no owner yet.
  ///   - refusal: what was wrong with the last try.
  static func form(
    _ ask: LoginAsk, to destination: LoginDestination, isFirst: Bool, username: String = "",
    refusal: NodeRefusal? = nil
  ) -> HTTPResponse {
    let hidden = ask.fields.map { field in
      #"<input type="hidden" name="\#(escape(field.name))" value="\#(escape(field.value))">"#
    }
    let asked = ask.permissions.map { permission in
      let words = PermissionWords.of(permission) ?? "Something this node does not know"
      return "<li>\(escape(words)) <code>\(escape(permission))</code></li>"
    }
    let who = ask.packageName.isEmpty ? "An app" : "<code>\(escape(ask.packageName))</code>"
    let error = refusal.map { #"<p class="error" role="alert">\#(escape(words(of: $0)))</p>"# } ?? ""
    let first =
      isFirst
      ? "<p>Nobody has used this node before. The name and the password you choose now become its owner's.</p>"
      : ""
    let body = """
      <h1>Log in to this node</h1>
      <p>\(who) asks to be let in. Afterwards you go back to <code>\(escape(destination.policySource))</code>.</p>
      \(first)\(error)
      <form method="post" action="login">
      \(hidden.joined(separator: "\n"))
      <label>User name <input name="username" autocomplete="username" value="\(escape(username))" required></label>
      <label>Password <input type="password" name="password" autocomplete="\(isFirst ? "new" : "current")-password" \
      minlength="\(isFirst ? NodeAuth.passwordLength.lowerBound : 1)" \
      maxlength="\(NodeAuth.passwordLength.upperBound)" required></label>
      <h2>It will be able to</h2>
      <ul>
      \(asked.joined(separator: "\n"))
      </ul>
      <button>Log in and allow</button>
      </form>
      """
    var headers = HTTPHeaders()
    headers["retry-after"] = refusal?.headers["retry-after"]
    return page(refusal?.status ?? 200, body, formsTo: destination, headers: headers)
  }

  /// A page that only says why there is no form.
  static func refusal(_ refusal: NodeRefusal) -> HTTPResponse {
    page(refusal.status, "<h1>This login cannot go on</h1>\n<p>\(escape(refusal.message))</p>", formsTo: nil)
  }

  private static func words(of refusal: NodeRefusal) -> String {
    guard let wait = refusal.headers["retry-after"] else { return refusal.message }
    return "\(refusal.message). Try again in \(wait) seconds."
  }

  private static func page(
    _ status: Int, _ body: String, formsTo destination: LoginDestination?, headers: HTTPHeaders = [:]
  ) -> HTTPResponse {
    // The way back is a redirect of the form, which some browsers count as a form's target.
    let forms = destination.map { "'self' \($0.policySource)" } ?? "'none'"
    return PageFrame.page(
      status, title: "Log in", body, PageFrame.Powers(forms: forms), headers: headers)
  }

  private static func escape(_ text: String) -> String { PageFrame.escape(text) }
}
