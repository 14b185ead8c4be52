import Foundation
import MeroKitTestSupport
import MeroTrust
import MeroWire

extension QuoteFiles {
  /// A quote that holds, under a root of its own, and as much to read as with a real one: a padded quote of 8,000 bytes,
  /// seventy revoked keys, nine levels of patches and several versions of the module.
  static func madeUp() throws -> QuoteFiles {
    var platform = TestPlatform()
    platform.platformList.serialNumbers = (0..<70).map { 100_000 + $0 }
    let statuses = ["UpToDate", "SWHardeningNeeded", "OutOfDate"]
    platform.setTCBInfo(
      "tcbLevels",
      .array(
        (0..<9).map { age in
          TestPlatform.level(
            statuses[min(age, 2)], pceSvn: 13 - age,
            advisories: (0..<age).map { .string("INTEL-SA-0\(1000 + $0)") })
        }))
    platform.quote.padding = [UInt8](repeating: 0, count: max(0, 8_000 - (try platform.quoteBytes().count)))
    return QuoteFiles(
      quote: try platform.quoteBytes(), collateral: try platform.collateral().data(),
      root: try platform.quoteRoot(), time: TestPlatform.now)
  }
}
