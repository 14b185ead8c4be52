import Foundation
import MeroKitTestSupport
import MeroWire

@testable import MeroTrust

extension FuzzTarget {
  static let quote = FuzzTarget(name: "quote", dictionary: nil, seeds: quoteSeeds) { bytes in
    let reportData = unlessRefused(TrustError.self) { try TDXQuote.reportData(of: bytes) }
    guard let quote = unlessRefused(TrustError.self, { try TDXQuote(bytes) }) else { return }
    let parts = quote.signature
    let certification =
      Array(parts.qeReport.bytes) + parts.qeReportSignature + [32, 0] + parts.qeAuthenticationData
      + little(parts.certificationType, 2) + little(parts.certificationData.count, 4)
      + parts.certificationData
    // Behind each of the parts that say how long they are there may be padding.
    let auth = Array(parts.signature) + parts.attestationKey + [6, 0]
    hold(bytes.starts(with: quote.signedBytes), "what is signed begins the quote")
    var rest = bytes.dropFirst(quote.signedBytes.count + 4)
    hold(rest.starts(with: auth), "signature and key follow")
    rest = rest.dropFirst(auth.count + 4)
    hold(rest.starts(with: certification), "then what certifies the key")
    hold(reportData == Array(quote.report.reportData), "report data is the same however it is read")
    hold(quote.report.measurements.rtmr.allSatisfy { $0.count == 48 }, "a register has 48 bytes")
    if bytes.count < FuzzTarget.largestInput {
      hold(try TDXQuote(bytes + [0]) == quote, "padding changes nothing")
    }
  }

  /// The whole of DCAP, over collateral that is good.
  static let verification = FuzzTarget(name: "verification", dictionary: nil, seeds: quoteSeeds) { bytes in
    _ = unlessRefused(TrustError.self) { try CollateralQuestion(bytes) }
    let collateral = try QuoteCollateral(parsing: try Fixture.collateral.get())
    let verdict = unlessRefused(TrustError.self) {
      try Fixture.verification.get().verify(bytes, collateral, at: TestPlatform.now)
    }
    if let verdict { try Fixture.requireKnown(verdict) }
  }

  /// Collateral as JSON text, for a quote that is good.
  static let collateral = FuzzTarget(name: "collateral", dictionary: "json") {
    let text = try Fixture.collateral.get().text
    let members = try Fixture.collateral.get().objectValue ?? [:]
    // Byte members may be lists of numbers.
    let listed = members.map { name, value in
      (name, (try? Hex.decode(value.stringValue ?? "")).map { .array($0.map { JSONValue($0) }) } ?? value)
    }
    return [Array(text.utf8), Array(JSONValue.object(JSONObject(listed)).text.utf8)]
  } check: { bytes in
    guard let value = try? JSONValue(parsing: bytes) else { return }
    let verdict = unlessRefused(TrustError.self) {
      try Fixture.verification.get().verify(
        try Fixture.quote.get(), try QuoteCollateral(parsing: value), at: TestPlatform.now)
    }
    if let verdict { try Fixture.requireKnown(verdict) }
  }

  @Sendable private static func quoteSeeds() throws -> [[UInt8]] {
    try Fixture.platforms.map { try $0.quoteBytes() }
  }

  private static func little(_ number: Int, _ count: Int) -> [UInt8] {
    (0..<count).map { UInt8(truncatingIfNeeded: number >> ($0 * 8)) }
  }
}
