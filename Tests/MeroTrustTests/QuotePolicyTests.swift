import Foundation
import MeroHTTP
import MeroKitTestSupport
import MeroTrust
import MeroWire
import Testing

@Suite("quote policies")
struct QuotePolicyTests {
  private let nonce = [UInt8](0x60...0x7F)
  private let suffix = [UInt8](repeating: 9, count: 32)
  private let clock = MeroClock(
    now: { Date(timeIntervalSince1970: 1_790_000_000) }, uptime: { 0 }, sleep: { _ in })

  private var reportData: [UInt8] { ReportData.make(nonce: nonce, suffix: suffix) }

  private func evidence(_ quote: [UInt8], host: String = "127.0.0.1") -> QuoteEvidence {
    QuoteEvidence(
      quote: quote, collateral: nil, nonce: nonce, expectedReportData: reportData, host: host,
      release: "2.3.109")
  }

  private func reason(
    _ evidence: QuoteEvidence, _ policy: TeePolicy, _ verifier: (any QuoteVerifier)? = nil
  ) async throws -> TrustRefusal.Reason? {
    do {
      _ = try await QuotePolicy.verify(evidence, policy: policy, verifier: verifier, clock: clock)
      return nil
    } catch TrustError.refused(let refusal) {
      #expect(!refusal.text.isEmpty)
      return refusal.reason
    }
  }

  @Test(
    "a mock quote is accepted in development from this machine",
    arguments: ["localhost", "node.localhost", "127.0.0.1", "127.9.8.7", "::1", "[::1]"])
  func mockFromLoopback(host: String) async throws {
    let quote = MockQuote.make(reportData: reportData)
    let report = try await QuotePolicy.verify(
      evidence(quote, host: host), policy: .development, verifier: nil, clock: clock)
    #expect(report.isMock)
    #expect(report.verifiedAt == Date(timeIntervalSince1970: 1_790_000_000))
    #expect(report.status == nil)
  }

  @Test(
    "70 §2.27 #3: a mock quote is refused in production on every host, and in development off this machine",
    arguments: [
      (TeePolicy.production, "127.0.0.1"), (.production, "node.example"),
      (.production(tcb: [.upToDate]), "localhost"), (.development, "node.example"),
      (.development, "128.0.0.1"),
      (.development, "localhost.example"), (.development(hosts: ["mac.local"]), "other.local"),
    ])
  func mockRefused(policy: TeePolicy, host: String) async throws {
    let quote = MockQuote.make(reportData: reportData)
    #expect(try await reason(evidence(quote, host: host), policy) == .mockRefused)
  }

  @Test(
    "a named development host may answer with a mock quote, in any spelling of its name",
    arguments: ["mac.local", "MAC.local", "fe80::7", "[fe80::7]", "127.0.0.1"])
  func namedHost(host: String) async throws {
    let policy = TeePolicy.development(hosts: ["Mac.local", "[FE80::7]"])
    #expect(try await reason(evidence(MockQuote.make(reportData: reportData), host: host), policy) == nil)
  }

  @Test("50 §8 #14: a mock quote over another nonce, key or binding is refused, whichever byte differs")
  func otherReportData() async throws {
    for index in 0..<64 {
      var other = reportData
      other[index] ^= 1
      #expect(try await reason(evidence(MockQuote.make(reportData: other)), .development) == .reportData)
    }
  }

  @Test("evidence whose expectation does not begin with the nonce is refused")
  func inconsistentEvidence() async throws {
    var evidence = evidence(MockQuote.make(reportData: reportData))
    evidence.nonce[0] ^= 1
    #expect(try await reason(evidence, .development) == .reportData)
    evidence.expectedReportData = []
    #expect(try await reason(evidence, .development) == .reportData)
  }

  @Test("a mock quote cut within its report data is malformed, and nothing shorter crashes")
  func cutMock() async throws {
    let quote = MockQuote.make(reportData: reportData)
    #expect(quote.count == 256)
    for count in 17..<81 {
      #expect(try await reason(evidence([UInt8](quote.prefix(count))), .development) == .malformed)
    }
    for count in 0..<17 {
      #expect(try await reason(evidence([UInt8](quote.prefix(count))), .development) == .quoteInvalid)
    }
  }

