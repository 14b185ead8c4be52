import Foundation
import MeroHTTP
import MeroKitTestSupport
import MeroTrust
import MeroWire
import Testing

@testable import MeroKit

@Suite("sealing to relays", .timeLimit(.minutes(5)))
struct RelayTransportsTests {
  @Test(
    "40 §19 #53: who talks to one hosted relay shares one sealed session, and a relay on this machine has none"
  )
  func shared() async throws {
    let rig = try SealedRig()
    let copy = rig.env
    for (url, env) in [(rig.relay.url, rig.env), (rig.relay.url + "/", rig.env), (rig.relay.url, copy)] {
      let transport = RelayTransports.transport(relayURL: url, env: env)
      let response = try await transport.send(rig.request(.get, "/admin-api/health"))
      #expect(response.status == 200)
    }
    #expect((rig.relay.handshakes, rig.attestations, rig.relay.envelopes) == (1, 1, 3))
    #expect(rig.plain.isEmpty)

    let near = try SealedRig("http://localhost:2540")
    #expect(try await near.status(.get, "/admin-api/health") == 200)
    #expect(near.relay.handshakes == 0)
    #expect(near.plain == ["GET /admin-api/health"])
  }

  @Test("40 §9.1: a session that one verifier let through is not there for another")
  func notAcrossVerifiers() async throws {
    var rig = try SealedRig()
    #expect(try await rig.status(.get, "/admin-api/health") == 200)
    rig.env.relayKeyVerifier = try PinnedRelayKeyVerifier(nodeKey: rig.relay.nodeKey)
    let strict = rig
    #expect(await relayKeyRefusal { _ = try await strict.status(.get, "/admin-api/health") } != nil)
    #expect(rig.relay.handshakes == 1)
  }

  @Test("environments with nothing of their own share the ways to relays, and others do not")
  func ofProcess() throws {
    let (one, other) = (DelegatedEnvironment(store: .memory()), DelegatedEnvironment(store: .memory()))
    #expect(one.relayTransports === other.relayTransports)
    let own = DelegatedEnvironment(store: .memory(), transport: URLSessionTransport())
    #expect(own.relayTransports !== one.relayTransports)
    var changed = one
    changed.relayKeyVerifier = try PinnedRelayKeyVerifier(nodeKey: String(repeating: "00", count: 32))
    #expect(changed.relayTransports !== one.relayTransports)
  }

  @Test(
    "40 §19 #54: a relay that says, in an envelope, that it serves no session there gets those requests in the open, and intents sealed"
  )
  func unguarded() async throws {
    let rig = try SealedRig()
    let token = try #require(await rig.relaySession().token())
    await rig.relay.setUnguarded(true)
    rig.relay.clearLog()
    let before = rig.relay.envelopes
    #expect(try await rig.status(.get, "/admin-api/contexts", bearer: token) == 200)
    #expect(rig.relay.envelopes == before + 1)
    #expect(rig.plain == ["GET /admin-api/contexts"])

    #expect(try await rig.status(.get, "/admin-api/namespaces", bearer: token) == 200)
    #expect(try await rig.status(.get, "/auth/challenge") == 200)
    #expect(rig.relay.envelopes == before + 1)
    #expect(rig.plain.dropFirst() == ["GET /admin-api/namespaces", "GET /auth/challenge"])

    #expect(try await rig.status(.get, "/admin-api/contexts/\(rig.context)/intents") == 200)
    #expect(rig.sealed == ["GET /admin-api/contexts/\(rig.context)/intents"])
    #expect(rig.relay.envelopes == before + 2)
  }

  @Test("40 §9.1: the request that is sent again in the open is the same one")
  func sameRequest() async throws {
    let rig = try SealedRig()
    let token = try #require(await rig.relaySession().token())
    await rig.relay.setUnguarded(true)
    rig.relay.clearLog()
    let body: JSONValue = ["method": "get_value", "argsJson": ["key": "k"]]
    _ = try await rig.status(.post, "/admin-api/contexts/\(rig.context)/query", json: body, bearer: token)
    let arrived = try #require(rig.relay.log.last)
    #expect(arrived.method == "POST")
    #expect(arrived.body == body.data())
    #expect(arrived.bearer == token)
    #expect(arrived.headers["content-type"] == "application/json")
  }

  @Test("40 §19 #55: any other refusal in an envelope is the answer, and nothing goes in the open")
  func otherRefusals() async throws {
    let rig = try SealedRig()
    let token = try #require(await rig.relaySession().token())
    let route = "GET /admin-api/contexts"
    rig.relay.refuse(route, status: 403, reason: "sealed_route_unguarded")
    rig.relay.node.failNext(route, status: 403, json: ["error": ["code": "permission_denied"]])
    rig.relay.node.failNext(route, status: 401, json: ["error": ["code": "sealed_route_unguarded"]])
    rig.relay.node.failNext(route, status: 403, text: "<html>no</html>")
    for status in [403, 403, 401, 403] {
      #expect(try await rig.status(.get, "/admin-api/contexts", bearer: token) == status)
    }
    #expect(try await rig.status(.get, "/admin-api/contexts", bearer: token) == 200)
    #expect(rig.plain.isEmpty)
  }

