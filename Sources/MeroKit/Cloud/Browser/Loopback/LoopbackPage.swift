import Foundation
import MeroCrypto
import MeroHTTP

/// What is answered to a browser: a short text or the page.
struct LoopbackResponse: Sendable, Hashable {
  var status: Int
  var type = "text/plain"
  var text: String
  /// What the browser may do with it.
  var policy = "default-src 'none'; frame-ancestors 'none'"

  /// As it is sent. The connection ends with it.
  var bytes: [UInt8] {
    let body = Array(text.utf8)
    let head = """
      HTTP/1.1 \(status) \(status == 200 ? "OK" : "Refused")
      content-type: \(type); charset=utf-8
      content-length: \(body.count)
      cache-control: no-store
      referrer-policy: no-referrer
      x-content-type-options: nosniff
      content-security-policy: \(policy)
      connection: close


      """
    return Array(head.replacingOccurrences(of: "\n", with: "\r\n").utf8) + body
  }
}

/// The page that a browser comes back to, and who may do what with it.
///
/// The answer is in the fragment, which a browser keeps to itself, so a script reads it there and posts it. The path is random and
/// only the page that was shown is told it: no other page can post here, nor end the waiting.
struct LoopbackPage: Sendable {
  /// With a slash before it.
  let path: String

  enum Reaction: Sendable, Hashable {
    case response(LoopbackResponse)
    /// The script has shown what became of the answer.
    case shown
    /// The query and the fragment that the browser came with; the response waits for what they are worth.
    case answer(String)
  }

  func reaction(to request: LoopbackRequest) -> Reaction {
    // A name that was made to lead here (DNS rebinding) would make any page one of the same origin.
    guard LoopbackName.isNamed(in: request.headers), let host = request.headers["host"] else {
      return .text(421, "this answers to the names of this machine only")
    }
    guard request.path == path else { return .text(404, "there is no such page") }
    if request.method == "GET" { return .response(Self.page) }
    guard request.headers.values(of: "origin") == ["http://\(host)"] else {
      return .text(403, "only the page that the browser was led to may do this")
    }
    switch request.method {
    case "DELETE": return .shown
    case "POST":
      let answer = String(decoding: request.body, as: UTF8.self)
      guard answer.hasPrefix("#") || answer.hasPrefix("?"), answer.utf8.count > 1 else {
        return .text(400, "The address of this page holds no answer.")
      }
      return .answer(answer)
    default: return .text(405, "the answer is posted")
    }
  }

  /// Hands query and fragment over and takes them out of the browser's history.
  private static let script = """
    const said = document.getElementById("said");
    const answer = location.search + location.hash;
    const here = location.pathname;
    history.replaceState(null, "", here);
    fetch(here, { method: "POST", body: answer })
      .then((response) => response.text())
      .then((text) => { said.textContent = text; return fetch(here, { method: "DELETE" }); })
      .catch(() => { if (said.textContent === "…") said.textContent = "The program that waited for this has ended."; });
    """

  private static let page = LoopbackResponse(
    status: 200, type: "text/html",
    text: """
      <!doctype html><html lang="en"><head><meta charset="utf-8"><title>Sign-in</title>
      <meta name="viewport" content="width=device-width, initial-scale=1"></head><body>
      <p id="said">…</p><noscript><p>This page hands the answer over by a script.</p></noscript>
      <script>\(script)</script>
      </body></html>
      """,
    policy:
      "default-src 'none'; script-src 'sha256-\(Data(SHA256.hash(Array(script.utf8))).base64EncodedString())'; "
      + "connect-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'")
}

extension LoopbackPage.Reaction {
  static func text(_ status: Int, _ text: String) -> Self {
    .response(LoopbackResponse(status: status, text: text))
  }
}
