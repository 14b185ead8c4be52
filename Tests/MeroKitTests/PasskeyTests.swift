import Foundation
import MeroAPI
import MeroCrypto
import MeroHTTP
import MeroWire
import Testing

@testable import MeroKit

@Suite("A passkey in software")
struct PasskeyTests {
  @Test("registration and assertion have the known bytes", arguments: ["ed25519", "es256"])
  func knownBytes(name: String) throws {
    let vector = PasskeyVectors.passkey(name)
    let algorithm: SoftPasskey.Algorithm = name == "es256" ? .es256 : .ed25519
    var credential = SoftCredential(
      id: vector["credentialId"].bytes, rpId: vector["rpId"].text, userHandle: "dXNlcg", userName: "ada",
      key: try SoftCredential.Key(algorithm, secret: vector["privateKey"].bytes), counter: 0)
    let challenge = vector["challenge"].bytes
    let origin = vector["origin"].text

    let registration = credential.registration(challenge: challenge, origin: origin)
    #expect(registration.response.clientDataJSON == vector["createClientData"].text)
    #expect(registration.response.attestationObject == Base64URL.encode(vector["attestationObject"].bytes))
    #expect(registration.id == Base64URL.encode(vector["credentialId"].bytes))
    #expect(registration.rawId == registration.id)

    credential.counter = UInt32(vector["counter"].number)
    let assertion = try credential.assertion(challenge: challenge, origin: origin)
    #expect(assertion.response.authenticatorData == Base64URL.encode(vector["authenticatorData"].bytes))
    let clientData = try Base64URL.decode(assertion.response.clientDataJSON)
    #expect(
      String(decoding: clientData, as: UTF8.self)
        == "{\"type\":\"webauthn.get\",\"challenge\":\"\(Base64URL.encode(challenge))\","
        + "\"origin\":\"\(origin)\",\"crossOrigin\":false}")
    let signed = vector["authenticatorData"].bytes + SHA256.hash(clientData)
    let ours = try Base64URL.decode(assertion.response.signature)
    if algorithm == .ed25519 {
      #expect(ours == vector["signature"].bytes)
    } else {
      let key = try P256.PublicKey(x963: [4] + vector["publicKey"].bytes)
      #expect(key.isValid(der: ours, for: signed))
      #expect(key.isValid(der: vector["signature"].bytes, for: signed))
    }
  }

  @Test("a flipped bit in any part of an assertion refuses it")
  func flippedBits() throws {
    let vector = PasskeyVectors.passkey("es256")
    let key = try P256.PublicKey(x963: [4] + vector["publicKey"].bytes)
    let data = vector["authenticatorData"].bytes
    let clientData = AuthenticatorBytes.clientData(
      .get, challenge: vector["challenge"].bytes, origin: vector["origin"].text)
    let signature = vector["signature"].bytes
    func isValid(_ data: [UInt8], _ clientData: [UInt8], _ signature: [UInt8]) -> Bool {
      key.isValid(der: signature, for: data + SHA256.hash(clientData))
    }
    #expect(isValid(data, clientData, signature))
    #expect(!isValid(data.flipped(at: 5), clientData, signature))
    #expect(!isValid(data, clientData.flipped(at: 30), signature))
    #expect(!isValid(data, clientData, signature.flipped(at: signature.count - 1)))
  }

  @Test("client data escapes quotes, backslashes and control characters alone")
  func escapes() {
    let bytes = AuthenticatorBytes.clientData(.get, challenge: [], origin: "a\"b\\c\u{1}/é")
    #expect(String(decoding: bytes, as: UTF8.self).contains("\"origin\":\"a\\\"b\\\\c\\u0001/é\""))
  }

  @Test("the counter goes up with every assertion")
  func counter() async throws {
    let passkey = SoftPasskey()
    _ = try await passkey.create(.sample())
    for expected in UInt32(1)...3 {
      let assertion = try await passkey.get(.sample())
      let data = try Base64URL.decode(assertion.response.authenticatorData)
      #expect(data[33..<37].elementsEqual([0, 0, 0, UInt8(expected)]))
      #expect(data[32] == 0x05)
    }
  }

  @Test("with an empty list it takes its newest passkey for the relying party")
  func newest() async throws {
    let passkey = SoftPasskey()
    _ = try await passkey.create(.sample(rpId: "localhost"))
    let second = try await passkey.create(.sample(rpId: "localhost"))
    _ = try await passkey.create(.sample(rpId: "example.org"))
    let assertion = try await passkey.get(.sample(rpId: "localhost"))
    #expect(assertion.id == second.id)
  }

  @Test("with a list it takes the first of it that it holds")
  func allowed() async throws {
    let passkey = SoftPasskey()
    let first = try await passkey.create(.sample())
    let second = try await passkey.create(.sample())
    let assertion = try await passkey.get(.sample(allowed: ["AAAA", second.id, first.id]))
    #expect(assertion.id == second.id)
    await #expect(throws: PasskeyFailure.noCredential) { try await passkey.get(.sample(allowed: ["AAAA"])) }
  }

  @Test("it holds nothing for a relying party it made nothing for")
  func noCredential() async throws {
    let passkey = SoftPasskey()
    _ = try await passkey.create(.sample(rpId: "localhost"))
    await #expect(throws: PasskeyFailure.noCredential) {
      try await passkey.get(.sample(rpId: "example.org"))
    }
  }

  @Test("it makes no second passkey where one is excluded")
  func excluded() async throws {
    let passkey = SoftPasskey()
    let first = try await passkey.create(.sample())
    await #expect(throws: PasskeyFailure.excluded) {
      try await passkey.create(.sample(excluded: [first.id]))
    }
  }

  @Test("it makes none for a cluster that does not offer its algorithm")
  func algorithmNotOffered() async throws {
    await #expect(throws: PasskeyFailure.notSupported) {
      try await SoftPasskey(algorithm: .ed25519).create(.sample(algorithms: [-7]))
    }
    _ = try await SoftPasskey(algorithm: .ed25519).create(.sample(algorithms: [-7, -8]))
  }

  @Test("the origin is the base URL's on localhost, else that of the relying party")
  func origins() async throws {
    func origin(_ passkey: SoftPasskey, _ rpId: String, _ node: String?) async throws -> String {
      let made = try await passkey.create(.sample(rpId: rpId), at: node.flatMap(URL.init(string:)))
      let data = try Base64URL.decode(made.response.clientDataJSON)
      return try JSONValue(parsing: Data(data))["origin"].text
    }
    #expect(
      try await origin(SoftPasskey(), "localhost", "http://127.0.0.1:2501") == "http://localhost:2501")
    #expect(try await origin(SoftPasskey(), "localhost", nil) == "http://localhost")
    #expect(try await origin(SoftPasskey(), "example.org", "http://127.0.0.1:2501") == "https://example.org")
    let mine = SoftPasskey(origin: "https://app.example.org")
    #expect(try await origin(mine, "example.org", nil) == "https://app.example.org")
  }

  @Test(
    "it refuses a relying party that its origin is not part of",
    arguments: ["ample.org", "org.other", "localhost"])
  func foreignRelyingParty(rpId: String) async throws {
    let passkey = SoftPasskey(origin: "https://app.example.org")
    await #expect(throws: PasskeyFailure.notAllowed(rpId: rpId)) {
      try await passkey.create(.sample(rpId: rpId))
    }
  }

  @Test(
    "exported passkeys sign again, and go on counting", arguments: [SoftPasskey.Algorithm.es256, .ed25519])
  func export(algorithm: SoftPasskey.Algorithm) async throws {
    let passkey = SoftPasskey(algorithm: algorithm)
    let made = try await passkey.create(.sample())
    _ = try await passkey.get(.sample())
    let again = try SoftPasskey(exported: try await passkey.export())
    let assertion = try await again.get(.sample())
    #expect(assertion.id == made.id)
    #expect(assertion.response.userHandle == "dXNlcg")
    #expect(try Base64URL.decode(assertion.response.authenticatorData)[36] == 2)
    #expect(try await again.export() != passkey.export())
  }

  @Test(
    "what is not an export is refused without repeating it",
    arguments: [
      "", "{}", "[]", #"{"version":2,"credentials":[]}"#,
      #"{"version":1,"credentials":[{"credentialId":"AAAA","rpId":"a","userHandle":"","userName":"","algorithm":-7,"privateKey":"c2VjcmV0","counter":0}]}"#,
      #"{"version":1,"credentials":[{"credentialId":"AAAA","rpId":"a","userHandle":"","userName":"","algorithm":-9,"privateKey":"c2VjcmV0","counter":0}]}"#,
    ])
  func badExport(text: String) throws {
    do {
      _ = try SoftPasskey(exported: Data(text.utf8))
      Issue.record("it was accepted")
    } catch CalimeroError.invalidInput(let reason) {
      #expect(!reason.contains("c2VjcmV0"))
    }
  }
}

