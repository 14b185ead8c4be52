import Foundation
import MeroAPI
import MeroWire

/// A sign-in through the consent page that has begun: what has to be kept until the page answers (70 §2.14).
///
/// It can be written out and read back, since the app may be ended while the browser is in front. It holds a secret,
/// without which the page's answer is worth nothing: keep it where sessions are kept.
public struct ConsentFlow: Codable, Sendable, Hashable {
  /// The page to open in the system browser.
  public let url: URL
  /// The request's id.
  public let requestId: String
  /// When the request's time is over, in Unix milliseconds of the cluster's clock.
  public let expiresAt: Int64
  /// Where the page sends the browser afterwards.
  public let redirectUri: String
  /// Comes back with the answer, which so belongs to this flow.
  let state: String
  /// The secret whose hash the request carried.
  let codeVerifier: String

  init(
    _ created: Components.Schemas.ConsentCreated, redirectUri: String, secrets: ConsentSecrets
  ) throws(CalimeroError) {
    guard let url = URL(string: created.url), ["https", "http"].contains(url.scheme?.lowercased()),
      url.host?.isEmpty == false
    else {
      throw .decoding(
        DecodingFailure(
          path: "url", reason: "is not the address of a page",
          operation: APIOperation.consentRequestCreate.id))
    }
    self.url = url
    requestId = created.requestId
    expiresAt = created.expiresAt
    self.redirectUri = redirectUri
    state = secrets.state
    codeVerifier = secrets.codeVerifier
  }
}

extension ConsentFlow: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  /// Which request it is; never its secrets.
  public var description: String { "consent request \(requestId)" }
  /// Which request it is; never its secrets.
  public var debugDescription: String { description }
  /// Which request it is; never its secrets.
  public var customMirror: Mirror {
    Mirror(self, children: ["requestId": requestId, "url": url, "redirectUri": redirectUri])
  }
}

/// What makes a flow its own: 32 random bytes each for the state and for the verifier (RFC 7636).
struct ConsentSecrets {
  let state: String
  let codeVerifier: String

  init(_ random: MeroRandom) {
    state = Base64URL.encode(random.bytes(32))
    codeVerifier = Base64URL.encode(random.bytes(32))
  }
}
