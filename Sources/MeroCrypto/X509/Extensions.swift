import MeroWire

/// The extensions of a certificate, of a revocation list, or of an entry in one (RFC 5280 §4.2, §5.2, §5.3).
///
/// None may be there twice: of two that disagree, two readers would believe different ones.
package struct Extensions: Sendable, Hashable {
  struct Entry: Sendable, Hashable {
    let id: OID
    let isCritical: Bool
    let value: ArraySlice<UInt8>
  }

  let entries: [Entry]

  static let none = Extensions(entries: [])

  private init(entries: [Entry]) {
    self.entries = entries
  }

  /// - Parameter known: the extensions that the caller acts on. A critical one that is not among them is refused: it
  ///   says that the rest means something else than it seems to.
  init(reading reader: inout DERReader, known: [OID]) throws(WireError) {
    var list = try reader.sequence()
    if list.isAtEnd { throw .x509("a list of extensions is empty") }
    var entries: [Entry] = []
    // Nothing is signed yet, so there may be very many.
    var ids: Set<OID> = []
    while !list.isAtEnd {
      let entry = try Entry(reading: &list)
      guard ids.insert(entry.id).inserted else { throw .x509("an extension is there twice") }
      if entry.isCritical, !known.contains(entry.id) { throw .x509("a critical extension is unknown") }
      entries.append(entry)
    }
    self.entries = entries
  }

  /// What the extension holds, as it stands; nil when it is not there.
  package subscript(id: OID) -> ArraySlice<UInt8>? {
    entries.first { $0.id == id }?.value
  }

  /// Reads the one element that the extension holds; nil when it is not there.
  func read<Value>(
    _ id: OID, _ read: (inout DERReader) throws(WireError) -> Value
  ) throws(WireError) -> Value? {
    guard let content = self[id] else { return nil }
    var reader = DERReader(content)
    let value = try read(&reader)
    try reader.finish()
    return value
  }
}

extension Extensions.Entry {
  init(reading reader: inout DERReader) throws(WireError) {
    var parts = try reader.sequence()
    id = try parts.oid()
    isCritical = parts.nextTag == .boolean
    // What is false by default is left out in DER.
    if isCritical, try !parts.boolean() { throw .x509("a default is spelled out") }
    value = try parts.octetString()
    try parts.finish()
  }
}
