import Foundation
import MeroHTTP
import MeroWire

/// Believes signed releases of the node image (50 §5).
///
/// A node only names a release. Its document is fetched, its signature is checked down to the workflow that makes
/// releases, and it has to be recent enough: a signature never expires, so without a floor a node could run an old image
/// with a flaw since fixed, and present that release.
///
/// ```swift
/// let mirror = ReleaseMirror("https://cloud.calimero.network", transport: URLSessionTransport())
/// let verifier = DcapVerifier(.releases(try SignedReleases(mirror)))
/// ```
public struct SignedReleases: ReleaseTrust {
  private let source: any ReleaseSource
  private let oldest: ReleaseVersion
  private let profile: String
  private let signature: ReleaseSignature
  /// What was verified, by version: a release that was published never changes.
  private let verified = Locked<[String: TrustedImage]>([:])
  private static let mostKept = 16

  /// Releases from a source, each looked up when a node names it.
  ///
  /// - Parameters:
  ///   - minimumVersion: the oldest version to accept.
  ///   - profile: the image among those of a release; the default is the one without a way in.
  ///   - root: whose signatures count. Another one than Sigstore's is for tests.
  /// - Throws: ``TrustError/refused(_:)`` when `minimumVersion` is no version.
  public init(
    _ source: any ReleaseSource, minimumVersion: String = "2.3.109", profile: String = "locked-read-only",
    root: SigstoreRoot = .publicGood
  ) throws {
    guard let oldest = ReleaseVersion(minimumVersion) else {
      throw AcceptedImages.misconfigured("the minimum “\(minimumVersion.prefix(40))” is no release version")
    }
    self.init(source, oldest: oldest, profile: profile, root: root)
  }

  package init(
    _ source: any ReleaseSource, oldest: ReleaseVersion,
    profile: String = "locked-read-only", root: SigstoreRoot = .publicGood
  ) {
    self.source = source
    self.oldest = oldest
    self.profile = profile
    signature = ReleaseSignature(root: root)
  }

  /// The image of the profile in the release that the node names.
  public func images(ofRelease claimedRelease: String?) async throws -> [TrustedImage] {
    guard let claimedRelease, !claimedRelease.isEmpty else {
      throw TrustError.refused(for: .releaseUnknown, "the node does not say which release it runs")
    }
    // Checked before it goes into a URL.
    guard let version = ReleaseVersion(claimedRelease) else {
      throw TrustError.refused(for: .releaseUnknown, "what the node says it runs is no release version")
    }
    guard version >= oldest else {
      throw TrustError.refused(
        .release, "the node runs the release \(version), and the oldest that is accepted is \(oldest)")
    }
    if let image = verified.withLock({ $0[version.text] }) { return [image] }
    let image = try verify(try await fetch(version), claimed: version)
    verified.withLock {
      if $0.count >= Self.mostKept { $0.removeAll() }
      $0[version.text] = image
    }
    return [image]
  }

  private func fetch(_ version: ReleaseVersion) async throws -> SignedRelease {
    do {
      return try await source.release(version.text)
    } catch let error where error is CancellationError || error is TrustError {
      throw error
    } catch {
      throw TrustError.unavailable("the release \(version) could not be fetched: \(error)")
    }
  }

  private func verify(_ release: SignedRelease, claimed: ReleaseVersion) throws(TrustError) -> TrustedImage {
    // The tag is compared as text: two versions that only differ in build metadata are two releases.
    guard release.version == claimed.text else {
      throw .refused(.release, "the release \(claimed) was asked for, and another one was served")
    }
    return try release.verifiedImage(profile: profile, signature: signature)
  }
}

extension SignedRelease {
  /// The image of a profile, once everything about the release holds but its age.
  ///
  /// - Throws: `TrustError.refused`.
  func verifiedImage(profile: String, signature: ReleaseSignature) throws(TrustError) -> TrustedImage {
    let file = [UInt8](publishedMrtds.utf8)
    guard file.count <= 1 << 20 else { throw .refused(.release, "the release's document is too large") }
    try signature.verify(file, bundle: try CosignBundle(parsing: bundle))
    let published = try PublishedMeasurements(parsing: publishedMrtds)
    guard published.tag == version else {
      throw .refused(
        .release, "the release \(version) was asked for, and the signed document is another one's")
    }
    return try published.image(ofProfile: profile)
  }
}
