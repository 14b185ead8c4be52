/// What an authenticator says about a ceremony (WebAuthn authenticator data).
struct AuthenticatorData {
  struct Attested {
    let credentialId: [UInt8]
    let key: PasskeyKey
  }

  let bytes: [UInt8]
  let rpIdHash: [UInt8]
  let flags: UInt8
  let counter: UInt32
  let attested: Attested?

  var isUserPresent: Bool { flags & 0x01 != 0 }
  var isUserVerified: Bool { flags & 0x04 != 0 }
  var isBackupEligible: Bool { flags & 0x08 != 0 }
  var isBackedUp: Bool { flags & 0x10 != 0 }

  /// `nil` when the bytes do not parse exactly: none may be left over unless extensions are announced.
  init?(_ bytes: [UInt8]) {
    guard bytes.count >= 37 else { return nil }
    self.bytes = bytes
    rpIdHash = Array(bytes[0..<32])
    flags = bytes[32]
    counter = bytes[33..<37].reduce(0) { $0 << 8 | UInt32($1) }
    var rest = bytes[37...]
    if flags & 0x40 != 0 {
      guard let (attested, after) = Self.readAttested(rest) else { return nil }
      self.attested = attested
      rest = after
    } else {
      attested = nil
    }
    if flags & 0x80 != 0 {
      guard let (extensions, after) = AttestationObjectReader.readPrefix(rest), case .map = extensions
      else { return nil }
      rest = after
    }
    guard rest.isEmpty else { return nil }
  }

  private static func readAttested(_ bytes: ArraySlice<UInt8>) -> (Attested, ArraySlice<UInt8>)? {
    guard bytes.count >= 18 else { return nil }
    let length = Int(bytes[bytes.startIndex + 16]) << 8 | Int(bytes[bytes.startIndex + 17])
    let rest = bytes.dropFirst(18)
    guard length <= 1023, rest.count >= length,
      let (cose, after) = AttestationObjectReader.readPrefix(rest.dropFirst(length)),
      let key = PasskeyKey(cose: cose)
    else { return nil }
    return (Attested(credentialId: Array(rest.prefix(length)), key: key), after)
  }
}
