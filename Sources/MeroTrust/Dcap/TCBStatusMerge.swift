extension TCBStatus {
  /// The statuses a platform's level can have. The others are only ever a result.
  static let ofPlatformLevels: [TCBStatus] = [
    .upToDate, .swHardeningNeeded, .configurationNeeded, .configurationAndSWHardeningNeeded, .outOfDate,
    .outOfDateConfigurationNeeded, .revoked,
  ]

  var needsConfiguration: Bool {
    self == .configurationNeeded || self == .configurationAndSWHardeningNeeded
      || self == .outOfDateConfigurationNeeded
  }

  /// This status once a part of the platform, the TDX module or the quoting enclave, has `part` (50 §3.10).
  func merged(with part: TCBStatus?) -> TCBStatus {
    switch (part, self) {
    case (.revoked?, _): .revoked
    case (.outOfDate?, .upToDate), (.outOfDate?, .swHardeningNeeded): .outOfDate
    case (.outOfDate?, .configurationNeeded), (.outOfDate?, .configurationAndSWHardeningNeeded):
      .outOfDateConfigurationNeeded
    default: self
    }
  }
}

/// What the parts of a platform are, each for itself.
struct PlatformStatuses {
  /// The first level that the SGX half of the platform reaches.
  let sgx: TCBStatus
  /// The module's; nil without a version.
  let module: TCBStatus?
  let qe: TCBStatus
  /// The level's, merged with the module's.
  let platform: TCBStatus

  /// Whether the platform was brought up to date under a trust domain that still runs on what was there before: to
  /// start the domain anew is all that is missing (50 §3.10 step 2).
  private func isRelaunchEnough(_ report: TDReport, _ info: TCBInfo) throws(TrustError) -> Bool {
    guard let svn2 = report.teeTcbSvn2.map([UInt8].init), let highest = info.levels.first,
      qe != .outOfDate, qe != .revoked, module == .outOfDate,
      [.upToDate, .swHardeningNeeded, .configurationNeeded, .configurationAndSWHardeningNeeded].contains(sgx),
      platform == .outOfDate || platform == .outOfDateConfigurationNeeded
    else { return false }
    var firstByte = Int(highest.tdx[0])
    if svn2[1] > 0 {
      guard let identity = info.identity(ofVersion: svn2[1]) else {
        throw .refused(.tdxModule, "Intel does not know a TDX module of version \(svn2[1])")
      }
      guard let level = identity.levels.first else { return false }
      firstByte = level.isvSvn
    }
    return Int(svn2[0]) >= firstByte && svn2[2] >= highest.tdx[2]
  }

  /// The one status that stands for all.
  func merged(_ report: TDReport, _ info: TCBInfo) throws(TrustError) -> TCBStatus {
    guard try isRelaunchEnough(report, info) else { return platform.merged(with: qe) }
    let status: TCBStatus =
      sgx.needsConfiguration || platform.needsConfiguration
      ? .tdRelaunchAdvisedConfigurationNeeded : .tdRelaunchAdvised
    return status.merged(with: qe)
  }
}
