import Foundation
import MeroHTTP
import MeroKitTestSupport
import MeroTrust
import MeroWire
import Testing

@Suite("Hardware and releases made for tests pass the real checks")
struct TestPKITests {
  private static let now = Date(timeIntervalSince1970: 1_790_000_000)
  private let pki = TestPKI(seed: 3, now: now)
  private let question = [UInt8](0..<64)

  /// What the verifier that clients use says about a quote.
  private func report(
    _ quote: [UInt8], _ platform: TestPKI.Platform = TestPKI.Platform(), at time: Date = now,
    roots: TrustRoots? = nil, release: String = TestPKI.release, served: SignedRelease? = nil
  ) async throws -> TrustReport {
    let roots = roots ?? pki.roots
    let releases = try SignedReleases(Served(served ?? pki.release(release)), root: roots.releases)
    let verifier = DcapVerifier(
      .releases(releases), root: roots.quotes,
      clock: MeroClock(now: { time }, uptime: { 0 }, sleep: { _ in }))
    return try await verifier.verify(
      QuoteEvidence(
        quote: quote, collateral: pki.collateral(of: platform), nonce: Array(question.prefix(32)),
        expectedReportData: question, host: "node.test", release: release))
  }

  private func refusal(_ body: () async throws -> Void) async throws -> TrustRefusal? {
    do { try await body() } catch TrustError.refused(let refusal) { return refusal }
    return nil
  }

  @Test(
    "a quote of each form is accepted, with the release and the image it shows",
    arguments: TestPKI.QuoteForm.allCases)
  func forms(form: TestPKI.QuoteForm) async throws {
    let report = try await report(pki.quote(question, form: form))
    #expect(report.status == .upToDate)
    #expect(report.release == TestPKI.release)
    #expect(report.profile == "locked-read-only")
    #expect(report.measurements == pki.image())
    #expect(report.advisories.isEmpty)
    let version = try TDXQuote(pki.quote(question, form: form)).header.version
    #expect(version == (form == .version4 ? 4 : 5))
  }

  @Test(
    "a platform has the status and the advisories it was given",
    arguments: [
      TCBStatus.upToDate, .swHardeningNeeded, .configurationNeeded, .configurationAndSWHardeningNeeded,
      .outOfDate,
      .outOfDateConfigurationNeeded,
    ])
  func statuses(status: TCBStatus) async throws {
    let platform = TestPKI.Platform(status: status, advisories: ["INTEL-SA-1", "INTEL-SA-2"])
    let release = pki.release(TestPKI.release, statuses: [status])
    let report = try await report(pki.quote(question, on: platform), platform, served: release)
    #expect(report.status == status)
    #expect(report.advisories == ["INTEL-SA-1", "INTEL-SA-2"])
  }

  @Test("what is wrong with the hardware is refused at its step")
  func badHardware() async throws {
    let day: TimeInterval = 86_400
    let revokedKey = TestPKI.Platform(isRevoked: true)
    let revoked = TestPKI.Platform(status: .revoked)
    let old = TestPKI.Platform(collateral: DateInterval(start: Self.now - 31 * day, duration: 30 * day))
    let early = TestPKI.Platform(collateral: DateInterval(start: Self.now + day, duration: 30 * day))
    var mixed = pki.image()
    mixed.rtmr[2] = pki.image("debug").rtmr[2]
    let cases: [([UInt8], TestPKI.Platform, TrustStage)] = [
      (pki.quote(question, on: revokedKey), revokedKey, .pckChain),
      (pki.quote(question, on: revoked), revoked, .notRevoked),
      (pki.quote(question, on: old), old, .revocationLists),
      (pki.quote(question, on: early), early, .tcbInfo),
      (pki.quote(question, isDebug: true), TestPKI.Platform(), .tdAttributes),
      (pki.quote(question, image: pki.image("debug")), TestPKI.Platform(), .measurements),
      (pki.quote(question, image: mixed), TestPKI.Platform(), .measurements),
      (pki.quote(question.reversed()), TestPKI.Platform(), .reportData),
    ]
    for (quote, platform, stage) in cases {
      let refusal = try await refusal { _ = try await report(quote, platform) }
      #expect(refusal?.stage == stage, "\(refusal?.text ?? "accepted")")
    }
  }

  @Test("a revoked platform is revoked by the collateral of any other, so a node cannot choose a better one")
  func revokedByAll() async throws {
    let quote = pki.quote(question, on: TestPKI.Platform(isRevoked: true))
    #expect(try await refusal { _ = try await report(quote) }?.stage == .pckChain)
  }

  @Test(
    "a release that is not signed as it should be is refused for that",
    arguments: [
      (TestPKI.Signing.absent, "bundle"), (.garbage, "bundle"), (.anotherWorkflow, "somebody else"),
      (.issuer("https://accounts.example.com"), "vouched for by somebody else"), (.anotherRoot, "not known"),
      (.tooLate, "was not valid when"),
    ])
  func signings(signing: TestPKI.Signing, text: String) async throws {
    let release = pki.release(TestPKI.release, signing: signing)
    let refusal = try await refusal { _ = try await report(pki.quote(question), served: release) }
    #expect(refusal?.reason == .releaseInvalid)
    #expect(refusal?.text.contains(text) == true, "\(refusal?.text ?? "accepted")")
  }

  @Test("a change of one letter in a signed document is refused")
  func changedDocument() async throws {
    var release = pki.release(TestPKI.release)
    release.publishedMrtds = release.publishedMrtds.replacingOccurrences(of: "uptodate", with: "outofdate")
    let changed = release
    let refusal = try await refusal { _ = try await report(pki.quote(question), served: changed) }
    #expect(refusal?.reason == .releaseInvalid)
  }

