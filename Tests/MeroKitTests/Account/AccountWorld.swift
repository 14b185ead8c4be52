import Foundation
import MeroHTTP
import MeroKitTestSupport
import MeroTrust
import MeroWire
import Testing

@testable import MeroKit

/// Two hosted relays that are linked, the cloud's directory, and accounts that have nothing but a wallet.
struct AccountWorld {
  /// Certificates take long to make; they are the same for all.
  static let pki = TestPKI(seed: 47, now: Date(timeIntervalSince1970: 1_790_000_000))
  static let package = FakePackage.keyValue

  let clock = FakeClock()
  let manager: FakeManager
  let one: FakeRelay
  let two: FakeRelay
  /// What every request passes through.
  let middle: MiddleBox
  let application: String

  init() throws {
    manager = FakeManager(mirror: FakeReleaseMirror(Self.pki), clock: clock.clock, seed: 1)
    one = FakeRelay(url: "https://one.test", tdx: Self.pki, clock: clock.clock, seed: 2)
    two = FakeRelay(url: "https://two.test", tdx: Self.pki, clock: clock.clock, seed: 3)
    application = one.node.installApplication(Self.package)
    _ = two.node.installApplication(Self.package)
    one.node.link(two.node)
    middle = MiddleBox(FakeHosts([manager, one, two]))
  }

  /// What an account works with: stores of its own.
  func environment() -> DelegatedEnvironment {
    DelegatedEnvironment(
      store: .memory(), nonces: MemoryWarrantNonceStore(),
      relayKeyVerifier: DcapRelayKeyVerifier(
        mirrorURL: manager.url, transport: middle, roots: Self.pki.roots, clock: clock.clock),
      cloudBaseURL: manager.url, audience: .cli, releaseMirrorURL: manager.url, transport: middle,
      clock: clock.clock)
  }

  /// An account with a device that its wallet certified.
  func account(_ byte: UInt8, relay: FakeRelay? = nil, knowsExecutor: Bool = true) throws -> DelegatedSession
  {
    let wallet = FakeWallet(seed: UInt64(byte))
    let keys = try AccountFixture.keys(byte)
    let certified = try wallet.certify(signPublicKey: keys.signPublicKey, kemPublicKey: keys.kemPublicKey)
    return DelegatedSession(
      account: wallet.account, credential: certified.credential, keys: keys, relayUrl: relay?.url,
      executorAccount: knowsExecutor ? relay?.account : nil)
  }

  var founding: FoundingApplication {
    FoundingApplication(
      applicationId: application, package: Self.package.name, version: Self.package.version)
  }

  /// The row that the cloud has of a relay.
  static func row(_ relay: FakeRelay, account: String? = nil, admitURL: String? = nil) -> FakeManager.Row {
    .node(account: account ?? relay.account, relayURL: relay.url, admitURL: admitURL)
  }

  /// What was asked of a relay in the open, besides proofs of its keys and joins, which need no envelope.
  static func plain(_ relay: FakeRelay) -> [String] {
    relay.log.filter { !$0.isSealed && !$0.path.contains("/tee/") && !$0.path.hasSuffix("/admit") }.map(
      \.line)
  }

  /// Warrants that came with a number that the same device had used in the same ledger before.
  static func reused(_ relays: FakeRelay...) -> [String] {
    let all = relays.flatMap(\.nonces).filter(\.isSpent).map { "\($0.device) \($0.subject) \($0.value)" }
    return Dictionary(grouping: all) { $0 }.filter { $0.value.count > 1 }.map(\.key)
  }
}
