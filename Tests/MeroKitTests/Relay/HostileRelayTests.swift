import Foundation
import MeroHTTP
import MeroKitTestSupport
import MeroSealed
import MeroTrust
import MeroWire
import Testing

@testable import MeroKit

@Suite("a relay, or somebody on the way to it, who is up to no good", .timeLimit(.minutes(5)))
struct HostileRelayTests {
  private let secret = "a-token-for-one-relay"

  private func isExchange(_ request: HTTPRequest) -> Bool { request.url.path == "/sealed/v2" }

  @Test("a node key that changed between the proof and the login opens no session, and asks for a new proof")
  func swappedKey() async throws {
    let rig = try SealedRig()
    let learned = try #require(await DelegatedAccounts.learnRelayNodeKey(rig.relay.url, env: rig.env))
    await rig.relay.restart(newNodeKey: true)
    #expect(rig.relay.nodeKey != learned)
    let session = rig.relaySession(nodeKey: learned)
    #expect(await session.token() == nil)
    #expect(rig.relay.logins.isEmpty)
    // The pin stands: nothing but a proof replaces it.
    #expect(DelegatedAccounts.pinnedRelayNodeKey(rig.relay.url, store: rig.env.store) == learned)
    guard
      case .learned(let fresh) = await DelegatedAccounts.attemptRelayNodeKey(
        rig.relay.url, env: rig.env, fresh: true)
    else {
      Issue.record("the new key was not learned")
      return
    }
    #expect(fresh == rig.relay.nodeKey)
    #expect(await rig.relaySession(nodeKey: fresh).token() != nil)
  }

  @Test("an answer that was sealed for another request is not taken, and nothing is sent in the open for it")
  func replayedAnswer() async throws {
    let rig = try SealedRig()
    let kept = Locked<Data?>(nil)
    rig.middle.interfere { request, next in
      let response = try await next.send(request)
      guard request.url.path == "/sealed/v2" else { return response }
      let body = try await response.body.collect(upTo: 1 << 20)
      let old = kept.withLock { kept -> Data? in
        defer { kept = kept ?? body }
        return kept
      }
      return HTTPResponse(
        status: response.status, headers: response.headers, body: HTTPBody(old ?? body))
    }
    #expect(try await rig.status(.get, "/admin-api/health") == 200)
    let refusal = await relayKeyRefusal {
      _ = try await rig.status(.get, "/admin-api/contexts", bearer: secret)
    }
    #expect(refusal == SealedError.frameDidNotOpen.description)
    #expect(rig.plain.isEmpty)
    #expect(!rig.middle.saw(secret))
  }

  @Test("a request that somebody sends again is not run again")
  func replayedRequest() async throws {
    let rig = try SealedRig()
    #expect(try await rig.status(.get, "/admin-api/health") == 200)
    let envelope = try #require(rig.middle.requests.last { isExchange($0) })
    let again = try await rig.relay.handle(envelope)
    #expect(again.status == 400)
    #expect(rig.sealed == ["GET /admin-api/health"])
  }

  @Test(
    "a request that was changed on the way is not run, and not sent in the open instead",
    arguments: [0, 20, 60, -1])
  func tamperedRequest(_ place: Int) async throws {
    let rig = try SealedRig()
    #expect(try await rig.status(.get, "/admin-api/health") == 200)
    rig.relay.clearLog()
    rig.middle.interfere { request, next in
      guard request.url.path == "/sealed/v2", case .data(var body) = request.body else {
        return try await next.send(request)
      }
      body[place < 0 ? body.index(before: body.endIndex) : body.index(body.startIndex, offsetBy: place)] ^= 1
      var changed = request
      changed.body = .data(body)
      return try await next.send(changed)
    }
    let refusal = await relayKeyRefusal {
      _ = try await rig.status(.get, "/admin-api/contexts", bearer: secret)
    }
    #expect(refusal != nil)
    #expect(rig.relay.log.isEmpty)
    #expect(!rig.middle.saw(secret))
  }

  @Test("an answer that was changed on the way is not taken")
  func tamperedAnswer() async throws {
    let rig = try SealedRig()
    #expect(try await rig.status(.get, "/admin-api/health") == 200)
    rig.middle.interfere { request, next in
      let response = try await next.send(request)
      guard request.url.path == "/sealed/v2" else { return response }
      var body = try await response.body.collect(upTo: 1 << 20)
      body[body.index(before: body.endIndex)] ^= 1
      return HTTPResponse(status: response.status, headers: response.headers, body: HTTPBody(body))
    }
    let refusal = await relayKeyRefusal { _ = try await rig.status(.get, "/admin-api/health") }
    #expect(refusal == SealedError.frameDidNotOpen.description)
    #expect(rig.plain.isEmpty)
  }

