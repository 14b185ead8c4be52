/// Says what signed releases of the node image measure (50 §5).
///
/// A verifier that goes by releases asks this for every quote that is genuine. It never takes a node's word: the
/// node only says which release to look up; that the registers are those of the release is checked by the verifier.
public protocol ReleaseTrust: Sendable {
  /// The images that a node may run that says it runs `claimedRelease`, each with its signature and version checked.
  ///
  /// - Throws: ``TrustError/unavailable(_:)`` when a release could only not be fetched;
  ///   ``TrustError/refused(_:)`` with `releaseUnknown` when the node names none or one that does not exist, and with
  ///   `releaseInvalid` when a signature does not hold or the release is below the floor.
  func images(ofRelease claimedRelease: String?) async throws -> [TrustedImage]
}

/// An image of a signed release.
public struct TrustedImage: Sendable, Hashable {
  /// The release's version, such as `2.3.109`.
  public var release: String
  /// The release's profile, such as `locked-read-only`.
  public var profile: String
  /// All five registers.
  public var measurements: Measurements
  /// The platform statuses that the release itself accepts.
  public var acceptedStatuses: [TCBStatus]

  /// An image with these parts.
  public init(release: String, profile: String, measurements: Measurements, acceptedStatuses: [TCBStatus]) {
    self.release = release
    self.profile = profile
    self.measurements = measurements
    self.acceptedStatuses = acceptedStatuses
  }
}

/// Knows no release, so that nothing passes.
struct NoReleases: ReleaseTrust {
  func images(ofRelease claimedRelease: String?) async throws -> [TrustedImage] {
    throw TrustError.refused(
      for: .releaseUnknown,
      "the quote is genuine, but nothing is set that could say which images are released")
  }
}
