import Foundation
import MeroHTTP
import MeroWire
import Testing

@testable import MeroKit
@testable import MeroKitTestSupport

@Suite("Writing through a relay")
struct RelayWriteTests {
  static let value: JSONValue = ["value": "v", "key": "k"]

  static func warrant(_ request: FakeNode.Request, _ kind: Warrant.Kind = .write) throws -> Warrant {
    try Warrant(try Hex.decode(try #require(request.json?["warrant"]?.stringValue)), kind)
  }

  @Test("40 §19 #60: a write reads what the relay is, and then posts exactly four members and no credential")
  func writes() async throws {
    let rig = try await MemberRig()
    let result = try await rig.relay.execute(
      contextId: rig.context.uppercased(), method: "set_value", argsJson: Self.value)
    #expect(result.returns.isAbsent)
    let hash = try await rig.owner.getContext(rig.context).contextStateHash
    #expect(result.rootHash == hash)
    let requests = rig.node.log.filter { $0.route == MemberRig.intents }
    #expect(requests.map(\.method) == ["GET", "POST"])
    let post = requests[1]
    #expect(requests.allSatisfy { $0.headers["authorization"] == nil })
    let text = String(decoding: post.body, as: UTF8.self)
    #expect(
      text.hasPrefix(
        #"{"argsJson":{"key":"k","value":"v"},"authorProof":"\#(rig.author.credential)","method":"#))
    #expect(post.json?.objectValue?.keys == ["argsJson", "authorProof", "method", "warrant"])

    let description = try await rig.relay.describe(contextId: rig.context)
    let warrant = try Self.warrant(post)
    #expect(warrant.authorAccount == rig.author.account)
    #expect(warrant.deviceKey == rig.author.keys.signPublicKey)
    #expect(Hex.encode(warrant.subject) == rig.context)
    #expect(Hex.encode(warrant.executor) == rig.node.account)
    #expect(Hex.encode(warrant.executorKey) == rig.node.signingKey)
    #expect(Hex.encode(warrant.build) == description.releaseBytecodeId)
    #expect(warrant.version == description.releaseVersion)
    #expect(warrant.nonce == 1)
    #expect(warrant.notAfter == 1_790_000_300)
    #expect(description.canAuthorOnBehalf)
    #expect(description.groupId == rig.namespace)
  }

  @Test("40 §19 #61: a refusal that speaks of the nonce may be tried again, by the app alone")
  func spentNonce() async throws {
    let rig = try await MemberRig()
    rig.node.failNext("POST \(MemberRig.intents)", status: 403, json: ["error": "Nonce 1 was seen before"])
    await #expect(
      throws: AccountError.intentRefused(reason: "Nonce 1 was seen before", retryable: true, status: 403)
    ) { try await rig.relay.execute(contextId: rig.context, method: "set_value", argsJson: Self.value) }
    #expect(rig.posts(MemberRig.intents).count == 1)
  }

  @Test("a device whose numbers began anew is refused, and the next number it draws is taken")
  func numbersBeganAnew() async throws {
    let rig = try await MemberRig()
    try await rig.relay.execute(contextId: rig.context, method: "set_value", argsJson: Self.value)
    let anew = RelayClient(
      relayURL: rig.node.url.absoluteString, authorAccount: rig.author.account,
      authorProof: rig.author.credential, keys: rig.author.keys, nonces: MemoryWarrantNonceStore(),
      transport: rig.node.transport, clock: rig.clock.clock)
    let error = await failure {
      try await anew.execute(contextId: rig.context, method: "set_value", argsJson: Self.value)
    }
    guard case .intentRefused(_, let retryable, let status)? = error as? AccountError else {
      return #expect(Bool(false), "\(String(describing: error))")
    }
    #expect(retryable)
    #expect(status == 403)
    try await anew.execute(contextId: rig.context, method: "set_value", argsJson: Self.value)
  }

  @Test("40 §19 #62: a refusal's reason is what the body says, as JSON or as text, or that there is none")
  func reasons() async throws {
    let rig = try await MemberRig()
    let route = "POST \(MemberRig.intents)"
    rig.node.failNext(route, status: 403, json: ["error": "not a member"])
    rig.node.failNext(route, status: 403, json: ["error": "", "message": "not here"])
    rig.node.failNext(route, status: 400, text: "it does not decode")
    rig.node.failNext(route, status: 403, text: "")
    for (reason, status) in [
      ("not a member", 403), ("not here", 403), ("it does not decode", 400),
      ("the relay gave no reason", 403),
    ] {
      await #expect(throws: AccountError.intentRefused(reason: reason, retryable: false, status: status)) {
        try await rig.relay.execute(contextId: rig.context, method: "set_value", argsJson: Self.value)
      }
    }
  }

  @Test("a proxy's page is no word of the relay about a nonce")
  func proxyPages() async throws {
    let rig = try await MemberRig()
    let page = #"<html><script nonce="a1">"#
    rig.node.failNext("GET \(MemberRig.intents)", status: 403, text: page)
    await #expect(throws: AccountError.intentRefused(reason: page, retryable: false, status: 403)) {
      try await rig.relay.describe(contextId: rig.context)
    }
    rig.node.failNext(
      "GET \(MemberRig.intents)", status: 401, text: "", headers: ["X-Auth-Error": "token_revoked"])
    let error = await failure { _ = try await rig.relay.describe(contextId: rig.context) }
    #expect(error?.plainStatus == 401)
  }

