import Foundation
import MeroCrypto
import MeroKitTestSupport
import MeroWire

extension FuzzTarget {
  static let der = FuzzTarget(name: "der", dictionary: "der") {
    let platform = TestPlatform()
    return [
      try platform.root.signed(by: platform.rootKey), try platform.rootList.signed(by: platform.rootKey),
      DER.integer(0), DER.integer(0xFFFF), DER.element(0x02, [0xFF, 0x7F]), DER.bits([0xA0], unused: 5),
      DER.element(0x17, Array("491231235959Z".utf8)), DER.element(0x17, Array("500101000000Z".utf8)),
      DER.element(0x18, Array("20240229235959Z".utf8)), DER.element(0x18, Array("00010101000000Z".utf8)),
      DER.element(0x06, [0x88, 0x37, 0x03]), DER.element(0x13, Array("A (name)".utf8)), [0x05, 0x00],
      filled(with: [0x30, 0x00]), filled(with: [0x02, 0x01, 0x00]),
      DER.element(0x06, Array(filled(with: [0x81, 0x00]).prefix(60_000))),
    ]
  } check: { bytes in
    walk(bytes[...], levels: 64)
  }

  /// Every element stands as it is encoded, one after the other, and what is read of it has no other encoding.
  private static func walk(_ bytes: ArraySlice<UInt8>, levels: Int) {
    var reader = DERReader(bytes)
    var position = bytes.startIndex
    while !reader.isAtEnd {
      guard let element = unlessRefused(WireError.self, { try reader.element() }) else { return }
      hold(
        element.encoded == bytes[position...].prefix(element.encoded.count), "an element is where it stands")
      hold(element.content == element.encoded.suffix(element.content.count), "the content ends the element")
      hold(
        DER.element(element.tag.rawValue, Array(element.content)) == Array(element.encoded),
        "the length is shortest"
      )
      position += element.encoded.count
      readTyped(element)
      if levels > 0, element.tag.rawValue & 0x20 != 0 { walk(element.content, levels: levels - 1) }
    }
    hold(position == bytes.endIndex, "the elements are all that there is")
  }

  private static func readTyped(_ element: DERElement) {
    func read<Value>(_ body: (inout DERReader) throws -> Value) -> Value? {
      unlessRefused(WireError.self) {
        var reader = DERReader(element.encoded)
        let value = try body(&reader)
        try reader.finish()
        return value
      }
    }
    func isEncoded(_ content: [UInt8]) {
      hold(content.elementsEqual(element.content), "\(element.tag) has one encoding")
    }
    switch element.tag {
    case .integer:
      if let number = read({ try $0.int64() }) { isEncoded(twosComplement(number)) }
      if let magnitude = read({ try $0.unsignedInteger() }) {
        isEncoded((magnitude.first ?? 0x80 >= 0x80 ? [0] : []) + magnitude)
      }
    case .enumerated:
      if let number = read({ try $0.enumerated() }) { isEncoded(twosComplement(number)) }
    case .boolean: if let flag = read({ try $0.boolean() }) { isEncoded([flag ? 0xFF : 0]) }
    case .null: if read({ try $0.null() }) != nil { isEncoded([]) }
    case .objectIdentifier:
      let dotted = read { try $0.objectIdentifier() }
      if let dotted { isEncoded(arcs(dotted)) }
      if let id = read({ try $0.oid() }) {
        isEncoded(Array(id.content))
      } else {
        hold(dotted == nil, "both read it")
      }
    case .bitString:
      if let (bytes, unused) = read({ try $0.bitString() }) { isEncoded([UInt8(unused)] + bytes) }
    case .octetString: if let bytes = read({ try $0.octetString() }) { isEncoded(Array(bytes)) }
    case .utcTime, .generalizedTime:
      if let time = read({ try $0.time() }) {
        isEncoded(written(time, years: element.tag == .utcTime ? 2 : 4))
      }
    default: if let text = read({ try $0.string() }) { isEncoded(Array(text.utf8)) }
    }
  }

  private static func twosComplement(_ number: Int64) -> [UInt8] {
    var bytes = number.bigEndianBytes
    while bytes.count > 1, bytes[0] == (bytes[1] < 0x80 ? 0 : 0xFF) { bytes.removeFirst() }
    return bytes
  }

  private static func arcs(_ dotted: String) -> [UInt8] {
    var arcs = dotted.split(separator: ".").compactMap { UInt64($0) }
    let second = arcs.remove(at: 1)
    arcs[0] = arcs[0] * 40 + second
    return arcs.flatMap { arc in
      var digits = [UInt8(arc & 0x7F)]
      var rest = arc >> 7
      while rest > 0 {
        digits.insert(UInt8(rest & 0x7F) | 0x80, at: 0)
        rest >>= 7
      }
      return digits
    }
  }

  /// Counts the other way than the reader does: from days to a date, by eras of 400 years that begin in March.
  private static func written(_ time: Date, years digits: Int) -> [UInt8] {
    let seconds = Int(time.timeIntervalSince1970)
    let days = Int((Double(seconds) / 86_400).rounded(.down))
    let second = seconds - days * 86_400
    let sinceYear0 = days + 719_468
    let era = Int((Double(sinceYear0) / 146_097).rounded(.down))
    let day = sinceYear0 - era * 146_097
    let year = (day - day / 1_460 + day / 36_524 - day / 146_096) / 365
    let dayOfYear = day - (365 * year + year / 4 - year / 100)
    let month = (5 * dayOfYear + 2) / 153
    let numbers = [
      month < 10 ? month + 3 : month - 9, dayOfYear - (153 * month + 2) / 5 + 1, second / 3_600,
      second / 60 % 60, second % 60,
    ]
    let name = String(format: "%04d", era * 400 + year + (month < 10 ? 0 : 1)).suffix(digits)
    return Array((name + numbers.map { String(format: "%02d", $0) }.joined() + "Z").utf8)
  }
}
