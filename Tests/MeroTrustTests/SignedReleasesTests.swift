import Foundation
import MeroHTTP
import MeroKitTestSupport
import MeroTrust
import MeroWire
import Testing

@Suite("signed releases")
struct SignedReleasesTests {
  private static let pki = TestPKI(seed: 12, now: Date(timeIntervalSince1970: 1_790_000_000))
  private var pki: TestPKI { Self.pki }

  private func refusal(
    _ releases: SignedReleases, _ version: String?
  ) async throws -> TrustRefusal? {
    do {
      _ = try await releases.images(ofRelease: version)
      return nil
    } catch TrustError.refused(let refusal) {
      return refusal
    }
  }

  private func releases(
    _ source: any ReleaseSource, minimum: String = "2.3.109", profile: String = "locked-read-only"
  ) throws -> SignedReleases {
    try SignedReleases(source, minimumVersion: minimum, profile: profile, root: pki.roots.releases)
  }

  @Test("the image of the profile is what the release published, with the states that it accepts")
  func image() async throws {
    let source = Shelf(pki.release(TestPKI.release, statuses: [.outOfDate, .upToDate, .outOfDate]))
    let images = try await releases(source).images(ofRelease: TestPKI.release)
    #expect(
      images == [
        TrustedImage(
          release: TestPKI.release, profile: "locked-read-only", measurements: pki.image(),
          acceptedStatuses: [.outOfDate, .upToDate])
      ])
    let debug = try await releases(source, profile: "debug").images(ofRelease: TestPKI.release)
    #expect(debug[0].measurements == pki.image("debug"))
  }

  @Test("a release is fetched once and then remembered, but not one that was refused")
  func remembered() async throws {
    let shelf = Shelf(pki.release(TestPKI.release, signing: .garbage))
    let releases = try releases(shelf)
    #expect(try await refusal(releases, TestPKI.release)?.reason == .releaseInvalid)
    shelf.put(pki.release(TestPKI.release))
    for _ in 0..<3 { _ = try await releases.images(ofRelease: TestPKI.release) }
    #expect(shelf.asked == [TestPKI.release, TestPKI.release])
  }

  @Test(
    "50 §5.4: what is no version never reaches the source",
    arguments: [nil, "", "latest", "../x", "v2.3.120"])
  func noVersion(claimed: String?) async throws {
    let shelf = Shelf(pki.release(TestPKI.release))
    #expect(try await refusal(try releases(shelf), claimed)?.reason == .releaseUnknown)
    #expect(shelf.asked.isEmpty)
  }

  @Test("50 §5.2: a release below the floor is refused before it is fetched, and a newer floor refuses more")
  func floor() async throws {
    let shelf = Shelf(pki.release(TestPKI.oldRelease))
    shelf.put(pki.release(TestPKI.release))
    #expect(try await refusal(try releases(shelf), TestPKI.oldRelease)?.reason == .releaseInvalid)
    #expect(shelf.asked.isEmpty)
    #expect(try await refusal(try releases(shelf, minimum: TestPKI.oldRelease), TestPKI.oldRelease) == nil)
    #expect(try await refusal(try releases(shelf, minimum: "2.3.120-rc.1"), TestPKI.release) == nil)
    #expect(try await refusal(try releases(shelf, minimum: "2.3.1000"), TestPKI.release) != nil)
    #expect(throws: TrustError.self) { try releases(shelf, minimum: "2.3") }
  }

  @Test("a source that serves another release than the one asked for is refused")
  func otherRelease() async throws {
    let shelf = Shelf(pki.release(TestPKI.nextRelease), as: TestPKI.release)
    #expect(try await refusal(try releases(shelf), TestPKI.release)?.reason == .releaseInvalid)
    // Renamed to what was asked for, its signed tag still says what it is.
    var renamed = pki.release(TestPKI.nextRelease)
    renamed.version = TestPKI.release
    #expect(
      try await refusal(try releases(Shelf(renamed)), TestPKI.release)?.text.contains("another") == true)
    // Build metadata makes another release.
    renamed = pki.release(TestPKI.release)
    renamed.version += "+b1"
    #expect(try await refusal(try releases(Shelf(renamed)), renamed.version)?.reason == .releaseInvalid)
  }

  @Test("50 §5.2: a signed document of another kind is no node release")
  func otherDocuments() async throws {
    let register = String(repeating: "0a", count: 48)
    func document(_ role: String, _ profiles: JSONValue, tag: JSONValue = .string(TestPKI.release)) -> String
    {
      JSONValue.object(["role": .string(role), "tag": tag, "profiles": profiles]).text
    }
    func profile(_ changes: JSONObject = [:]) -> JSONObject {
      var profile: JSONObject = [:]
      for name in ["mrtd", "rtmr0", "rtmr1", "rtmr2", "rtmr3"] { profile[name] = .string(register) }
      for (name, value) in changes { profile[name] = value }
      return profile
    }
    func profiles(_ changes: JSONObject = [:]) -> JSONValue {
      ["locked-read-only": .object(profile()), "debug": .object(profile(changes))]
    }
    let good = document("node", profiles())
    func refusal(_ text: String) async throws -> TrustRefusal? {
      try await self.refusal(try releases(Shelf(pki.sign(text, version: TestPKI.release))), TestPKI.release)
    }
    #expect(try await refusal(good) == nil)
    for bad in [
      "", "[]", document("kms", profiles()), document("node", [:]), document("node", "x"),
      document("node", profiles(), tag: 3), document("node", profiles(["rtmr2": "abc"])),
      document("node", profiles(["rtmr2": .string("0x" + register)])),
      document("node", profiles(["mrtd": 1])),
      document("node", ["locked-read-only": 7]), document("node", ["debug": .object(profile())]),
      document("node", ["locked-read-only": .object(profile(["allowed_tcb_statuses": ["revoked"]]))]),
      document("node", ["locked-read-only": .object(profile(["allowed_tcb_statuses": "uptodate"]))]),
    ] {
      let refused = try await refusal(bad)
      #expect(refused?.reason == .releaseInvalid && refused?.text.isEmpty == false, "\(bad.prefix(80))")
    }
  }

  @Test("a source that fails is unavailable, whatever it throws, and a cancellation stays one")
  func failures() async throws {
    struct Trouble: Error {}
    for (thrown, isCancelled) in [
      (Trouble() as any Error, false), (TrustError.unavailable("away"), false), (CancellationError(), true),
    ] {
      do {
        _ = try await releases(Failing(error: thrown)).images(ofRelease: TestPKI.release)
        Issue.record("accepted")
      } catch TrustError.unavailable {
        #expect(!isCancelled)
      } catch is CancellationError {
        #expect(isCancelled)
      }
    }
  }

  @Test("50 §5.2: several releases share the states that all of them accept, and must share one")
  func several() throws {
    let root = pki.roots.releases
    let (one, other) = (
      pki.release(TestPKI.release, statuses: [.upToDate, .outOfDate]),
      pki.release(TestPKI.nextRelease, statuses: [.outOfDate])
    )
    let trusted = try trustedMeasurementsFromReleases([one, other], minimumVersion: "2.3.109", root: root)
    #expect(trusted.images.map(\.release) == [TestPKI.release, TestPKI.nextRelease])
    #expect(trusted.acceptedStatuses == [.outOfDate])
    let current = pki.release(TestPKI.release, statuses: [.upToDate])
    for bad in [[current, other], [], [pki.release(TestPKI.oldRelease)]] {
      #expect(throws: TrustError.self) {
        try trustedMeasurementsFromReleases(bad, minimumVersion: "2.3.109", root: root)
      }
    }
  }

  @Test("50 §5.4: the mirror is asked for the version, in the clear and without credentials")
  func mirror() async throws {
    let mirror = FakeReleaseMirror([pki.release(TestPKI.release)])
    let wire = Wire { try await mirror.handle($0) }
    for base in ["https://mirror.example", "https://mirror.example/"] {
      #expect(
        try await ReleaseMirror(base, transport: wire).release(TestPKI.release)
          == pki.release(TestPKI.release))
    }
    for request in wire.requests {
      #expect(
        request.url.absoluteString == "https://mirror.example/api/tee/node-releases/\(TestPKI.release)")
      #expect(request.method == .get && request.body == nil)
      #expect(request.headers["accept"] == "application/json" && request.headers["authorization"] == nil)
    }
  }

  @Test("a mirror without the release says so, and every other failure of it is unavailable")
  func mirrorFailures() async throws {
    let mirror = FakeReleaseMirror([])
    let client = ReleaseMirror("https://mirror.example", transport: Wire { try await mirror.handle($0) })
    await #expect {
      _ = try await client.release(TestPKI.release)
    } throws: { error in
      guard case TrustError.refused(let refusal) = error else { return false }
      return refusal.reason == .releaseUnknown
    }
    for outage in [FakeReleaseMirror.Outage.refused, .status(500), .status(403), .status(301), .nonsense] {
      mirror.fail(outage)
      await #expect("\(outage)") {
        _ = try await client.release(TestPKI.release)
      } throws: { error in
        if case TrustError.unavailable(let text) = error { return !text.isEmpty }
        return false
      }
    }
    let endless = Wire { _ in HTTPResponse(status: 200, body: HTTPBody(Data(count: 4 << 20))) }
    for (base, wire) in [("https://mirror.example", endless), ("", endless), ("no url", endless)] {
      await #expect(throws: TrustError.self) {
        try await ReleaseMirror(base, transport: wire).release(TestPKI.release)
      }
    }
  }
}