  @Test(
    "without a verifier of the caller's a real quote is checked by DCAP, and its image by signed releases")
  func defaultVerifier() async throws {
    #expect(try await self.reason(evidence(realQuote()), .production) == .quoteInvalid)
    let platform = TestPlatform()
    let measurements = try platform.verify().report.measurements
    let genuine = QuoteEvidence(
      quote: try platform.quoteBytes(), collateral: try platform.collateral(), nonce: Array(0..<32),
      expectedReportData: Array(0..<64), host: "node.example", release: "2.3.109")
    func report(_ policy: TeePolicy, _ releases: (any ReleaseTrust)?) async throws -> TrustReport {
      try await QuotePolicy.verify(
        genuine, policy: policy, verifier: nil, releases: releases,
        roots: TrustRoots(quotes: try platform.quoteRoot()),
        clock: clock)
    }
    func reason(_ policy: TeePolicy, _ releases: (any ReleaseTrust)? = nil) async throws -> TrustRefusal
      .Reason?
    {
      do {
        _ = try await report(policy, releases)
        return nil
      } catch TrustError.refused(let refusal) {
        return refusal.reason
      }
    }
    for policy in [TeePolicy.production, .development, .development(hosts: ["node.example"])] {
      #expect(try await reason(policy) == .releaseUnknown)
      #expect(try await report(policy, OneRelease(measurements)).release == "2.3.109")
      #expect(try await reason(policy, OneRelease(Measurements(mrtd: [], rtmr: []))) == .measurements)
    }
    #expect(try await reason(.production(tcb: [.outOfDate]), OneRelease(measurements)) == .tcbStatus)
    // A list of images needs no release.
    #expect(try await report(.measurements([measurements]), nil).measurements == measurements)
    #expect(try await reason(.measurements([measurements], tcb: [.outOfDate])) == .tcbStatus)
    var other = measurements
    other.rtmr[0][0] ^= 1
    #expect(try await reason(.measurements([other])) == .measurements)
    #expect(try await reason(.measurements([])) == .configuration)
    // Another root than the one everything leads to.
    await #expect(throws: TrustError.self) {
      try await QuotePolicy.verify(
        genuine, policy: .measurements([measurements]), verifier: nil, clock: clock)
    }
  }

  @Test("a list of images binds a verifier of the caller's too")
  func listedImages() async throws {
    let image = Measurements(mrtd: [1], rtmr: [[2]])
    let policy = TeePolicy.measurements([image])
    let quote = evidence(realQuote())
    #expect(try await reason(quote, policy, Verdict(status: .upToDate, measurements: image)) == nil)
    #expect(try await reason(quote, policy, Verdict(status: .upToDate)) == .measurements)
    #expect(
      try await reason(
        quote, policy, Verdict(status: .upToDate, measurements: Measurements(mrtd: [1], rtmr: [[3]])))
        == .measurements)
    #expect(try await reason(evidence(MockQuote.make(reportData: reportData)), policy) == .mockRefused)
  }

  @Test("a verifier's verdict is held to the policy", arguments: [TeePolicy.production, .development])
  func verdicts(policy: TeePolicy) async throws {
    let quote = evidence(realQuote())
    #expect(try await reason(quote, policy, Verdict(status: .outOfDate)) == nil)
    #expect(try await reason(quote, policy, Verdict(status: .revoked)) == .tcbStatus)
    #expect(try await reason(quote, policy, Verdict(status: .upToDate, isMock: true)) == .quoteInvalid)
  }

  @Test("a narrowed production policy accepts the listed statuses only, and never a revoked platform")
  func narrowed() async throws {
    let quote = evidence(realQuote())
    let policy = TeePolicy.production(tcb: [.upToDate, .revoked])
    #expect(try await reason(quote, policy, Verdict(status: .upToDate)) == nil)
    for status in [.outOfDate, .revoked, TCBStatus(rawValue: "uptodate"), nil] {
      #expect(try await reason(quote, policy, Verdict(status: status)) == .tcbStatus)
    }
  }

  @Test(
    "a genuine quote made for another question is refused even if the verifier does not look",
    arguments: [4, 5])
  func realReportData(version: UInt8) async throws {
    #expect(try await reason(evidence(realQuote(version)), .production, Verdict(status: .upToDate)) == nil)
    var quote = realQuote(version)
    quote[(version == 4 ? 568 : 574) + 63] ^= 1
    #expect(try await reason(evidence(quote), .production, Verdict(status: .upToDate)) == .reportData)
  }

  @Test("bytes that are no TDX quote are refused before the verifier is asked, and never crash")
  func notAQuote() async throws {
    let quote = realQuote(5)
    for count in stride(from: 0, through: 637, by: 7) {
      let cut = evidence([UInt8](quote.prefix(count)))
      #expect(try await reason(cut, .production, Verdict(status: .upToDate)) == .quoteInvalid)
    }
    for (offset, value) in [(0, 3), (4, 0), (48, 1), (50, 1)] as [(Int, UInt8)] {
      var other = quote
      other[offset] = value
      #expect(try await reason(evidence(other), .production, Verdict(status: .upToDate)) == .quoteInvalid)
    }
  }

  @Test("what a verifier throws passes through unchanged")
  func verifierThrows() async throws {
    struct Broken: QuoteVerifier {
      func verify(_ evidence: QuoteEvidence) async throws -> TrustReport {
        throw TrustError.unavailable("mirror")
      }
    }
    await #expect(throws: TrustError.unavailable("mirror")) {
      try await QuotePolicy.verify(
        evidence(realQuote()), policy: .production, verifier: Broken(), clock: clock)
    }
  }

  /// The layout of a quote, signed by nobody.
  private func realQuote(_ version: UInt8 = 4) -> [UInt8] {
    var quote = [UInt8](repeating: 0, count: version == 4 ? 48 : 54)
    quote[0] = version
    quote[2] = 2
    quote[4] = 0x81
    if version == 5 {
      quote[48] = 2
      quote[50] = 0x48
      quote[51] = 0x02
    }
    return quote + [UInt8](repeating: 1, count: 520) + reportData + [UInt8](repeating: 0, count: 100)
  }

  private struct OneRelease: ReleaseTrust {
    let image: TrustedImage

    init(_ measurements: Measurements) {
      image = TrustedImage(
        release: "2.3.109", profile: "locked-read-only", measurements: measurements,
        acceptedStatuses: [.upToDate])
    }

    func images(ofRelease claimedRelease: String?) async throws -> [TrustedImage] { [image] }
  }

  private struct Verdict: QuoteVerifier {
    var status: TCBStatus?
    var isMock = false
    var measurements: Measurements?

    func verify(_ evidence: QuoteEvidence) async throws -> TrustReport {
      TrustReport(
        isMock: isMock, measurements: measurements, status: status, verifiedAt: Date(timeIntervalSince1970: 0)
      )
    }
  }
}