  @Test(
    "nobody on the way can make a client send a token in the open by claiming that the relay is unguarded")
  func forgedDowngrade() async throws {
    let rig = try SealedRig()
    #expect(try await rig.status(.get, "/admin-api/health") == 200)
    let forged: JSONValue = ["error": ["code": "sealed_route_unguarded", "message": "use the open door"]]
    for headers in [HTTPHeaders(), ["content-type": "application/vnd.calimero.sealed"]] {
      rig.middle.interfere { request, next in
        guard request.url.path == "/sealed/v2" else { return try await next.send(request) }
        return HTTPResponse(status: 403, headers: headers, body: HTTPBody(forged.data()))
      }
      for _ in 0..<2 {
        let refusal = await relayKeyRefusal {
          _ = try await rig.status(.get, "/admin-api/contexts", bearer: secret)
        }
        #expect(refusal != nil)
      }
    }
    #expect(rig.plain.isEmpty)
    #expect(!rig.middle.saw(secret))
  }

  @Test("somebody who shows the relay's own quote and answers the handshake himself gets nothing")
  func borrowedQuote() async throws {
    let rig = try SealedRig()
    let impostor = SealedResponder(clock: rig.clock.clock)
    let key = await impostor.transportPublicKey()
    rig.middle.interfere { request, next in
      guard request.url.path == "/sealed/v2/handshake", case .data(var body) = request.body else {
        return try await next.send(request)
      }
      // He does not hold the key that the quote names, so he answers with one that he holds.
      body.replaceSubrange(1..<33, with: key)
      var changed = request
      changed.body = .data(body)
      return await impostor.handshake(changed)
    }
    await #expect(throws: AccountError.self) {
      _ = try await rig.status(.get, "/admin-api/contexts", bearer: secret)
    }
    #expect(rig.relay.envelopes == 0)
    #expect(!rig.middle.saw(secret))
  }

  @Test("a transport key that the quote does not name is refused, and so is a quote for another question")
  func swappedTransportKey() async throws {
    for fault in [FakeRelay.AttestationFault.wrongKey, .wrongNonce, .empty] {
      let rig = try SealedRig()
      rig.relay.failAttestation(fault)
      let refusal = await relayKeyRefusal {
        _ = try await rig.status(.get, "/admin-api/contexts", bearer: secret)
      }
      #expect(refusal != nil, "\(fault)")
      #expect(rig.relay.handshakes == 0)
      #expect(!rig.middle.saw(secret))
    }
  }

  @Test("a quote of the node key does not pass for one of the transport key")
  func wrongBinding() async throws {
    let rig = try SealedRig()
    rig.middle.interfere { request, next in
      guard request.url.path == "/admin-api/tee/attest", case .data(let body) = request.body,
        var asked = (try? JSONValue(parsing: body))?.objectValue
      else { return try await next.send(request) }
      asked["bindTransportKey"] = nil
      asked["bindNodeKey"] = true
      var changed = request
      changed.body = .data(JSONValue.object(asked).data())
      let answer = try await next.send(changed)
      let whole = try JSONValue(parsing: try await answer.body.collect(upTo: 1 << 20))
      guard var data = whole["data"]?.objectValue else { return answer }
      data["transportPublicKey"] = data["boundPublicKey"]
      return .json(["data": .object(data)])
    }
    let refusal = await relayKeyRefusal { _ = try await rig.status(.get, "/admin-api/health") }
    #expect(refusal?.contains("reportData") == true)
    #expect(rig.relay.handshakes == 0)
  }

  @Test("a hosted relay with a mock quote is not sealed to, not logged in to, and not pinned")
  func mockQuote() async throws {
    let rig = try SealedRig()
    rig.relay.node.present(.mock)
    #expect(await DelegatedAccounts.learnRelayNodeKey(rig.relay.url, env: rig.env) == nil)
    #expect(await rig.relaySession().token() == nil)
    #expect(rig.relay.handshakes == 0)
    #expect(rig.plain.isEmpty)
    #expect(!rig.middle.saw(rig.session.credential))
  }

  @Test(
    "a verifier that cannot check transport keys keeps everything from hosted relays, and nothing from this machine"
  )
  func unableVerifier() async throws {
    let nodeKey = String(repeating: "ab", count: 32)
    let far = try SealedRig(verifier: try PinnedRelayKeyVerifier(nodeKey: nodeKey))
    let refusal = await relayKeyRefusal {
      _ = try await far.status(.get, "/admin-api/contexts", bearer: secret)
    }
    #expect(refusal?.contains("transport key") == true)
    #expect(far.relay.handshakes == 0)
    #expect(!far.middle.saw(secret))
    let near = try SealedRig("http://localhost:2540", verifier: try PinnedRelayKeyVerifier(nodeKey: nodeKey))
    #expect(try await near.status(.get, "/admin-api/health") == 200)
  }
}
