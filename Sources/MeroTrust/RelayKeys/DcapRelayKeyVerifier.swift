import Foundation
import MeroCrypto
import MeroHTTP
import MeroWire

/// Learns a relay's node key from its TDX quote: genuine hardware, an image of a signed release, and a quote made for our
/// nonce and that key (40 §8.1, 50 §4).
///
/// A mock quote is taken from a relay on this machine only, unless the policy says otherwise.
public struct DcapRelayKeyVerifier: RelayKeyVerifier {
  private let policy: TeePolicy
  private let releaseVersion: String?
  private let mirrorURL: String
  private let transport: any HTTPTransport
  private let roots: TrustRoots
  private let oldest: ReleaseVersion
  private let profile: String
  private let clock: MeroClock
  private let releases: SignedReleases

  /// A verifier.
  ///
  /// - Parameters:
  ///   - policy: `.development`, the default, is what ``TeePolicy/production`` is and mock quotes from this machine;
  ///     `.production` takes no mock quote at all, `.development(hosts:)` takes them from more hosts.
  ///   - minimumVersion: the oldest release to accept.
  ///   - profile: the image among those of a release.
  ///   - releaseVersion: the release to expect from a relay that does not say. No more is believed for it.
  ///   - releaseMirrorURL: where signed releases are fetched.
  /// - Throws: ``TrustError/refused(_:)`` when `minimumVersion` is no version.
  public init(
    policy: TeePolicy = .development, minimumVersion: String, profile: String = "locked-read-only",
    releaseVersion: String? = nil, releaseMirrorURL: String = "https://cloud.calimero.network",
    transport: any HTTPTransport = URLSessionTransport(), roots: TrustRoots = .builtIn,
    clock: MeroClock = .system
  ) throws {
    guard let oldest = ReleaseVersion(minimumVersion) else {
      throw AcceptedImages.misconfigured("the minimum “\(minimumVersion.prefix(40))” is no release version")
    }
    self.init(
      policy: policy, oldest: oldest, profile: profile, releaseVersion: releaseVersion,
      mirrorURL: releaseMirrorURL, transport: transport, roots: roots, clock: clock)
  }

  /// A verifier with every setting at its default: releases from 2.3.109 on.
  public init() {
    self.init(transport: URLSessionTransport())
  }

  package init(
    policy: TeePolicy = .development, oldest: ReleaseVersion = .oldestAccepted,
    profile: String = "locked-read-only", releaseVersion: String? = nil,
    mirrorURL: String = "https://cloud.calimero.network", transport: any HTTPTransport,
    roots: TrustRoots = .builtIn, clock: MeroClock = .system
  ) {
    self.policy = policy
    self.releaseVersion = releaseVersion
    self.mirrorURL = mirrorURL
    self.transport = transport
    self.roots = roots
    self.oldest = oldest
    self.profile = profile
    self.clock = clock
    releases = SignedReleases(
      ReleaseMirror(mirrorURL, transport: transport), oldest: oldest, profile: profile, root: roots.releases)
  }

  /// The relay's node key, 64 lower-case hex characters.
  public func verify(_ attestation: RelayAttestation) async throws -> String {
    _ = try await report(
      attestation, suffix: ReportData.nodeKeyBinding(application: nil, key: attestation.boundKey))
    return Hex.encode(attestation.boundKey)
  }

  /// Accepts the quote of a relay's transport key, by the same measure as that of its node key.
  public func verifyTransportKey(_ attestation: RelayAttestation) async throws {
    _ = try await report(
      attestation, suffix: ReportData.transportBinding(inner: nil, key: attestation.boundKey))
  }

  /// Checks a relay's quote against any binding of a key of 32 bytes: its node key's, or its transport key's.
  package func report(_ attestation: RelayAttestation, suffix: [UInt8]) async throws -> TrustReport {
    guard attestation.nonce.count == 32, attestation.boundKey.count == 32 else {
      throw TrustError.refused(for: .malformed, "a nonce and a key are 32 bytes each")
    }
    let host = attestation.relayURL.host ?? ""
    let isMock = MockQuote.isMock(attestation.quote)
    let evidence = QuoteEvidence(
      quote: attestation.quote, collateral: attestation.collateral, nonce: attestation.nonce,
      expectedReportData: ReportData.make(nonce: attestation.nonce, suffix: suffix), host: host,
      release: isMock ? nil : try await claimedRelease(of: attestation.relayURL))
    do {
      return try await QuotePolicy.verify(
        evidence, policy: policy, verifier: nil, releases: releases, roots: roots, clock: clock)
    } catch TrustError.refused(let refusal) where refusal.reason == .releaseUnknown {
      // Which release runs is only a matter of fetching, and a relay may be quicker than the mirror.
      throw TrustError.unavailable(refusal.text)
    }
  }

  /// The release that a relay says it runs, from the name of its image. It only decides which file is looked up.
  private func claimedRelease(of relay: URL) async throws -> String {
    let base = String(relay.absoluteString.reversed().drop { $0 == "/" }.reversed())
    guard let url = URL(string: base + "/admin-api/tee/info") else {
      throw TrustError.unavailable("the relay has no usable address")
    }
    do {
      let response = try await transport.send(
        HTTPRequest(.get, url, headers: ["accept": "application/json"], timeout: 15, idleTimeout: 15))
      guard response.status == 200 else {
        response.body.cancel()
        if response.status == 403, let releaseVersion { return releaseVersion }
        throw TrustError.unavailable("the relay's tee/info was answered with \(response.status)")
      }
      let body = try await response.body.collect(upTo: 64 << 10)
      guard let info = try? JSONValue(parsing: body),
        let image = (info["data"] ?? info)["osImage"]?.stringValue,
        let version = Self.version(ofImage: image) ?? releaseVersion
      else { throw TrustError.unavailable("the relay does not say which release it runs") }
      return version
    } catch let error as TransportError {
      throw TrustError.unavailable("the relay could not be asked which release it runs: \(error.text)")
    }
  }

  /// The version in a name such as `merotee-ubuntu-questing-25-10-locked-read-only-2-3-87`; nil for images of no release.
  static func version(ofImage name: String) -> String? {
    let parts = name.split(separator: "-", omittingEmptySubsequences: false)
    let numbers = parts.suffix(3)
    guard name.utf8.count <= 256, parts.count >= 5, parts[0] == "merotee",
      numbers.allSatisfy({ !$0.isEmpty && $0.utf8.allSatisfy { (0x30...0x39).contains($0) } }),
      parts.dropFirst().dropLast(3).contains(where: { !$0.isEmpty })
    else { return nil }
    return numbers.map { number in
      let digits = number.drop { $0 == "0" }
      return digits.isEmpty ? "0" : String(digits)
    }.joined(separator: ".")
  }
}
