import Foundation
import MeroCrypto
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

  /// Sends the browser on with its tokens.
  static func handOver(_ callback: String) -> HTTPResponse {
    var headers = common
    headers["location"] = callback
    return HTTPResponse(status: 303, headers: headers)
  }

  private static func words(of refusal: NodeRefusal) -> String {
    guard let wait = refusal.headers["retry-after"] else { return refusal.message }
    return "\(refusal.message). Try again in \(wait) seconds."
  }

  // MARK: The frame

  /// Nothing of a login is kept by a cache, shown in another site's frame or told to the next site. The referrer stays
  /// within the node, where the form needs an origin.
  private static let common: HTTPHeaders = [
    "cache-control": "no-store", "referrer-policy": "same-origin", "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
  ]

  private static func page(
    _ status: Int, _ body: String, formsTo destination: LoginDestination?, headers more: HTTPHeaders = [:]
  ) -> HTTPResponse {
    var headers = common
    headers["content-type"] = "text/html; charset=utf-8"
    // The way back is a redirect of the form, which some browsers count as a form's target.
    let forms = destination.map { "'self' \($0.policySource)" } ?? "'none'"
    headers["content-security-policy"] =
      "default-src 'none'; style-src '\(styleHash)'; form-action \(forms); base-uri 'none'; frame-ancestors 'none'"
    for (name, value) in more { headers[name] = value }
    let html = """
      <!doctype html>
      <html lang="en">
      <head>
      <meta charset="utf-8">
      <meta name="viewport" content="width=device-width, initial-scale=1">
      <title>Log in</title>
      <style>\(style)</style>
      </head>
      <body>
      <main>
      \(body)
      </main>
      </body>
      </html>

      """
    return HTTPResponse(status: status, headers: headers, body: HTTPBody(Data(html.utf8)))
  }

  private static let style = """
    :root { color-scheme: light dark; font: 100%/1.5 system-ui, sans-serif; }
    body { margin: 0; padding: 1rem; }
    main { max-width: 32rem; margin: 5vh auto; }
    label { display: block; margin: 1rem 0; }
    input:not([type=hidden]) { display: block; width: 100%; box-sizing: border-box; padding: .5rem; font: inherit; }
    button { padding: .5rem 1rem; font: inherit; }
    code { font-size: .9em; overflow-wrap: anywhere; }
    .error { padding: .5rem 1rem; border-left: .25rem solid #c00; }
    """

  /// Lets this style in and no other.
  private static let styleHash = "sha256-\(Data(SHA256.hash(Array(style.utf8))).base64EncodedString())"

  /// Text as it may stand in HTML, between tags and in quoted attributes.
  static func escape(_ text: String) -> String {
    var result = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "&": result += "&amp;"
      case "<": result += "&lt;"
      case ">": result += "&gt;"
      case "\"": result += "&quot;"
      case "'": result += "&#39;"
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result
  }
}
