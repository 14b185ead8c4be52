import Foundation
import MeroCrypto
import MeroHTTP
import MeroSealed
import Testing

@Suite("sealed sessions")
struct SessionTests {
  @Test("50 §8 #5: three concurrent first requests cause one handshake; a fourth reuses it")
  func singleFlight() async throws {
    let rig = try await SealedRig()
    try await withThrowingTaskGroup(of: String.self) { group in
      for _ in 0..<3 { group.addTask { try await rig.text() } }
      for try await text in group { #expect(text == "hello") }
    }
    #expect(try await rig.text() == "hello")
    let counters = await rig.responder.counters
    #expect(counters.handshakes == 1)
    #expect(counters.exchanges == 4)
    #expect(rig.attestations.withLock { $0 } == 1)
  }

  @Test("50 §8 #6: a forgotten session leads to one new handshake, one retry and success")
  func forgottenOnce() async throws {
    let rig = try await SealedRig()
    _ = try await rig.text()
    await rig.responder.forgetSessions()
    #expect(try await rig.text() == "hello")
    #expect(await rig.responder.counters.handshakes == 2)
    #expect(rig.wire.paths.filter { $0.hasSuffix("/v2") }.count == 3)
    #expect(rig.attestations.withLock { $0 } == 1)
  }

  @Test("50 §8 #6: a session forgotten twice is an error, and nothing ran")
  func forgottenTwice() async throws {
    let ran = Locked(0)
    let rig = try await SealedRig { _ in
      ran.withLock { $0 += 1 }
      return HTTPResponse(status: 200)
    }
    rig.wire.change { $0.beforeExchange = { await rig.responder.forgetSessions() } }
    let error = await failure { _ = try await rig.get() }
    #expect(isRefusal(error, .unknownSession, status: 409))
    #expect(await rig.responder.counters.handshakes == 2)
    #expect(ran.withLock { $0 } == 0)
  }

  @Test("50 §8 #7: a restarted node is attested again, twice in all")
  func restartWithAttestor() async throws {
    let rig = try await SealedRig()
    _ = try await rig.text()
    await rig.responder.restart()
    #expect(try await rig.text() == "hello")
    #expect(rig.attestations.withLock { $0 } == 2)
  }

  @Test("50 §8 #7: with a fixed key a restarted node is refused with staleTransportKey")
  func restartWithFixedKey() async throws {
    let rig = try await SealedRig(fixedKey: true)
    _ = try await rig.text()
    await rig.responder.restart()
    for _ in 0..<2 {
      let error = await failure { _ = try await rig.get() }
      #expect(error as? SealedError == .staleTransportKey)
    }
  }

  @Test(
    "a key that is disowned again right after attesting ends in staleTransportKey, after two attestations")
  func staleTwice() async throws {
    let rig = try await SealedRig()
    rig.wire.change {
      $0.afterHandshake = { response in
        await rig.responder.restart()
        return HTTPResponse(
          status: 409, body: HTTPBody(Data(#"{"error":{"code":"stale_transport_key","message":"no"}}"#.utf8)))
      }
    }
    let error = await failure { _ = try await rig.get() }
    #expect(error as? SealedError == .staleTransportKey)
    #expect(rig.attestations.withLock { $0 } == 2)
  }

  @Test(
    "50 §8 #8: busy is waited out once, as long as asked but at most 5 s, and 1 s when nothing usable is said",
    arguments: [(1, 1.0), (3, 3.0), (3600, 5.0), (nil, 1.0)] as [(Int?, TimeInterval)])
  func busyOnce(retryAfter: Int?, wait: TimeInterval) async throws {
    let rig = try await SealedRig()
    rig.clock.autoAdvance = 5
    await rig.responder.inject {
      $0.busyTimes = 1
      $0.busyRetryAfter = retryAfter
    }
    #expect(try await rig.text() == "hello")
    #expect(rig.clock.sleeps.filter { $0 <= 5 } == [wait])
  }

  @Test("50 §8 #8: busy twice is an error")
  func busyTwice() async throws {
    let rig = try await SealedRig()
    rig.clock.autoAdvance = 5
    await rig.responder.inject { $0.busyTimes = 2 }
    let error = await failure { _ = try await rig.get() }
    #expect(isRefusal(error, .busy, status: 503))
    #expect(try await rig.text() == "hello", "a failed opening is not remembered")
  }

  @Test("50 §8 #13: a session is replaced 60 s before its end, not earlier")
  func renewal() async throws {
    let rig = try await SealedRig()
    _ = try await rig.text()
    // Requests in between keep the session from ending by disuse.
    for _ in 0..<7 {
      rig.clock.jump(by: 500)
      _ = try await rig.text()
    }
    rig.clock.jump(by: 39.5)
    _ = try await rig.text()
    #expect(await rig.responder.counters.handshakes == 1)
    rig.clock.jump(by: 1)
    _ = try await rig.text()
    #expect(await rig.responder.counters.handshakes == 2)
    #expect(await rig.responder.counters.refusedExchanges == 0)
  }

  @Test("50 §8 #13: a thousand requests at once use a thousand different ids, beginning at 1")
  func idsAreUnique() async throws {
    let rig = try await SealedRig()
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<1000 { group.addTask { _ = try await rig.text() } }
      try await group.waitForAll()
    }
    #expect(Set(rig.wire.requestIds) == Set(1...1000))
    #expect(rig.wire.requestIds.count == 1000)
    #expect(await rig.responder.counters.refusedExchanges == 0)
  }

  @Test("a session unused for 600 s is forgotten by the node and opened anew without an error")
  func idleSession() async throws {
    let rig = try await SealedRig()
    _ = try await rig.text()
    rig.clock.jump(by: 599)
    _ = try await rig.text()
    #expect(await rig.responder.counters.handshakes == 1)
    rig.clock.jump(by: 600)
    _ = try await rig.text()
    #expect(await rig.responder.counters.handshakes == 2)
  }

  @Test("a session with less life than the renewal's lead still carries the request it was opened for")
  func shortLifetime() async throws {
    var limits = SealedLimits()
    limits.lifetime = 30
    let rig = try await SealedRig(limits: limits)
    #expect(try await rig.text() == "hello")
    #expect(try await rig.text() == "hello")
    #expect(await rig.responder.counters.handshakes == 2)
  }

  @Test("errors of the attestation pass through unchanged and are not remembered")
  func attestationFails() async throws {
    struct Distrusted: Error, Equatable {}
    let responder = SealedResponder()
    let fails = Locked(true)
    let wire = Wire(responder: responder) { _ in HTTPResponse(status: 204) }
    let channel = try SealedChannel(
      base: SealedRig.base,
      attest: { _ in
        if fails.withLock({ $0 }) { throw Distrusted() }
        return await responder.transportPublicKey()
      }, transport: wire)
    let error = await failure { _ = try await channel.send(method: "GET", innerPath: "/x") }
    #expect(error is Distrusted)
    #expect(wire.requests.isEmpty, "nothing goes to a node whose attestation was not accepted")
    fails.withLock { $0 = false }
    #expect(try await channel.send(method: "GET", innerPath: "/x").status == 204)
  }

  @Test("a connection lost during the handshake says that the request was not sent")
  func handshakeLost() async throws {
    let rig = try await SealedRig()
    rig.wire.change {
      $0.afterHandshake = { _ in
        throw TransportError(kind: .lost, text: "gone", mayHaveBeenSent: true)
      }
    }
    let error = await failure { _ = try await rig.get() } as? TransportError
    #expect(error?.kind == .lost)
    #expect(error?.mayHaveBeenSent == false)
  }

  @Test("a connection lost during the exchange keeps what the transport said")
  func exchangeLost() async throws {
    let rig = try await SealedRig()
    rig.wire.change {
      $0.beforeExchange = {
        throw TransportError(kind: .lost, text: "gone", mayHaveBeenSent: true)
      }
    }
    let error = await failure { _ = try await rig.get() } as? TransportError
    #expect(error?.mayHaveBeenSent == true)
  }

  @Test("a handshake that is not answered within 15 s times out, and the request was not sent")
  func handshakeTimesOut() async throws {
    let rig = try await SealedRig()
    rig.wire.change {
      $0.afterHandshake = { response in
        try await rig.clock.sleep(3600)
        return response
      }
    }
    async let error = failure { _ = try await rig.get() }
    await rig.clock.waitForSleepers(2)
    await rig.clock.advance(by: 15)
    let timedOut = await error as? TransportError
    #expect(timedOut?.kind == .timedOut)
    #expect(timedOut?.mayHaveBeenSent == false)
  }

  @Test("one caller's cancellation ends its own wait at once and leaves the shared opening to the others")
  func cancelledWaiter() async throws {
    let rig = try await SealedRig()
    rig.wire.change {
      $0.afterHandshake = { response in
        try await rig.clock.sleep(1)
        return response
      }
    }
    let first = Task { try await rig.text() }
    await rig.clock.waitForSleepers(2)
    let second = Task { try await rig.text() }
    while await rig.channel.waiterCount < 2 { await Task.yield() }
    first.cancel()
    #expect(await failure { _ = try await first.value } is CancellationError)
    await rig.clock.advance(by: 1)
    #expect(try await second.value == "hello")
  }

  @Test("when everybody who waits is cancelled the opening is given up, and the channel stays usable")
  func allCancelled() async throws {
    let rig = try await SealedRig()
    rig.wire.change {
      $0.afterHandshake = { response in
        try await rig.clock.sleep(1)
        return response
      }
    }
    let only = Task { try await rig.text() }
    await rig.clock.waitForSleepers(2)
    only.cancel()
    #expect(await failure { _ = try await only.value } is CancellationError)
    rig.wire.change { $0.afterHandshake = { $0 } }
    #expect(try await rig.text() == "hello")
  }

  @Test("closing drops the keys and ends those who wait; a later request attests again")
  func closing() async throws {
    let rig = try await SealedRig()
    _ = try await rig.text()
    #expect(await rig.channel.hasSession())
    await rig.channel.close()
    #expect(await rig.channel.hasSession() == false)
    _ = try await rig.text()
    #expect(rig.attestations.withLock { $0 } == 2)
  }

  @Test("a dropped session is replaced under the same attestation; a forgotten attestation is made again")
  func droppingAndForgetting() async throws {
    let rig = try await SealedRig()
    _ = try await rig.text()
    await rig.channel.dropSession()
    _ = try await rig.text()
    #expect(rig.attestations.withLock { $0 } == 1)
    await rig.channel.forgetAttestation()
    _ = try await rig.text()
    #expect(rig.attestations.withLock { $0 } == 1, "the session goes on")
    await rig.channel.dropSession()
    _ = try await rig.text()
    #expect(rig.attestations.withLock { $0 } == 2)
    #expect(await rig.responder.counters.handshakes == 3)
  }

  @Test("an answer that somebody else's key made is refused, not retried")
  func otherNode() async throws {
    let impostor = SealedResponder()
    let rig = try await SealedRig()
    let key = await rig.responder.transportPublicKey()
    let wire = Wire(responder: impostor) { _ in HTTPResponse(status: 200) }
    // A node that ignores whose key is named: it answers with its own handshake.
    wire.change {
      $0.afterHandshake = { _ in
        let own = try ClientHandshake(
          transportKey: await impostor.transportPublicKey(), ephemeral: X25519.PrivateKey())
        return await impostor.handshake(HTTPRequest(.post, SealedRig.base, body: .data(own.requestBody)))
      }
    }
    let channel = try SealedChannel(base: SealedRig.base, key: key, transport: wire)
    let error = await failure { _ = try await channel.send(method: "GET", innerPath: "/x") }
    #expect(error as? SealedError == .notTheAttestedNode)
    #expect(wire.requests.count == 1)
  }
}
