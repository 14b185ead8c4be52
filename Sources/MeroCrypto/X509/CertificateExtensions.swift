import MeroWire

/// Whether a certificate's key may sign certificates, and how many may follow below.
package struct BasicConstraints: Sendable, Hashable {
  package let isAuthority: Bool
  /// How many authorities may stand between this one and the end of a chain; nil means any number.
  package let pathLength: Int?

  init(reading reader: inout DERReader) throws(WireError) {
    var parts = try reader.sequence()
    isAuthority = parts.nextTag == .boolean
    if isAuthority, try !parts.boolean() { throw .x509("a default is spelled out") }
    if parts.nextTag == .integer {
      let length = try parts.int64()
      guard isAuthority, (0...255).contains(length) else { throw .x509("a path length makes no sense") }
      pathLength = Int(length)
    } else {
      pathLength = nil
    }
    try parts.finish()
  }
}

/// What a certificate's key may be used for.
package struct KeyUsage: OptionSet, Sendable, Hashable {
  package let rawValue: UInt8

  package init(rawValue: UInt8) { self.rawValue = rawValue }

  package static let digitalSignature = KeyUsage(rawValue: 0x80)
  package static let certificateSign = KeyUsage(rawValue: 0x04)
  package static let revocationListSign = KeyUsage(rawValue: 0x02)

  init(reading reader: inout DERReader) throws(WireError) {
    // The ninth bit, decipherOnly, would be in a second byte; it means nothing for signatures.
    rawValue = try reader.bitString().bytes.first ?? 0
  }
}

/// Whom a certificate is about, besides its subject's name.
package enum GeneralName: Sendable, Hashable {
  case email(String)
  case dns(String)
  case uri(String)
  /// Any other kind, as it stands.
  case other(tag: UInt8, content: ArraySlice<UInt8>)

  init(reading reader: inout DERReader) throws(WireError) {
    let element = try reader.element()
    let isText = element.content.allSatisfy { $0 < 0x80 }
    let text = String(decoding: element.content, as: UTF8.self)
    switch element.tag {
    case .context(1) where isText: self = .email(text)
    case .context(2) where isText: self = .dns(text)
    case .context(6) where isText: self = .uri(text)
    case .context(1), .context(2), .context(6): throw .x509("a name has characters beyond ASCII")
    default: self = .other(tag: element.tag.rawValue, content: element.content)
    }
  }
}

extension OID {
  package static let subjectKeyIdentifier: OID = "2.5.29.14"
  package static let keyUsage: OID = "2.5.29.15"
  package static let subjectAlternativeName: OID = "2.5.29.17"
  package static let basicConstraints: OID = "2.5.29.19"
  package static let authorityKeyIdentifier: OID = "2.5.29.35"
  package static let extendedKeyUsage: OID = "2.5.29.37"
  package static let revocationListNumber: OID = "2.5.29.20"

  /// The extensions of a certificate that this reader acts on.
  static let knownInCertificates: [OID] = [
    .subjectKeyIdentifier, .keyUsage, .subjectAlternativeName, .basicConstraints, .authorityKeyIdentifier,
    .extendedKeyUsage,
  ]
}

extension Extensions {
  func basicConstraints() throws(WireError) -> BasicConstraints? {
    try read(.basicConstraints) { (reader) throws(WireError) in try BasicConstraints(reading: &reader) }
  }

  func keyUsage() throws(WireError) -> KeyUsage? {
    try read(.keyUsage) { (reader) throws(WireError) in try KeyUsage(reading: &reader) }
  }

  func extendedKeyUsage() throws(WireError) -> [OID]? {
    try read(.extendedKeyUsage) { (reader) throws(WireError) in
      try Self.list(&reader) { (reader) throws(WireError) in try reader.oid() }
    }
  }

  func subjectAlternativeNames() throws(WireError) -> [GeneralName]? {
    try read(.subjectAlternativeName) { (reader) throws(WireError) in
      try Self.list(&reader) { (reader) throws(WireError) in try GeneralName(reading: &reader) }
    }
  }

  func subjectKeyIdentifier() throws(WireError) -> ArraySlice<UInt8>? {
    try read(.subjectKeyIdentifier) { (reader) throws(WireError) in try reader.octetString() }
  }

  /// The identifier of the issuer's key; nil also when the extension names the issuer in another way.
  func authorityKeyIdentifier() throws(WireError) -> ArraySlice<UInt8>? {
    let identifier = try read(.authorityKeyIdentifier) { (reader) throws(WireError) -> ArraySlice<UInt8>? in
      var parts = try reader.sequence()
      let key = try parts.optional(.context(0))?.content
      while !parts.isAtEnd { _ = try parts.element() }
      return key
    }
    return identifier ?? nil
  }

  /// A SEQUENCE of one or more elements of a kind.
  private static func list<Value>(
    _ reader: inout DERReader, _ read: (inout DERReader) throws(WireError) -> Value
  ) throws(WireError) -> [Value] {
    var list = try reader.sequence()
    var values: [Value] = []
    repeat { values.append(try read(&list)) } while !list.isAtEnd
    return values
  }
}