  @Test(
    "40 §19 #63: a method's own error is that of a node's JSON-RPC, and every other status is an HTTP error")
  func methodErrors() async throws {
    let rig = try await MemberRig()
    let error = await failure {
      try await rig.relay.execute(
        contextId: rig.context, method: "get_result", argsJson: ["key": "the nonce"])
    }
    guard case .rpc(let refusal)? = error as? MeroError else {
      return #expect(Bool(false), "\(String(describing: error))")
    }
    #expect(refusal.type == "FunctionCallError")
    #expect(refusal.code == -1)
    #expect(refusal.data?.stringValue?.contains("key not found: the nonce") == true)
    for status in [404, 409, 500, 502, 503] {
      rig.node.failNext("POST \(MemberRig.intents)", status: status)
      let error = await failure {
        try await rig.relay.execute(contextId: rig.context, method: "set_value", argsJson: Self.value)
      }
      #expect(error?.plainStatus == status)
    }
    rig.node.failNext("GET \(MemberRig.intents)", status: 503)
    let asked = await failure { _ = try await rig.relay.describe(contextId: rig.context) }
    #expect(asked?.plainStatus == 503)
    #expect(rig.waits.isEmpty)
    rig.node.loseAnswer("GET \(MemberRig.intents)")
    await #expect(throws: MeroError.network("the connection was lost")) {
      try await rig.relay.describe(contextId: rig.context)
    }
  }

  @Test("40 §19 #64: 429 alone is tried again, with the same bytes, after as long as the relay asks for")
  func tooMany() async throws {
    let rig = try await MemberRig(autoAdvance: 5)
    let route = "POST \(MemberRig.intents)"
    rig.node.failNext(route, status: 429, headers: ["Retry-After": "2"])
    try await rig.relay.execute(contextId: rig.context, method: "set_value", argsJson: Self.value)
    #expect(rig.waits == [2])
    let bodies = rig.posts(MemberRig.intents).map(\.body)
    #expect(bodies.count == 2)
    #expect(Set(bodies).count == 1)
    rig.node.failNext(route, status: 429, times: 4)
    let error = await failure {
      try await rig.relay.execute(contextId: rig.context, method: "set_value", argsJson: Self.value)
    }
    #expect(error?.plainStatus == 429)
    #expect(rig.waits == [2, 0.25, 0.5, 1])
    #expect(rig.posts(MemberRig.intents).count == 6)
  }

  @Test("40 §19 #65: a relay that is another than the expected one gets no warrant, and no number is drawn")
  func anotherExecutor() async throws {
    let rig = try await MemberRig()
    let relay = rig.client(executor: String(repeating: "AB", count: 32))
    let error = await failure {
      try await relay.execute(contextId: rig.context, method: "set_value", argsJson: Self.value)
    }
    guard case .protocolViolation? = error as? AccountError else {
      return #expect(Bool(false), "\(String(describing: error))")
    }
    #expect(rig.posts(MemberRig.intents).isEmpty)
    #expect(try rig.nextNonce() == 1)
    try await rig.client(executor: rig.node.account.uppercased()).execute(
      contextId: rig.context, method: "set_value", argsJson: Self.value)
  }

  @Test("a relay that names no key or no release gets no warrant, and what cannot be signed is not asked for")
  func unusable() async throws {
    let rig = try await MemberRig()
    let key = String(repeating: "77", count: 32)
    for data: JSONValue in [
      ["executorAccount": .string(key), "releaseBytecodeId": .string(key)],
      ["executorAccount": .string(key), "executorKey": .string(key)],
    ] {
      rig.node.replaceAnswer("GET \(MemberRig.intents)", status: 200, json: ["data": data])
      let error = await failure {
        try await rig.relay.execute(contextId: rig.context, method: "set_value", argsJson: Self.value)
      }
      guard case .protocolViolation? = error as? AccountError else {
        return #expect(Bool(false), "\(String(describing: error))")
      }
    }
    rig.node.clearLog()
    let number = try #require(JSONNumber("1e400"))
    let inputs: [(context: String, arguments: JSONValue)] = [
      (rig.context, ["n": .number(number)]), ("my context", Self.value),
    ]
    for (context, arguments) in inputs {
      let error = await failure {
        try await rig.relay.execute(contextId: context, method: "set_value", argsJson: arguments)
      }
      guard case .invalidInput? = error as? AccountError else {
        return #expect(Bool(false), "\(String(describing: error))")
      }
    }
    #expect(rig.node.log.isEmpty)
    #expect(try rig.nextNonce() == 1)
  }

  @Test("40 §19 #66: each write pins the release that the relay runs then")
  func releases() async throws {
    let rig = try await MemberRig()
    let (one, other) = (String(repeating: "44", count: 32), String(repeating: "55", count: 32))
    let described = Locked<[String]>([one, other])
    let script = ScriptedNode { request in
      guard request.method == .get else { return .json(["data": ["rootHash": "00", "returns": 5]]) }
      let release = described.withLock { $0.removeFirst() }
      return .json([
        "data": [
          "executorAccount": .string(rig.node.account), "executorKey": .string(rig.node.signingKey),
          "releaseBytecodeId": .string(release), "releaseVersion": "2.0.0",
        ]
      ])
    }
    let relay = rig.client(over: script)
    let first = try await relay.execute(contextId: rig.context, method: "add")
    _ = try await relay.execute(contextId: rig.context, method: "add")
    #expect(first == IntentResult(rootHash: "00", returns: 5))
    let posts = script.requests.filter { $0.method == .post }
    let warrants = try posts.map { request in
      try Warrant(try Hex.decode(try #require(request.json["warrant"]?.stringValue)), .write)
    }
    #expect(warrants.map { Hex.encode($0.build) } == [one, other])
    #expect(warrants.map(\.nonce) == [1, 2])
    #expect(posts[0].json["argsJson"] == [:])
  }

  @Test("a query goes under the bearer, and without one its refusal is the answer")
  func queries() async throws {
    let rig = try await MemberRig()
    let device = try DeviceCertificates.parse(rig.author.credential).device
    let token = rig.node.makeAccountSession(account: rig.author.account, device: device).accessToken
    let relay = RelayClient(
      relayURL: rig.node.url.absoluteString, authorAccount: rig.author.account,
      authorProof: rig.author.credential, keys: rig.author.keys, nonces: rig.nonces,
      tokenProvider: { token }, transport: rig.node.transport, clock: rig.clock.clock)
    #expect(try await relay.query(contextId: rig.context, method: "len") == 0)
    let nothing = try await relay.query(
      contextId: rig.context, method: "get_value", argsJson: ["key": "k"])
    #expect(nothing.isAbsent)
    let write = await failure { _ = try await relay.query(contextId: rig.context, method: "set_value") }
    #expect(write?.plainStatus == 409)
    let nobody = await failure { _ = try await rig.relay.query(contextId: rig.context, method: "len") }
    #expect(nobody?.plainStatus == 401)
    let nonce = await failure { _ = try await relay.warrantNonce(contextId: rig.context) }
    #expect(nonce?.plainStatus == 404)
  }
}
