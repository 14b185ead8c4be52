/// What makes a quote checkable: its signature, the key, and who vouches for the key (50 §3.1).
package struct QuoteSignature: Sendable, Hashable {
  private static let qeReportCertification = 6
  static let pckChain = 5

  /// Raw r and s over header and body.
  package let signature: ArraySlice<UInt8>
  /// Raw x and y of the key that signed.
  package let attestationKey: ArraySlice<UInt8>
  package let qeReport: EnclaveReport
  /// Raw r and s of the platform's key over `qeReport`.
  package let qeReportSignature: ArraySlice<UInt8>
  package let qeAuthenticationData: ArraySlice<UInt8>
  /// What `certificationData` is: 5 for a PEM chain, 1 to 4 for names that have to be looked up.
  package let certificationType: Int
  package let certificationData: ArraySlice<UInt8>

  init(from cursor: inout QuoteCursor) throws(TrustError) {
    var auth = QuoteCursor(
      try cursor.take(try cursor.number(4, "signature length"), "signature"))
    signature = try auth.take(64, "signature")
    attestationKey = try auth.take(64, "attestation key")
    guard try auth.number(2, "certification type") == Self.qeReportCertification else {
      throw .refused(.quoteFormat, "the quote's key is not certified by a quoting enclave's report")
    }
    var certification = QuoteCursor(
      try auth.take(try auth.number(4, "certification length"), "certification"))
    qeReport = EnclaveReport(bytes: try certification.take(EnclaveReport.size, "quoting enclave's report"))
    qeReportSignature = try certification.take(64, "quoting enclave's signature")
    guard try certification.number(2, "authentication data length") == 32 else {
      throw .refused(.quoteFormat, "the quoting enclave's authentication data is not 32 bytes")
    }
    qeAuthenticationData = try certification.take(32, "authentication data")
    certificationType = try certification.number(2, "certification type")
    certificationData = try certification.take(
      try certification.number(4, "certification data length"), "certification data")
  }
}
