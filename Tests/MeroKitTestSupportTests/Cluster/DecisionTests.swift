import Foundation
import MeroCrypto
import MeroKitTestSupport
import MeroWire
import Testing

@Suite("FakeCloud: decisions of operators")
struct DecisionTests {
  @Test("a vote is kept with its signature, from which anyone can make the signed statement anew")
  func evidence() async throws {
    let world = try await OperatorWorld()
    let decision = try await world.apply()["decisionId"].text
    let reply = try await world.vote("approve", on: decision, by: world.olga)
    #expect(reply.json["state"] == "approved")
    let vote = try #require(reply.json["votes"]?[0])
    #expect(vote["operatorKey"]?.stringValue == world.olga.keyHex)
    #expect(vote["verdict"] == "approve")
    let kept = try #require(world.rig.cloud.evidence(ofDecision: decision).first)
    #expect(vote["signature"]?.stringValue == Base64URL.encode(kept.signature))
    #expect(kept.key == world.olga.keyHex)
    let statement = world.statement(
      "POST", "/ops/decisions/\(decision)/votes", #"{"verdict":"approve"}"#, issuedAt: kept.issuedAt,
      expiresAt: kept.expiresAt, nonce: kept.nonce)
    #expect(world.olga.key.publicKey.isValid(kept.signature, for: statement))
    #expect((kept.method, kept.path) == ("POST", "/ops/decisions/\(decision)/votes"))
    #expect(kept.body == Data(#"{"verdict":"approve"}"#.utf8))
    #expect(world.rig.cloud.violations == [])
  }

  @Test("it takes as many approvals as the threshold was when it was opened")
  func threshold() async throws {
    let world = try await OperatorWorld()
    let otto = try await OperatorWorld.addOperator("otto", seed: 2, to: world.rig)
    world.rig.cloud.setDecisionThreshold(2)
    let signup = try await world.apply()
    world.rig.cloud.setDecisionThreshold(1)
    let decision = signup["decisionId"].text
    let first = try await world.vote("approve", on: decision, by: world.olga)
    #expect(first.json["state"] == "pending")
    #expect(first.json["threshold"] == 2)
    // The same word again, newly signed, is neither a second approval nor another signature.
    await world.rig.clock.advance(by: 90)
    #expect(try await world.vote("approve", on: decision, by: world.olga).json == first.json)
    let path = "/deployments/signups/\(signup["signupId"].text)"
    #expect(try await world.rig.send("GET", path, token: world.ada.token).json["state"] == "pending")
    let second = try await world.vote("approve", on: decision, by: otto)
    #expect(second.json["state"] == "approved")
    #expect(second.json["votes"]?.arrayValue?.count == 2)
    let decided = try await world.rig.send("GET", path, token: world.ada.token)
    #expect(decided.json["state"] == "approved")
    #expect(decided.json["decidedAt"]?.int64 != nil)
    #expect(world.rig.cloud.violations == [])
  }

  @Test("another word takes the place of the earlier one, and one rejection ends it")
  func changedMind() async throws {
    let world = try await OperatorWorld()
    let otto = try await OperatorWorld.addOperator("otto", seed: 2, to: world.rig)
    world.rig.cloud.setDecisionThreshold(2)
    let signup = try await world.apply()
    let decision = signup["decisionId"].text
    try await world.vote("approve", on: decision, by: world.olga)
    let rejected = try await world.vote("reject", on: decision, by: world.olga)
    #expect(rejected.json["state"] == "rejected")
    #expect(rejected.json["votes"]?.arrayValue?.map { $0["verdict"].text } == ["reject"])
    let late = try await world.vote("approve", on: decision, by: otto)
    #expect(late.status == 409)
    #expect(late.code == "DECISION_CLOSED")
    let path = "/deployments/signups/\(signup["signupId"].text)"
    #expect(try await world.rig.send("GET", path, token: world.ada.token).json["state"] == "rejected")
    // A rejected organization may apply again.
    #expect(try await world.apply()["state"] == "pending")
    #expect(world.rig.cloud.violations == [])
  }

