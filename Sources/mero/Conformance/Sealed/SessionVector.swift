import Foundation
import MeroCrypto
import MeroHTTP
import MeroSealed
import MeroWire

/// A handshake with everything in it, and the session it opens.
struct SessionVector {
  let name: String
  let path: String
  let transportSecret: [UInt8]
  let clientSecret: [UInt8]
  let nodeSecret: [UInt8]
  let transportPublic: [UInt8]
  let clientPublic: [UInt8]
  let nodePublic: [UInt8]
  let sessionId: [UInt8]
  let lifetime: UInt32
  let requestBody: [UInt8]
  let replyBody: [UInt8]
  let message1: [UInt8]
  let message2: [UInt8]
  let keys: (request: [UInt8], response: [UInt8])
  let trace: [NoiseStep: [UInt8]]

  /// X25519 ignores five bits of a secret, so a handshake alone cannot tell whether the file's secrets are whole.
  /// A session's name stands for its three secrets; these are their digests.
  private static let digestsOfSecrets = [
    "merokit-shared-1": "55c1b6454efece4f6631aa117f75a45c0cc13d16a19f77dab7e0ef0bd3238693",
    "published-by-core": "13b77edc48e235edb5706329151cfc81ecbcaaaa72a5b985e09f1ed13a583922",
  ]

  init(_ object: VectorObject) throws(Mismatch) {
    path = object.path
    name = try object.text("name")
    transportSecret = try object.bytes("transportSecret", count: 32)
    clientSecret = try object.bytes("clientEphemeralSecret", count: 32)
    nodeSecret = try object.bytes("nodeEphemeralSecret", count: 32)
    transportPublic = try object.bytes("transportPublic", count: 32)
    clientPublic = try object.bytes("clientEphemeralPublic", count: 32)
    nodePublic = try object.bytes("nodeEphemeralPublic", count: 32)
    sessionId = try object.bytes("sessionId", count: SealedProtocol.sessionIdSize)
    let lifetime = try object.identifier("lifetimeSecs")
    guard let seconds = UInt32(exactly: lifetime) else { throw Mismatch("\(path).lifetimeSecs is too large") }
    self.lifetime = seconds
    requestBody = try object.bytes("handshakeRequestBody")
    replyBody = try object.bytes("handshakeResponseBody")
    message1 = try object.bytes("message1")
    message2 = try object.bytes("message2")
    keys = (try object.bytes("requestKey", count: 32), try object.bytes("responseKey", count: 32))
    let steps = try object.object("noiseTrace")
    var trace: [NoiseStep: [UInt8]] = [:]
    for step in NoiseStep.allCases { trace[step] = try steps.bytes(step.rawValue, count: 32) }
    self.trace = trace
    try steps.finish()
    try object.finish()
  }

  func check(_ run: inout ConformanceRun) async {
    await run.check("\(name): secrets") {
      let digest = hexText(SHA256.hash(transportSecret + clientSecret + nodeSecret))
      try require(
        "the digest of the secrets", digest, is: Self.digestsOfSecrets[name] ?? "of an unknown session")
    }
    for (who, secret, expected) in [
      ("transport", transportSecret, transportPublic), ("client's ephemeral", clientSecret, clientPublic),
      ("node's ephemeral", nodeSecret, nodePublic),
    ] {
      await run.check("\(name): \(who) key") {
        try require("the public key", try X25519.PrivateKey(bytes: secret).publicKey, is: expected)
      }
    }
    await checkClient(&run)
    await checkNode(&run)
    await run.check("\(name): the node answers a handshake over HTTP") {
      let reply = await node().handshake(
        HTTPRequest(.post, CannedNode.handshakeURL, body: .data(Data(requestBody))))
      try require("the status", reply.status, is: 200)
      try require("the content type", reply.headers["content-type"], is: SealedProtocol.contentType)
      try require("the reply", [UInt8](try await reply.body.collect(upTo: 1024)), is: replyBody)
    }
  }

  private func checkClient(_ run: inout ConformanceRun) async {
    var traced: [NoiseStep: [UInt8]] = [:]
    await run.check("\(name): the client's handshake") {
      var client = try ClientHandshake(
        transportKey: transportPublic, ephemeral: X25519.PrivateKey(bytes: clientSecret), tracing: true)
      try require("the request", [UInt8](client.requestBody), is: requestBody)
      try require("message 1", [UInt8](client.requestBody.dropFirst(33)), is: message1)
      let result = try client.read(Data(replyBody))
      try require("the session id", result.sessionId, is: sessionId)
      try require("the lifetime", result.lifetime, is: lifetime)
      try require("the request key", result.keys.request, is: keys.request)
      try require("the response key", result.keys.response, is: keys.response)
      traced = client.trace
    }
    await check(traced, of: "client", &run)
  }

  private func checkNode(_ run: inout ConformanceRun) async {
    var traced: [NoiseStep: [UInt8]] = [:]
    await run.check("\(name): the node's handshake") {
      var node = NoiseResponder(staticKey: try X25519.PrivateKey(bytes: transportSecret), tracing: true)
      try require("the payload of message 1", try node.readMessage1(message1), is: [])
      let (reply, made) = try node.writeMessage2(
        payload: sessionId + lifetime.bigEndianBytes, ephemeral: X25519.PrivateKey(bytes: nodeSecret))
      try require("message 2", reply, is: message2)
      try require("the request key", made.request, is: keys.request)
      try require("the response key", made.response, is: keys.response)
      traced = node.trace
    }
    await check(traced, of: "node", &run)
  }

  private func check(_ traced: [NoiseStep: [UInt8]], of side: String, _ run: inout ConformanceRun) async {
    for step in NoiseStep.allCases {
      await run.check("\(name): \(step.rawValue) at the \(side)") {
        try require(step.rawValue, traced[step] ?? [], is: trace[step] ?? [])
      }
    }
  }

  // MARK: Both sides with these keys

  var requestCipher: AESGCM {
    get throws { try AESGCM(key: keys.request) }
  }

  var responseCipher: AESGCM {
    get throws { try AESGCM(key: keys.response) }
  }

  func header(_ requestId: UInt64) -> EnvelopeHeader {
    EnvelopeHeader(sessionId: sessionId, requestId: requestId)
  }

  /// The real node side, whose randomness are this session's secrets.
  func node() -> SealedResponder {
    var limits = SealedLimits()
    limits.lifetime = lifetime
    return SealedResponder(random: .scripted([transportSecret, nodeSecret, sessionId]), limits: limits)
  }

  /// The same with the session open.
  func nodeInSession() async throws -> SealedResponder {
    let node = node()
    let reply = await node.handshake(
      HTTPRequest(.post, CannedNode.handshakeURL, body: .data(Data(requestBody))))
    try require("the handshake's status", reply.status, is: 200)
    return node
  }

  /// The real client side, whose randomness is this session's secret.
  func channel(to node: CannedNode) throws -> SealedChannel {
    try SealedChannel(
      base: CannedNode.base, key: transportPublic, transport: node, random: .scripted([clientSecret]))
  }
}

extension MeroRandom {
  /// Hands out the given bytes in order; after them, or for another length, zeros, which no vector is made with.
  fileprivate static func scripted(_ values: [[UInt8]]) -> MeroRandom {
    let rest = Locked(values)
    return MeroRandom(
      bytes: { count in
        rest.withLock { rest in
          guard rest.first?.count == count else { return [UInt8](repeating: 0, count: count) }
          return rest.removeFirst()
        }
      }, unit: { 0 })
  }
}
