import MeroHTTP

/// The consent page as HTML (70 §2.14): who asks for what, and where the answer goes.
///
/// With a script and a passkey of this cluster's in the browser the person signs in and approves as anywhere. On a cluster
/// for development there is a form beside it that takes a name for an answer; it needs no script.
enum ConsentPage {
  /// What the page says of a request.
  struct Contents {
    let id: String
    let package: String
    /// What its manifest calls it, and who published it, where that is known.
    let packageName: String?
    let publisher: String?
    let scopes: [String]
    let apps: [String]
    let redirectUri: String
    /// Whether a name is enough here.
    let isDevelopment: Bool
  }

  /// The form.
  ///
  /// - Parameters:
  ///   - name: what was typed last.
  ///   - refusal: what was wrong with it.
  static func form(_ contents: Contents, name: String = "", refusal: Refusal? = nil) -> HTTPResponse {
    let scopes = contents.scopes.map { scope in
      """
      <label class="choice"><input type="checkbox" name="\(escape(scopeField(scope)))" value="yes" checked> \
      \(escape(ScopeWords.of(scope))) <code>\(escape(scope))</code></label>
      """
    }
    let apps = contents.apps.map { "<li><code>\(escape($0))</code></li>" }
    let which =
      apps.isEmpty
      ? "<p>In all apps that you have a part in.</p>"
      : "<p>In these apps and no others:</p>\n<ul>\n\(apps.joined(separator: "\n"))\n</ul>"
    let problem = refusal.map { escape(sentence(of: $0)) } ?? ""
    let body = """
      <h1>Let an app use your account?</h1>
      <p>\(asker(contents)) asks to sign in as you. \
      Afterwards you go back to <code>\(escape(contents.redirectUri))</code>.</p>
      <form id="consent" method="post" action="consent">
      <input type="hidden" name="request" value="\(escape(contents.id))">
      <label>Account name <input name="name" autocomplete="username webauthn" autocapitalize="none" \
      spellcheck="false" maxlength="32" value="\(escape(name))" required></label>
      <h2>It will be able to</h2>
      \(scopes.joined(separator: "\n"))
      \(which)
      <p id="problem" class="error" role="alert"\(refusal == nil ? " hidden" : "")>\(problem)</p>
      <p id="passkey" hidden>
      <button type="button" id="approve">Approve with a passkey</button>
      <button type="button" id="deny">Deny with a passkey</button>
      </p>
      \(contents.isDevelopment ? development : "<noscript><p>This page needs JavaScript to use your passkey.</p></noscript>")
      </form>
      """
    return PageFrame.page(
      refusal?.status ?? 200, title: "Let an app use your account?", body,
      PageFrame.Powers(forms: forms(contents), script: ConsentScript.text))
  }

  /// Who asks. The package's own name always stands there: the other is whatever its publisher likes.
  private static func asker(_ contents: Contents) -> String {
    let package = "<code>\(escape(contents.package))</code>"
    let named = contents.packageName.map { "<strong>\(escape($0))</strong> (\(package))" } ?? package
    return contents.publisher.map { "\(named), published by \(escape($0))," } ?? named
  }

  /// A page that only says why there is nothing to answer.
  static func refusal(_ refusal: Refusal) -> HTTPResponse {
    PageFrame.page(
      refusal.status, title: "Nothing to answer",
      "<h1>There is nothing to answer here</h1>\n<p>\(escape(sentence(of: refusal))) Begin again in the app.</p>"
    )
  }

  /// The form's field for a scope.
  static func scopeField(_ scope: String) -> String { "scope \(scope)" }

  private static let development = """
    <h2>Without a passkey</h2>
    <p>This cluster is for development and runs on this machine alone, so the name of an account is enough here. \
    No other cluster accepts that.</p>
    <p>
    <button name="answer" value="approve">Approve</button>
    <button name="answer" value="deny" formnovalidate>Deny</button>
    </p>
    """

  /// The way back is a redirect of the form, which some browsers count as a form's target.
  private static func forms(_ contents: Contents) -> String {
    guard contents.isDevelopment, let destination = LoginDestination(contents.redirectUri) else {
      return "'none'"
    }
    return "'self' \(destination.policySource)"
  }

  private static func sentence(of refusal: Refusal) -> String {
    refusal.message.prefix(1).uppercased() + refusal.message.dropFirst() + "."
  }

  private static func escape(_ text: String) -> String { PageFrame.escape(text) }
}
