import Foundation
import MeroWire

/// A release of the node image as it was published: what it measures, and the signature over that (50 §5).
///
/// Making one checks nothing. ``SignedReleases`` and ``trustedMeasurementsFromReleases(_:profile:minimumVersion:root:)``
/// check the signature, its signer and the contents before they use any of it.
public struct SignedRelease: Sendable, Hashable {
  /// The version that its source says it is, such as `2.3.109`. The signed document has to say the same.
  public var version: String
  /// The exact text of the release's `published-mrtds.json`; a changed space would break the signature.
  public var publishedMrtds: String
  /// The text of the release's `published-mrtds.json.bundle.json`, a cosign bundle with a Rekor entry.
  public var bundle: String

  /// A release of these texts, for example from files inside an app.
  public init(version: String, publishedMrtds: String, bundle: String) {
    self.version = version
    self.publishedMrtds = publishedMrtds
    self.bundle = bundle
  }

  /// Reads what a release mirror answers: `{"data":{"version","publishedMrtds","bundle"}}`.
  ///
  /// - Throws: ``TrustError/unavailable(_:)`` for anything else.
  public init(mirrorAnswer body: Data) throws {
    guard let answer = try? JSONValue(parsing: body), let data = answer["data"],
      let version = data["version"]?.stringValue, let published = data["publishedMrtds"]?.stringValue,
      let bundle = data["bundle"]?.stringValue
    else { throw TrustError.unavailable("the mirror did not answer with a signed node release") }
    self.init(version: version, publishedMrtds: published, bundle: bundle)
  }
}

/// Where signed releases come from. Only bytes come from here, never trust: what arrives is checked like anything else.
public protocol ReleaseSource: Sendable {
  /// The release of this version.
  ///
  /// - Parameter version: already known to be a version, so that it can stand in a path.
  /// - Throws: ``TrustError/unavailable(_:)`` when it cannot be fetched now, ``TrustError/refused(_:)`` with
  ///   `releaseUnknown` when there is no such release; any other error counts as the former.
  func release(_ version: String) async throws -> SignedRelease
}
