import Foundation
import MeroAPI
import MeroCrypto
import MeroHTTP
import MeroKitTestSupport
import MeroWire
import Testing

@testable import MeroKit

/// What is written by hand above the generated calls reads answers too: streams, ceremonies, files, questions.
@Suite("What a hostile cluster answers to more than one call")
struct FlowFuzzTests {
  private static let seeds = 0..<200 as Range<UInt64>

  /// Runs a flow, which is to end with a value or a typed error. Answers whether it was refused.
  private func isRefused(_ seed: UInt64, _ flow: () async throws -> Void) async -> Bool {
    do {
      try await flow()
      return false
    } catch is CalimeroError {
      return true
    } catch {
      Issue.record("seed \(seed): \(error)")
      return true
    }
  }

  // MARK: Streams

  enum Reading: CaseIterable { case events, presence }

  @Test(
    "a stream with anything wrong in it gives events or ends with a typed error", .timeLimit(.minutes(5)),
    arguments: Reading.allCases)
  func streams(_ reading: Reading) async throws {
    let rig = SessionRig(nodes: 1)
    let client = rig.client(nodes: [0])
    try await client.signUp(rig.passkey, name: "ada")
    let (seed, opened, got) = (Locked<UInt64>(0), Locked(0), Locked(0))
    rig.cloud.nodes[0].replaceAnswers { operation in
      guard operation == "app_event_stream" else { return nil }
      // What comes after the first connection ends the stream, whatever was read before.
      let isFirst = opened.withLock { count in
        count += 1
        return count == 1
      }
      return isFirst ? Self.stream(seed.withLock { $0 }) : Self.gone
    }
    for number in Self.seeds {
      seed.withLock { $0 = number }
      opened.withLock { $0 = 0 }
      let isRefused = await isRefused(number) {
        switch reading {
        case .events:
          for try await _ in client.events("app_1", from: .oldest, presence: true) {
            got.withLock { $0 += 1 }
          }
        case .presence:
          for try await _ in client.presence("app_1").entries(as: JSONValue.self) {
            got.withLock { $0 += 1 }
          }
        }
      }
      // A stream that was told that its app is gone ends without an error.
      #expect(isRefused || opened.withLock { $0 } == 1, "seed \(number)")
    }
    #expect(got.withLock { $0 } > 0, "nothing of any stream was read")
  }

  /// The app is no longer there.
  private static var gone: HTTPResponse {
    let body: JSONValue = ["error": ["code": "NOT_FOUND", "message": "m", "requestId": "r"]]
    return HTTPResponse(
      status: 404, headers: ["content-type": "application/json"], body: HTTPBody(body.data()))
  }

  /// A stream of which one frame, or all of its bytes together, were changed.
  private static func stream(_ seed: UInt64) -> HTTPResponse {
    let entry: JSONValue = [
      "accountId": "acc_1", "sessionId": "ses_1", "name": "bob", "state": ["typing": true], "ageMs": 10,
    ]
    let events: [(String, JSONValue)] = [
      ("calimero.ready", ["seq": 3]), ("calimero.presence.all", ["entries": [entry], "ttlMs": 7000]),
      ("Number", ["n": 1]), ("calimero.presence", entry), ("Number", ["n": 2]),
      ("calimero.reset", ["oldest": "c1.1", "latest": "c1.9"]), ("calimero.state", ["state": "ready"]),
      ("calimero.members", ["principal": "acc_1", "role": "reader", "removed": false]),
      ("Number", ["n": 3]),
    ]
    let random = SeededRandom(seed: seed)
    let broken = seed % 2 == 0 ? nil : random.below(events.count)
    var bytes = Data()
    for (index, event) in events.enumerated() {
      let json: JSONValue = [
        "cursor": .string("c1.\(index)"), "seq": JSONValue(index), "index": 0, "kind": .string(event.0),
        "appId": "app_1", "at": 1_790_000_000_000, "data": event.1,
      ]
      bytes.append(Data("id: c1.\(index)\nevent: \(event.0)\ndata: ".utf8))
      bytes.append(index == broken ? HostileBody.variant(of: json.data(), seed: seed / 2) : json.data())
      bytes.append(Data("\n\n".utf8))
    }
    if broken == nil { bytes = HostileBody.variant(of: bytes, seed: seed / 2) }
    return HTTPResponse(status: 200, headers: ["content-type": "text/event-stream"], body: HTTPBody(bytes))
  }

  // MARK: Ceremonies

