import MeroCrypto
import MeroTrust
import MeroWire

/// A quote before it is signed.
package struct TestQuote: Sendable {
  package var version: UInt8 = 4
  package var header: [UInt8]
  /// The report; longer for report 1.5.
  package var report: [UInt8]
  package var bodyType: UInt8?
  package var qeReport: [UInt8]
  /// Changes the finished bytes of the QE report data, before that report is signed.
  package var qeReportData: @Sendable ([UInt8]) -> [UInt8] = { $0 }
  package var authenticationData = [UInt8](0..<32)
  package var certificationType: UInt8 = 5
  package var outerCertificationType: UInt8 = 6
  package var padding: [UInt8] = []

  package init() {
    header = [UInt8](repeating: 0, count: 48)
    header[2] = 2
    header[4] = 0x81
    header.replaceSubrange(
      12..<28,
      with: [0x93, 0x9A, 0x72, 0x33, 0xF7, 0x9C, 0x4C, 0xA9, 0x94, 0x0A, 0x0D, 0xB3, 0x95, 0x7F, 6, 7])
    report = [UInt8](repeating: 0, count: 584)
    report.replaceSubrange(0..<3, with: [5, 1, 7])
    report[123] = 0x10
    for (index, offset) in [136, 328, 376, 424, 472].enumerated() {
      report.replaceSubrange(offset..<offset + 48, with: repeatElement(UInt8(0xA0 + index), count: 48))
    }
    report.replaceSubrange(520..<584, with: 0..<64)
    qeReport = [UInt8](repeating: 0, count: 384)
    qeReport[48] = 0x11
    qeReport.replaceSubrange(128..<160, with: repeatElement(0xDC, count: 32))
    qeReport[256] = 2
    qeReport[258] = 4
  }

  /// Turns the report into one of version 1.5.
  package mutating func useReport15(teeTcbSvn2: [UInt8] = [5, 1, 7]) {
    version = 5
    bodyType = 3
    report += teeTcbSvn2 + [UInt8](repeating: 0, count: 64 - teeTcbSvn2.count)
  }

  package mutating func useVersion5() {
    version = 5
    bodyType = 2
  }

  package mutating func setReportData(_ data: [UInt8]) {
    precondition(data.count == 64, "report data has 64 bytes")
    report.replaceSubrange(520..<584, with: data)
  }

  package mutating func setMeasurements(_ image: Measurements) {
    let registers = [image.mrtd] + image.rtmr
    precondition(registers.map(\.count) == [48, 48, 48, 48, 48], "five registers of 48 bytes name an image")
    for (register, offset) in zip(registers, [136, 328, 376, 424, 472]) {
      report.replaceSubrange(offset..<offset + 48, with: register)
    }
  }

  /// Lets the host look into the trust domain.
  package mutating func setDebug() { report[120] |= 1 }

  /// The report of the quoting enclave and its signature, and the chain of the platform's key.
  package func certification(
    chain: String, platformKey: P256.PrivateKey, of attestationKey: P256.PublicKey
  ) throws -> [UInt8] {
    let vouched = SHA256.hash(attestationKey.x963.dropFirst() + authenticationData)
    var qeReport = qeReport
    qeReport.replaceSubrange(320..<384, with: qeReportData(vouched + [UInt8](repeating: 0, count: 32)))
    let chain = Array(chain.utf8) + [0]
    return qeReport + (try platformKey.rawSignature(qeReport)) + little(authenticationData.count, 2)
      + authenticationData + [certificationType, 0] + little(chain.count, 4) + chain
  }

  package func bytes(certification: [UInt8], attestationKey: P256.PrivateKey) throws -> [UInt8] {
    var signed = header
    signed[0] = version
    if let bodyType { signed += [bodyType, 0] + little(report.count, 4) }
    signed += report
    let auth =
      try attestationKey.rawSignature(signed) + attestationKey.publicKey.x963.dropFirst()
      + [outerCertificationType, 0] + little(certification.count, 4) + certification
    return signed + little(auth.count, 4) + auth + padding
  }

  private func little(_ number: Int, _ count: Int) -> [UInt8] {
    (0..<count).map { UInt8(number >> ($0 * 8) & 0xFF) }
  }
}

extension P256.PrivateKey {
  /// r and s, 32 bytes each, as quotes have them.
  package func rawSignature(_ message: [UInt8]) throws -> [UInt8] {
    var reader = DERReader(try sign(message))
    var pair = try reader.sequence()
    return try [pair.unsignedInteger(), pair.unsignedInteger()].flatMap {
      [UInt8](repeating: 0, count: 32 - $0.count) + $0
    }
  }
}
