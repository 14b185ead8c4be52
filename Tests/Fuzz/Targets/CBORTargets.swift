import MeroCrypto
import MeroWire

@testable import MeroKitTestSupport

extension FuzzTarget {
  static let cbor = FuzzTarget(name: "cbor", dictionary: nil, seeds: { cborSeeds }) { bytes in
    guard let value = unlessRefused(WireError.self, { try CBOR.decode(bytes) }) else {
      if let (value, rest) = unlessRefused(WireError.self, { try CBOR.decodePrefix(bytes) }) {
        hold(CBOR.encode(value) + rest == bytes, "a value and what follows it are all the bytes")
      }
      return
    }
    hold(CBOR.encode(value) == bytes, "a value has one encoding")
    hold(try CBOR.decode(bytes) == value, "reading twice gives the same")
    if isWithinReach(value, levels: 15) {
      hold(AttestationObjectReader.read(bytes) != nil, "the relying party reads what the client writes")
    }
  }

  /// The relying party's own reader, which also accepts longer heads.
  static let attestationObject = FuzzTarget(name: "attestation-object", dictionary: nil, seeds: { cborSeeds })
  {
    bytes in
    if let (item, rest) = AttestationObjectReader.readPrefix(bytes[...]) {
      hold(
        rest.endIndex == bytes.endIndex && rest.count < bytes.count, "what is left is the end of the input")
      let whole = Array(bytes.dropLast(rest.count))
      hold(AttestationObjectReader.read(whole) == item, "what was read is one item")
      hold(rest.isEmpty || AttestationObjectReader.read(bytes) == nil, "nothing may be left over")
      _ = PasskeyKey(cose: item)
    }
    if let data = AuthenticatorData(bytes) {
      hold(data.bytes == bytes && data.rpIdHash == Array(bytes.prefix(32)), "authenticator data is its bytes")
      if let id = data.attested?.credentialId {
        hold(bytes[55...].starts(with: id), "a credential's id is where it stands")
      }
    }
  }

  private static let cborSeeds: [[UInt8]] = {
    let key = TestPlatform.key(6).publicKey.x963
    let cose = CBORValue.map([
      .init(CBORValue(1), CBORValue(2)), .init(CBORValue(3), CBORValue(-7)),
      .init(CBORValue(-1), CBORValue(1)),
      .init(CBORValue(-2), .bytes(Array(key[1..<33]))), .init(CBORValue(-3), .bytes(Array(key[33...]))),
    ])
    let data =
      [UInt8](repeating: 7, count: 32) + [0xC5, 0, 0, 0, 1] + [UInt8](repeating: 0, count: 16) + [0, 4]
      + [1, 2, 3, 4] + CBOR.encode(cose) + CBOR.encode(.map([]))
    let object = CBORValue.map([
      .init(.text("fmt"), .text("none")), .init(.text("attStmt"), .map([])),
      .init(.text("authData"), .bytes(data)),
    ])
    let all = CBORValue.array([
      .bool(true), .null, .negative(.max), .unsigned(1 << 40), .text("é"), .array([]),
    ])
    let numbers = CBORValue.map((0..<20_000).map { .init(.unsigned($0), .null) })
    return [
      CBOR.encode(object), CBOR.encode(cose), data, CBOR.encode(all), CBOR.encode(numbers),
      filled(with: [0x81]), filled(with: [0xA1, 0x00]),
      [0x9A, 0x00, 0x00, 0xFF, 0xFB] + filled(with: [0]).dropLast(5),
    ]
  }()

  private static func isWithinReach(_ value: CBORValue, levels: Int) -> Bool {
    guard levels > 0 else { return false }
    switch value {
    case .unsigned(let number), .negative(let number): return Int64(exactly: number) != nil
    case .array(let elements): return elements.allSatisfy { isWithinReach($0, levels: levels - 1) }
    case .map(let pairs):
      return pairs.allSatisfy {
        isWithinReach($0.key, levels: levels - 1) && isWithinReach($0.value, levels: levels - 1)
      }
    default: return true
    }
  }
}
