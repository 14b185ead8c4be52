import Foundation
import MeroHTTP
import MeroKitTestSupport
import MeroTrust
import Testing

@testable import MeroKit

@Suite("learning the node key of a relay", .timeLimit(.minutes(5)))
struct RelayNodeKeyTests {
  private enum Outcome: Equatable { case learned(String), unavailable, refused }

  private func attempt(_ rig: SealedRig, fresh: Bool = false) async -> Outcome {
    switch await DelegatedAccounts.attemptRelayNodeKey(rig.relay.url, env: rig.env, fresh: fresh) {
    case .learned(let key): .learned(key)
    case .unavailable: .unavailable
    case .refused: .refused
    }
  }

  private func pin(_ rig: SealedRig) -> String? {
    DelegatedAccounts.pinnedRelayNodeKey(rig.relay.url, store: rig.env.store)
  }

  @Test("40 §19 #45: a pinned key is learned with no request; when it has to be fresh, the relay is asked")
  func pinned() async throws {
    let rig = try SealedRig()
    let other = String(repeating: "ab", count: 32)
    try DelegatedAccounts.pinRelayNodeKey(rig.relay.url + "/", nodeKey: other, store: rig.env.store)
    #expect(await attempt(rig) == .learned(other))
    #expect(rig.relay.log.isEmpty)
    #expect(await attempt(rig, fresh: true) == .learned(rig.relay.nodeKey))
    #expect(rig.attestations == 1)
    #expect(pin(rig) == rig.relay.nodeKey)
  }

  @Test(
    "40 §19 #46: when the mirror or the relay only cannot be reached, the key is unavailable and nothing is pinned"
  )
  func unavailable() async throws {
    let rig = try SealedRig()
    let mirror = try #require(rig.relay.mirror)
    for outage in [FakeReleaseMirror.Outage.refused, .status(504)] {
      mirror.fail(outage)
      #expect(await attempt(rig) == .unavailable)
    }
    mirror.fail(nil)
    for fault in [FakeRelay.AttestationFault.down, .status(500), .status(503)] {
      rig.relay.failAttestation(fault)
      #expect(await attempt(rig) == .unavailable)
    }
    rig.relay.failAttestation(nil)
    rig.relay.node.down()
    #expect(await attempt(rig) == .unavailable)
    #expect(pin(rig) == nil)
    rig.relay.node.up()
    #expect(await attempt(rig) == .learned(rig.relay.nodeKey))
  }

  @Test(
    "40 §19 #47: a quote of no signed release, for another number or key, or a mock one from a hosted relay is refused and pins nothing"
  )
  func refused() async throws {
    let rig = try SealedRig()
    for shown in [FakeCloudNode.Attestation.wrongRelease, .debugImage, .oldRelease, .unsignedRelease, .mock] {
      rig.relay.node.present(shown)
      #expect(await attempt(rig) == .refused, "\(shown)")
    }
    rig.relay.node.present(.good)
    for fault in [FakeRelay.AttestationFault.wrongNonce, .wrongKey, .empty] {
      rig.relay.failAttestation(fault)
      #expect(await attempt(rig) == .refused, "\(fault)")
    }
    #expect(pin(rig) == nil)
    rig.relay.failAttestation(nil)
    #expect(await attempt(rig) == .learned(rig.relay.nodeKey))
  }

  @Test("40 §19 #48: a mock quote of a relay on this machine is enough, and pins the key")
  func loopback() async throws {
    let rig = try SealedRig("http://127.0.0.1:2540")
    #expect(await attempt(rig) == .learned(rig.relay.nodeKey))
    #expect(pin(rig) == rig.relay.nodeKey)
  }

  @Test("40 §19 #49: a mirror that fails twice is asked again after 1 and 2 seconds, and the key is pinned")
  func learns() async throws {
    let rig = try SealedRig()
    let mirror = try #require(rig.relay.mirror)
    mirror.fail(.status(504))
    let learning = Task { await DelegatedAccounts.learnRelayNodeKey(rig.relay.url, env: rig.env) }
    for (wait, attempts) in [(1.0, 1), (2.0, 2)] {
      try await SealedRig.until { rig.clock.nextWake == wait }
      #expect(rig.attestations == attempts)
      if attempts == 2 { mirror.fail(nil) }
      await rig.clock.advance(by: wait)
    }
    #expect(await learning.value == rig.relay.nodeKey)
    #expect(rig.attestations == 3)
    #expect(pin(rig) == rig.relay.nodeKey)
  }

  @Test(
    "40 §19 #50: a mirror that stays away is asked at 0, 1, 3, 8, 18, 48 and 78 seconds, until the task is cancelled"
  )
  func keepsAsking() async throws {
    let rig = try SealedRig()
    try #require(rig.relay.mirror).fail(.refused)
    let learning = Task { await DelegatedAccounts.learnRelayNodeKey(rig.relay.url, env: rig.env) }
    var moments: [TimeInterval] = []
    let begin = rig.clock.now
    for (index, wait) in [1.0, 2, 5, 10, 30, 30, 30].enumerated() {
      try await SealedRig.until { rig.clock.nextWake == wait && rig.attestations == index + 1 }
      moments.append(rig.clock.now.timeIntervalSince(begin))
      if index < 6 { await rig.clock.advance(by: wait) }
    }
    #expect(moments == [0, 1, 3, 8, 18, 48, 78])
    learning.cancel()
    #expect(await learning.value == nil)
    #expect(rig.attestations == 7)
    #expect(pin(rig) == nil)
  }

  @Test("40 §19 #51: a refusal is final: one attempt, and no key")
  func refusalIsFinal() async throws {
    let rig = try SealedRig()
    rig.relay.node.present(.debugImage)
    #expect(await DelegatedAccounts.learnRelayNodeKey(rig.relay.url, env: rig.env) == nil)
    #expect(rig.attestations == 1)
  }

  @Test("40 §19 #52: a stored pin that is no key reads as none")
  func garbage() async throws {
    let rig = try SealedRig()
    rig.env.store.set("not a key", DelegatedAccounts.Keys.nodeKey(rig.relay.url))
    #expect(pin(rig) == nil)
    #expect(await attempt(rig) == .learned(rig.relay.nodeKey))
  }
}
