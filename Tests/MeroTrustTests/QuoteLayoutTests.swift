import MeroCrypto
import MeroKitTestSupport
import MeroTrust
import Testing

@Suite("the layout of quotes")
struct QuoteLayoutTests {
  private func quote(_ change: (inout TestQuote) -> Void = { _ in }) throws -> [UInt8] {
    var platform = TestPlatform()
    change(&platform.quote)
    return try platform.quoteBytes()
  }

  private func stage(_ bytes: [UInt8]) throws -> TrustStage? {
    do {
      _ = try TDXQuote(bytes)
      return nil
    } catch TrustError.refused(let refusal) {
      return refusal.stage
    }
  }

  @Test("every field of a version 4 quote is where the format says")
  func version4() throws {
    let bytes = try quote { quote in
      quote.header[8...11] = [1, 2, 3, 4]
      for offset in 0..<584 { quote.report[offset] = UInt8(offset % 251) }
      quote.padding = [1, 2, 3]
    }
    let parsed = try TDXQuote(bytes)
    #expect(parsed.header.version == 4)
    #expect(parsed.header.attestationKeyType == 2)
    #expect(parsed.header.teeType == 0x81)
    #expect(parsed.header.qeSvn == 0x0201 && parsed.header.pceSvn == 0x0403)
    #expect(parsed.header.qeVendorId.starts(with: [0x93, 0x9A]) && parsed.header.userData.count == 20)
    let report = parsed.report
    #expect(report.kind == .td10 && report.teeTcbSvn2 == nil && report.mrServiceTd == nil)
    var offset = 0
    for (field, count) in [
      (report.teeTcbSvn, 16), (report.mrSeam, 48), (report.mrSignerSeam, 48), (report.seamAttributes, 8),
      (report.tdAttributes, 8), (report.xfam, 8), (report.mrTd, 48), (report.mrConfigId, 48),
      (report.mrOwner, 48),
      (report.mrOwnerConfig, 48), (report.rtmr0, 48), (report.rtmr1, 48), (report.rtmr2, 48),
      (report.rtmr3, 48),
      (report.reportData, 64),
    ] {
      #expect(Array(field) == (offset..<offset + count).map { UInt8($0 % 251) })
      offset += count
    }
    #expect(offset == 584)
    #expect(parsed.signedBytes.count == 632)
    #expect(parsed.signature.qeAuthenticationData.elementsEqual(0..<32))
    #expect(parsed.signature.certificationType == 5)
    #expect(parsed.signature.certificationData.starts(with: Array("-----BEGIN".utf8)))
    #expect(Array(parsed.report.measurements.mrtd) == Array(report.mrTd))
  }

  @Test("version 5 says which report follows; 1.5 has two fields more")
  func version5() throws {
    let short = try TDXQuote(try quote { $0.useVersion5() })
    #expect(short.report.kind == .td10 && short.signedBytes.count == 638)
    let long = try TDXQuote(try quote { $0.useReport15(teeTcbSvn2: [9, 8, 7]) })
    #expect(long.report.kind == .td15 && long.signedBytes.count == 702)
    #expect(long.report.teeTcbSvn2?.starts(with: [9, 8, 7]) == true)
    #expect(long.report.mrServiceTd?.count == 48)
    #expect(Array(long.report.reportData) == Array(0..<64))
  }

  @Test("a quote cut anywhere before its end is refused")
  func truncated() throws {
    for bytes in [try quote(), try quote { $0.useReport15() }] {
      for count in stride(from: 0, to: bytes.count, by: 3) {
        #expect(try stage(Array(bytes.prefix(count))) == .quoteFormat)
      }
      #expect(try stage(Array(bytes.dropLast())) == .quoteFormat)
      #expect(try stage(bytes) == nil)
      #expect(try stage(bytes + [UInt8](repeating: 7, count: 3000)) == nil)
      #expect(try stage(bytes + [UInt8](repeating: 7, count: 65536)) == .quoteFormat)
    }
  }

  @Test("versions, kinds of machine and bodies that are not a trust domain's are refused, SGX by its name")
  func otherKinds() throws {
    for (text, change) in [
      ("SGX", { $0.version = 3 }), ("SGX", { $0.header[4] = 0 }),
      (
        "SGX",
        {
          $0.useVersion5(); $0.bodyType = 1
        }
      ), ("version 6", { $0.version = 6 }),
      ("version 2", { $0.version = 2 }), ("kind of machine", { $0.header[4] = 0x82 }),
      ("kind of machine", { $0.header[7] = 1 }),
      (
        "unknown type",
        {
          $0.useVersion5(); $0.bodyType = 9
        }
      ),
      (
        "as long as",
        {
          $0.useVersion5(); $0.bodyType = 3
        }
      ),
      ("certified", { $0.outerCertificationType = 5 }),
      ("32 bytes", { $0.authenticationData = [1] }), ("32 bytes", { $0.authenticationData = [] }),
    ] as [(String, (inout TestQuote) -> Void)] {
      do {
        _ = try TDXQuote(try quote(change))
        Issue.record("read although \(text)")
      } catch TrustError.refused(let refusal) {
        #expect(refusal.text.contains(text), "\(refusal.text)")
        #expect(refusal.stage == .quoteFormat && refusal.reason == .quoteInvalid)
      }
    }
  }

  @Test("an inner length that runs past the end is refused")
  func innerLengths() throws {
    let bytes = try quote()
    for offset in [632, 636 + 130, 636 + 134 + 484] {
      var changed = bytes
      changed[offset + 2] = 0x7F
      #expect(try stage(changed) == .quoteFormat)
      changed[offset + 3] = 0xFF
      #expect(try stage(changed) == .quoteFormat)
    }
  }
}
