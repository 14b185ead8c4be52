import Foundation
import MeroHTTP
import MeroKitTestSupport
import MeroTrust
import MeroWire
import Testing

@Suite("what a DCAP verifier accepts")
struct DcapVerifierTests {
  private let clock = MeroClock(now: { TestPlatform.now + 0.5 }, uptime: { 0 }, sleep: { _ in })

  private func image(_ change: (inout [UInt8]) -> Void = { _ in }) -> Measurements {
    var first = (0..<5).map { UInt8(0xA0 + $0) }
    change(&first)
    let registers = first.map { [UInt8](repeating: $0, count: 48) }
    return Measurements(mrtd: registers[0], rtmr: Array(registers[1...]))
  }

  private func evidence(
    _ platform: TestPlatform = TestPlatform(), collateral: JSONValue? = nil, release: String? = "2.3.109"
  ) throws -> QuoteEvidence {
    QuoteEvidence(
      quote: try platform.quoteBytes(), collateral: try collateral ?? platform.collateral(),
      nonce: Array(0..<32),
      expectedReportData: Array(0..<64), host: "node.example", release: release)
  }

  private func verifier(
    _ images: AcceptedImages? = nil, _ statuses: [TCBStatus]? = nil, source: (any CollateralSource)? = nil
  ) throws -> DcapVerifier {
    DcapVerifier(
      try images ?? .images([image()]), acceptedStatuses: statuses, root: try TestPlatform().quoteRoot(),
      collateralSource: source, clock: clock)
  }

  private func refusal(_ verifier: DcapVerifier, _ evidence: QuoteEvidence) async throws -> TrustRefusal? {
    do {
      _ = try await verifier.verify(evidence)
      return nil
    } catch TrustError.refused(let refusal) {
      return refusal
    }
  }

  @Test("the report says what was found and which steps were passed")
  func report() async throws {
    let report = try await verifier().verify(try evidence())
    #expect(!report.isMock && report.release == nil && report.profile == nil)
    #expect(report.measurements == image())
    #expect(report.status == .upToDate && report.advisories == ["INTEL-SA-2"])
    #expect(report.platform?.fmspc == [0x30, 0x80, 0x6F, 0, 0, 1])
    #expect(report.verifiedAt == TestPlatform.now + 0.5)
    #expect(report.passed.first == .quoteFormat && report.passed.last == .measurements)
    #expect(Set(report.passed).count == report.passed.count && !report.passed.contains(.release))
  }

  @Test("all five registers of one image have to be there; those of two never combine")
  func images() async throws {
    let (first, second) = (image { $0[1] = 1 }, image { $0[4] = 1 })
    for images in [[first], [second], [first, second]] {
      let refusal = try await refusal(verifier(.images(images)), evidence())
      #expect(refusal?.reason == .measurements && refusal?.stage == .measurements)
    }
    #expect(try await refusal(verifier(.images([first, second, image()])), evidence()) == nil)
    for register in 0..<5 {
      let other = image { $0[register] ^= 1 }
      #expect(try await refusal(verifier(.images([other])), evidence())?.reason == .measurements)
    }
  }

  @Test("lists of registers accept any combination, and any RTMR0 when none is listed")
  func registers() async throws {
    func hex(_ byte: UInt8) -> String {
      " " + String(repeating: Hex.encode([byte]), count: 48).uppercased() + "\n"
    }
    let listed = try AcceptedImages.registers(
      mrtd: [hex(1), hex(0xA0)], rtmr1: [hex(0xA2)], rtmr2: [hex(0xA3), hex(2)], rtmr3: [hex(0xA4)])
    #expect(try await refusal(verifier(listed), evidence()) == nil)
    let other = try AcceptedImages.registers(
      mrtd: [hex(0xA0)], rtmr0: [hex(7)], rtmr1: [hex(0xA2)], rtmr2: [hex(0xA3)], rtmr3: [hex(0xA4)])
    #expect(try await refusal(verifier(other), evidence())?.reason == .measurements)
  }