  @Test("a refusal in an envelope reaches the caller whole")
  func wholeRefusal() async throws {
    let rig = try SealedRig()
    rig.relay.refuse("GET /admin-api/health", status: 403, reason: "not today")
    let response = try await rig.transport.send(rig.request(.get, "/admin-api/health"))
    let body = try await response.body.collect(upTo: 1 << 16)
    #expect(response.status == 403)
    #expect(try JSONValue(parsing: body)["error"] == "not today")
  }

  @Test(
    "40 §19 #56: when a relay does not prove its key, the request fails and nothing but the question goes out"
  )
  func unproven() async throws {
    let secret = "a-token-for-one-relay"
    for shown in [FakeCloudNode.Attestation.mock, .debugImage, .unsignedRelease] {
      let rig = try SealedRig()
      rig.relay.node.present(shown)
      let refusal = await relayKeyRefusal {
        _ = try await rig.status(.get, "/admin-api/contexts", bearer: secret)
      }
      #expect(refusal?.isEmpty == false, "\(shown)")
      #expect(rig.relay.handshakes == 0)
      #expect(rig.plain.isEmpty)
      #expect(!rig.middle.saw(secret))
    }
  }

  @Test("40 §3.1: a relay that cannot be reached is a failed connection, and is asked anew the next time")
  func unreachable() async throws {
    let rig = try SealedRig()
    for fault in [FakeRelay.AttestationFault.down, .status(503)] {
      rig.relay.failAttestation(fault)
      await #expect(throws: TransportError.self) { _ = try await rig.status(.get, "/admin-api/health") }
    }
    rig.relay.failAttestation(nil)
    #expect(try await rig.status(.get, "/admin-api/health") == 200)
    #expect(rig.plain.isEmpty)
  }

  @Test("40 §3.1: over HTTP calls a relay that cannot be proven is no failed connection")
  func throughCalls() async throws {
    let rig = try SealedRig()
    rig.relay.node.present(.mock)
    let http = NodeHTTP(
      baseURL: try #require(URL(string: rig.relay.url)), transport: rig.transport, clock: rig.env.clock)
    let refusal = await relayKeyRefusal { _ = try await http.send(NodeRequest(.get, "/admin-api/health")) }
    #expect(refusal?.contains("mock") == true)
    #expect(rig.attestations == 1, "what was refused is not asked again")
  }

  @Test("40 §9.1: asking for proofs goes in the open, but not with somebody's token")
  func attestations() async throws {
    let rig = try SealedRig()
    let body: JSONValue = ["nonce": .string(String(repeating: "11", count: 32)), "bindNodeKey": true]
    #expect(try await rig.status(.post, "/admin-api/tee/attest", json: body) == 200)
    #expect(rig.relay.handshakes == 0)
    _ = try await rig.status(.post, "/admin-api/tee/attest", json: body, bearer: "secret-token")
    #expect(rig.relay.log.last?.isSealed == true)
    #expect(!rig.middle.saw("secret-token"))
  }

  @Test("an address outside the relay is not sent to")
  func outside() async throws {
    let rig = try SealedRig()
    let url = try #require(URL(string: "https://elsewhere.test/auth/challenge"))
    let transport = rig.transport
    #expect(await relayKeyRefusal { _ = try await transport.send(HTTPRequest(.get, url)) } != nil)
    for address in ["relay.test", "https://user:word@relay.test", "https://relay.test?x=1", ""] {
      let transport = RelayTransports.transport(relayURL: address, env: rig.env)
      let request = try rig.request(.get, "/admin-api/health")
      #expect(await relayKeyRefusal { _ = try await transport.send(request) } != nil, "\(address)")
    }
    #expect(rig.middle.requests.isEmpty)
  }

  @Test("what only goes sealed does not go over http to another machine either")
  func noTLS() async throws {
    var rig = try SealedRig()
    let relay = FakeRelay(url: "http://relay.test", tdx: SealedRig.pki, clock: rig.clock.clock, seed: 5)
    rig.env.transport = relay.transport
    await relay.setUnguarded(true)
    let transport = RelayTransports.transport(relayURL: relay.url, env: rig.env)
    var request = HTTPRequest(.get, try #require(URL(string: relay.url + "/admin-api/contexts")))
    request.headers["authorization"] = "Bearer secret"
    // Attesting already refuses an address that everybody on the way can read.
    let asked = request
    await #expect(throws: TransportError.self) { _ = try await transport.send(asked) }
    #expect(relay.log.isEmpty)
  }

  @Test("a relay that was started again is attested anew and goes on")
  func restarted() async throws {
    let rig = try SealedRig()
    #expect(try await rig.status(.get, "/admin-api/health") == 200)
    await rig.relay.restart()
    #expect(try await rig.status(.get, "/admin-api/health") == 200)
    #expect(rig.attestations == 2)
    await rig.relay.forgetSealedSessions()
    #expect(try await rig.status(.get, "/admin-api/health") == 200)
    #expect(rig.attestations == 2)
    #expect(rig.plain.isEmpty)
  }

  @Test("a sealed answer that ends early is a lost connection")
  func cutShort() async throws {
    let rig = try SealedRig()
    #expect(try await rig.status(.get, "/admin-api/health") == 200)
    await rig.relay.cutSealedResponse(afterFrames: 1)
    do {
      _ = try await rig.status(.get, "/admin-api/health")
      Issue.record("half an answer passed for one")
    } catch let error as TransportError { #expect(error.kind == .lost) }
    #expect(try await rig.status(.get, "/admin-api/health") == 200)
  }
}
