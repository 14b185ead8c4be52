import Foundation
import MeroHTTP
import MeroKitTestSupport

/// The wallets of this machine: one for each name somebody enters on the page. The same name is the same account, always: its
/// root follows from the name. So a device that was certified before a restart is the account's after it, too, and nobody who
/// knows the name needs to be asked for more. These accounts are for trying things out.
package final class LocalWallets: Sendable {
  package static let path = "account-enroll"
  /// The longest name.
  package static let nameLimit = 64
  private let wallets = Locked<[String: FakeWallet]>([:])
  /// Answers for a person who says no before saying who it is.
  private let nobody = FakeWallet()

  package init() {}

  /// The wallet of a person.
  package func wallet(of name: String) -> FakeWallet {
    wallets.withLock { wallets in
      if let wallet = wallets[name] { return wallet }
      // Only the root follows from the name: devices, which are numbered at random, must differ from those before a restart.
      let wallet = FakeWallet(of: "mero local: \(name)")
      wallets[name] = wallet
      return wallet
    }
  }

  /// Shows the page, and answers what was chosen on it: `name` and `answer` beside what the app asks.
  package func handle(_ request: HTTPRequest) async throws -> HTTPResponse {
    guard request.method == .get, request.url.path == "/" + Self.path else {
      return Self.text(404, "there is a page at /\(Self.path) only")
    }
    let parts = URLComponents(url: request.url, resolvingAgainstBaseURL: false)
    var fields = parts?.queryItems ?? []
    func value(_ name: String) -> String? { fields.first { $0.name == name }?.value }
    let name = (value("name") ?? "").trimmingCharacters(in: .whitespaces)
    guard name.count <= Self.nameLimit else {
      return Self.text(400, "a name has at most \(Self.nameLimit) characters")
    }
    let isDeclined = value("answer") == "decline"
    let answer: FakeWallet.Answer = value("answer") == "approve" ? .approve : .decline
    fields.removeAll { ["name", "answer"].contains($0.name) }
    do {
      // Nobody is to be asked about an address that asks for nothing.
      _ = try nobody.decline(request.url)
      // To say no, one need not say who one is.
      guard !name.isEmpty || isDeclined else { return Self.page(Self.form(fields)) }
      let callback = try (isDeclined ? nobody : wallet(of: name)).answer(request.url, answer)
      guard Self.mayReturn(to: callback) else { throw FakeWalletRefusal() }
      return HTTPResponse(
        status: 303, headers: ["location": callback.absoluteString, "cache-control": "no-store"], body: .empty
      )
    } catch {
      return Self.text(400, "the address of this page does not ask for what a wallet does: \(error)")
    }
  }

  private struct FakeWalletRefusal: Error, CustomStringConvertible {
    let description = "it returns to something that a browser would run"
  }

  /// An app's own scheme, or a page; never something that runs.
  private static func mayReturn(to url: URL) -> Bool {
    !["javascript", "data", "blob", "file", "about", "vbscript", "filesystem"].contains(
      url.scheme?.lowercased() ?? "")
  }

  // MARK: The page

  private static func form(_ fields: [URLQueryItem]) -> String {
    let hidden = fields.map {
      #"<input type="hidden" name="\#(escaped($0.name))" value="\#(escaped($0.value ?? ""))">"#
    }
    return """
      <h1>Add this device?</h1>
      <p>An app on this machine asks to act for an account of yours.</p>
      <form method="get" action="/\(path)">
      \(hidden.joined(separator: "\n"))
      <p><label>Your name <input name="name" autofocus required maxlength="\(nameLimit)"></label></p>
      <p><button name="answer" value="approve">Approve</button> <button name="answer" value="decline" formnovalidate>Decline</button></p>
      </form>
      """
  }

  private static func page(_ body: String) -> HTTPResponse {
    let html = """
      <!doctype html><html lang="en"><head><meta charset="utf-8"><title>Wallet</title>
      <meta name="viewport" content="width=device-width, initial-scale=1"></head><body>
      \(body)
      </body></html>
      """
    return HTTPResponse(
      status: 200,
      headers: [
        "content-type": "text/html; charset=utf-8", "cache-control": "no-store",
        "content-security-policy": "default-src 'none'; frame-ancestors 'none'; base-uri 'none'",
      ], body: HTTPBody(Data(html.utf8)))
  }

  private static func text(_ status: Int, _ text: String) -> HTTPResponse {
    HTTPResponse(
      status: status, headers: ["content-type": "text/plain; charset=utf-8"],
      body: HTTPBody(Data((text + "\n").utf8)))
  }

  private static func escaped(_ text: String) -> String {
    var result = ""
    for character in text {
      switch character {
      case "&": result += "&amp;"
      case "<": result += "&lt;"
      case ">": result += "&gt;"
      case "\"": result += "&quot;"
      default: result.append(character)
      }
    }
    return result
  }
}
