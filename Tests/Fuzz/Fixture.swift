import Foundation
import MeroCrypto
import MeroKitTestSupport
import MeroWire

@testable import MeroTrust

/// A made-up platform whose quotes and collateral are good; what is mutated is held against them.
///
/// Signatures are random, so those of another run are other bytes; what they sign is the same.
enum Fixture {
  /// The platform as it is, and with quotes of other forms.
  static let platforms: [TestPlatform] = {
    let changes: [(inout TestPlatform) -> Void] = [
      { _ in }, { $0.quote.useReport15() }, { $0.quote.useVersion5() }, { $0.quote.certificationType = 1 },
      { $0.quote.padding = [UInt8](repeating: 0, count: 100) }, { $0.quote.setDebug() },
    ]
    return changes.map { change in
      var platform = TestPlatform()
      change(&platform)
      return platform
    }
  }()

  static let root = Result { try Certificate(der: try platforms[0].rootDER()) }
  static let verification = Result { DcapVerification(root: try platforms[0].quoteRoot()) }
  static let quote = Result { try platforms[0].quoteBytes() }
  static let collateral = Result { try platforms[0].collateral() }
  private static let verdicts = Result { try platforms.prefix(3).map { try $0.verify() } }

  /// Requires that a verdict about changed bytes says nothing that was not signed.
  static func requireKnown(_ verdict: DcapVerdict) throws {
    let isKnown = try verdicts.get().contains {
      verdict.report == $0.report && verdict.status == $0.status && verdict.advisories == $0.advisories
        && verdict.platform == $0.platform
    }
    hold(isKnown, "an accepted quote says what was signed")
  }
}