  @Test(
    "signing up and in end with an account or a typed error, whatever is answered to begin or finish",
    .timeLimit(.minutes(5)),
    arguments: ["auth_signup_begin", "auth_signup_finish", "auth_signin_begin", "auth_signin_finish"])
  func ceremonies(_ operation: String) async throws {
    let rig = SessionRig(nodes: 1)
    let client = rig.client(nodes: [0])
    try await client.signUp(rig.passkey, name: "ada")
    let good =
      try operation.hasSuffix("begin") ? GoodAnswer(200, Self.ceremony(operation)) : GoodAnswer(of: operation)
    let seed = Locked<UInt64>(0)
    rig.cloud.nodes[0].replaceAnswers { $0 == operation ? good.mutated(seed: seed.withLock { $0 }) : nil }
    var refused = 0
    for number in Self.seeds {
      seed.withLock { $0 = number }
      let isRefused = await isRefused(number) {
        if operation.contains("signup") {
          try await client.signUp(SoftPasskey(), name: "zoe-\(number)")
        } else {
          try await client.signIn(rig.passkey)
        }
      }
      if isRefused { refused += 1 }
    }
    #expect(refused > 0)
  }

  /// A question of this cluster's that a passkey answers.
  private static func ceremony(_ operation: String) -> JSONValue {
    let challenge = JSONValue.string(Base64URL.encode([UInt8](repeating: 3, count: 32)))
    let options: JSONValue =
      operation == "auth_signup_begin"
      ? [
        "rp": ["id": "localhost", "name": "Calimero"],
        "user": ["id": challenge, "name": "zoe", "displayName": "Zoe"], "challenge": challenge,
        "pubKeyCredParams": [["type": "public-key", "alg": -8], ["type": "public-key", "alg": -7]],
        "timeout": 300_000, "excludeCredentials": [["type": "public-key", "id": "AAAA"]],
        "authenticatorSelection": [
          "residentKey": "required", "requireResidentKey": true, "userVerification": "required",
        ],
        "attestation": "none",
      ]
      : [
        "challenge": challenge, "rpId": "localhost", "timeout": 300_000, "allowCredentials": [],
        "userVerification": "required",
      ]
    return ["ceremonyId": "cer_1", "expiresAt": 99_999_999_999_999, "options": options]
  }

  // MARK: Files

  @Test(
    "a file that goes up in parts is stored or ends with a typed error, whatever is answered on the way",
    .timeLimit(.minutes(5)), arguments: ["app_upload_begin", "app_upload_part", "app_upload_finish"])
  func uploads(_ operation: String) async throws {
    let world = try await BlobRig(oneRequest: 500)
    let upload: JSONValue = [
      "uploadId": "upl_1", "size": 1000, "partSize": 400, "parts": 3, "received": [0],
      "expiresAt": 99_999_999,
    ]
    let good =
      operation == "app_upload_finish"
      ? try GoodAnswer(of: operation) : GoodAnswer(operation == "app_upload_begin" ? 201 : 200, upload)
    let seed = Locked<UInt64>(0)
    for node in world.cloud.nodes {
      node.replaceAnswers { $0 == operation ? good.mutated(seed: seed.withLock { $0 }) : nil }
    }
    var refused = 0
    for number in Self.seeds {
      seed.withLock { $0 = number }
      let file = Data(SeededRandom(seed: number).bytes(1000))
      if await isRefused(number, { try await world.blobs.put(file) }) { refused += 1 }
    }
    #expect(refused > 0)
  }

  @Test(
    "a file comes down as it is or not at all, whatever is said of ranges and however much is sent",
    .timeLimit(.minutes(5)))
  func downloads() async throws {
    let world = try await BlobRig()
    let file = BlobRig.bytes(1000)
    let id = try await world.blobs.put(file).blobId
    let seed = Locked<UInt64>(0)
    for node in world.cloud.nodes {
      node.replaceAnswers { $0 == "app_blob_get" ? Self.part(of: file, seed.withLock { $0 }) : nil }
    }
    var refused = 0
    for number in Self.seeds {
      seed.withLock { $0 = number }
      let isRefused = await isRefused(number) {
        let got = try await world.blobs.get(id)
        #expect(got == file, "seed \(number)")
      }
      if isRefused { refused += 1 }
      _ = await self.isRefused(number) { _ = try await world.blobs.get(id, range: 100..<900) }
    }
    #expect((1..<Self.seeds.count).contains(refused))
  }

  /// A part of the file, under a head that may say otherwise.
  private static func part(of file: Data, _ seed: UInt64) -> HTTPResponse {
    let random = SeededRandom(seed: seed)
    let heads = [
      "bytes 0-999/1000", "bytes 0-999/*", "bytes 0-1999/1000", "bytes 999-0/1000", "bytes */1000",
      "bytes 0-18446744073709551615/18446744073709551615",
      "bytes 18446744073709551614-18446744073709551614/*",
      "bytes 100-899/1000", "bytes 100-899/18446744073709551615", "bytes 500-999/1000", "bytes -1-2/3", "",
    ]
    var head = heads[random.below(heads.count)]
    if seed % 3 == 0 {
      head = String(decoding: HostileBody.variant(of: Data(heads[0].utf8), seed: seed), as: UTF8.self)
    }
    let body = seed % 2 == 0 ? file : HostileBody.variant(of: file, seed: seed)
    let statuses = [206, 206, 206, 200, 204, 304, 416]
    return HTTPResponse(
      status: statuses[random.below(statuses.count)],
      headers: ["content-type": "application/octet-stream", "content-range": head, "accept-ranges": "bytes"],
      body: HTTPBody(body))
  }

