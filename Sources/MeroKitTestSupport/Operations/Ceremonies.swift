import MeroWire

// Passkey ceremonies: open for five minutes, good once, repeatable for a minute (70 §2.10).

extension ClusterState {
  static let ceremonyLifetime: Int64 = 5 * 60_000
  /// How long a finish may come again with the same credential.
  static let ceremonyRepeat: Int64 = 60_000

  func open(_ purpose: CeremonyRecord.Purpose, _ x: Exchange) -> (String, CeremonyRecord) {
    if ceremonies.count > 1000 {
      ceremonies = ceremonies.filter { x.now < $0.value.expiresAt + Self.ceremonyRepeat }
    }
    let ceremony = CeremonyRecord(
      purpose: purpose, challenge: ids.bytes(32), expiresAt: x.now + Self.ceremonyLifetime)
    let id = ids.id("cer", at: x.now)
    ceremonies[id] = ceremony
    return (id, ceremony)
  }

  /// The ceremony that a finish names.
  func ceremony(_ fields: JSONObject) throws -> CeremonyRecord {
    guard let ceremony = ceremonies[fields["ceremonyId"]?.stringValue ?? ""] else {
      throw Refusal.ceremonyExpired
    }
    return ceremony
  }

  /// Opens a ceremony that makes a passkey, and answers it as it is sent.
  func beginCreation(
    _ purpose: CeremonyRecord.Purpose, userHandle: [UInt8], name: String, displayName: JSONValue? = nil,
    excluding known: [PasskeyRecord] = [], _ x: Exchange
  ) -> JSONValue {
    let (id, ceremony) = open(purpose, x)
    let parameters = PasskeyKey.offered.map { ["type": "public-key", "alg": JSONValue($0)] as JSONValue }
    let options: JSONValue = [
      "rp": ["id": .string(relyingParty.id), "name": "Calimero"],
      "user": [
        "id": .string(Base64URL.encode(userHandle)), "name": .string(name),
        "displayName": displayName ?? .string(name),
      ],
      "challenge": .string(Base64URL.encode(ceremony.challenge)), "pubKeyCredParams": .array(parameters),
      "timeout": JSONValue(Self.ceremonyLifetime), "excludeCredentials": descriptors(of: known),
      "authenticatorSelection": [
        "residentKey": "required", "requireResidentKey": true, "userVerification": "required",
      ],
      "attestation": "none",
    ]
    return ["ceremonyId": .string(id), "expiresAt": JSONValue(ceremony.expiresAt), "options": options]
  }

  private func descriptors(of passkeys: [PasskeyRecord]) -> JSONValue {
    .array(passkeys.map { ["type": "public-key", "id": .string($0.credentialId)] })
  }
}
