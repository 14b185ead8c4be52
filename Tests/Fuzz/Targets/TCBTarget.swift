import Foundation
import MeroKitTestSupport
import MeroWire

@testable import MeroTrust

extension FuzzTarget {
  /// What Intel says, as JSON text. What can be read is signed by the made-up Intel and taken through a verification.
  static let tcb = FuzzTarget(name: "tcb", dictionary: "json") {
    var platform = TestPlatform()
    let first = [platform.tcbInfo, platform.qeIdentity]
    platform.setLevels(
      TestPlatform.level("UpToDate", pceSvn: 14), TestPlatform.level("OutOfDate", advisories: ["INTEL-SA-1"]),
      TestPlatform.level("Revoked", pceSvn: 0))
    platform.setTCBInfo("tdxModuleIdentities", nil)
    let level = TestPlatform.svnLevel(4, "UpToDate").text
    var long = TestPlatform()
    long.setQEIdentity(
      "tcbLevels", .array(Array(repeating: TestPlatform.svnLevel(4, "UpToDate"), count: 500)))
    return (first + [platform.tcbInfo, long.qeIdentity]).map { Array($0.text.utf8) } + [
      filled(with: Array(level.utf8))
    ]
  } check: { bytes in
    let text = String(decoding: bytes, as: UTF8.self)
    var platform = Fixture.platforms[0]
    if let info = unlessRefused(TrustError.self, { try TCBInfo(text) }) {
      hold(info.fmspc.count == 6 && info.pceId.count == 2, "kinds of platforms have their sizes")
      hold(!zip(info.levels, info.levels.dropFirst()).contains { $1.isHigher(than: $0) }, "levels go down")
      for identity in info.moduleIdentities { requireDescending(identity.levels) }
      platform.tcbInfo = try JSONValue(parsing: text)
    } else if let identity = unlessRefused(TrustError.self, { try QEIdentity(text) }) {
      requireDescending(identity.levels)
      platform.qeIdentity = try JSONValue(parsing: text)
    } else {
      return
    }
    for useReport15 in [false, true] {
      if useReport15 { platform.quote.useReport15() }
      guard let verdict = unlessRefused(TrustError.self, { try platform.verify() }) else { continue }
      hold(verdict.status != .revoked, "no revoked platform is accepted")
      hold(verdict.platform.fmspc == [0x30, 0x80, 0x6F, 0, 0, 1], "the collateral is about this platform")
      hold(
        verdict.platform.collateralFrom <= TestPlatform.now
          && TestPlatform.now <= verdict.platform.collateralUntil,
        "the collateral holds now")
      hold(Set(verdict.advisories).count == verdict.advisories.count, "an advisory is named once")
    }
  }

  private static func requireDescending(_ levels: [SvnLevel]) {
    hold(!zip(levels, levels.dropFirst()).contains { $0.isvSvn < $1.isvSvn }, "levels go down")
  }
}
