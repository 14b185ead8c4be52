import Foundation
import MeroAPI
import MeroCrypto
import MeroHTTP
import MeroWire
import Testing

@testable import MeroKit

@Suite("Confirmations and operator signatures")
struct StepUpTests {
  private static let time = Date(timeIntervalSince1970: 1_790_000_000)

  private func request(_ vector: JSONValue) -> APIRequest {
    APIRequest(
      method: HTTPMethod(rawValue: vector["method"].text), path: vector["path"].text,
      body: vector["body"].data)
  }

  /// The challenge a node gives for a request of the vectors, with fields replaced.
  private func confirmChallenge(_ vector: JSONValue, _ changes: [String: JSONValue] = [:]) -> JSONValue {
    var challenge: JSONObject = [
      "confirmId": "cf_1", "action": "org_delete", "expiresAt": vector["expiresAt"] ?? .null,
      "nonce": .string(Hex.encode(PasskeyVectors.nonce)),
      "options": [
        "challenge": vector["challenge"] ?? .null, "rpId": "localhost", "userVerification": "required",
      ],
    ]
    for (name, value) in changes { challenge[name] = value }
    return .object(challenge)
  }

  private func confirm(
    _ challenge: JSONValue, _ request: APIRequest, at time: Date = time,
    clusterId: [UInt8] = PasskeyVectors.clusterId, provider: any PasskeyProvider
  ) async throws -> String {
    try await StepUp.confirmHeader(
      challenge: challenge, request: request, clusterId: clusterId, nodeTime: time, provider: provider)
  }

  @Test("a request has the known challenge", arguments: PasskeyVectors.confirms.indices)
  func knownChallenge(index: Int) throws {
    let vector = PasskeyVectors.confirms[index]
    let challenge = StepUp.confirmChallenge(
      request: request(vector), clusterId: PasskeyVectors.clusterId, expiresAt: vector["expiresAt"].number,
      nonce: PasskeyVectors.nonce)
    #expect(Base64URL.encode(challenge) == vector["challenge"].text)
    if vector["hashedBytes"].number > 0 {
      let bytes = RequestStatement(
        method: vector["method"].text, innerPath: vector["path"].text, body: vector["body"].data
      ).bytes(
        domain: "calimero/confirm/1", clusterId: PasskeyVectors.clusterId,
        times: [vector["expiresAt"].number], nonce: PasskeyVectors.nonce)
      #expect(bytes.count == Int(vector["hashedBytes"].number))
    }
  }

  @Test("the header carries the id and the passkey's answer")
  func header() async throws {
    let passkey = SoftPasskey()
    let made = try await passkey.create(.sample())
    let vector = PasskeyVectors.confirms[0]
    let header = try await confirm(confirmChallenge(vector), request(vector), provider: passkey)
    let parts = header.split(separator: ".", maxSplits: 2)
    #expect(parts.prefix(2) == ["v1", "cf_1"])
    let answer = try ExactJSON.decode(
      AssertionCredential.self, from: Data(try Base64URL.decode(String(parts[2]))))
    #expect(answer.id == made.id)
    let clientData = try JSONValue(parsing: Data(try Base64URL.decode(answer.response.clientDataJSON)))
    #expect(clientData["challenge"] == vector["challenge"])
  }

