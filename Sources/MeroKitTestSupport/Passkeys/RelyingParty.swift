import Foundation
import MeroCrypto
import MeroWire

/// The checks of a relying party (70 §2.10, 50 §6.7). They throw `PASSKEY_REJECTED` with what did not hold.
struct RelyingParty: Sendable {
  struct Registration {
    let credentialId: String
    let key: PasskeyKey
    let counter: UInt32
    let isBackupEligible: Bool
    let isBackedUp: Bool
  }

  struct Known {
    let key: PasskeyKey
    let counter: UInt32
    let isBackupEligible: Bool
    let userHandle: [UInt8]
  }

  struct Assertion {
    let counter: UInt32
    let isBackedUp: Bool
  }

  let id: String

  /// Checks a new passkey against the challenge it was asked with.
  func register(_ credential: JSONObject, challenge: [UInt8]) throws(Refusal) -> Registration {
    let response = credential["response"] ?? .null
    let credentialId = try credentialId(of: credential)
    try checkClientData(bytes(response, "clientDataJSON"), type: "webauthn.create", challenge: challenge)
    let object = AttestationObjectReader.read(try bytes(response, "attestationObject"))
    guard let object, case .text(let format)? = object["fmt"], case .bytes(let raw)? = object["authData"],
      let statement = object["attStmt"]
    else { throw .passkeyRejected("the attestation object does not parse") }
    if format == "none", statement != .map([]) {
      throw .passkeyRejected("a statement came with the attestation format none")
    }
    let data = try authenticatorData(raw)
    guard let attested = data.attested else { throw .passkeyRejected("no credential was attested") }
    guard Base64URL.encode(attested.credentialId) == credentialId else {
      throw .passkeyRejected("the attested credential has another id")
    }
    return Registration(
      credentialId: credentialId, key: attested.key, counter: data.counter,
      isBackupEligible: data.isBackupEligible, isBackedUp: data.isBackedUp)
  }

  /// Checks a signature of a passkey the cluster knows.
  func verify(_ credential: JSONObject, challenge: [UInt8], by known: Known) throws(Refusal) -> Assertion {
    let response = credential["response"] ?? .null
    _ = try credentialId(of: credential)
    if response["userHandle"] != nil, try bytes(response, "userHandle") != known.userHandle {
      throw .passkeyRejected("the user handle is another account's")
    }
    let clientData = try bytes(response, "clientDataJSON")
    try checkClientData(clientData, type: "webauthn.get", challenge: challenge)
    let data = try authenticatorData(bytes(response, "authenticatorData"))
    guard data.isBackupEligible == known.isBackupEligible else {
      throw .passkeyRejected("the passkey's backup eligibility has changed")
    }
    let signature = try bytes(response, "signature")
    guard known.key.isValid(signature, for: data.bytes + SHA256.hash(clientData)) else {
      throw .passkeyRejected("the signature does not verify")
    }
    if known.counter > 0 || data.counter > 0, data.counter <= known.counter {
      throw .passkeyRejected("the counter did not go up, so the passkey may have been copied")
    }
    return Assertion(counter: data.counter, isBackedUp: data.isBackedUp)
  }

  /// `https` at the id or a subdomain of it; `http://localhost` with any port when the id is `localhost`.
  func allows(origin: String) -> Bool {
    if id == "localhost" {
      let base = "http://localhost"
      guard origin.hasPrefix(base) else { return false }
      let port = origin.dropFirst(base.count)
      return port.isEmpty
        || (port.first == ":" && UInt16(port.dropFirst()).map { String($0) == port.dropFirst() } ?? false)
    }
    guard origin.hasPrefix("https://") else { return false }
    let host = origin.dropFirst("https://".count)
    let isName = host.utf8.allSatisfy {
      $0 == 0x2D || $0 == 0x2E || (0x30...0x39).contains($0) || (0x61...0x7A).contains($0)
    }
    return isName && (host == id || (host.hasSuffix("." + id) && !host.hasPrefix(".")))
  }

  /// The credential id, which must be there twice and the same.
  private func credentialId(of credential: JSONObject) throws(Refusal) -> String {
    guard let id = credential["id"]?.stringValue, credential["rawId"]?.stringValue == id,
      credential["type"]?.stringValue == "public-key", let raw = try? Base64URL.decode(id),
      (1...1023).contains(raw.count)
    else { throw .passkeyRejected("the credential's id does not hold") }
    return id
  }

  private func bytes(_ response: JSONValue, _ name: String) throws(Refusal) -> [UInt8] {
    guard let text = response[name]?.stringValue, let bytes = try? Base64URL.decode(text) else {
      throw .passkeyRejected("\(name) is not base64url")
    }
    return bytes
  }

  private func checkClientData(_ bytes: [UInt8], type: String, challenge: [UInt8]) throws(Refusal) {
    guard let data = try? JSONValue(parsing: Data(bytes)) else {
      throw .passkeyRejected("clientDataJSON is not JSON")
    }
    guard data["type"]?.stringValue == type else { throw .passkeyRejected("the client data is not \(type)") }
    guard data["challenge"]?.stringValue == Base64URL.encode(challenge) else {
      throw .passkeyRejected("the challenge is another one")
    }
    guard let origin = data["origin"]?.stringValue, allows(origin: origin) else {
      throw .passkeyRejected("the origin is not allowed for \(id)")
    }
    guard data["crossOrigin"]?.boolValue != true else {
      throw .passkeyRejected("the ceremony was cross-origin")
    }
  }

  private func authenticatorData(_ bytes: [UInt8]) throws(Refusal) -> AuthenticatorData {
    guard let data = AuthenticatorData(bytes) else {
      throw .passkeyRejected("the authenticator data does not parse")
    }
    guard data.rpIdHash == SHA256.hash(Array(id.utf8)) else {
      throw .passkeyRejected("the passkey belongs to another relying party")
    }
    guard data.isUserPresent, data.isUserVerified else {
      throw .passkeyRejected("the user was not present and verified")
    }
    guard data.isBackupEligible || !data.isBackedUp else {
      throw .passkeyRejected("the passkey is backed up without being eligible")
    }
    return data
  }
}
