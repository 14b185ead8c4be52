import Foundation

/// What an accepted quote says, and what was checked: plain values that an app can show.
public struct TrustReport: Sendable, Hashable {
  /// Whether it was a mock quote, which proves nothing about hardware.
  public var isMock: Bool
  /// The release whose measurements were found, if the verifier looked for one.
  public var release: String?
  /// The profile of that release, such as `locked-read-only`.
  public var profile: String?
  /// What runs in the trust domain; `nil` for a mock quote.
  public var measurements: Measurements?
  /// How current the platform is; `nil` for a mock quote.
  public var status: TCBStatus?
  /// Intel's security advisories that apply to the platform, by id.
  public var advisories: [String]
  /// The hardware under it and how long Intel's word about it holds; `nil` when the verifier does not say.
  public var platform: PlatformReport?
  /// The steps that were checked and passed, in order; empty when the verifier does not say.
  public var passed: [TrustStage]
  /// When it was verified.
  public var verifiedAt: Date

  /// A report with these parts.
  public init(
    isMock: Bool, release: String? = nil, profile: String? = nil, measurements: Measurements? = nil,
    status: TCBStatus? = nil, advisories: [String] = [], platform: PlatformReport? = nil,
    passed: [TrustStage] = [], verifiedAt: Date
  ) {
    self.isMock = isMock
    self.release = release
    self.profile = profile
    self.measurements = measurements
    self.status = status
    self.advisories = advisories
    self.platform = platform
    self.passed = passed
    self.verifiedAt = verifiedAt
  }
}

/// The hardware under a trust domain, as Intel's collateral describes it.
public struct PlatformReport: Sendable, Hashable {
  /// The kind of platform (FMSPC), 6 bytes.
  public var fmspc: [UInt8]
  /// The status of the platform and its TDX module, without the quoting enclave.
  public var status: TCBStatus
  /// The date of the patch level that the platform has.
  public var tcbDate: Date
  /// The status of the TDX module alone; `nil` for modules without a version.
  public var moduleStatus: TCBStatus?
  /// The status of the quoting enclave alone.
  public var quotingEnclaveStatus: TCBStatus
  /// When Intel said all this.
  public var collateralFrom: Date
  /// When the first part of what Intel said runs out.
  public var collateralUntil: Date

  /// A report with these parts.
  public init(
    fmspc: [UInt8], status: TCBStatus, tcbDate: Date, moduleStatus: TCBStatus?,
    quotingEnclaveStatus: TCBStatus, collateralFrom: Date, collateralUntil: Date
  ) {
    self.fmspc = fmspc
    self.status = status
    self.tcbDate = tcbDate
    self.moduleStatus = moduleStatus
    self.quotingEnclaveStatus = quotingEnclaveStatus
    self.collateralFrom = collateralFrom
    self.collateralUntil = collateralUntil
  }
}
