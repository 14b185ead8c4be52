import Foundation
import MeroCrypto
import MeroHTTP
import MeroWire

/// A wallet in memory: holds an account's root, and certifies the devices that apps ask it to (40 §18.1).
///
/// ```swift
/// let wallet = FakeWallet()
/// let answer = try wallet.approve(try await signIn.beginEnrolment(callbackURL: "notes://enrol"))
/// try await signIn.completeEnrolment(callbackURL: answer)
/// ```
///
/// Over HTTP it is the page that a browser shows, with a link for yes and one for no.
public final class FakeWallet: FakeHost {
  /// What it does when it is asked to certify a device. All but the first are what an app must not fall for.
  public enum Answer: Sendable, Hashable {
    /// Certifies the device.
    case approve
    /// The person said no.
    case decline
    /// The wallet itself refuses, with this code.
    case refuse(String)
    /// Answers with a state that is not the app's.
    case tamperState
    /// Says that the account is another.
    case lieAboutAccount
    /// Says that the device is another.
    case lieAboutDevice
    /// Certifies a signing key that is not the app's.
    case certifyOtherKey
    /// Certifies a delivery key that is not the app's.
    case certifyOtherDeliveryKey
    /// Sends a credential that its root did not sign like this.
    case breakCertificate
  }

  /// What a root certified.
  public struct Certified: Sendable, Hashable {
    /// Hex.
    public let credential: String
    /// 64 hex.
    public let device: String
  }

  /// The account, 64 hex.
  public let account: String
  let root: Ed25519.PrivateKey
  private let random: MeroRandom
  private let door: FakeDoor

  /// A wallet of one account, which the seed decides.
  public convenience init(url: String = "https://wallet.test/account-enroll", seed: UInt64? = nil) {
    let random = MeroRandom.chosen(by: seed)
    self.init(url: url, root: random.bytes(32), random: random)
  }

  /// A wallet of a person, whose account follows from the name. Devices are numbered at random all the same, so that those of
  /// two runs differ.
  package convenience init(of person: String) {
    self.init(
      url: "https://wallet.test/account-enroll", root: SHA256.hash(Array(person.utf8)),
      random: .system)
  }

  private init(url: String, root bytes: [UInt8], random: MeroRandom) {
    self.random = random
    root = NodeSecrets.made { try Ed25519.PrivateKey(seed: bytes) }
    account = Hex.encode(DeviceCredential.account(ofRoot: root.publicKey.bytes))
    door = FakeDoor(url)
  }

  /// Where it is reached, as an app is told.
  public var url: String { door.url.absoluteString }
  /// The page that enrols devices.
  public var hostURL: URL { door.url }

  // MARK: Certifying

  /// Certifies a device of these public keys, 64 hex each.
  public func certify(signPublicKey: String, kemPublicKey: String) throws -> Certified {
    let credential = NodeSecrets.certify(
      root: root, signingKey: try Hex.decode(signPublicKey, count: 32),
      deliveryKey: try Hex.decode(kemPublicKey, count: 32), nonce: random.bytes(16))
    return Certified(credential: credential.hex, device: Hex.encode(credential.device))
  }

  /// Where the person is sent back to after a yes.
  ///
  /// - Throws: ``BadRequest`` for an address that a wallet does not take.
  public func approve(_ page: URL) throws -> URL { try answer(page, .approve) }

  /// Where the person is sent back to after a no.
  public func decline(_ page: URL) throws -> URL { try answer(page, .decline) }

