/// The first 48 bytes of a quote (50 §3.1).
package struct QuoteHeader: Sendable, Hashable, FixedLayout {
  static let size = 48
  /// Intel's own quoting enclave, the only one whose identity Intel publishes.
  static let intelVendor: [UInt8] = [
    0x93, 0x9A, 0x72, 0x33, 0xF7, 0x9C, 0x4C, 0xA9, 0x94, 0x0A, 0x0D, 0xB3, 0x95, 0x7F, 0x06, 0x07,
  ]
  static let ecdsaP256 = 2
  static let sgx = 0x00
  static let tdx = 0x81

  let bytes: ArraySlice<UInt8>

  package var version: Int { Int(littleEndian: field(0, 2)) }
  package var attestationKeyType: Int { Int(littleEndian: field(2, 2)) }
  package var teeType: Int { Int(littleEndian: field(4, 4)) }
  /// Reserved in versions that have the quoting enclave's SVN elsewhere.
  package var qeSvn: Int { Int(littleEndian: field(8, 2)) }
  /// Reserved in versions that have the provisioning enclave's SVN elsewhere.
  package var pceSvn: Int { Int(littleEndian: field(10, 2)) }
  package var qeVendorId: ArraySlice<UInt8> { field(12, 16) }
  package var userData: ArraySlice<UInt8> { field(28, 20) }

  init(from cursor: inout QuoteCursor) throws(TrustError) {
    bytes = try cursor.take(Self.size, "header")
    guard (3...5).contains(version) else {
      throw .refused(.quoteFormat, "a quote of version \(version); 4 and 5 are known")
    }
    guard version != 3, teeType != Self.sgx else {
      throw .refused(.quoteFormat, "the quote of an SGX enclave, not of a trust domain")
    }
    guard teeType == Self.tdx else {
      throw .refused(.quoteFormat, "a quote of an unknown kind of machine (\(teeType))")
    }
  }

  /// Requires the one kind of key and the one maker of quoting enclaves that this verifier knows.
  package func requireIntelECDSA() throws(TrustError) {
    guard attestationKeyType == Self.ecdsaP256 else {
      throw .refused(.quoteFormat, "the quote is signed with a kind of key that is not ECDSA over P-256")
    }
    guard qeVendorId.elementsEqual(Self.intelVendor) else {
      throw .refused(.quoteFormat, "the quoting enclave is not Intel's")
    }
  }
}
