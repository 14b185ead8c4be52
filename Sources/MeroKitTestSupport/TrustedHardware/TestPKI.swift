import Foundation
import MeroCrypto
import MeroHTTP
import MeroTrust
import MeroWire

/// Trust roots of a test's own, and everything below them: TDX quotes and their collateral as Intel's hardware and
/// services make them, and signed releases as Sigstore makes them. So the real checks run over hardware that does not
/// exist.
///
/// ```swift
/// let pki = TestPKI()
/// let cloud = FakeCloud(tdx: pki)
/// let client = CalimeroClient(
///   CalimeroClientOptions(
///     baseUrl: cloud.urls[0], policy: .production, transport: cloud.transport, trustRoots: pki.roots))
/// cloud.nodes[0].present(.debugImage)   // refused, and nothing is sent to it
/// ```
///
/// Keys, images and serial numbers come from the seed. Signatures are made with fresh randomness, so their bytes differ
/// from run to run. Whoever knows the seed holds the keys: never give ``roots`` to a program that people use.
public final class TestPKI: Sendable {
  /// The release that good nodes run.
  public static let release = "2.3.120"
  /// Another release that is signed and recent enough.
  public static let nextRelease = "2.3.121"
  /// A release that is signed and older than clients accept.
  public static let oldRelease = "2.3.108"

  /// The seed everything was made from; pass it again to repeat a run.
  public let seed: UInt64
  /// The time around which everything is valid, in whole seconds.
  public let now: Date
  /// What a client must be told to believe any of this.
  public let roots: TrustRoots
  /// The root that quotes lead to, as a certificate in DER.
  public let quoteRoot: Data
  /// The root that releases lead to, in the form of Sigstore's `trusted_root.json`.
  public let sigstoreRoot: String

  private let keys: TestPlatform.Keys
  private let sigstore: TestSigstore
  private let strangerSigstore: TestSigstore
  private let hardware = Locked<[Platform: Hardware]>([:])
  private let releases = Locked<[ReleaseQuestion: SignedRelease]>([:])

  /// New roots. `seed` is random unless given.
  public init(seed: UInt64? = nil, now: Date = Date()) {
    let seed = seed ?? UInt64.random(in: .min ... .max)
    let now = Date(timeIntervalSince1970: now.timeIntervalSince1970.rounded(.down))
    let random = SeededRandom(seed: seed)
    var keys = TestPlatform.Keys()
    keys.root = .made(from: random)
    keys.authority = .made(from: random)
    keys.platform = .made(from: random)
    keys.signer = .made(from: random)
    keys.attestation = .made(from: random)
    let sigstore = TestSigstore(random, now: now)
    let quoteRoot = Self.made {
      try Self.platform(keys, now, DateInterval(start: now, duration: 1)).rootDER()
    }
    let sigstoreRoot = sigstore.trustedRoot.text
    self.seed = seed
    self.now = now
    self.keys = keys
    self.sigstore = sigstore
    strangerSigstore = TestSigstore(random, now: now)
    self.quoteRoot = Data(quoteRoot)
    self.sigstoreRoot = sigstoreRoot
    roots = Self.made {
      TrustRoots(
        quotes: try QuoteRoot(der: quoteRoot),
        releases: try SigstoreRoot(trustedRoot: Data(sigstoreRoot.utf8)))
    }
  }

  // MARK: Quotes

  /// A machine that makes quotes, and what is said about it.
  public struct Platform: Sendable, Hashable {
    /// How current it is. `Revoked` is a status too, and refused by every verifier.
    public var status: TCBStatus
    /// The security advisories that apply to it, by id.
    public var advisories: [String]
    /// Whether the certificate of its key is on the list of revoked ones.
    public var isRevoked: Bool
    /// From when until when its collateral is good; `nil` for thirty days that began ten days before ``TestPKI/now``.
    public var collateral: DateInterval?

    /// A platform, by default one with nothing wrong about it.
    public init(
      status: TCBStatus = .upToDate, advisories: [String] = [], isRevoked: Bool = false,
      collateral: DateInterval? = nil
    ) {
      self.status = status
      self.advisories = advisories
      self.isRevoked = isRevoked
      self.collateral = collateral
    }
  }

  /// The form of a quote.
  public enum QuoteForm: Sendable, Hashable, CaseIterable {
    /// Version 4.
    case version4
    /// Version 5 with a report of version 1.0.
    case version5
    /// Version 5 with a report of version 1.5.
    case version5Report15
  }

  /// A quote of a trust domain.
  ///
  /// - Parameters:
  ///   - reportData: 64 bytes.
  ///   - image: what runs in it, five registers of 48 bytes; `nil` for the image of ``release``.
  ///   - isDebug: whether its host may look into it.
  public func quote(
    _ reportData: [UInt8], image: Measurements? = nil, on platform: Platform = Platform(),
    form: QuoteForm = .version4, isDebug: Bool = false
  ) -> [UInt8] {
    var quote = TestQuote()
    quote.setReportData(reportData)
    quote.setMeasurements(image ?? self.image())
    if isDebug { quote.setDebug() }
    switch form {
    case .version4: break
    case .version5: quote.useVersion5()
    case .version5Report15: quote.useReport15()
    }
    let certification = hardware(platform).certification
    return Self.made { [quote] in
      try quote.bytes(certification: certification, attestationKey: keys.attestation)
    }
  }

  /// The collateral that the quotes of a platform are checked against, in the form that nodes hand on.
  public func collateral(of platform: Platform = Platform()) -> JSONValue { hardware(platform).collateral }

