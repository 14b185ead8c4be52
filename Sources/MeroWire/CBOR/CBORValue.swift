/// The CBOR that WebAuthn uses (RFC 8949, within the bounds of CTAP2): no tags, no floating point, nothing of
/// indefinite length.
package indirect enum CBORValue: Sendable, Hashable {
  /// 0 and up.
  case unsigned(UInt64)
  /// Minus one minus the number given, so that all of CBOR's range fits.
  case negative(UInt64)
  case bytes([UInt8])
  case text(String)
  case array([CBORValue])
  /// Pairs in the order they stand in.
  case map([Pair])
  case bool(Bool)
  case null

  /// One key of a map and its value.
  package struct Pair: Sendable, Hashable {
    package let key: CBORValue
    package let value: CBORValue

    package init(_ key: CBORValue, _ value: CBORValue) {
      self.key = key
      self.value = value
    }
  }

  /// An integer of either sign.
  package init(_ value: Int64) {
    self = value < 0 ? .negative(UInt64(bitPattern: ~value)) : .unsigned(UInt64(value))
  }
}

extension CBORValue {
  /// The integer, when this is one and fits.
  package var int64: Int64? {
    switch self {
    case .unsigned(let value): return Int64(exactly: value)
    case .negative(let value): return Int64(exactly: value).map { ~$0 }
    default: return nil
    }
  }

  /// The bytes, when this is a byte string.
  package var bytesValue: [UInt8]? {
    if case .bytes(let value) = self { return value }
    return nil
  }

  /// The text, when this is one.
  package var textValue: String? {
    if case .text(let value) = self { return value }
    return nil
  }

  /// The elements, when this is an array.
  package var arrayValue: [CBORValue]? {
    if case .array(let value) = self { return value }
    return nil
  }

  /// The pairs, when this is a map.
  package var mapValue: [Pair]? {
    if case .map(let value) = self { return value }
    return nil
  }

  /// The value under a text key, as in an attestation object.
  package subscript(key: String) -> CBORValue? { self[.text(key)] }
  /// The value under an integer key, as in a COSE key.
  package subscript(key: Int64) -> CBORValue? { self[CBORValue(key)] }

  private subscript(key: CBORValue) -> CBORValue? { mapValue?.first { $0.key == key }?.value }
}
