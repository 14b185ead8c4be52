import Foundation

/// What Intel says about its quoting enclave for trust domains (50 §3.6).
struct QEIdentity: Sendable, Hashable {
  let issueDate: Date
  let nextUpdate: Date
  let evaluationDataNumber: Int
  let miscSelect: [UInt8]
  let miscSelectMask: [UInt8]
  let attributes: [UInt8]
  let attributesMask: [UInt8]
  let mrSigner: [UInt8]
  let isvProdId: Int
  /// The highest first.
  let levels: [SvnLevel]

  /// Reads a text that is known to be signed.
  init(_ text: String) throws(TrustError) {
    let json = try SignedJSON(text, .qeIdentity, "the QE identity")
    guard try json.text("id") == "TD_QE", (2...3).contains(try json.number("version")) else {
      throw .refused(
        .qeIdentity, "the QE identity is not that of the quoting enclave for TDX, or of an unknown version")
    }
    issueDate = try json.time("issueDate")
    nextUpdate = try json.time("nextUpdate")
    evaluationDataNumber = try json.number("tcbEvaluationDataNumber")
    miscSelect = try json.hex("miscselect", 4)
    miscSelectMask = try json.hex("miscselectMask", 4)
    attributes = try json.hex("attributes", 16)
    attributesMask = try json.hex("attributesMask", 16)
    mrSigner = try json.hex("mrsigner", 32)
    isvProdId = try json.number("isvprodid", upTo: 0xFFFF)
    levels = try SvnLevel.list(json)
  }

  /// The level of the enclave that made `report`, which has to be the one this identity describes (50 §3.7).
  func level(of report: EnclaveReport) throws(TrustError) -> SvnLevel {
    guard report.mrSigner.elementsEqual(mrSigner) else {
      throw .refused(.qeReport, "the quoting enclave is not signed by Intel")
    }
    guard report.isvProdId == isvProdId else {
      throw .refused(.qeReport, "the enclave that vouches for the quote is not the quoting enclave")
    }
    guard report.miscSelect.agrees(with: miscSelect, where: miscSelectMask),
      report.attributes.agrees(with: attributes, where: attributesMask)
    else { throw .refused(.qeReport, "the quoting enclave runs with other attributes than Intel's") }
    guard !report.isDebug else {
      throw .refused(
        .qeReport, "the quoting enclave runs in debug mode, so its host can make it say anything")
    }
    guard let level = levels.first(for: report.isvSvn) else {
      throw .refused(
        .qeReport, "the quoting enclave (SVN \(report.isvSvn)) is older than any that Intel still knows")
    }
    return level
  }
}

extension ArraySlice<UInt8> {
  /// Whether both have the same bits wherever `mask` has one.
  func agrees(with expected: [UInt8], where mask: [UInt8]) -> Bool {
    count == expected.count && count == mask.count
      && zip(self, zip(expected, mask)).allSatisfy { $0 & $1.1 == $1.0 & $1.1 }
  }
}
