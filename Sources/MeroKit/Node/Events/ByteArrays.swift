import MeroWire

extension JSONValue {
  /// The bytes, when this is an array of numbers from 0 to 255 and of nothing else.
  var byteArray: [UInt8]? {
    guard case .array(let elements) = self else { return nil }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(elements.count)
    for element in elements {
      guard case .number(let number) = element, let byte = number.byte else { return nil }
      bytes.append(byte)
    }
    return bytes
  }

  /// An array of numbers, one for each byte.
  init(bytes: [UInt8]) {
    self = .array(bytes.map { JSONValue($0) })
  }
}

extension JSONNumber {
  /// The value when it is a byte. Nearly all are written with one to three digits, which are read in place.
  fileprivate var byte: UInt8? {
    var value = 0
    for digit in text.utf8 {
      guard (0x30...0x39).contains(digit), value < 256 else { return int.flatMap(UInt8.init(exactly:)) }
      value = value * 10 + Int(digit - 0x30)
    }
    return UInt8(exactly: value)
  }
}
