import MeroWire

/// The images of several releases, and the platform states that all of them accept.
public struct TrustedMeasurements: Sendable, Hashable {
  /// One image for each release.
  public var images: [TrustedImage]
  /// What every one of the releases accepts.
  public var acceptedStatuses: [TCBStatus]
}

/// Checks signed releases that an app brings along, and says what they measure (50 §5.2).
///
/// ```swift
/// let trusted = try trustedMeasurementsFromReleases([release], minimumVersion: "2.3.109")
/// let verifier = DcapVerifier(
///   try .images(trusted.images.map(\.measurements)), acceptedStatuses: trusted.acceptedStatuses)
/// ```
///
/// - Parameters:
///   - profile: the image among those of each release.
///   - minimumVersion: the oldest version to accept.
///   - root: whose signatures count. Another one than Sigstore's is for tests.
/// - Throws: ``TrustError/refused(_:)`` when there is no release, when a signature, a version or a profile does not hold,
///   and when there is no platform state that all releases accept.
public func trustedMeasurementsFromReleases(
  _ releases: [SignedRelease], profile: String = "locked-read-only", minimumVersion: String,
  root: SigstoreRoot = .publicGood
) throws -> TrustedMeasurements {
  guard let oldest = ReleaseVersion(minimumVersion) else {
    throw AcceptedImages.misconfigured("the minimum “\(minimumVersion.prefix(40))” is no release version")
  }
  return try TrustedMeasurements(releases, profile: profile, oldest: oldest, root: root)
}

extension TrustedMeasurements {
  /// - Parameter oldest: nil accepts any age, for releases that the caller chose one by one.
  init(
    _ releases: [SignedRelease], profile: String, oldest: ReleaseVersion?, root: SigstoreRoot
  ) throws(TrustError) {
    guard !releases.isEmpty else {
      throw AcceptedImages.misconfigured("with no release listed no quote would ever be accepted")
    }
    let signature = ReleaseSignature(root: root)
    var images: [TrustedImage] = []
    for release in releases {
      guard let version = ReleaseVersion(release.version) else {
        throw .refused(.release, "a release's version is none")
      }
      guard oldest.map({ version >= $0 }) ?? true else {
        throw .refused(.release, "the release \(version) is older than the oldest that is accepted")
      }
      images.append(try release.verifiedImage(profile: profile, signature: signature))
    }
    let shared = images[0].acceptedStatuses.filter { status in
      images.allSatisfy { $0.acceptedStatuses.contains(status) }
    }
    guard !shared.isEmpty else {
      throw .refused(.release, "there is no state of a platform that all of the releases accept")
    }
    self.images = images
    acceptedStatuses = shared
  }
}

/// Releases that the caller chose, whatever a node says it runs.
package struct ChosenReleases: ReleaseTrust {
  private let documents: [SignedRelease]
  private let profile: String
  private let oldest: ReleaseVersion?
  private let root: SigstoreRoot

  /// - Parameter oldest: nil accepts any age.
  package init(
    documents: [SignedRelease], profile: String, oldest: ReleaseVersion? = nil, root: SigstoreRoot
  ) {
    self.documents = documents
    self.profile = profile
    self.oldest = oldest
    self.root = root
  }

  package func images(ofRelease claimedRelease: String?) async throws -> [TrustedImage] {
    let trusted = try TrustedMeasurements(documents, profile: profile, oldest: oldest, root: root)
    return trusted.images.map { image in
      var image = image
      image.acceptedStatuses = trusted.acceptedStatuses
      return image
    }
  }
}
