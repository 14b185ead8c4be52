/// Where a platform and its parts stand among the levels that Intel knows (50 §3.7 to §3.10).
struct MatchedLevels {
  let platform: PlatformLevel
  let module: SvnLevel?
  let qe: SvnLevel
  /// The status of the first level that the SGX half alone reaches.
  private let sgxStatus: TCBStatus

  init(
    _ quote: TDXQuote, _ values: PCKPlatform, _ statements: IntelStatements
  ) throws(TrustError) {
    let info = statements.tcbInfo
    qe = try statements.qeIdentity.level(of: quote.signature.qeReport)
    let teeTcbSvn = [UInt8](quote.report.teeTcbSvn)
    let reached = info.levels.filter { $0.isReachedBy(cpuSvn: values.cpuSvn, pceSvn: values.pceSvn) }
    guard let sgx = reached.first, let level = reached.first(where: { $0.isReachedBy(teeTcbSvn: teeTcbSvn) })
    else {
      throw .refused(.tcbLevel, "the platform's patches are older than any level that Intel still knows")
    }
    sgxStatus = sgx.status
    platform = level
    module = try levelOfTDXModule(quote.report, info)
  }

  /// The platform's level and the module's together.
  var platformStatus: TCBStatus { platform.status.merged(with: module?.status) }

  func status(_ report: TDReport, _ info: TCBInfo) throws(TrustError) -> TCBStatus {
    try PlatformStatuses(
      sgx: sgxStatus, module: module?.status, qe: qe.status, platform: platformStatus
    ).merged(report, info)
  }

  var advisories: [String] {
    (platform.advisories + (module?.advisories ?? []) + qe.advisories).reduce(into: []) { list, advisory in
      if !list.contains(advisory) { list.append(advisory) }
    }
  }
}
