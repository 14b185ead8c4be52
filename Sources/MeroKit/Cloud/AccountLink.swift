import Foundation

/// Links an account to a login at the cloud, which pays for its hosting (30 §16.3).
///
/// An app can open the page. Completing the link takes the account's root, which only the wallet holds.
public enum AccountLink {
  /// The cloud's pages, which are elsewhere than its API.
  public static let defaultWebURL = "https://cloud.calimero.network"

  /// What the page answered.
  public struct Grant: Sendable, Hashable {
    /// Good once and for some minutes; worthless without the account's root.
    public let grant: String
    /// The account.
    public let account: String
  }

  /// The address of the page.
  ///
  /// - Throws: ``AccountError/invalidInput(_:)`` for an account that is not 64 lower-case hex digits, or a bad callback.
  public static func url(
    accountId: String, callbackURL: String, webURL: String = defaultWebURL
  ) throws(AccountError) -> URL {
    guard HexField.isId(accountId) else {
      throw .invalidInput("the account must be 64 lower-case hex digits")
    }
    try CallbackAddress.check(callbackURL)
    var base = webURL
    if let parts = URLComponents(string: webURL), parts.path.isEmpty {
      let query = webURL.firstIndex(of: "?") ?? webURL.endIndex
      base = webURL[..<query] + "/" + webURL[query...]
    }
    return try FormText.address(base, adding: [("link-account", accountId), ("callback-url", callbackURL)])
  }

  /// Reads the page's answer out of the fragment of a URL; what stands in the query counts for nothing.
  ///
  /// - Returns: nil when the URL is no answer.
  /// - Throws: ``AccountError/enrolmentDeclined(_:)`` when the person or the cloud said no.
  public static func readCallback(_ url: URL) throws(AccountError) -> Grant? {
    let text = url.absoluteString
    guard let hash = text.firstIndex(of: "#") else { return nil }
    let pairs = FormText.pairs(text[text.index(after: hash)...])
    func value(_ name: String) -> String { pairs.first { $0.name == name }?.value ?? "" }
    let error = value("error")
    if error == "denied" || error == "cancelled" {
      throw .enrolmentDeclined("the link was declined")
    } else if !error.isEmpty {
      throw .enrolmentDeclined("the cloud refused the link: \(Excerpt.of(error, upTo: 100))")
    }
    let grant = value("grant")
    guard !grant.isEmpty, !value("account").isEmpty else { return nil }
    return Grant(grant: grant, account: value("account"))
  }
}
