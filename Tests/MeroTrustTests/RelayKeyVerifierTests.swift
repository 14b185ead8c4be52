import Foundation
import MeroHTTP
import MeroKitTestSupport
import MeroTrust
import MeroWire
import Testing

@Suite("the node key of a relay")
struct RelayKeyVerifierTests {
  private static let pki = TestPKI(seed: 13, now: Date(timeIntervalSince1970: 1_790_000_000))
  private var pki: TestPKI { Self.pki }
  private let key = [UInt8](repeating: 0xAB, count: 32)
  private let nonce = [UInt8](0..<32)
  private let clock = MeroClock(
    now: { Date(timeIntervalSince1970: 1_790_000_000) }, uptime: { 0 }, sleep: { _ in })

  private var reportData: [UInt8] { nonce + ReportData.nodeKeyBinding(application: nil, key: key) }

  private func attestation(
    _ quote: [UInt8], at url: String = "https://relay.example", hasCollateral: Bool = true
  ) throws -> RelayAttestation {
    RelayAttestation(
      relayURL: try #require(URL(string: url)), nonce: nonce, quote: quote, boundKey: key,
      collateral: hasCollateral ? pki.collateral() : nil)
  }

  /// A relay that says it runs `image`, and a mirror.
  private func wire(_ info: Answer) -> Wire {
    let mirror = FakeReleaseMirror(pki)
    return Wire { request in
      request.url.host == "mirror.example"
        ? try await mirror.handle(request)
        : HTTPResponse(status: info.status, body: HTTPBody(info.body))
    }
  }

  private struct Answer: Sendable {
    var status = 200
    var body = Data()
  }

  private func info(_ image: String) -> Answer {
    let body: JSONValue = ["data": ["cloudProvider": "gcp", "osImage": .string(image), "mrtd": ""]]
    return Answer(body: body.data())
  }

  private func verifier(
    _ wire: Wire, policy: TeePolicy = .development, releaseVersion: String? = nil
  ) throws -> DcapRelayKeyVerifier {
    try DcapRelayKeyVerifier(
      policy: policy, minimumVersion: "2.3.109", releaseVersion: releaseVersion,
      releaseMirrorURL: "https://mirror.example", transport: wire, roots: pki.roots, clock: clock)
  }

  private enum Outcome: Equatable { case learned(String), unavailable, refused(TrustRefusal.Reason) }

  private func outcome(_ verifier: DcapRelayKeyVerifier, _ attestation: RelayAttestation) async throws
    -> Outcome
  {
    do {
      return .learned(try await verifier.verify(attestation))
    } catch TrustError.unavailable {
      return .unavailable
    } catch TrustError.refused(let refusal) {
      return .refused(refusal.reason)
    }
  }

  private let goodImage = "merotee-ubuntu-questing-25-10-locked-read-only-2-3-120"

