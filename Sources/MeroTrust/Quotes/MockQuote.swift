import Foundation

/// The stand-in for a quote that development nodes answer with (50 §2.5).
///
/// It is signed by nobody: it proves that whoever answered knew the nonce, and nothing about hardware.
package enum MockQuote {
  private static let mark = [UInt8]("MOCK_TDX_QUOTE_V1".utf8)
  package static let size = 256

  package static func make(reportData: some ContiguousBytes) -> [UInt8] {
    let reportData = reportData.withUnsafeBytes { [UInt8]($0) }
    precondition(reportData.count == ReportData.size, "report data has 64 bytes")
    let content = mark + reportData
    return content + [UInt8](repeating: 0, count: size - content.count)
  }

  /// Whether these bytes claim to be a mock quote: exactly when they begin with its mark.
  package static func isMock(_ quote: some ContiguousBytes) -> Bool {
    quote.withUnsafeBytes { $0.starts(with: mark) }
  }

  package static func reportData(of quote: some ContiguousBytes) throws(TrustError) -> [UInt8] {
    let reportData: [UInt8]? = quote.withUnsafeBytes { quote in
      guard quote.starts(with: mark), quote.count >= mark.count + ReportData.size else { return nil }
      return [UInt8](quote[mark.count..<mark.count + ReportData.size])
    }
    guard let reportData else { throw .refused(for: .malformed, "not a whole mock quote") }
    return reportData
  }
}
