import Foundation
import MeroHTTP
import MeroKit

/// A person at the consent page who answers with a name, as a cluster for development takes it: reads the form and sends it.
struct ConsentVisitor {
  struct Lost: Error {
    let status: Int
    let page: String
  }

  let name: String

  /// Where the page sends the browser after everything that is asked for was granted.
  func visit(_ url: URL) async throws -> URL {
    let transport = URLSessionTransport()
    let page = try await transport.send(HTTPRequest(.get, url, timeout: 30))
    let html = String(decoding: try await page.body.collect(upTo: 1 << 20), as: UTF8.self)
    let hidden = Self.matches(#"<input type="hidden" name="([^"]+)" value="([^"]*)">"#, in: html)
    let scopes = Self.matches(#"<input type="checkbox" name="([^"]+)" value="([^"]*)" checked>"#, in: html)
    let fields = hidden + scopes + [("name", name), ("answer", "approve")]
    let form = fields.map { "\($0.0)=\(Self.encode($0.1))" }.joined(separator: "&")
    let action = url.deletingLastPathComponent().appendingPathComponent("consent")
    let answer = try await transport.send(
      HTTPRequest(
        .post, action, headers: ["content-type": "application/x-www-form-urlencoded"],
        body: .data(Data(form.utf8)), timeout: 30))
    guard answer.status == 303, let location = answer.headers["location"],
      let callback = URL(string: location)
    else {
      let text = String(decoding: try await answer.body.collect(upTo: 1 << 20), as: UTF8.self)
      throw Lost(status: answer.status, page: text)
    }
    return callback
  }

  private static func matches(_ pattern: String, in text: String) -> [(String, String)] {
    guard let expression = try? NSRegularExpression(pattern: pattern) else { return [] }
    return expression.matches(in: text, range: NSRange(text.startIndex..., in: text)).compactMap { match in
      guard let name = Range(match.range(at: 1), in: text), let value = Range(match.range(at: 2), in: text)
      else { return nil }
      return (String(text[name]), String(text[value]))
    }
  }

  private static func encode(_ text: String) -> String {
    text.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
  }
}