  /// Where the person is sent back to.
  public func answer(_ page: URL, _ answer: Answer) throws -> URL {
    let query = page.absoluteString.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
    let request = try Request(NodeExchange.readQuery(query.count > 1 ? query[1].prefix { $0 != "#" } : nil))
    switch answer {
    case .decline: return try request.callback("error=cancelled")
    case .refuse(let code): return try request.callback("error=\(NodePercent.encode(code))")
    default: break
    }
    var keys = (sign: request.signKey, kem: request.kemKey)
    if answer == .certifyOtherKey { keys.sign = otherKey() }
    if answer == .certifyOtherDeliveryKey { keys.kem = otherKey() }
    var certified = try certify(signPublicKey: keys.sign, kemPublicKey: keys.kem)
    if answer == .breakCertificate {
      let last = certified.credential.hasSuffix("0") ? "1" : "0"
      certified = Certified(credential: certified.credential.dropLast() + last, device: certified.device)
    }
    let account = answer == .lieAboutAccount ? Hex.encode(random.bytes(32)) : account
    let device = answer == .lieAboutDevice ? Hex.encode(random.bytes(32)) : certified.device
    var fragment = "credential=\(certified.credential)&account=\(account)&device=\(device)"
    let state = answer == .tamperState ? Hex.encode(random.bytes(16)) : request.state
    if let state { fragment += "&state=\(NodePercent.encode(state))" }
    return try request.callback(fragment)
  }

  private func otherKey() -> String {
    let bytes = random.bytes(32)
    return Hex.encode(NodeSecrets.made { try Ed25519.PrivateKey(seed: bytes) }.publicKey.bytes)
  }

  // MARK: The page

  /// Answers a request. Throws `TransportError` when the connection is to be dropped.
  public func handle(_ request: HTTPRequest) async throws -> HTTPResponse {
    try await door.answer(request) { arrived in
      guard arrived.method == "GET", arrived.path == "/" else { throw NodeRefusal.noRoute(arrived) }
      do {
        return self.page(yes: try self.approve(request.url), no: try self.decline(request.url))
      } catch let error as BadRequest { throw NodeRefusal(400, error.description) }
    }
  }

  /// What arrived so far, in order.
  public var log: [FakeRequest] { door.log }

  private func page(yes: URL, no: URL) -> HTTPResponse {
    let html = """
      <!doctype html><meta charset="utf-8"><title>Wallet</title>
      <h1>Add this device?</h1>
      <p>An app asks to act for account <code>\(account)</code>.</p>
      <p><a id="approve" href="\(Self.escaped(yes))">Approve</a> <a id="decline" href="\(Self.escaped(no))">Decline</a></p>
      """
    return HTTPResponse(
      status: 200, headers: ["content-type": "text/html; charset=utf-8"], body: HTTPBody(Data(html.utf8)))
  }

  private static func escaped(_ url: URL) -> String {
    url.absoluteString.replacingOccurrences(of: "&", with: "&amp;").replacingOccurrences(
      of: "\"", with: "&quot;")
  }
}

extension FakeWallet {
  /// An address that does not ask for what a wallet does.
  public struct BadRequest: Error, Sendable, Hashable, CustomStringConvertible {
    /// What is wrong with it.
    public let description: String
  }

  /// What a page's address asks for.
  fileprivate struct Request {
    let signKey: String
    let kemKey: String
    let callback: String
    let state: String?

    init(_ query: [String: String]) throws(BadRequest) {
      func key(_ name: String) throws(BadRequest) -> String {
        guard let key = query[name], NodeId.read(key) == key else {
          throw BadRequest(description: "\(name) is not 64 lower-case hex digits")
        }
        return key
      }
      signKey = try key("enrol-device")
      kemKey = try key("enrol-kem")
      guard let callback = query["callback-url"], URL(string: callback)?.scheme != nil,
        !callback.contains("#")
      else { throw BadRequest(description: "callback-url is not an absolute address without a fragment") }
      self.callback = callback
      state = query["state"].flatMap { $0.isEmpty ? nil : $0 }
    }

    func callback(_ fragment: String) throws(BadRequest) -> URL {
      guard let url = URL(string: "\(callback)#\(fragment)") else {
        throw BadRequest(description: "the callback is no address")
      }
      return url
    }
  }
}

/// Percent-encoding for a fragment: everything but letters and digits.
enum NodePercent {
  static func encode(_ text: String) -> String {
    text.utf8.map { byte in
      let isPlain =
        Character(UnicodeScalar(byte)).isASCII && Character(UnicodeScalar(byte)).isLetter
        || (0x30...0x39).contains(byte)
      return isPlain ? String(UnicodeScalar(byte)) : "%" + Hex.encode([byte]).uppercased()
    }.joined()
  }
}