  @Test("any text can be signed, and what is no release is refused although its signature holds")
  func otherDocument() async throws {
    let document = pki.sign(#"{"role":"kms","tag":"2.3.120"}"#, version: TestPKI.release)
    let refusal = try await refusal { _ = try await report(pki.quote(question), served: document) }
    #expect(refusal?.reason == .releaseInvalid)
    #expect(refusal?.text.contains("not of a node") == true)
  }

  @Test("the releases make a policy's measurements, with the statuses that all of them accept")
  func bundledReleases() throws {
    let trusted = try trustedMeasurementsFromReleases(
      [pki.release(TestPKI.release), pki.release(TestPKI.nextRelease, statuses: [.upToDate])],
      minimumVersion: "2.3.109", root: pki.roots.releases)
    #expect(trusted.images.map(\.measurements) == [pki.image(), pki.image(of: TestPKI.nextRelease)])
    #expect(trusted.acceptedStatuses == [.upToDate])
    #expect(throws: TrustError.self) {
      try trustedMeasurementsFromReleases(
        [pki.release(TestPKI.oldRelease)], minimumVersion: "2.3.109", root: pki.roots.releases)
    }
  }

  @Test("one seed makes the same keys and images again, another makes strangers")
  func seeds() async throws {
    let same = TestPKI(seed: 3, now: Self.now)
    let other = TestPKI(seed: 4, now: Self.now)
    #expect(same.image() == pki.image())
    #expect(other.image() != pki.image())
    _ = try await report(pki.quote(question), roots: same.roots)
    let refusal = try await refusal { _ = try await report(pki.quote(question), roots: other.roots) }
    #expect(refusal?.reason == .quoteInvalid)
  }

  @Test("everything is valid around the time given, in other decades too", arguments: [2021, 2026, 2045])
  func otherTimes(year: Int) async throws {
    let now = try #require(ISO8601DateFormatter().date(from: "\(year)-06-01T12:00:00Z"))
    let pki = TestPKI(seed: 5, now: now)
    let verifier = DcapVerifier(
      .releases(try SignedReleases(Served(pki.release(TestPKI.release)), root: pki.roots.releases)),
      root: pki.roots.quotes, clock: MeroClock(now: { now }, uptime: { 0 }, sleep: { _ in }))
    let evidence = QuoteEvidence(
      quote: pki.quote(question), collateral: pki.collateral(), nonce: Array(question.prefix(32)),
      expectedReportData: question, host: "node.test", release: TestPKI.release)
    #expect(try await verifier.verify(evidence).status == .upToDate)
  }

  @Test("the two roots can be read back from what is written to files")
  func rootFiles() async throws {
    let roots = TrustRoots(
      quotes: try QuoteRoot(der: pki.quoteRoot),
      releases: try SigstoreRoot(trustedRoot: Data(pki.sigstoreRoot.utf8)))
    #expect(roots == pki.roots)
    _ = try await report(pki.quote(question), roots: roots)
  }
}

@Suite("The fake release mirror")
struct FakeReleaseMirrorTests {
  private let pki = TestPKI(seed: 3, now: Date(timeIntervalSince1970: 1_790_000_000))

  @Test("it serves what is published, under the path of a mirror, and remembers what it was asked for")
  func serves() async throws {
    let mirror = FakeReleaseMirror(pki)
    let source = ReleaseMirror("https://mirror.test/", transport: Door(mirror))
    #expect(try await source.release(TestPKI.release) == pki.release(TestPKI.release))
    await #expect(throws: TrustError.self) { try await source.release("9.9.9") }
    mirror.publish(pki.release("9.9.9"))
    #expect(try await source.release("9.9.9").version == "9.9.9")
    #expect(mirror.asked == [TestPKI.release, "9.9.9", "9.9.9"])
  }

  @Test("another path is 404 and another method 405")
  func refusals() async throws {
    let mirror = FakeReleaseMirror(pki)
    let base = try #require(URL(string: "https://mirror.test/api/tee/node-releases/\(TestPKI.release)"))
    #expect(try await mirror.handle(HTTPRequest(.post, base)).status == 405)
    let other = try #require(URL(string: "https://mirror.test/api/tee"))
    #expect(try await mirror.handle(HTTPRequest(.get, other)).status == 404)
    #expect(mirror.asked.isEmpty)
  }

  @Test(
    "a mirror that fails is unavailable, not a refusal, and works again when told to",
    arguments: [FakeReleaseMirror.Outage.refused, .status(503), .nonsense])
  func outages(outage: FakeReleaseMirror.Outage) async throws {
    let mirror = FakeReleaseMirror(pki)
    let source = ReleaseMirror("https://mirror.test", transport: Door(mirror))
    mirror.fail(outage)
    do {
      _ = try await source.release(TestPKI.release)
      Issue.record("served")
    } catch TrustError.unavailable {
    }
    mirror.fail(nil)
    #expect(try await source.release(TestPKI.release).version == TestPKI.release)
  }

  private struct Door: HTTPTransport {
    let mirror: FakeReleaseMirror
    init(_ mirror: FakeReleaseMirror) { self.mirror = mirror }
    func send(_ request: HTTPRequest) async throws -> HTTPResponse { try await mirror.handle(request) }
  }
}

/// One release, whatever is asked for.
private struct Served: ReleaseSource {
  let release: SignedRelease
  init(_ release: SignedRelease) { self.release = release }
  func release(_ version: String) async throws -> SignedRelease { release }
}
