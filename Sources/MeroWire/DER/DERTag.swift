/// The first byte of a DER element: class, primitive or constructed, and a number below 31.
///
/// Nothing in certificates, keys or signatures has a number that takes more bytes.
package struct DERTag: RawRepresentable, Sendable, Hashable {
  package let rawValue: UInt8

  package init(rawValue: UInt8) { self.rawValue = rawValue }

  package static let boolean = DERTag(rawValue: 0x01)
  package static let integer = DERTag(rawValue: 0x02)
  package static let bitString = DERTag(rawValue: 0x03)
  package static let octetString = DERTag(rawValue: 0x04)
  package static let null = DERTag(rawValue: 0x05)
  package static let objectIdentifier = DERTag(rawValue: 0x06)
  package static let enumerated = DERTag(rawValue: 0x0A)
  package static let utf8String = DERTag(rawValue: 0x0C)
  package static let printableString = DERTag(rawValue: 0x13)
  package static let teletexString = DERTag(rawValue: 0x14)
  package static let ia5String = DERTag(rawValue: 0x16)
  package static let utcTime = DERTag(rawValue: 0x17)
  package static let generalizedTime = DERTag(rawValue: 0x18)
  package static let sequence = DERTag(rawValue: 0x30)
  package static let set = DERTag(rawValue: 0x31)

  /// `[number]` around another element (EXPLICIT), or in place of a SEQUENCE or SET (IMPLICIT).
  package static func contextConstructed(_ number: UInt8) -> DERTag { DERTag(rawValue: 0xA0 | number & 0x1F) }
  /// `[number]` in place of a primitive type (IMPLICIT).
  package static func context(_ number: UInt8) -> DERTag { DERTag(rawValue: 0x80 | number & 0x1F) }
}

/// One element: its tag, its content, and all its bytes as they stood.
package struct DERElement: Sendable, Hashable {
  package let tag: DERTag
  package let content: ArraySlice<UInt8>
  /// Tag, length and content, for what is hashed, signed or compared as it stands.
  package let encoded: ArraySlice<UInt8>
}
