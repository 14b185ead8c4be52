import Foundation
import MeroHTTP
import MeroKitTestSupport
import MeroTrust
import MeroWire
import Testing

@testable import MeroKit

/// A relay with one context, and an account of one device that is a member there.
struct SealedRig {
  /// Certificates take long to make; they are the same for all.
  static let pki = TestPKI(seed: 41, now: Date(timeIntervalSince1970: 1_790_000_000))

  let clock = FakeClock()
  let relay: FakeRelay
  let account: String
  let session: DelegatedSession
  let namespace: String
  let context: String
  /// What the way to the relay goes through.
  let middle: MiddleBox
  var env: DelegatedEnvironment

  init(_ url: String = "https://relay.test", verifier: (any RelayKeyVerifier)? = nil) throws {
    let isHosted = url.hasPrefix("https")
    relay = FakeRelay(url: url, tdx: isHosted ? Self.pki : nil, clock: clock.clock, seed: 5)
    let middle = MiddleBox(relay.transport)
    self.middle = middle
    env = relay.environment(transport: middle)
    if let verifier { env.relayKeyVerifier = verifier }
    namespace = relay.node.makeNamespace(of: .keyValue)
    context = relay.node.makeContext(of: .keyValue, in: namespace)
    let device = try Device(0x31)
    account = device.account
    session = device.session(at: url)
    relay.addMember(account, to: namespace)
  }

  /// An account without a node, and its device.
  struct Device {
    let keys: DeviceKeys
    let account: String
    let credential: String

    init(_ byte: UInt8) throws {
      func bytes(_ mask: UInt8) -> Data { Data(repeating: byte ^ mask, count: 32) }
      keys = try DeviceKeys(signSecret: bytes(1), kemSecret: bytes(2))
      let probe = try DeviceCertificates.certify(
        rootSeed: bytes(3), device: Hex.encode(bytes(4)), signPublicKey: keys.signPublicKey,
        kemPublicKey: keys.kemPublicKey)
      account = try DeviceCertificates.parse(probe).account
      credential = try DeviceCertificates.certify(
        rootSeed: bytes(3),
        device: try DeviceCertificates.mintDeviceId(
          account: account, nonce: Hex.encode(bytes(5).prefix(16))),
        signPublicKey: keys.signPublicKey, kemPublicKey: keys.kemPublicKey)
    }

    func session(at relay: String?) -> DelegatedSession {
      DelegatedSession(account: account, credential: credential, keys: keys, relayUrl: relay)
    }
  }

  var transport: any HTTPTransport { RelayTransports.transport(relayURL: relay.url, env: env) }

  /// A session at the relay, by the key that it proves.
  func relaySession(nodeKey: String? = nil) -> RelaySession {
    RelaySession(
      relayURL: relay.url, nodeKey: nodeKey ?? relay.nodeKey, session: session, env: env,
      transport: transport)
  }

  func request(
    _ method: HTTPMethod, _ path: String, json: JSONValue? = nil, bearer: String? = nil
  ) throws -> HTTPRequest {
    var request = HTTPRequest(method, try #require(URL(string: relay.url + path)))
    if let bearer { request.headers["authorization"] = "Bearer \(bearer)" }
    if let json {
      request.headers["content-type"] = "application/json"
      request.body = .data(json.data())
    }
    return request
  }

  /// A request over the transport that the relay is talked to with; its status.
  func status(
    _ method: HTTPMethod, _ path: String, json: JSONValue? = nil, bearer: String? = nil
  ) async throws -> Int {
    let response = try await transport.send(request(method, path, json: json, bearer: bearer))
    _ = try await response.body.collect(upTo: 1 << 20)
    return response.status
  }

  /// What the relay was asked in the open, besides for its proofs.
  var plain: [String] {
    relay.log.filter { !$0.isSealed && !$0.path.hasPrefix("/admin-api/tee/") }.map(\.line)
  }

  var sealed: [String] { relay.log.filter(\.isSealed).map(\.line) }

  var attestations: Int { relay.log.filter { $0.path == "/admin-api/tee/attest" }.count }

  /// Lets others run until something is the case. The tests that use it have a limit of time.
  static func until(_ condition: @Sendable () -> Bool) async throws {
    while !condition() {
      try Task.checkCancellation()
      await Task.yield()
    }
  }
}

/// Sits on the way, and changes what it is told to.
final class MiddleBox: HTTPTransport {
  typealias Change = @Sendable (HTTPRequest, any HTTPTransport) async throws -> HTTPResponse

  private let inner: any HTTPTransport
  private let change = Locked<Change?>(nil)
  private let seen = Locked<[HTTPRequest]>([])

  init(_ inner: any HTTPTransport) { self.inner = inner }

  /// Does this to every request from now on; nil passes them on.
  func interfere(_ change: Change?) { self.change.withLock { $0 = change } }

  /// What passed by.
  var requests: [HTTPRequest] { seen.withLock { $0 } }

  func send(_ request: HTTPRequest) async throws -> HTTPResponse {
    seen.withLock { $0.append(request) }
    guard let change = change.withLock({ $0 }) else { return try await inner.send(request) }
    return try await change(request, inner)
  }

  /// Whether a secret passed by where everybody can read it.
  func saw(_ secret: String) -> Bool {
    requests.contains { request in
      var text = request.url.absoluteString + request.headers.map(\.value).joined()
      if case .data(let body) = request.body { text += String(decoding: body, as: UTF8.self) }
      return text.contains(secret)
    }
  }
}

/// The refusal that an account gets for a relay that cannot be proven or sealed to; nil for anything else.
func relayKeyRefusal(_ body: () async throws -> Void) async -> String? {
  do {
    try await body()
    return nil
  } catch AccountError.relayKeyUnavailable(let text) {
    return text
  } catch { return nil }
}