  // MARK: Attestation

  @Test(
    "a node whose attestation has anything wrong in it is not trusted, and nothing but that question reaches it",
    .timeLimit(.minutes(5)))
  func attestations() async throws {
    let rig = SessionRig(nodes: 1)
    let transport = HostileAttestations(rig.cloud.transport)
    var refused = 0
    for number in Self.seeds {
      transport.seed.withLock { $0 = number }
      rig.cloud.clearLog()
      let client = rig.client(nodes: [0]) { $0.transport = transport }
      let isRefused = await isRefused(number) { _ = try await client.info() }
      if isRefused {
        refused += 1
        #expect(rig.cloud.log.inner.isEmpty, "seed \(number)")
      }
      await client.close()
    }
    #expect(refused > 0)
  }

  // MARK: Questions

  @Test(
    "a question for a passkey or a signature with anything wrong in it ends with a typed error, and is asked once",
    .timeLimit(.minutes(5)), arguments: [412, 428])
  func questions(_ status: Int) async throws {
    let world = try await OperatorRig(nodes: 1)
    let cloud = world.rig.cloud
    let operation = status == 412 ? "org_delete" : "ops_quota_set"
    let seed = Locked<UInt64>(0)
    let expiresAt = Int64(world.rig.clock.clock.now().timeIntervalSince1970 * 1000) + 300_000
    let details =
      status == 412
      ? Self.confirmation(of: "/orgs/\(world.org)", by: cloud.clusterId, expiresAt) : Self.signing(expiresAt)
    let good = GoodAnswer(
      status,
      [
        "error": [
          "code": status == 412 ? "CONFIRM_REQUIRED" : "OPERATOR_SIGNATURE_REQUIRED", "message": "m",
          "requestId": "r", "details": details,
        ]
      ])
    cloud.nodes[0].replaceAnswers { $0 == operation ? good.mutated(seed: seed.withLock { $0 }) : nil }
    var answered = 0
    for number in Self.seeds {
      seed.withLock { $0 = number }
      cloud.clearLog()
      _ = await isRefused(number) {
        if status == 412 {
          try await world.ada.orgs.delete(org: world.org, passkey: world.rig.passkey)
        } else {
          _ = try await world.olga.ops.quotaSet(
            org: world.org, apps: 1, members: 1, storageBytes: 1, callsPerDay: 1, operatorSigner: world.key)
        }
      }
      if cloud.log.requests(operation).count > 1 { answered += 1 }
    }
    // Some questions were good enough to be answered, so that what makes the answers had them to read.
    #expect(answered > 0)
  }

  private static func signing(_ expiresAt: Int64) -> JSONValue {
    [
      "signingId": "sgn_1", "action": "ops_quota_set", "issuedAt": JSONValue(expiresAt - 300_000),
      "expiresAt": JSONValue(expiresAt), "nonce": .string(String(repeating: "ab", count: 32)),
      "summary": "set the quota of Acme", "reason": "expired",
    ]
  }

  /// A question about deleting at `path`, bound to that request as a node would bind it (70 §2.11).
  private static func confirmation(of path: String, by cluster: [UInt8], _ expiresAt: Int64) -> JSONValue {
    func little(_ value: UInt64, _ count: Int) -> [UInt8] {
      (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * UInt64($0))) }
    }
    func text(_ text: String) -> [UInt8] { little(UInt64(text.utf8.count), 4) + Array(text.utf8) }
    let nonce = [UInt8](repeating: 0xAB, count: 32)
    let bound = Array("calimero/confirm/1".utf8) + cluster + little(UInt64(expiresAt), 8) + nonce
    let challenge = SHA256.hash(bound + text("DELETE") + text(path) + SHA256.hash([UInt8]()))
    return [
      "confirmId": "crq_1", "action": "org_delete", "expiresAt": JSONValue(expiresAt),
      "nonce": .string(Hex.encode(nonce)),
      "options": [
        "challenge": .string(Base64URL.encode(challenge)), "rpId": "localhost", "timeout": 300_000,
        "allowCredentials": [], "userVerification": "required",
      ],
    ]
  }
}

/// Changes what nodes attest with, and passes everything else on.
private final class HostileAttestations: HTTPTransport {
  let seed = Locked<UInt64>(0)
  private let inner: any HTTPTransport

  init(_ inner: any HTTPTransport) { self.inner = inner }

  func send(_ request: HTTPRequest) async throws -> HTTPResponse {
    let response = try await inner.send(request)
    guard request.url.path.hasSuffix("/tee/attest") else { return response }
    let body = try JSONValue(parsing: try await response.body.collect(upTo: 1 << 20))
    return GoodAnswer(200, body).mutated(seed: seed.withLock { $0 })
  }
}
