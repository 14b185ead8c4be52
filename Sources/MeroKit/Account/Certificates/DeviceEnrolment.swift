import Foundation
import MeroWire

/// What a wallet answered, before anything of it was verified.
public struct EnrolmentCallback: Sendable, Hashable {
  /// The credential, hex.
  public let credential: String
  /// The account, as the wallet says.
  public let account: String
  /// The device, as the wallet says.
  public let device: String
  /// The state that was sent along; nil when none came back.
  public let state: String?

  /// An answer of these parts.
  public init(credential: String, account: String, device: String, state: String? = nil) {
    self.credential = credential
    self.account = account
    self.device = device
    self.state = state
  }
}

/// Asks a wallet to certify this device, in a browser, and reads its answer (30 §5.3).
public enum DeviceEnrolment {
  /// The page of Calimero's wallet.
  public static let defaultWalletURL = "https://wallet.cloud.calimero.network/account-enroll"

  /// The address of the wallet's page.
  ///
  /// - Parameters:
  ///   - callbackURL: where the wallet returns to: absolute, without a fragment. A scheme of the app's own will do: what
  ///     comes back certifies keys that only this app holds.
  ///   - state: comes back unchanged, and shows that the answer is to this request.
  /// - Throws: ``AccountError/invalidInput(_:)`` for a callback that would run or read something, or keys that are none.
  public static func url(
    walletURL: String = defaultWalletURL, devicePublicKey: String, kemPublicKey: String, callbackURL: String,
    state: String = ""
  ) throws(AccountError) -> URL {
    for (key, name) in [(devicePublicKey, "the signing key"), (kemPublicKey, "the delivery key")]
    where !HexField.isId(key) {
      throw .invalidInput("\(name) must be 64 lower-case hex digits")
    }
    try CallbackAddress.check(callbackURL)
    var fields = [
      ("enrol-device", devicePublicKey), ("enrol-kem", kemPublicKey), ("callback-url", callbackURL),
    ]
    if !state.isEmpty { fields.append(("state", state)) }
    return try FormText.address(walletURL, adding: fields)
  }

  /// Reads a wallet's answer out of the fragment of a URL.
  ///
  /// - Returns: nil when the URL is no answer, so that every URL an app is opened with may be tried.
  /// - Throws: ``AccountError/enrolmentDeclined(_:)`` when the person or the wallet said no.
  public static func readCallback(_ url: URL) throws(AccountError) -> EnrolmentCallback? {
    try read(fragmentOf: url.absoluteString)
  }

  package static func read(fragmentOf url: String) throws(AccountError) -> EnrolmentCallback? {
    guard let hash = url.firstIndex(of: "#") else { return nil }
    let pairs = FormText.pairs(url[url.index(after: hash)...])
    func value(_ name: String) -> String? {
      let value = pairs.first { $0.name == name }?.value
      return value?.isEmpty == false ? value : nil
    }
    switch value("error") {
    case nil: break
    case "denied"?, "cancelled"?: throw .enrolmentDeclined("the request was declined in the wallet")
    case let code?: throw .enrolmentDeclined("the wallet refused: \(Excerpt.of(code, upTo: 100))")
    }
    guard let credential = value("credential"), let account = value("account"), let device = value("device")
    else { return nil }
    return EnrolmentCallback(credential: credential, account: account, device: device, state: value("state"))
  }

  /// Verifies an answer: that it is to our request, that the credential is consistent, and that it certifies this device.
  ///
  /// - Parameter state: what was sent along; nil when nothing was.
  /// - Returns: the credential.
  public static func verify(
    _ callback: EnrolmentCallback, keys: DeviceKeys, state: String?
  ) throws(AccountError) -> DeviceCredential {
    try verify(
      callback, signPublicKey: keys.signPublicKey, kemPublicKey: keys.kemPublicKey, state: state)
  }

  package static func verify(
    _ callback: EnrolmentCallback, signPublicKey: String, kemPublicKey: String, state: String?
  ) throws(AccountError) -> DeviceCredential {
    let credential: DeviceCredential
    do throws(EnrolmentFlaw) {
      credential = try check(
        callback, signPublicKey: signPublicKey, kemPublicKey: kemPublicKey, state: state)
    } catch {
      switch error {
      case .stateMismatch: throw .stateMismatch
      case .credential(let flaw): throw .credentialRejected(flaw.text)
      case .other(let what, let certified, let expected):
        throw .credentialRejected(
          "the credential certifies another \(what.rawValue): \(certified) in place of \(Excerpt.of(expected, upTo: 80))"
        )
      }
    }
    return credential
  }

  package static func check(
    _ callback: EnrolmentCallback, signPublicKey: String, kemPublicKey: String, state: String?
  ) throws(EnrolmentFlaw) -> DeviceCredential {
    if let state, state != callback.state { throw .stateMismatch }
    let credential: DeviceCredential
    do throws(CredentialFlaw) {
      credential = try DeviceCertificates.verified(callback.credential)
    } catch { throw .credential(error) }
    func expect(
      _ what: EnrolmentFlaw.Subject, _ certified: String, _ expected: String
    ) throws(EnrolmentFlaw) {
      let expected = expected.trimmingCharacters(in: .whitespacesAndNewlines).lowercased()
      guard certified == expected else { throw .other(what, certified: certified, expected: expected) }
    }
    try expect(.signingKey, credential.signPublicKey, signPublicKey)
    try expect(.deliveryKey, credential.kemPublicKey, kemPublicKey)
    try expect(.account, credential.account, callback.account)
    try expect(.device, credential.device, callback.device)
    return credential
  }
}

/// Why a wallet's answer is not taken, in the order of the checks (30 §5.3).
package enum EnrolmentFlaw: Error, Hashable {
  package enum Subject: String, Sendable {
    case signingKey = "signing key"
    case deliveryKey = "delivery key"
    case account, device
  }

  case stateMismatch
  case credential(CredentialFlaw)
  /// It is about something else than was expected.
  case other(Subject, certified: String, expected: String)
}

/// Where a page may return to with an answer in the fragment.
enum CallbackAddress {
  private static let forbidden: Set<String> = [
    "javascript", "data", "blob", "file", "about", "vbscript", "filesystem", "intent",
  ]

  static func check(_ text: String) throws(AccountError) {
    guard !text.contains("#") else { throw .invalidInput("the callback URL must have no fragment") }
    guard let colon = text.firstIndex(of: ":"), colon != text.startIndex,
      let scheme = URLComponents(string: text)?.scheme?.lowercased(), !scheme.isEmpty
    else { throw .invalidInput("the callback URL must be absolute, as in notes://enrol") }
    guard !forbidden.contains(scheme) else {
      throw .invalidInput("a callback URL cannot have the scheme \(scheme)")
    }
  }
}

extension FormText {
  /// An address with more parameters behind those it has.
  static func address(_ base: String, adding fields: [(String, String)]) throws(AccountError) -> URL {
    let form = fields.map { "\(encode($0.0))=\(encode($0.1))" }.joined(separator: "&")
    let separator = !base.contains("?") ? "?" : base.hasSuffix("?") || base.hasSuffix("&") ? "" : "&"
    guard let url = URL(string: base + separator + form), let scheme = url.scheme?.lowercased(),
      scheme == "https" || scheme == "http"
    else { throw .invalidInput("the page's address must be an http or https URL") }
    return url
  }
}