  @Test(
    "40 §8.1: the key that a genuine quote of a signed release commits to is learned, and the release looked up once the relay named it"
  )
  func learned() async throws {
    let wire = wire(info(goodImage))
    let outcome = try await outcome(try verifier(wire), try attestation(pki.quote(reportData)))
    #expect(outcome == .learned(Hex.encode(key)))
    #expect(
      wire.requests.map(\.url.absoluteString) == [
        "https://relay.example/admin-api/tee/info",
        "https://mirror.example/api/tee/node-releases/2.3.120",
      ])
  }

  @Test("40 §19 #47: another nonce, another key, another image or no collateral is refused")
  func refused() async throws {
    let verifier = try verifier(wire(info(goodImage)))
    let otherKey = nonce + ReportData.nodeKeyBinding(application: nil, key: nonce)
    let otherNonce = Array(key + reportData.dropFirst(32))
    let transport = nonce + ReportData.transportBinding(inner: nil, key: key)
    for data in [otherKey, otherNonce, transport] {
      #expect(try await outcome(verifier, try attestation(pki.quote(data))) == .refused(.reportData))
    }
    for image in [pki.image("debug"), pki.image(of: TestPKI.nextRelease)] {
      let quote = pki.quote(reportData, image: image)
      #expect(try await outcome(verifier, try attestation(quote)) == .refused(.measurements))
    }
    let bare = try attestation(pki.quote(reportData), hasCollateral: false)
    #expect(try await outcome(verifier, bare) == .refused(.quoteInvalid))
    let old = try self.verifier(wire(info("merotee-x-2-3-108")))
    #expect(try await outcome(old, try attestation(pki.quote(reportData))) == .refused(.releaseInvalid))
  }

  @Test("40 §19 #47, #48: a mock quote is taken from a relay on this machine, and from no hosted one")
  func mock() async throws {
    let mock = MockQuote.make(reportData: reportData)
    let wire = wire(info(goodImage))
    let (near, far) = (try attestation(mock, at: "http://127.0.0.1:2540"), try attestation(mock))
    #expect(try await outcome(try verifier(wire), near) == .learned(Hex.encode(key)))
    #expect(try await outcome(try verifier(wire), far) == .refused(.mockRefused))
    #expect(try await outcome(try verifier(wire, policy: .production), near) == .refused(.mockRefused))
    let named = try verifier(wire, policy: .development(hosts: ["relay.example"]))
    #expect(try await outcome(named, far) == .learned(Hex.encode(key)))
    let wrong = try attestation(MockQuote.make(reportData: key + key), at: "http://localhost:2540")
    #expect(try await outcome(try verifier(wire), wrong) == .refused(.reportData))
    #expect(wire.requests.isEmpty, "a mock quote has no release to look up")
  }

  @Test("40 §8.2: what only moves bytes is unavailable, not refused")
  func unavailable() async throws {
    let quote = try attestation(pki.quote(reportData))
    for answer in [
      info("unknown"), info("merotee-custom-build"), info("merotee-x-2-3-120-dev"), Answer(status: 500),
      Answer(status: 403), Answer(body: Data("<html>".utf8)),
      // A release that the mirror does not have yet.
      info("merotee-x-2-3-999"),
    ] {
      #expect(try await outcome(try verifier(wire(answer)), quote) == .unavailable)
    }
    let lost = Wire { _ in throw TransportError(kind: .lost, text: "gone", mayHaveBeenSent: true) }
    #expect(try await outcome(try verifier(lost), quote) == .unavailable)
  }

  @Test(
    "50 §5.4: the caller's version stands in for a relay that does not say, and proves no more than its word")
  func callersVersion() async throws {
    let quote = try attestation(pki.quote(reportData))
    for answer in [Answer(status: 403), info("unknown")] {
      let verifier = try verifier(wire(answer), releaseVersion: TestPKI.release)
      #expect(try await outcome(verifier, quote) == .learned(Hex.encode(key)))
      let wrong = try self.verifier(wire(answer), releaseVersion: TestPKI.nextRelease)
      #expect(try await outcome(wrong, quote) == .refused(.measurements))
    }
    let named = try verifier(wire(info(goodImage)), releaseVersion: TestPKI.nextRelease)
    #expect(try await outcome(named, quote) == .learned(Hex.encode(key)), "the relay's word comes first")
  }

  @Test("a pinned key is answered as it was given, and must be a key")
  func pinned() async throws {
    let text = String(repeating: "AB", count: 32)
    let verifier = try PinnedRelayKeyVerifier(nodeKey: " \(text)\n")
    #expect(try await verifier.verify(try attestation([])) == text.lowercased())
    for bad in ["", "ab", text + "00", String(repeating: "g", count: 64)] {
      #expect(throws: TrustError.self) { try PinnedRelayKeyVerifier(nodeKey: bad) }
    }
    #expect(throws: TrustError.self) { try DcapRelayKeyVerifier(minimumVersion: "latest") }
  }
}
