import Foundation
import MeroHTTP
import MeroKitTestSupport
import MeroTrust
import MeroWire
import Testing

@testable import MeroKit

/// A cluster, a clock that a test moves, and clients over both.
struct EngineRig: Sendable {
  /// Waits of retries end at once and move the time on; watchdogs stay asleep.
  let clock = FakeClock(autoAdvance: 2)
  let cloud: FakeCloud
  let wire: Wire
  let log = Locked<[CalimeroLogEvent]>([])

  init(nodes: Int = 3, seed: UInt64 = 7, tdx: TestPKI? = nil) {
    cloud = FakeCloud(nodes: nodes, clock: clock.clock, seed: seed, tdx: tdx)
    wire = Wire(cloud)
  }

  func options(_ change: (inout CalimeroClientOptions) -> Void = { _ in }) -> CalimeroClientOptions {
    // Every random wait is its middle: three quarters of the whole.
    let random = MeroRandom(bytes: SeededRandom(seed: 11).random.bytes, unit: { 0.5 })
    var options = CalimeroClientOptions(
      baseUrl: cloud.urls[0], nodes: Array(cloud.urls.dropFirst()), policy: .development,
      transport: wire.transport, clock: clock.clock, random: random)
    options.log = { [log] event in log.withLock { $0.append(event) } }
    change(&options)
    return options
  }

  func client(_ change: (inout CalimeroClientOptions) -> Void = { _ in }) -> CalimeroClient {
    CalimeroClient(options(change))
  }

  /// A client that is signed in and has a chat.
  func member(
    package: String = "com.calimero.chat", _ change: (inout CalimeroClientOptions) -> Void = { _ in }
  ) async throws -> (client: CalimeroClient, app: String, org: String) {
    let client = client(change)
    try await client.signUp(SoftPasskey(), name: "ada")
    let org = try await client.orgs.create(name: "Acme").orgId
    let app = try await client.apps.create(name: "chat", package: package, org: org).appId
    cloud.clearLog()
    return (client, app, org)
  }

  /// The waits between rounds, as the client told its log.
  var waits: [TimeInterval] {
    log.withLock { $0 }.filter { $0.kind == .waiting }.compactMap(\.seconds)
  }

  /// Requests for attestation that a node got.
  func attestations(of node: Int) -> Int {
    cloud.log.outer.filter { $0.node == node && $0.path == "/tee/attest" }.count
  }
}

/// The error that `body` throws, or nil when it does not throw; anything but a ``CalimeroError`` is an issue.
func calimeroError(_ body: () async throws -> Void) async -> CalimeroError? {
  do {
    try await body()
    return nil
  } catch let error as CalimeroError {
    return error
  } catch {
    Issue.record("not a CalimeroError: \(error)")
    return nil
  }
}

extension CalimeroError {
  var attestationReason: AttestationFailure.Reason? {
    if case .attestation(let failure) = self { failure.reason } else { nil }
  }
}
