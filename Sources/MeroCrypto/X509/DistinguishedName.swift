import MeroWire

/// The name of an issuer or a subject.
///
/// Two names are the same when their bytes are: rules about letter case and white space would only make two
/// different names pass for one.
package struct DistinguishedName: Sendable, Hashable {
  private static let commonNameType: OID = "2.5.4.3"

  /// The DER element.
  package let encoded: ArraySlice<UInt8>
  /// The one common name; nil when there is none or more than one.
  package let commonName: String?

  init(reading reader: inout DERReader) throws(WireError) {
    let element = try reader.element(.sequence)
    var names: [String] = []
    var parts = DERReader(element.content)
    while !parts.isAtEnd {
      var attributes = try parts.set()
      if attributes.isAtEnd { throw .x509("a part of a name is empty") }
      while !attributes.isAtEnd {
        var attribute = try attributes.sequence()
        if try attribute.oid() == Self.commonNameType {
          names.append(try attribute.string())
        } else {
          _ = try attribute.element()
        }
        try attribute.finish()
      }
    }
    encoded = element.encoded
    commonName = names.count == 1 ? names[0] : nil
  }

  package var isEmpty: Bool { encoded.count == 2 }

  package static func == (one: DistinguishedName, other: DistinguishedName) -> Bool {
    one.encoded == other.encoded
  }
  package func hash(into hasher: inout Hasher) { hasher.combine(encoded) }
}
