import Foundation
import MeroHTTP
import MeroTrust
import MeroWire

extension FakeCloudNode {
  /// What a node presents when it is attested.
  public enum Attestation: String, Sendable, Hashable, CaseIterable {
    /// A quote that proves all it should; a mock one in a cluster without ``TestPKI``.
    case good
    /// A mock quote.
    case mock
    /// The debug image of the release it names.
    case debugImage
    /// The right image, in a trust domain that its host may look into.
    case debugDomain
    /// Registers of two images of the release it names.
    case mixedRegisters
    /// A release that is signed and too old, which it does run.
    case oldRelease
    /// A release whose signature is none.
    case unsignedRelease
    /// A release that another workflow of the same repository signed.
    case resignedRelease
    /// A release that was signed under another root.
    case foreignRelease
    /// A release that the mirror does not have.
    case unknownRelease
    /// A release that is signed, and another one's registers.
    case wrongRelease
    /// A platform whose certificate is revoked.
    case revokedPlatform
    /// Collateral that ran out yesterday.
    case expiredCollateral
    /// A platform that lacks patches. Releases accept that; a policy may not.
    case outOfDatePlatform
  }

  /// Presents this from the next attestation on. All but `good` and `mock` need a cluster with a ``TestPKI``.
  public func present(_ what: Attestation) {
    precondition(canPresent(what), "the cluster was made without a TestPKI")
    faults.withLock { $0.presented = what }
  }

  package func canPresent(_ what: Attestation) -> Bool { tdx != nil || what == .good || what == .mock }
}

extension FakeCloudNode.Attestation {
  /// What a node answers about itself.
  struct Presented: Sendable {
    let quote: [UInt8]
    let release: String
    var collateral: JSONValue?
  }

  /// - Parameter pki: nil in a cluster of mock quotes.
  func presented(_ reportData: [UInt8], by pki: TestPKI?, at time: Date) -> Presented {
    guard let pki, self != .mock else {
      return Presented(quote: FakeQuote.mock(reportData), release: "dev")
    }
    let platform = platform(at: time)
    return Presented(
      quote: pki.quote(reportData, image: image(of: pki), on: platform, isDebug: self == .debugDomain),
      release: releaseVersion, collateral: pki.collateral(of: platform))
  }

  /// The release that the node says it runs.
  var releaseVersion: String {
    switch self {
    case .oldRelease: TestPKI.oldRelease
    case .wrongRelease: TestPKI.nextRelease
    case .unsignedRelease: "2.3.122"
    case .resignedRelease: "2.3.123"
    case .foreignRelease: "2.3.124"
    case .unknownRelease: "2.3.125"
    default: TestPKI.release
    }
  }

  /// What the mirror serves for that; nil for a release that was never published.
  func release(of pki: TestPKI) -> SignedRelease? {
    switch self {
    case .unsignedRelease: pki.release(releaseVersion, signing: .garbage)
    case .resignedRelease: pki.release(releaseVersion, signing: .anotherWorkflow)
    case .foreignRelease: pki.release(releaseVersion, signing: .anotherRoot)
    case .unknownRelease: nil
    default: pki.release(releaseVersion)
    }
  }

  private func image(of pki: TestPKI) -> Measurements {
    switch self {
    case .debugImage: return pki.image("debug")
    case .mixedRegisters:
      var image = pki.image()
      image.rtmr[2] = pki.image("debug").rtmr[2]
      return image
    case .wrongRelease: return pki.image()
    default: return pki.image(of: releaseVersion)
    }
  }

  private func platform(at time: Date) -> TestPKI.Platform {
    // A node fetches its collateral anew from time to time. Whole days, so that it is made once a day.
    let day: TimeInterval = 86_400
    let today = Date(timeIntervalSince1970: (time.timeIntervalSince1970 / day).rounded(.down) * day)
    var platform = TestPKI.Platform(collateral: DateInterval(start: today - day, duration: 30 * day))
    switch self {
    case .revokedPlatform: platform.isRevoked = true
    case .expiredCollateral: platform.collateral = DateInterval(start: today - 31 * day, duration: 30 * day)
    case .outOfDatePlatform:
      platform.status = .outOfDate
      platform.advisories = ["INTEL-SA-00837"]
    default: break
    }
    return platform
  }
}
