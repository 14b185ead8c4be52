import MeroKitTestSupport
import MeroTrust
import Testing

@testable import MeroTrust

@Suite("platform statuses")
struct TCBStatusTests {
  @Test("a module's or a quoting enclave's status is merged as Intel's table says")
  func merging() {
    let all = TCBStatus.ofPlatformLevels + [.tdRelaunchAdvised, .tdRelaunchAdvisedConfigurationNeeded]
    for status in all {
      #expect(status.merged(with: nil) == status)
      #expect(status.merged(with: .upToDate) == status)
      #expect(status.merged(with: .revoked) == .revoked)
      let outOfDate: TCBStatus =
        switch status {
        case .upToDate, .swHardeningNeeded: .outOfDate
        case .configurationNeeded, .configurationAndSWHardeningNeeded: .outOfDateConfigurationNeeded
        default: status
        }
      #expect(status.merged(with: .outOfDate) == outOfDate)
    }
  }

  /// Who may be told to relaunch: report 1.5 with an old module, on a platform that is up to date by now.
  private func status(
    level: String = "UpToDate", svn2: [UInt8] = [5, 1, 6], qe: UInt8 = 4, kind15: Bool = true
  ) throws -> TCBStatus {
    var platform = TestPlatform()
    platform.setLevels(TestPlatform.level(level))
    platform.quote.report[0] = 3
    platform.quote.qeReport[258] = qe
    if kind15 { platform.quote.useReport15(teeTcbSvn2: svn2) }
    return try platform.verify().status
  }

  @Test("a trust domain under which the module was updated is advised to relaunch")
  func relaunch() throws {
    #expect(try status() == .tdRelaunchAdvised)
    #expect(try status(level: "SWHardeningNeeded") == .tdRelaunchAdvised)
    #expect(try status(level: "ConfigurationNeeded") == .tdRelaunchAdvisedConfigurationNeeded)
    #expect(try status(level: "ConfigurationAndSWHardeningNeeded") == .tdRelaunchAdvisedConfigurationNeeded)
    // The platform itself is old: to relaunch would not help.
    #expect(try status(level: "OutOfDate") == .outOfDate)
    #expect(try status(level: "OutOfDateConfigurationNeeded") == .outOfDateConfigurationNeeded)
    // The module was not updated far enough.
    #expect(try status(svn2: [3, 1, 6]) == .outOfDate)
    #expect(try status(svn2: [4, 1, 6]) == .tdRelaunchAdvised)
    #expect(try status(svn2: [5, 1, 5]) == .outOfDate)
    // A module without a version is compared with the highest level.
    #expect(try status(svn2: [5, 0, 6]) == .tdRelaunchAdvised)
    #expect(try status(svn2: [4, 0, 6]) == .outOfDate)
    // The quoting enclave is old too.
    #expect(try status(qe: 3) == .outOfDate)
    #expect(try status(kind15: false) == .outOfDate)
    #expect(throws: TrustError.self) { try status(svn2: [5, 7, 6]) }
    // A current module is no reason to relaunch.
    var current = TestPlatform()
    current.quote.useReport15(teeTcbSvn2: [5, 1, 6])
    #expect(try current.verify().status == .upToDate)
  }

  @Test("each attribute of a trust domain is judged by its own rule")
  func attributes() throws {
    let allowed: Set<Int> = [16, 18, 19, 20, 21, 22, 27, 30, 31, 62, 63]
    for bit in 0..<64 {
      var platform = TestPlatform()
      platform.quote.report[120 + bit / 8] ^= 1 << UInt8(bit % 8)
      let isAccepted: Bool
      do {
        _ = try platform.verify()
        isAccepted = true
      } catch TrustError.refused(let refusal) {
        #expect(refusal.stage == .tdAttributes)
        isAccepted = false
      }
      #expect(isAccepted == allowed.contains(bit), "bit \(bit)")
    }
  }
}
