import Foundation
import MeroCrypto
import MeroKitTestSupport
import MeroTrust
import MeroWire

extension Benchmark {
  /// - Parameter files: the quote to verify.
  static func quoteVerification(of files: @escaping @Sendable () throws -> QuoteFiles) -> Benchmark {
    Benchmark(
      name: "quoteVerification",
      summary: "checking a TDX quote from the bytes a node sends, beside its nine signatures alone"
    ) {
      let files = try files()
      guard let text = files.collateral else {
        throw BenchmarkError("a quote cannot be verified without --collateral")
      }
      let verification = DcapVerification(root: files.root)
      func verify() throws {
        let collateral = try QuoteCollateral(parsing: try JSONValue(parsing: text))
        _ = try verification.verify(files.quote, collateral, at: files.time)
      }
      let parsed = try QuoteCollateral(parsing: try JSONValue(parsing: text))
      let signatures = try QuoteSignatures(files, parsed)

      var times: (all: [TimeInterval], parsed: [TimeInterval], signatures: [TimeInterval]) = ([], [], [])
      // In turns, so that whatever else the machine does meets all alike.
      for _ in 0..<10 {
        times.all += try await Measuring.times(50) { try verify() }
        times.parsed += try await Measuring.times(50) {
          _ = try verification.verify(files.quote, parsed, at: files.time)
        }
        times.signatures += try await Measuring.times(50) { try signatures.check() }
      }
      let all = Measuring.median(times.all)
      var figures = [
        Figure(key: "milliseconds", value: all * 1e3, unit: "ms"),
        Figure(key: "parsedMilliseconds", value: Measuring.median(times.parsed) * 1e3, unit: "ms"),
        Figure(key: "signatureMilliseconds", value: Measuring.median(times.signatures) * 1e3, unit: "ms"),
        Figure(key: "signatureShare", value: Measuring.median(times.signatures) / all, unit: ""),
        Figure(key: "bestMilliseconds", value: (times.all.min() ?? 0) * 1e3, unit: "ms"),
      ]
      let pki = TestPKI()
      let release = pki.release(TestPKI.release)
      let releases = try await Measuring.times(200) {
        _ = try trustedMeasurementsFromReleases(
          [release], minimumVersion: TestPKI.oldRelease, root: pki.roots.releases)
      }
      figures.append(
        Figure(key: "releaseMilliseconds", value: Measuring.median(releases) * 1e3, unit: "ms"))
      if let peak = try Measuring.peakResidentBytes(verify) {
        figures.append(
          Figure(
            key: "peakResidentMebibytesMore", value: Double(peak) / Double(1 << 20), unit: "MiB",
            aim: .atMost(4)))
      }
      return figures
    }
  }
}

/// The nine signatures that a quote stands on, with the keys they have to hold under: what is left of verifying a quote
/// once everything has been read.
private struct QuoteSignatures {
  private let checks: [() throws -> Bool]

  init(_ files: QuoteFiles, _ collateral: QuoteCollateral) throws {
    let (root, time) = (files.root.certificate, files.time)
    let quote = try TDXQuote(files.quote)
    let signature = quote.signature
    let text = collateral.pckCertificateChain.map { Array($0.utf8)[...] } ?? signature.certificationData
    let path = try CertificatePath.verify(try PEM.certificates(in: text, known: root), to: root, at: time)
    let signers = try CertificatePath.verify(
      try PEM.certificates(in: Array(collateral.tcbInfoIssuerChain.utf8)[...], known: root), to: root,
      at: time)
    guard path.count == 3, signers.count == 2 else { throw BenchmarkError("the chains are of other lengths") }
    let (platform, authority, signer) = (path[0], path[1], signers[0])
    let rootList = try RevocationList(der: collateral.rootCACRL)
    let platformList = try RevocationList(der: collateral.pckCRL)
    let attestationKey = try ECDSA.PublicKey(.p256, x963: [0x04] + signature.attestationKey)
    let (tcbInfo, qeIdentity) = (Array(collateral.tcbInfo.utf8), Array(collateral.qeIdentity.utf8))
    checks = [
      { try rootList.verify(issuedBy: root, at: time) == () },
      { signer.isSigned(by: root.publicKey) },
      { signer.publicKey.isValid(raw: collateral.tcbInfoSignature, for: tcbInfo) },
      { signer.publicKey.isValid(raw: collateral.qeIdentitySignature, for: qeIdentity) },
      { platform.isSigned(by: authority.publicKey) },
      { authority.isSigned(by: root.publicKey) },
      { try platformList.verify(issuedBy: authority, at: time) == () },
      { platform.publicKey.isValid(raw: signature.qeReportSignature, for: signature.qeReport.bytes) },
      { attestationKey.isValid(raw: signature.signature, for: quote.signedBytes) },
    ]
  }

  func check() throws {
    for check in checks where try !check() { throw BenchmarkError("a signature does not hold") }
  }
}
