// Generated from openapi/openapi.json by scripts/generate-openapi.sh; not edited by hand.

extension Components.Schemas {
  /// A node release the cluster knows.
  public struct Release: Codable, Sendable, Hashable {
    /// The mero-tee release.
    public var release: String
    /// Whether nodes may run it.
    public var allowed: Bool
    /// The image profile.
    public var profile: String?
    /// The five registers that name an image, each 48 bytes in lower-case hex.
    public var measurements: Measurements
    /// Unix milliseconds.
    public var addedAt: Int64

    /// Creates one from its fields.
    public init(
      release: String,
      allowed: Bool,
      profile: String? = nil,
      measurements: Measurements,
      addedAt: Int64
    ) {
      self.release = release
      self.allowed = allowed
      self.profile = profile
      self.measurements = measurements
      self.addedAt = addedAt
    }
  }

  /// The five registers that name an image, each 48 bytes in lower-case hex.
  public struct Measurements: Codable, Sendable, Hashable {
    /// The TD's build-time measurement.
    public var mrtd: String
    /// Runtime register 0.
    public var rtmr0: String
    /// Runtime register 1.
    public var rtmr1: String
    /// Runtime register 2.
    public var rtmr2: String
    /// Runtime register 3.
    public var rtmr3: String

    /// Creates one from its fields.
    public init(mrtd: String, rtmr0: String, rtmr1: String, rtmr2: String, rtmr3: String) {
      self.mrtd = mrtd
      self.rtmr0 = rtmr0
      self.rtmr1 = rtmr1
      self.rtmr2 = rtmr2
      self.rtmr3 = rtmr3
    }
  }

  /// Releases the cluster knows.
  public struct ReleaseList: Codable, Sendable, Hashable {
    /// Newest first.
    public var releases: [Release]

    /// Creates one from its fields.
    public init(releases: [Release]) {
      self.releases = releases
    }
  }
}
