import Foundation
import MeroCrypto
import MeroHTTP

/// The frame of the pages that a fake shows a person: everything they need is in them, and the browser is let do nothing
/// that they do not need.
enum PageFrame {
  /// What a page may do beyond being looked at.
  struct Powers {
    /// Where forms may lead, in the words of a content security policy.
    var forms = "'none'"
    /// A script, which may ask its own origin.
    var script: String?
  }

  /// Nothing of a page is kept by a cache, shown in another site's frame or told to the next site. The referrer stays
  /// within the origin, where a form needs an origin.
  static let headers: HTTPHeaders = [
    "cache-control": "no-store", "referrer-policy": "same-origin", "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
  ]

  static func page(
    _ status: Int, title: String, _ body: String, _ powers: Powers = Powers(), headers more: HTTPHeaders = [:]
  ) -> HTTPResponse {
    var headers = headers
    headers["content-type"] = "text/html; charset=utf-8"
    let scripts = powers.script.map { "script-src '\(hash($0))'; connect-src 'self'; " } ?? ""
    headers["content-security-policy"] =
      "default-src 'none'; style-src '\(hash(style))'; \(scripts)form-action \(powers.forms); base-uri 'none'; "
      + "frame-ancestors 'none'"
    for (name, value) in more { headers[name] = value }
    let script = powers.script.map { "<script>\($0)</script>\n" } ?? ""
    let html = """
      <!doctype html>
      <html lang="en">
      <head>
      <meta charset="utf-8">
      <meta name="viewport" content="width=device-width, initial-scale=1">
      <title>\(escape(title))</title>
      <style>\(style)</style>
      </head>
      <body>
      <main>
      \(body)
      </main>
      \(script)</body>
      </html>

      """
    return HTTPResponse(status: status, headers: headers, body: HTTPBody(Data(html.utf8)))
  }

  /// Sends the browser on.
  static func redirect(to address: String) -> HTTPResponse {
    var headers = headers
    headers["location"] = address
    return HTTPResponse(status: 303, headers: headers)
  }

  private static let style = """
    :root { color-scheme: light dark; font: 100%/1.5 system-ui, sans-serif; }
    body { margin: 0; padding: 1rem; }
    main { max-width: 32rem; margin: 5vh auto; }
    label { display: block; margin: 1rem 0; }
    label.choice { margin: .25rem 0; }
    input:not([type=hidden], [type=checkbox]) { display: block; width: 100%; box-sizing: border-box; padding: .5rem; \
    font: inherit; }
    button { padding: .5rem 1rem; font: inherit; }
    code { font-size: .9em; overflow-wrap: anywhere; }
    .error { padding: .5rem 1rem; border-left: .25rem solid #c00; }
    """

  /// Lets this style or script in and no other.
  private static func hash(_ text: String) -> String {
    "sha256-\(Data(SHA256.hash(Array(text.utf8))).base64EncodedString())"
  }

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