extension [UInt8] {
  func flipped(at index: Int) -> [UInt8] {
    var copy = self
    copy[index] ^= 1
    return copy
  }
}

extension PasskeyCreationOptions {
  static func sample(
    rpId: String = "localhost", algorithms: [Int32] = [-7, -8], excluded: [String] = []
  ) -> PasskeyCreationOptions {
    PasskeyCreationOptions(
      rp: .init(id: rpId, name: "Cluster"), user: .init(id: "dXNlcg", name: "ada", displayName: "Ada"),
      challenge: Base64URL.encode([UInt8](repeating: 7, count: 32)),
      pubKeyCredParams: algorithms.map { .init(type: "public-key", alg: $0) },
      excludeCredentials: excluded.map { .init(type: "public-key", id: $0) },
      authenticatorSelection: .init(residentKey: "required", userVerification: "required"),
      attestation: "none")
  }
}

extension PasskeyRequestOptions {
  static func sample(
    rpId: String = "localhost", challenge: [UInt8] = [UInt8](repeating: 9, count: 32),
    allowed: [String] = []
  ) -> PasskeyRequestOptions {
    PasskeyRequestOptions(
      challenge: Base64URL.encode(challenge), rpId: rpId,
      allowCredentials: allowed.map { .init(type: "public-key", id: $0) }, userVerification: "required")
  }
}