  private struct Hardware: Sendable {
    let certification: [UInt8]
    let collateral: JSONValue
  }

  private func hardware(_ platform: Platform) -> Hardware {
    if let hardware = hardware.withLock({ $0[platform] }) { return hardware }
    let day: TimeInterval = 86_400
    let statements = platform.collateral ?? DateInterval(start: now - 10 * day, duration: 30 * day)
    var made = Self.platform(keys, now, statements)
    made.signedRoot = Array(quoteRoot)
    if platform.isRevoked { made.platform.serialNumber = Self.revokedSerialNumber }
    let level = TestPlatform.level(
      platform.status.rawValue, advisories: platform.advisories.map { .string($0) })
    let higher = TestPlatform.level("UpToDate", sgx: [9, 9, 2, 2, 3, 1, 0, 3, 0, 0, 0, 0, 0, 0, 0, 0])
    made.setTCBInfo(
      "tdxModuleIdentities", [TestPlatform.module(id: "TDX_01", [(4, "UpToDate")], advisories: [])])
    if platform.status == .upToDate { made.setLevels(level) } else { made.setLevels(higher, level) }
    let hardware = Self.made { [made] in
      Hardware(certification: try made.certification(), collateral: try made.collateral())
    }
    return self.hardware.withLock { Self.first(&$0[platform], or: hardware) }
  }

  private static let revokedSerialNumber = 99

  private static func platform(
    _ keys: TestPlatform.Keys, _ now: Date, _ statements: DateInterval
  ) -> TestPlatform {
    var platform = TestPlatform(keys: keys, statements: statements)
    let years: TimeInterval = 10 * 365 * 86_400
    for certificate: WritableKeyPath<TestPlatform, CertificateDraft> in [
      \.root, \.authority, \.platform, \.signer,
    ] {
      platform[keyPath: certificate].from = now - years
      platform[keyPath: certificate].until = now + years
    }
    platform.platformList.serialNumbers = [revokedSerialNumber]
    platform.rootList.until = statements.end
    platform.platformList.until = statements.end
    return platform
  }

  // MARK: Releases

  /// How a release is signed.
  public enum Signing: Sendable, Hashable {
    /// By the workflow that makes releases.
    case genuine
    /// Not at all: the bundle is empty.
    case absent
    /// The bundle is a text that is none.
    case garbage
    /// By whoever has this identity, a URI, as certified by the same authority.
    case identity(String)
    /// By the right identity, for which this issuer vouched.
    case issuer(String)
    /// By the right identity, under another certificate authority and log.
    case anotherRoot
    /// By the right identity, and recorded an hour after its certificate had run out.
    case tooLate

    /// By the workflow of the same repository that releases another thing.
    public static let anotherWorkflow = Signing.identity(
      "https://github.com/calimero-network/mero-tee/.github/workflows/release-kms.yaml@refs/heads/master")
  }

  private struct ReleaseQuestion: Hashable {
    let version: String
    let statuses: [TCBStatus]
    let signing: Signing
  }

  /// The registers of an image of a release. All images share the first two, as they do where the platform brings the
  /// firmware.
  ///
  /// - Parameter profile: `locked-read-only`, `debug-read-only` or `debug`.
  public func image(_ profile: String = "locked-read-only", of release: String = TestPKI.release)
    -> Measurements
  {
    PublishedImages(seed: seed, version: release).image(profile)
  }

  /// A release of the node image.
  ///
  /// - Parameter statuses: the platform statuses that the release accepts.
  public func release(
    _ version: String, statuses: [TCBStatus] = [.upToDate, .outOfDate], signing: Signing = .genuine
  ) -> SignedRelease {
    let question = ReleaseQuestion(version: version, statuses: statuses, signing: signing)
    if let release = releases.withLock({ $0[question] }) { return release }
    let images = PublishedImages(seed: seed, version: version)
    let document = images.document(statuses: statuses, at: now - 3 * 86_400)
    let release = sign(document, version: version, signing)
    return releases.withLock { Self.first(&$0[question], or: release) }
  }

  /// Signs any text as a release is signed.
  public func sign(_ document: String, version: String, _ signing: Signing = .genuine) -> SignedRelease {
    var signature = TestSigstore.Signature(at: now - 3 * 86_400)
    var sigstore = sigstore
    switch signing {
    case .genuine: break
    case .absent: return SignedRelease(version: version, publishedMrtds: document, bundle: "")
    case .garbage: return SignedRelease(version: version, publishedMrtds: document, bundle: "not a bundle")
    case .identity(let identity): signature.identity = identity
    case .issuer(let issuer): signature.issuer = issuer
    case .anotherRoot: sigstore = strangerSigstore
    case .tooLate: signature.recorded += 3600
    }
    let bundle = Self.made { [sigstore, signature] in try sigstore.bundle(of: Array(document.utf8), signature)
    }
    return SignedRelease(version: version, publishedMrtds: document, bundle: bundle.text)
  }

  /// Of two that were made at the same time, everybody gets the same one: their signatures differ.
  private static func first<Value>(_ kept: inout Value?, or made: Value) -> Value {
    if kept == nil { kept = made }
    return kept ?? made
  }

  /// What is made of keys and drafts of this module alone, which always works.
  private static func made<Value>(_ make: () throws -> Value) -> Value {
    do { return try make() } catch { preconditionFailure("a test's own keys did not sign: \(error)") }
  }
}