/// Releases on a shelf, and who asked.
final class Shelf: ReleaseSource {
  private let state: Locked<(releases: [String: SignedRelease], asked: [String])>

  init(_ release: SignedRelease, as version: String? = nil) {
    state = Locked(([version ?? release.version: release], []))
  }

  var asked: [String] { state.withLock { $0.asked } }

  func put(_ release: SignedRelease) { state.withLock { $0.releases[release.version] = release } }

  func release(_ version: String) async throws -> SignedRelease {
    let release = state.withLock { state in
      state.asked.append(version)
      return state.releases[version]
    }
    guard let release else { throw TrustError.unavailable("not on the shelf") }
    return release
  }
}

private struct Failing: ReleaseSource {
  let error: any Error

  func release(_ version: String) async throws -> SignedRelease { throw error }
}

/// A transport that remembers what it carried.
final class Wire: HTTPTransport {
  private let answer: @Sendable (HTTPRequest) async throws -> HTTPResponse
  private let log = Locked<[HTTPRequest]>([])

  init(_ answer: @escaping @Sendable (HTTPRequest) async throws -> HTTPResponse) {
    self.answer = answer
  }

  var requests: [HTTPRequest] { log.withLock { $0 } }

  func send(_ request: HTTPRequest) async throws -> HTTPResponse {
    log.withLock { $0.append(request) }
    return try await answer(request)
  }
}
