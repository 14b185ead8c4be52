import Foundation
import MeroCrypto
import MeroKitTestSupport
import MeroTrust
import MeroWire
import Testing

@Suite("DCAP verification")
struct DcapVerificationTests {
  typealias Change = (inout TestPlatform) throws -> Void

  private func refusal(at time: Date = TestPlatform.now, _ change: Change) throws -> TrustRefusal? {
    var platform = TestPlatform()
    try change(&platform)
    do {
      _ = try platform.verify(at: time)
      return nil
    } catch TrustError.refused(let refusal) {
      #expect(!refusal.text.isEmpty)
      return refusal
    }
  }

  private func verdict(_ change: Change) throws -> DcapVerdict {
    var platform = TestPlatform()
    try change(&platform)
    return try platform.verify()
  }

  @Test("a genuine quote of every layout is accepted, with what it says")
  func genuine() throws {
    for change: Change in [
      { _ in }, { $0.quote.useVersion5() }, { $0.quote.useReport15() }, { $0.quote.padding = [1, 2, 3] },
      { $0.chainInCollateral = true },
      {
        $0.chainInCollateral = true; $0.quote.certificationType = 3
      },
    ] {
      let verdict = try verdict(change)
      #expect(verdict.status == .upToDate)
      #expect(verdict.advisories == ["INTEL-SA-2"])
      #expect(verdict.report.measurements.mrtd == [UInt8](repeating: 0xA0, count: 48))
      #expect(verdict.report.measurements.rtmr.map(\.first) == [0xA1, 0xA2, 0xA3, 0xA4])
      #expect(verdict.platform.fmspc == [0x30, 0x80, 0x6F, 0, 0, 1])
      #expect(
        verdict.platform.moduleStatus == .upToDate && verdict.platform.quotingEnclaveStatus == .upToDate)
      #expect(X509Error.text(verdict.platform.collateralFrom) == "2026-09-10T00:00:00Z")
      #expect(X509Error.text(verdict.platform.collateralUntil) == "2026-10-10T00:00:00Z")
      #expect(X509Error.text(verdict.platform.tcbDate) == "2026-01-01T00:00:00Z")
    }
  }

  @Test("each part that does not hold is refused at its own step")
  func steps() throws {
    let cases: [(TrustStage, String, Change)] = [
      (.quoteFormat, "kind of key", { $0.quote.header[2] = 3 }),
      (.quoteFormat, "Intel's", { $0.quote.header[12] ^= 1 }),
      (.revocationLists, "good until", { $0.rootList.until = TestPlatform.now }),
      (.revocationLists, "another issuer", { $0.rootList.issuer = "Another SGX Root CA" }),
      (.revocationLists, "another issuer", { $0.platformList.issuer = "Another CA" }),
      (.revocationLists, "good until", { $0.platformList.until = TestPlatform.now }),
      (.revocationLists, "revoked", { $0.rootList.serialNumbers = [1, 10] }),
      (.revocationLists, "may not sign", { $0.root.keyUsage = 0x04 }),
      (
        .revocationLists, "critical",
        { $0.rootList.extensions = [DER.extension("1.2.3", critical: true, [5, 0])] }
      ),
      (.tcbInfo, "revoked", { $0.rootList.serialNumbers = [13] }),
      (.tcbInfo, "belongs there", { $0.signer.subject = "Test SGX PCK Certificate" }),
      (
        .tcbInfo, "only authorities",
        {
          $0.signer.isAuthority = true; $0.signer.keyUsage = 0x06
        }
      ),
      (.tcbInfo, "missing", { $0.signer.issuer = "Another SGX Root CA" }),
      (.tcbInfo, "valid from", { $0.signer.until = TestPlatform.now - 1 }),
      (.tcbInfo, "valid from", { $0.signer.from = TestPlatform.now + 1 }),
      (.tcbInfo, "no authority", { $0.root.isAuthority = false }),
      (.tcbInfo, "valid from", { $0.root.until = TestPlatform.now - 1 }),
      (.tcbInfo, "not about TDX", { $0.setTCBInfo("id", "SGX") }),
      (.tcbInfo, "before 3", { $0.setTCBInfo("version", 2) }),
      (.tcbInfo, "not valid yet", { $0.setTCBInfo("issueDate", "2026-09-21T14:13:21Z") }),
      (.tcbInfo, "expired", { $0.setTCBInfo("nextUpdate", "2026-09-21T14:13:19Z") }),
      (.tcbInfo, "another kind", { $0.setTCBInfo("fmspc", "30806f000002") }),
      (.tcbInfo, "another kind", { $0.setTCBInfo("pceId", "0001") }),
      (.tcbInfo, "unknown word", { $0.setLevels(TestPlatform.level("TDRelaunchAdvised")) }),
      (.tcbInfo, "instead of 16", { $0.setLevels(TestPlatform.level("UpToDate", tdx: [1, 2])) }),
      (.qeIdentity, "quoting enclave", { $0.setQEIdentity("id", "QE") }),
      (.qeIdentity, "unknown version", { $0.setQEIdentity("version", 4) }),
      (.qeIdentity, "expired", { $0.setQEIdentity("nextUpdate", "2026-09-21T14:13:19Z") }),
      (.pckChain, "revoked", { $0.platformList.serialNumbers = [1, 2, 12] }),
      (.pckChain, "revoked", { $0.rootList.serialNumbers = [11] }),
      (.pckChain, "valid from", { $0.platform.until = TestPlatform.now - 1 }),
      (.pckChain, "may not sign", { $0.authority.keyUsage = 0x02 }),
      (.pckChain, "missing", { $0.platform.issuer = "Another CA" }),
      (.pckChain, "belongs there", { $0.platform.subject = "Test SGX TCB Signing" }),
      (.pckChain, "neither", { $0.quote.certificationType = 3 }),
      (
        .pckChain, "unknown way",
        {
          $0.chainInCollateral = true
          $0.quote.certificationType = 6
        }
      ),
      (.qeReportData, "another key", { $0.quote.qeReportData = { [$0[0] ^ 1] + $0.dropFirst() } }),
      (.qeReport, "Intel", { $0.quote.qeReport[128] ^= 1 }),
      (.qeReport, "not the quoting enclave", { $0.quote.qeReport[256] = 1 }),
      (.qeReport, "attributes", { $0.quote.qeReport[55] = 1 }),
      (.qeReport, "attributes", { $0.quote.qeReport[16] = 1 }),
      (
        .qeReport, "debug",
        {
          $0.quote.qeReport[48] |= 2
          $0.setQEIdentity("attributesMask", "00000000000000000000000000000000")
        }
      ),
      (.qeReport, "older", { $0.quote.qeReport[258] = 2 }),
      (.tcbLevel, "older", { $0.cpuSvn[3] = 1 }),
      (.tcbLevel, "older", { $0.pceSvn = 10 }),
      (.tcbLevel, "older", { $0.quote.report[2] = 5 }),
      (.tdxModule, "does not describe", { $0.setTCBInfo("tdxModule", nil) }),
      (.tdxModule, "version 1", { $0.setTCBInfo("tdxModuleIdentities", nil) }),
      (.tdxModule, "version 2", { $0.quote.report[1] = 2 }),
      (.tdxModule, "signed by Intel", { $0.quote.report[64] = 1 }),
      (.tdxModule, "attributes", { $0.quote.report[112] = 1 }),
      (.tdxModule, "older", { $0.quote.report[0] = 1 }),
      (.notRevoked, "revoked", { $0.setLevels(TestPlatform.level("Revoked")) }),
      (.tdAttributes, "debug", { $0.quote.report[120] = 1 }),
      (
        .tdAttributes, "service",
        {
          $0.quote.useReport15(); $0.quote.report[647] = 1
        }
      ),
    ]
    for (number, (stage, text, change)) in cases.enumerated() {
      let refusal = try refusal(change)
      #expect(refusal?.stage == stage, "case \(number): \(stage) \(text), but \(String(describing: refusal))")
      #expect(refusal?.text.contains(text) == true, "case \(number): \(refusal?.text ?? "accepted")")
    }
  }

  @Test("what another key than the right one signed is refused")
  func foreignKeys() throws {
    let platform = TestPlatform()
    let stranger = TestPlatform.key(9)
    let (quote, collateral, root) = (
      try platform.quoteBytes(), try platform.collateral(), try platform.quoteRoot()
    )
    func stage(_ quote: [UInt8], _ collateral: JSONValue, _ root: QuoteRoot) throws -> TrustStage? {
      do {
        _ = try DcapVerification(root: root).verify(
          quote, try QuoteCollateral(parsing: collateral), at: TestPlatform.now)
        return nil
      } catch TrustError.refused(let refusal) {
        return refusal.stage
      }
    }
    func replacing(_ name: String, _ value: JSONValue) throws -> JSONValue {
      var object = try #require(collateral.objectValue)
      object[name] = value
      return .object(object)
    }
    #expect(try stage(quote, collateral, root) == nil)
    #expect(try stage(quote, collateral, .intel) == .revocationLists)
    var fake = TestPlatform().root
    fake.key = stranger.publicKey
    #expect(
      try stage(quote, collateral, try QuoteRoot(der: try fake.signed(by: stranger))) == .revocationLists)
    func hex(_ bytes: [UInt8]) -> JSONValue { .string(Hex.encode(bytes)) }
    for (name, value, expected) in [
      ("root_ca_crl", hex(try platform.rootList.signed(by: stranger)), .revocationLists),
      ("pck_crl", hex(try platform.platformList.signed(by: stranger)), .revocationLists),
      ("tcb_info_signature", hex(try stranger.rawSignature(Array(platform.tcbInfo.text.utf8))), .tcbInfo),
      ("tcb_info_signature", hex([1]), .tcbInfo),
      ("tcb_info", .string(platform.tcbInfo.text + " "), .tcbInfo),
      ("qe_identity_signature", hex([UInt8](repeating: 0, count: 64)), .qeIdentity),
      ("tcb_info_issuer_chain", .string(pem([try platform.signer.signed(by: stranger)])), .tcbInfo),
      ("qe_identity_issuer_chain", .string(pem([try platform.signer.signed(by: stranger)])), .qeIdentity),
      ("qe_identity_issuer_chain", "", .qeIdentity),
    ] as [(String, JSONValue, TrustStage)] {
      #expect(try stage(quote, try replacing(name, value), root) == expected, "\(name)")
    }
    // A root in the text is the pinned one or refused; without one the chain still leads to the pinned one.
    let signer = try platform.signer.signed(by: platform.rootKey)
    let alone = try replacing("tcb_info_issuer_chain", .string(pem([signer])))
    #expect(try stage(quote, alone, root) == nil)
    let withFake = try replacing(
      "tcb_info_issuer_chain", .string(pem([signer, try fake.signed(by: stranger)])))
    #expect(try stage(quote, withFake, root) == .tcbInfo)
    let reversed = try replacing(
      "tcb_info_issuer_chain", .string(pem([try platform.root.signed(by: platform.rootKey), signer])))
    #expect(try stage(quote, reversed, root) == nil)

    var bytes = quote
    bytes[100] ^= 1
    #expect(try stage(bytes, collateral, root) == .quoteSignature)
    bytes = quote
    bytes[636] ^= 1
    #expect(try stage(bytes, collateral, root) == .quoteSignature)
    bytes = quote
    bytes[636 + 64] ^= 1
    #expect(try stage(bytes, collateral, root) == .qeReportData)
    bytes = quote
    bytes[636 + 134] ^= 1
    #expect(try stage(bytes, collateral, root) == .qeReportSignature)
  }

  @Test("dates are inclusive at both ends, fractions of a second do not count, and the text names them")
  func dates() throws {
    let format = ISO8601DateFormatter()
    let from = try #require(format.date(from: "2026-09-10T00:00:00Z"))
    let until = try #require(format.date(from: "2026-10-10T00:00:00Z"))
    #expect(try refusal(at: from) { _ in } == nil)
    #expect(try refusal(at: until) { _ in } == nil)
    #expect(try refusal(at: until + 0.9) { _ in } == nil)
    for time in [from - 1, until + 1] {
      let text = try refusal(at: time) { _ in }?.text ?? ""
      #expect(text.contains("2026-09-10T00:00:00Z to 2026-10-10T00:00:00Z"))
      #expect(text.contains(format.string(from: time)))
    }
    // A revocation list is over at its next update already.
    #expect(try refusal { $0.rootList.until = TestPlatform.now + 1 } == nil)
    #expect(try refusal { $0.rootList.until = TestPlatform.now }?.stage == .revocationLists)
  }

  @Test("of levels in any order the highest reached one counts, and its advisories come first")
  func levelOrder() throws {
    let highest = TestPlatform.level("UpToDate", sgx: [9] + [Int](repeating: 0, count: 15))
    let wanted = TestPlatform.level("ConfigurationNeeded", advisories: ["INTEL-SA-1", "INTEL-SA-2"])
    let lower = TestPlatform.level("OutOfDate", pceSvn: 5)
    let lowest = TestPlatform.level("Revoked", tdx: [Int](repeating: 0, count: 16))
    for levels in [
      [highest, wanted, lower, lowest], [lowest, lower, wanted, highest], [lower, highest, lowest, wanted],
    ] {
      let verdict = try verdict { platform in
        platform.setTCBInfo("tcbLevels", .array(levels))
        platform.quote.qeReport[258] = 3
      }
      #expect(verdict.platform.status == .configurationNeeded)
      #expect(verdict.status == .outOfDateConfigurationNeeded)
      #expect(verdict.advisories == ["INTEL-SA-1", "INTEL-SA-2", "INTEL-SA-3"])
    }
  }

  @Test("the first two TDX bytes are the module's to judge when it has a version, the level's when not")
  func moduleBytes() throws {
    let strict = TestPlatform.level("UpToDate", tdx: [9, 9, 6] + [Int](repeating: 0, count: 13))
    #expect(try verdict { $0.setLevels(strict) }.status == .upToDate)
    let unversioned: Change = { $0.quote.report[1] = 0 }
    #expect(
      try refusal {
        $0.setLevels(strict); try unversioned(&$0)
      }?.stage == .tcbLevel)
    let verdict = try verdict(unversioned)
    #expect(verdict.status == .upToDate && verdict.platform.moduleStatus == nil)
    #expect(verdict.advisories == [])
    // Such a platform needs no list of identities.
    #expect(
      try self.verdict {
        try unversioned(&$0); $0.setTCBInfo("tdxModuleIdentities", nil)
      }.status == .upToDate)
  }

  @Test("the module's levels count in descending order, and an id's letters in either case")
  func moduleLevels() throws {
    let scrambled = TestPlatform.module(id: "tdx_01", [(2, "OutOfDate"), (5, "UpToDate"), (4, "OutOfDate")])
    #expect(try verdict { $0.setTCBInfo("tdxModuleIdentities", [scrambled]) }.status == .upToDate)
    let low = try verdict { $0.quote.report[0] = 3 }
    #expect(low.status == .outOfDate && low.platform.moduleStatus == .outOfDate)
    let revoked = TestPlatform.module(id: "TDX_01", [(2, "Revoked")])
    #expect(try refusal { $0.setTCBInfo("tdxModuleIdentities", [revoked]) }?.stage == .notRevoked)
    let hexadecimal = TestPlatform.module(id: "TDX_1F", [(2, "UpToDate")])
    #expect(
      try verdict {
        $0.setTCBInfo("tdxModuleIdentities", [hexadecimal]); $0.quote.report[1] = 0x1F
      }.status == .upToDate)
  }

  @Test("a member that is missing or makes no sense refuses the whole statement")
  func missingMembers() throws {
    for key in [
      "id", "version", "issueDate", "nextUpdate", "fmspc", "pceId", "tcbType", "tcbEvaluationDataNumber",
      "tcbLevels",
    ] {
      #expect(try refusal { $0.setTCBInfo(key, nil) }?.stage == .tcbInfo, "\(key)")
      #expect(try refusal { $0.setTCBInfo(key, [1]) }?.stage == .tcbInfo, "\(key)")
    }
    for key in [
      "id", "version", "issueDate", "nextUpdate", "tcbEvaluationDataNumber", "miscselect", "miscselectMask",
      "attributes",
      "attributesMask", "mrsigner", "isvprodid", "tcbLevels",
    ] {
      #expect(try refusal { $0.setQEIdentity(key, nil) }?.stage == .qeIdentity, "\(key)")
      #expect(try refusal { $0.setQEIdentity(key, [1]) }?.stage == .qeIdentity, "\(key)")
    }
    for time: JSONValue in [
      "2026-09-10", "2026-09-10T00:00:00", "2026-09-10T00:00:00+00:00", "2026-13-10T00:00:00Z",
    ] {
      #expect(try refusal { $0.setTCBInfo("issueDate", time) }?.stage == .tcbInfo)
    }
    #expect(try refusal { $0.tcbInfo = [1] }?.stage == .tcbInfo)
    #expect(try verdict { $0.setTCBInfo("somethingNew", ["a": 1]) }.status == .upToDate)
  }
}
