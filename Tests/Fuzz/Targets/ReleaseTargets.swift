import Foundation
import MeroKitTestSupport
import MeroWire

@testable import MeroTrust

extension FuzzTarget {
  private static let pki = TestPKI(seed: 1, now: TestPlatform.now)
  private static let signed = pki.release(TestPKI.release)
  private static let signature = ReleaseSignature(root: pki.roots.releases)

  /// A cosign bundle, for a document that is signed.
  static let bundle = FuzzTarget(name: "bundle", dictionary: "json") {
    [
      signed.bundle, pki.release(TestPKI.release, signing: .anotherWorkflow).bundle,
      pki.release(TestPKI.release, signing: .garbage).bundle,
    ].map { Array($0.utf8) }
  } check: { bytes in
    let text = String(decoding: bytes, as: UTF8.self)
    guard let bundle = unlessRefused(TrustError.self, { try CosignBundle(parsing: text) }) else { return }
    hold(bundle.integratedTime >= 0 && bundle.logIndex >= 0, "times and places count from zero")
    hold(bundle.logID.utf8.count >= 64, "a log's id has 32 bytes")
    let isSigned: Void? = unlessRefused(TrustError.self) {
      try signature.verify(Array(signed.publishedMrtds.utf8), bundle: bundle)
    }
    guard isSigned != nil else { return }
    let good = try CosignBundle(parsing: signed.bundle)
    hold(
      bundle.integratedTime == good.integratedTime && bundle.logIndex == good.logIndex
        && bundle.logID.lowercased() == good.logID.lowercased(), "what is accepted is what the log recorded")
  }

  /// The document, under a bundle that is good; and what can be read of it when it is taken for signed.
  static let release = FuzzTarget(name: "release", dictionary: "json") {
    [Array(signed.publishedMrtds.utf8), Array(pki.release(TestPKI.nextRelease).publishedMrtds.utf8)]
  } check: { bytes in
    let text = String(decoding: bytes, as: UTF8.self)
    let changed = SignedRelease(version: TestPKI.release, publishedMrtds: text, bundle: signed.bundle)
    let image = unlessRefused(TrustError.self) {
      try changed.verifiedImage(profile: "locked-read-only", signature: signature)
    }
    hold(image == nil || text.utf8.elementsEqual(signed.publishedMrtds.utf8), "no other document is signed")
    guard let published = unlessRefused(TrustError.self, { try PublishedMeasurements(parsing: text) }) else {
      return
    }
    for name in published.profiles.keys {
      let image = unlessRefused(TrustError.self) { try published.image(ofProfile: name) }
      guard let image else { continue }
      hold(
        ([image.measurements.mrtd] + image.measurements.rtmr).map(\.count) == [48, 48, 48, 48, 48],
        "an image has all five registers")
      hold(!image.acceptedStatuses.contains(.revoked), "no release accepts a revoked platform")
    }
    _ = unlessRefused(TrustError.self) { try SignedRelease(mirrorAnswer: Data(bytes)) }
  }

  static let sigstoreRoot = FuzzTarget(name: "sigstore-root", dictionary: "json") {
    [Array(pki.sigstoreRoot.utf8)]
  } check: { bytes in
    let root = unlessRefused(TrustError.self) { try SigstoreRoot(trustedRoot: Data(bytes)) }
    guard let root else { return }
    hold(
      (1...16).contains(root.authorities.count) && (1...16).contains(root.logs.count), "there is one of each")
    hold(root.authorities.allSatisfy { !$0.chain.isEmpty }, "an authority has a certificate")
    hold(root.logs.allSatisfy { $0.id.count == 32 && $0.key.curve == .p256 }, "a log has a key")
    // Whatever root it is: a release that another one signed must not trap.
    _ = unlessRefused(TrustError.self) {
      try signed.verifiedImage(profile: "locked-read-only", signature: ReleaseSignature(root: root))
    }
  }
}
