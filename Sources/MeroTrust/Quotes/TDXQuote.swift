/// A quote of a trust domain, version 4 or 5: where everything in it is (50 §3.1). Reading it says nothing about whether
/// it is genuine.
package struct TDXQuote: Sendable, Hashable {
  private static let largest = 64 * 1024

  package let header: QuoteHeader
  package let report: TDReport
  /// Header and body: the bytes that the attestation key signed.
  package let signedBytes: ArraySlice<UInt8>
  package let signature: QuoteSignature

  /// Bytes after the end are ignored: platforms pad their quotes.
  ///
  /// - Throws: `TrustError.refused` for anything but a whole TDX quote, a quote of an SGX enclave included.
  package init(_ bytes: [UInt8]) throws(TrustError) {
    var cursor = try Self.cursor(bytes)
    header = try QuoteHeader(from: &cursor)
    report = try TDReport(from: &cursor, version: header.version)
    signedBytes = bytes[..<cursor.rest.startIndex]
    signature = try QuoteSignature(from: &cursor)
  }

  /// The report data of a quote that may be signed by anybody, or nobody.
  package static func reportData(of bytes: [UInt8]) throws(TrustError) -> [UInt8] {
    var cursor = try cursor(bytes)
    let version = try QuoteHeader(from: &cursor).version
    return [UInt8](try TDReport(from: &cursor, version: version).reportData)
  }

  private static func cursor(_ bytes: [UInt8]) throws(TrustError) -> QuoteCursor {
    guard bytes.count <= largest else { throw .refused(.quoteFormat, "the quote is larger than 64 KiB") }
    return QuoteCursor(bytes[...])
  }
}