@Suite("policies that name releases")
struct ReleasePolicyTests {
  private static let pki = TestPKI(seed: 14, now: Date(timeIntervalSince1970: 1_790_000_000))
  private let data = [UInt8](0..<64)
  private let clock = MeroClock(
    now: { Date(timeIntervalSince1970: 1_790_000_000) }, uptime: { 0 }, sleep: { _ in })

  private func reason(
    _ policy: TeePolicy, _ quote: [UInt8], _ platform: TestPKI.Platform = TestPKI.Platform(),
    roots: TrustRoots = pki.roots
  ) async throws -> TrustRefusal.Reason? {
    let evidence = QuoteEvidence(
      quote: quote, collateral: Self.pki.collateral(of: platform), nonce: Array(data[..<32]),
      expectedReportData: data, host: "node.example", release: "9.9.9")
    do {
      let report = try await QuotePolicy.verify(
        evidence, policy: policy, verifier: nil, roots: roots, clock: clock)
      #expect(report.release == TestPKI.release || report.release == TestPKI.oldRelease)
      #expect(report.passed.contains(.release) && report.profile != nil)
      return nil
    } catch TrustError.refused(let refusal) {
      return refusal.reason
    }
  }

  @Test(
    "70 §2.5: .releases accepts the images of the documents given, whatever the node says and however old")
  func accepted() async throws {
    let pki = Self.pki
    let policy = TeePolicy.releases([pki.release(TestPKI.release), pki.release(TestPKI.oldRelease)])
    for version in [TestPKI.release, TestPKI.oldRelease] {
      #expect(try await reason(policy, pki.quote(data, image: pki.image(of: version))) == nil)
    }
    for image in [pki.image(of: TestPKI.nextRelease), pki.image("debug")] {
      #expect(try await reason(policy, pki.quote(data, image: image)) == .measurements)
    }
    let debug = TeePolicy.releases([pki.release(TestPKI.release)], profile: "debug")
    #expect(try await reason(debug, pki.quote(data, image: pki.image("debug"))) == nil)
    #expect(try await reason(debug, pki.quote(data)) == .measurements)
  }