  @Test("a setting under which nothing, or anything, would pass is thrown when it is made")
  func construction() throws {
    let hex = String(repeating: "a", count: 96)
    func isRefused(_ make: () throws -> AcceptedImages) -> Bool {
      do {
        _ = try make()
        return false
      } catch TrustError.refused(let refusal) {
        return refusal.reason == .configuration && !refusal.text.isEmpty
      } catch {
        return false
      }
    }
    #expect(isRefused { try .images([]) })
    #expect(isRefused { try .images([Measurements(mrtd: [1], rtmr: [[1], [1], [1], [1]])]) })
    #expect(isRefused { try .images([Measurements(mrtd: image().mrtd, rtmr: [])]) })
    #expect(isRefused { try .registers(mrtd: [hex], rtmr1: [], rtmr2: [], rtmr3: []) })
    #expect(isRefused { try .registers(mrtd: [], rtmr1: [hex], rtmr2: [hex], rtmr3: [hex]) })
    #expect(isRefused { try .registers(mrtd: [hex], rtmr1: [hex], rtmr2: [hex], rtmr3: ["ab"]) })
    for wrong in ["", String(hex.dropLast()), hex + "a", String(hex.dropLast()) + "g"] {
      #expect(throws: TrustError.self) {
        try Measurements(mrtd: hex, rtmr0: hex, rtmr1: wrong, rtmr2: hex, rtmr3: hex)
      }
    }
    #expect(throws: TrustError.self) { try QuoteRoot(der: [1, 2, 3]) }
    var unnamed = TestPlatform().root
    unnamed.subject = "Somebody's CA"
    #expect(throws: TrustError.self) { try QuoteRoot(der: try unnamed.signed(by: TestPlatform.key(1))) }
  }

  @Test("UpToDate alone is accepted unless other statuses are listed, and Revoked not even then")
  func statuses() async throws {
    var old = TestPlatform()
    old.setLevels(TestPlatform.level("OutOfDate"))
    #expect(try await refusal(verifier(), evidence(old))?.reason == .tcbStatus)
    #expect(try await refusal(verifier(nil, [.upToDate, .outOfDate]), evidence(old)) == nil)
    #expect(try await refusal(verifier(nil, [.outOfDate]), evidence())?.stage == .tcbStatus)
    #expect(try await refusal(verifier(nil, []), evidence())?.stage == .tcbStatus)
    var revoked = TestPlatform()
    revoked.setLevels(TestPlatform.level("Revoked"))
    let refusal = try await refusal(verifier(nil, [.upToDate, .revoked]), evidence(revoked))
    #expect(refusal?.stage == .notRevoked && refusal?.reason == .tcbStatus)
  }

  @Test("a quote for another nonce or key is refused, whichever byte differs")
  func reportData() async throws {
    for index in [0, 31, 32, 63] {
      var evidence = try evidence()
      evidence.expectedReportData[index] ^= 1
      if index < 32 { evidence.nonce[index] ^= 1 }
      #expect(try await refusal(verifier(), evidence)?.reason == .reportData)
    }
    var unrelated = try evidence()
    unrelated.nonce[0] ^= 1
    #expect(try await refusal(verifier(), unrelated)?.reason == .reportData)
  }

  @Test("a mock quote never passes")
  func mock() async throws {
    var evidence = try evidence()
    evidence.quote = MockQuote.make(reportData: evidence.expectedReportData)
    #expect(try await refusal(verifier(), evidence)?.reason == .mockRefused)
  }

  private struct Releases: ReleaseTrust {
    var images: [TrustedImage] = []
    var error: TrustError?

    func images(ofRelease claimedRelease: String?) async throws -> [TrustedImage] {
      if let error { throw error }
      return images.filter { $0.release == claimedRelease }
    }
  }

  private func released(_ measurements: Measurements, _ statuses: [TCBStatus] = [.upToDate]) -> TrustedImage {
    TrustedImage(
      release: "2.3.109", profile: "locked-read-only", measurements: measurements, acceptedStatuses: statuses)
  }

  @Test("a release's image is accepted on the statuses that the release accepts, and named in the report")
  func releases() async throws {
    let trust = Releases(images: [released(image { $0[2] = 0 }), released(image(), [.upToDate, .outOfDate])])
    let report = try await verifier(.releases(trust)).verify(try evidence())
    #expect(
      report.release == "2.3.109" && report.profile == "locked-read-only" && report.passed.contains(.release))
    var old = TestPlatform()
    old.setLevels(TestPlatform.level("OutOfDate"))
    #expect(try await refusal(verifier(.releases(trust)), evidence(old)) == nil)
    #expect(try await refusal(verifier(.releases(trust), [.upToDate]), evidence(old))?.reason == .tcbStatus)
    let strict = Releases(images: [released(image())])
    #expect(try await refusal(verifier(.releases(strict)), evidence(old))?.reason == .tcbStatus)
    let other = Releases(images: [released(image { $0[2] = 0 })])
    #expect(try await refusal(verifier(.releases(other)), evidence())?.reason == .measurements)
    #expect(
      try await refusal(verifier(.releases(trust)), evidence(release: "2.3.1"))?.reason == .measurements)
  }

  @Test("releases are asked about genuine quotes for this question only, and what they throw passes through")
  func releaseErrors() async throws {
    let failing = Releases(error: .unavailable("mirror"))
    await #expect(throws: TrustError.unavailable("mirror")) {
      try await verifier(.releases(failing)).verify(try evidence())
    }
    var forged = try evidence()
    forged.quote[200] ^= 1
    #expect(try await refusal(verifier(.releases(failing)), forged)?.stage == .quoteSignature)
    var misplaced = try evidence()
    misplaced.expectedReportData[40] ^= 1
    #expect(try await refusal(verifier(.releases(failing)), misplaced)?.reason == .reportData)
  }

  private struct Source: CollateralSource {
    var answer: JSONValue?

    func collateral(fmspc: String, authority: String) async throws -> JSONValue {
      guard let answer, fmspc == "30806f000001", authority == "platform" else {
        throw URLError(.cannotFindHost)
      }
      return answer
    }
  }

  @Test("without collateral a quote is refused, or its collateral looked up where the caller says")
  func collateralSource() async throws {
    for missing: JSONValue? in [nil, .null] {
      var evidence = try evidence()
      evidence.collateral = missing
      let refusal = try await refusal(verifier(), evidence)
      #expect(refusal?.stage == .collateral && refusal?.reason == .quoteInvalid)
      let source = Source(answer: try TestPlatform().collateral())
      #expect(try await verifier(source: source).verify(evidence).status == .upToDate)
      do {
        _ = try await verifier(source: Source()).verify(evidence)
        Issue.record("accepted without collateral")
      } catch TrustError.unavailable(let text) {
        #expect(text.contains("node.example"))
      }
      evidence.quote = [1, 2, 3]
      #expect(try await self.refusal(verifier(source: source), evidence)?.stage == .quoteFormat)
    }
  }
}