  @Test(
    "a challenge for anything else than the request is not shown to anyone",
    arguments: ["path", "method", "body", "cluster", "nonce", "expiry", "action", "id"])
  func mismatch(part: String) async throws {
    let vector = PasskeyVectors.confirms[1]
    var request = request(vector)
    var changes: [String: JSONValue] = [:]
    var clusterId = PasskeyVectors.clusterId
    switch part {
    case "path": request.path += "?x=1"
    case "method": request.method = .put
    case "body": request.body = Data("{\"role\":\"admin\"}".utf8)
    case "cluster": clusterId[0] ^= 1
    case "nonce": changes["nonce"] = .string(String(repeating: "0", count: 64))
    case "expiry": changes["expiresAt"] = 1_790_000_300_001
    case "action": request.operation = .orgGet
    default: changes["confirmId"] = "a\r\nx-other: 1"
    }
    let provider = CountingPasskey()
    await #expect(throws: CalimeroError.confirm(.mismatch)) {
      try await confirm(confirmChallenge(vector, changes), request, clusterId: clusterId, provider: provider)
    }
    #expect(await provider.asked == 0)
  }

  @Test("a challenge whose time is over by the node's clock is not shown to anyone")
  func expired() async throws {
    let vector = PasskeyVectors.confirms[0]
    let provider = CountingPasskey()
    await #expect(throws: CalimeroError.confirm(.expired)) {
      try await confirm(
        confirmChallenge(vector), request(vector), at: Date(timeIntervalSince1970: 1_790_000_300),
        provider: provider)
    }
    #expect(await provider.asked == 0)
  }

  @Test("the action has to be the operation's when it is known")
  func action() async throws {
    let passkey = SoftPasskey()
    _ = try await passkey.create(.sample())
    let vector = PasskeyVectors.confirms[0]
    var request = request(vector)
    request.operation = .orgDelete
    _ = try await confirm(confirmChallenge(vector), request, provider: passkey)
  }

  @Test("a closed sheet is a declined confirmation, and other failures are the passkey's")
  func providerFailures() async throws {
    let vector = PasskeyVectors.confirms[0]
    for (thrown, expected): (any Error, CalimeroError) in [
      (PasskeyFailure.cancelled, .confirm(.declined)), (CancellationError(), .confirm(.declined)),
      (PasskeyFailure.noCredential, .passkey(.noCredential)),
      (StrangeError(), .passkey(.other("strange"))),
    ] {
      await #expect(throws: expected) {
        try await confirm(
          confirmChallenge(vector), request(vector), provider: CountingPasskey(throwing: thrown))
      }
    }
  }

  @Test("details that are no challenge are a decoding error")
  func notAChallenge() async throws {
    let vector = PasskeyVectors.confirms[0]
    await #expect {
      try await confirm(["confirmId": 1], request(vector), provider: CountingPasskey())
    } throws: {
      if case CalimeroError.decoding = $0 { true } else { false }
    }
  }

  // MARK: Operators

  private func operatorChallenge(_ changes: [String: JSONValue] = [:]) -> JSONValue {
    var challenge: JSONObject = [
      "signingId": "sgn_1", "action": "ops_decision_vote",
      "issuedAt": PasskeyVectors.operatorSignature["issuedAt"] ?? .null,
      "expiresAt": PasskeyVectors.operatorSignature["expiresAt"] ?? .null,
      "nonce": .string(Hex.encode(PasskeyVectors.nonce)), "summary": "approve deployer acme",
    ]
    for (name, value) in changes { challenge[name] = value }
    return .object(challenge)
  }

  private func sign(
    _ challenge: JSONValue, at time: Date = time, signer: any OperatorSigner
  ) async throws -> String {
    try await StepUp.operatorHeader(
      challenge: challenge, request: request(PasskeyVectors.operatorSignature),
      clusterId: PasskeyVectors.clusterId, nodeTime: time, signer: signer)
  }

  @Test("the statement, its signature and the header are the known ones")
  func knownSignature() async throws {
    let vector = PasskeyVectors.operatorSignature
    let statement = OperatorStatement(
      method: vector["method"].text, path: vector["path"].text, body: vector["body"].data,
      action: "ops_decision_vote", summary: "", clusterId: PasskeyVectors.clusterId,
      nonce: PasskeyVectors.nonce, issuedAt: vector["issuedAt"].number, expiresAt: vector["expiresAt"].number)
    #expect(statement.bytes.count == Int(vector["statementBytes"].number))
    #expect(Hex.encode(SHA256.hash(statement.bytes)) == vector["statementHash"].text)
    let key = try Ed25519OperatorKey(raw: vector["seed"].bytes)
    #expect(Hex.encode(key.publicKey) == vector["publicKey"].text)
    // The platform's Ed25519 may add randomness of its own; what it makes has to verify all the same.
    let header = try await sign(operatorChallenge(), signer: key)
    let parts = header.split(separator: ".").map(String.init)
    #expect(parts.prefix(3) == ["v1", "sgn_1", vector["publicKey"].text])
    let publicKey = try Ed25519.PublicKey(bytes: key.publicKey)
    #expect(publicKey.isValid(try Base64URL.decode(parts[3]), for: statement.bytes))
    #expect(publicKey.isValid(vector["signature"].bytes, for: statement.bytes))
    #if os(Linux)
      #expect(try Base64URL.decode(parts[3]) == vector["signature"].bytes)
    #endif
  }

  @Test("a signer sees the request it signs, not only the node's words for it")
  func statementFields() async throws {
    let signer = RecordingSigner()
    _ = try await sign(operatorChallenge(), signer: signer)
    let statement = try #require(await signer.seen.first)
    #expect(statement.method == "POST")
    #expect(statement.path == PasskeyVectors.operatorSignature["path"].text)
    #expect(statement.body == PasskeyVectors.operatorSignature["body"].data)
    #expect(statement.summary == "approve deployer acme")
  }

  @Test(
    "an operator is not asked to sign for longer than ten minutes, or too late",
    arguments: [
      ["expiresAt": 1_790_000_600_001], ["expiresAt": 1_789_999_999_999], ["expiresAt": 1_790_000_000_000],
      ["issuedAt": 0],
    ] as [[String: JSONValue]])
  func operatorExpired(changes: [String: JSONValue]) async throws {
    let signer = RecordingSigner()
    await #expect(throws: CalimeroError.operatorSignature(.expired)) {
      try await sign(operatorChallenge(changes), signer: signer)
    }
    #expect(await signer.seen.isEmpty)
  }

  @Test("a signer that declines, fails or has no proper key is told apart")
  func signerFailures() async throws {
    for (thrown, expected): (any Error, OperatorFailure) in [
      (CancellationError(), .declined), (OperatorFailure.declined, .declined),
      (StrangeError(), .rejected(reason: "the signer failed: strange")),
    ] {
      await #expect(throws: CalimeroError.operatorSignature(expected)) {
        try await sign(operatorChallenge(), signer: RecordingSigner(throwing: thrown))
      }
    }
    await #expect(throws: CalimeroError.operatorSignature(.invalidKey)) {
      try await sign(operatorChallenge(), signer: RecordingSigner(publicKey: [1]))
    }
  }

  @Test("an operator key is 32 bytes", arguments: [0, 31, 33, 64])
  func keyLength(count: Int) {
    #expect(throws: CalimeroError.operatorSignature(.invalidKey)) {
      try Ed25519OperatorKey(raw: [UInt8](repeating: 1, count: count))
    }
  }
}

struct StrangeError: Error, CustomStringConvertible { let description = "strange" }

private actor CountingPasskey: PasskeyProvider {
  private(set) var asked = 0
  private let error: any Error

  init(throwing error: any Error = PasskeyFailure.invalidResponse) { self.error = error }

  func create(_ options: PasskeyCreationOptions) throws -> RegistrationCredential { throw error }

  func get(_ options: PasskeyRequestOptions) throws -> AssertionCredential {
    asked += 1
    throw error
  }
}

private actor RecordingSigner: OperatorSigner {
  private(set) var seen: [OperatorStatement] = []
  private let error: (any Error)?
  nonisolated let publicKey: [UInt8]

  init(publicKey: [UInt8] = [UInt8](repeating: 2, count: 32), throwing error: (any Error)? = nil) {
    self.publicKey = publicKey
    self.error = error
  }

  func sign(_ statement: OperatorStatement) throws -> [UInt8] {
    if let error { throw error }
    seen.append(statement)
    return [UInt8](repeating: 3, count: 64)
  }
}