  @Test(
    "70 §2.5: .releases holds platforms to the states that the releases accept, and the caller can only narrow that"
  )
  func statuses() async throws {
    let pki = Self.pki
    let old = TestPKI.Platform(status: .outOfDate)
    let quote = pki.quote(data, on: old)
    let documents = [pki.release(TestPKI.release)]
    #expect(try await reason(.releases(documents), quote, old) == nil)
    #expect(try await reason(.releases(documents, tcb: [.upToDate]), quote, old) == .tcbStatus)
    let strict = [pki.release(TestPKI.release, statuses: [.upToDate])]
    #expect(try await reason(.releases(strict), quote, old) == .tcbStatus)
  }

  @Test(
    "70 §2.5: .releases believes no document that is not signed by the workflow, and none under another root")
  func unsigned() async throws {
    let pki = Self.pki
    let quote = pki.quote(data)
    for signing in [TestPKI.Signing.absent, .anotherWorkflow, .anotherRoot] {
      let policy = TeePolicy.releases([pki.release(TestPKI.release, signing: signing)])
      #expect(try await reason(policy, quote) == .releaseInvalid)
    }
    #expect(try await reason(.releases([]), quote) == .configuration)
    let onlyQuotes = TrustRoots(quotes: pki.roots.quotes)
    #expect(
      try await reason(.releases([pki.release(TestPKI.release)]), quote, roots: onlyQuotes) == .releaseInvalid
    )
  }

  @Test("70 §2.5: .releases holds a verifier of the caller's own to the releases too")
  func ownVerifier() async throws {
    struct Fixed: QuoteVerifier {
      let report: TrustReport
      func verify(_ evidence: QuoteEvidence) async throws -> TrustReport { report }
    }
    let pki = Self.pki
    let policy = TeePolicy.releases([pki.release(TestPKI.release)])
    for (image, status, expected) in [
      (pki.image(), TCBStatus.outOfDate, nil), (pki.image(), .swHardeningNeeded, .tcbStatus),
      (pki.image("debug"), .upToDate, .measurements), (nil, .upToDate, .measurements),
    ] as [(Measurements?, TCBStatus, TrustRefusal.Reason?)] {
      let evidence = QuoteEvidence(
        quote: pki.quote(data), collateral: nil, nonce: Array(data[..<32]), expectedReportData: data,
        host: "node.example", release: nil)
      let verifier = Fixed(
        report: TrustReport(isMock: false, measurements: image, status: status, verifiedAt: clock.now()))
      do {
        _ = try await QuotePolicy.verify(
          evidence, policy: policy, verifier: verifier, roots: pki.roots, clock: clock)
        #expect(expected == nil)
      } catch TrustError.refused(let refusal) {
        #expect(refusal.reason == expected)
      }
    }
  }
}