  @Test("nobody decides after 14 days")
  func expiry() async throws {
    let world = try await OperatorWorld()
    let signup = try await world.apply()
    let decision = signup["decisionId"].text
    let path = "/ops/decisions/\(decision)"
    let open = try await world.rig.send("GET", path, token: world.olga.token)
    #expect(open.json["expiresAt"]?.int64 == (open.json["createdAt"]?.int64 ?? 0) + 1_209_600_000)
    await world.rig.clock.advance(by: 1_209_600)
    let olga = try await world.signIn(world.olga)
    #expect(try await world.rig.send("GET", path, token: olga.token).json["state"] == "expired")
    let late = try await world.vote("approve", on: decision, by: olga)
    #expect(late.code == "DECISION_CLOSED")
    let listed = try await world.rig.send("GET", "/ops/decisions?state=expired", token: olga.token)
    #expect(listed.json["decisions"]?.arrayValue?.count == 1)
    let seen = try await world.rig.send(
      "GET", "/deployments/signups/\(signup["signupId"].text)", token: olga.token)
    #expect(seen.json["state"] == "expired")
    #expect(seen.json["decidedAt"] == open.json["expiresAt"])
    #expect(world.rig.cloud.violations == [])
  }

  @Test("a vote whose answer was lost can be sent again, also when it closed the decision")
  func lostAnswer() async throws {
    let world = try await OperatorWorld()
    let decision = try await world.apply()["decisionId"].text
    let (path, body) = ("/ops/decisions/\(decision)/votes", #"{"verdict":"approve"}"#)
    let asked = try await world.rig.send("POST", path, body, token: world.olga.token)
    #expect(asked.status == 428)
    #expect(asked.details?["summary"] == "approve deployer Acme")
    let header = try world.signature("POST", path, body, for: asked.details, by: world.olga)
    let first = try await world.rig.send("POST", path, body, token: world.olga.token, headers: [header])
    #expect(first.json["state"] == "approved")
    let again = try await world.rig.send("POST", path, body, token: world.olga.token, headers: [header])
    #expect(again.status == 200)
    #expect(again.json == first.json)
    let other = try await world.rig.send(
      "POST", path, #"{"verdict":"reject"}"#, token: world.olga.token, headers: [header])
    #expect(other.code == "DECISION_CLOSED")
  }

  @Test("role, then existence, then shape, then state, then signature (70 §2.8)")
  func order() async throws {
    let world = try await OperatorWorld()
    let decision = try await world.apply()["decisionId"].text
    let path = "/ops/decisions/\(decision)/votes"
    func code(_ path: String, _ body: String, _ token: String?) async throws -> String? {
      try await world.rig.send("POST", path, body, token: token).code
    }
    #expect(try await code(path, "{}", nil) == "UNAUTHENTICATED")
    #expect(try await code(path, "{}", world.ada.token) == "NOT_OPERATOR")
    #expect(try await code("/ops/decisions/dec_x/votes", "{}", world.ada.token) == "NOT_OPERATOR")
    #expect(try await code("/ops/decisions/dec_x/votes", "{}", world.olga.token) == "NOT_FOUND")
    #expect(try await code(path, "{}", world.olga.token) == "BAD_REQUEST")
    #expect(try await code(path, #"{"verdict":"maybe"}"#, world.olga.token) == "INVALID_ARGUMENT")
    #expect(
      try await code(path, #"{"verdict":"approve"}"#, world.olga.token) == "OPERATOR_SIGNATURE_REQUIRED")
    try await world.vote("reject", on: decision, by: world.olga)
    #expect(try await code(path, #"{"verdict":"approve"}"#, world.olga.token) == "DECISION_CLOSED")
    #expect(world.rig.cloud.violations == [])
  }

  @Test("a signature of a key that is not on the roster, or over something else, changes nothing")
  func badSignatures() async throws {
    let world = try await OperatorWorld()
    let decision = try await world.apply()["decisionId"].text
    let (path, body) = ("/ops/decisions/\(decision)/votes", #"{"verdict":"approve"}"#)
    let stranger = OperatorWorld.Operator(
      person: world.olga.person, key: try Ed25519.PrivateKey(seed: [UInt8](repeating: 77, count: 32)))
    for (signer, signedBody, reason) in [
      (stranger, body, "key"), (world.olga, #"{"verdict":"reject"}"#, "signature"),
    ] {
      let asked = try await world.rig.send("POST", path, body, token: world.olga.token)
      let header = try world.signature("POST", path, signedBody, for: asked.details, by: signer)
      let reply = try await world.rig.send("POST", path, body, token: world.olga.token, headers: [header])
      #expect(reply.code == "OPERATOR_SIGNATURE_REJECTED")
      #expect(reply.details?["reason"]?.stringValue == reason)
    }
    let seen = try await world.rig.send("GET", "/ops/decisions/\(decision)", token: world.olga.token)
    #expect(seen.json["votes"] == [])
    #expect(world.rig.cloud.evidence(ofDecision: decision).isEmpty)
  }

  @Test("operators add one of their own, who may then vote, and remove one, whose open votes count no more")
  func roster() async throws {
    let world = try await OperatorWorld()
    let otto = OperatorWorld.Operator(
      person: try await OperatorWorld.person("otto", in: world.rig),
      key: try Ed25519.PrivateKey(seed: [UInt8](repeating: 3, count: 32)))
    #expect(try await world.rig.send("GET", "/ops/status", token: otto.token).code == "NOT_OPERATOR")
    let facts = #"{"name":"Otto","accountId":"\#(otto.person.id)"}"#
    let add = #"{"kind":"operator.add","subject":"\#(otto.keyHex)","payload":\#(facts)}"#
    let opened = try await world.signed("POST", "/ops/decisions", add, by: world.olga)
    #expect(opened.status == 201)
    #expect(opened.json["state"] == "pending")
    #expect(
      try await world.rig.send("POST", "/ops/decisions", add, token: world.olga.token).code
        == "ALREADY_EXISTS")
    try await world.vote("approve", on: opened.json["decisionId"].text, by: world.olga)
    let roster = try await world.rig.send("GET", "/ops/operators", token: otto.token)
    #expect(roster.json["operators"]?.arrayValue?.map { $0["name"].text } == ["Otto", "olga"])
    #expect(roster.json["threshold"] == 1)
    let whoami = try await world.rig.send("GET", "/auth/session", token: otto.token)
    #expect(whoami.json["operator"] == true)

    world.rig.cloud.setDecisionThreshold(2)
    let signup = try await world.apply()
    try await world.vote("approve", on: signup["decisionId"].text, by: otto)
    world.rig.cloud.setDecisionThreshold(1)
    let remove = #"{"kind":"operator.remove","subject":"\#(otto.keyHex)"}"#
    let removal = try await world.signed("POST", "/ops/decisions", remove, by: world.olga)
    try await world.vote("approve", on: removal.json["decisionId"].text, by: world.olga)
    #expect(try await world.rig.send("GET", "/ops/status", token: otto.token).code == "NOT_OPERATOR")
    let vote = try await world.vote("approve", on: signup["decisionId"].text, by: world.olga)
    #expect(vote.json["state"] == "pending")
    #expect(world.rig.cloud.violations == [])
  }

  @Test("the last operator stays")
  func lastOperator() async throws {
    let world = try await OperatorWorld()
    let body = #"{"kind":"operator.remove","subject":"\#(world.olga.keyHex)"}"#
    #expect(
      try await world.rig.send("POST", "/ops/decisions", body, token: world.olga.token).code == "CONFLICT")
    let otto = try await OperatorWorld.addOperator("otto", seed: 2, to: world.rig)
    var decisions: [String] = []
    for one in [world.olga, otto] {
      let body = #"{"kind":"operator.remove","subject":"\#(one.keyHex)"}"#
      let opened = try await world.signed("POST", "/ops/decisions", body, by: world.olga)
      decisions.append(opened.json["decisionId"].text)
    }
    #expect(try await world.vote("approve", on: decisions[1], by: world.olga).json["state"] == "approved")
    #expect(try await world.vote("approve", on: decisions[0], by: world.olga).code == "CONFLICT")
    #expect(try await world.vote("reject", on: decisions[0], by: world.olga).json["state"] == "rejected")
  }

  @Test("an account and an organization are suspended by decision")
  func suspensions() async throws {
    let world = try await OperatorWorld()
    let eve = try await OperatorWorld.person("eve", in: world.rig)
    world.rig.cloud.join("eve", org: world.acme, as: "admin")
    for (kind, subject) in [("org.suspend", world.acme), ("account.suspend", world.ada.id)] {
      let body = #"{"kind":"\#(kind)","subject":"\#(subject)"}"#
      let opened = try await world.signed("POST", "/ops/decisions", body, by: world.olga)
      try await world.vote("approve", on: opened.json["decisionId"].text, by: world.olga)
    }
    let org = try await world.rig.send("GET", "/orgs/\(world.acme)", token: eve.token)
    #expect(org.code == "SUSPENDED")
    #expect(org.details?["subject"] == "organization")
    let account = try await world.rig.send("GET", "/orgs", token: world.ada.token)
    #expect(account.code == "SUSPENDED")
    #expect(account.details?["subject"] == "account")
    #expect(world.rig.cloud.violations == [])
  }

  @Test(
    "what cannot be asked is not asked",
    arguments: [
      (#"{"kind":"deployer.approve","subject":"org_x"}"#, "INVALID_ARGUMENT"),
      (#"{"kind":"operator.add","subject":"key","payload":{"name":"x"}}"#, "INVALID_ARGUMENT"),
      (#"{"kind":"operator.remove","subject":"00"}"#, "NOT_FOUND"),
      (#"{"kind":"account.suspend","subject":"acc_x"}"#, "NOT_FOUND"),
      (#"{"kind":"org.suspend","subject":"org_x"}"#, "NOT_FOUND"),
      (#"{"kind":"org.suspend"}"#, "BAD_REQUEST"),
    ])
  func badQuestions(body: String, code: String) async throws {
    let world = try await OperatorWorld()
    #expect(try await world.rig.send("POST", "/ops/decisions", body, token: world.olga.token).code == code)
    #expect(world.rig.cloud.violations == [])
  }

  @Test("decisions are listed newest first, by state and kind, in pages")
  func list() async throws {
    let world = try await OperatorWorld()
    let signup = try await world.apply()
    let body = #"{"kind":"account.suspend","subject":"\#(world.ada.id)"}"#
    let other = try await world.signed("POST", "/ops/decisions", body, by: world.olga)
    let first = try await world.rig.send("GET", "/ops/decisions?limit=1", token: world.olga.token)
    #expect(first.json["decisions"]?[0]?["decisionId"] == other.json["decisionId"])
    let cursor = first.json["nextCursor"].text
    let second = try await world.rig.send(
      "GET", "/ops/decisions?limit=1&cursor=\(cursor)", token: world.olga.token)
    #expect(second.json["decisions"]?[0]?["decisionId"] == signup["decisionId"])
    #expect(second.json["nextCursor"] == nil)
    let filtered = try await world.rig.send(
      "GET", "/ops/decisions?kind=deployer.approve&state=pending", token: world.olga.token)
    #expect(filtered.json["decisions"]?.arrayValue?.count == 1)
    let wrong = try await world.rig.send(
      "GET", "/ops/decisions?kind=deployer.approve&cursor=\(cursor)", token: world.olga.token)
    #expect(wrong.code == "INVALID_CURSOR")
    #expect(world.rig.cloud.violations == [])
  }
}
