/// Writes and reads CBOR in its shortest form, so that one value in one order has one encoding.
package enum CBOR {
  /// The deepest nesting that is read; CTAP2 messages stay below five.
  package static let maximumDepth = 32

  /// The bytes of a value. Maps keep the order they have.
  package static func encode(_ value: CBORValue) -> [UInt8] {
    var bytes: [UInt8] = []
    write(value, into: &bytes)
    return bytes
  }

  /// Reads one value and nothing after it.
  package static func decode(_ bytes: some Collection<UInt8>) throws(WireError) -> CBORValue {
    let (value, rest) = try decodePrefix(bytes)
    guard rest.isEmpty else {
      throw WireError(format: "cbor", reason: "\(rest.count) bytes are left over")
    }
    return value
  }

  /// Reads one value and answers what follows it, as authenticator data needs: a key, then perhaps extensions.
  package static func decodePrefix(
    _ bytes: some Collection<UInt8>
  ) throws(WireError) -> (value: CBORValue, rest: ArraySlice<UInt8>) {
    var reader = CBORReader(Array(bytes)[...])
    let value = try reader.value(levels: maximumDepth)
    return (value, reader.cursor.rest)
  }

  private static func write(_ value: CBORValue, into bytes: inout [UInt8]) {
    switch value {
    case .unsigned(let value):
      head(.unsigned, value, into: &bytes)
    case .negative(let value):
      head(.negative, value, into: &bytes)
    case .bytes(let value):
      head(.bytes, UInt64(value.count), into: &bytes)
      bytes += value
    case .text(let value):
      head(.text, UInt64(value.utf8.count), into: &bytes)
      bytes += value.utf8
    case .array(let elements):
      head(.array, UInt64(elements.count), into: &bytes)
      for element in elements { write(element, into: &bytes) }
    case .map(let pairs):
      head(.map, UInt64(pairs.count), into: &bytes)
      for pair in pairs {
        write(pair.key, into: &bytes)
        write(pair.value, into: &bytes)
      }
    case .bool(let value):
      bytes.append(value ? CBORMajor.true : CBORMajor.false)
    case .null:
      bytes.append(CBORMajor.null)
    }
  }

  private static func head(_ major: CBORMajor, _ argument: UInt64, into bytes: inout [UInt8]) {
    let type = major.rawValue << 5
    guard argument >= 24 else {
      bytes.append(type | UInt8(argument))
      return
    }
    let (code, count): (UInt8, Int) =
      argument <= UInt8.max
      ? (24, 1) : argument <= UInt16.max ? (25, 2) : argument <= UInt32.max ? (26, 4) : (27, 8)
    bytes.append(type | code)
    for shift in (0..<count).reversed() {
      bytes.append(UInt8(truncatingIfNeeded: argument >> UInt64(shift * 8)))
    }
  }
}

/// The three leading bits of a data item.
enum CBORMajor: UInt8 {
  case unsigned, negative, bytes, text, array, map, tag, simple

  static let `false`: UInt8 = 0xF4
  static let `true`: UInt8 = 0xF5
  static let null: UInt8 = 0xF6
}
