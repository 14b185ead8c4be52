/// Whose signatures count in the end: a root for the hardware and one for the releases that run on it.
///
/// Programs that people use leave this at ``builtIn``. Whoever holds the keys of another root can make everything pass;
/// a test's own roots let it run the real checks over hardware that does not exist.
public struct TrustRoots: Sendable, Hashable {
  /// What quotes have to lead to.
  public var quotes: QuoteRoot
  /// What the signatures of releases have to lead to.
  public var releases: SigstoreRoot

  /// These roots.
  public init(quotes: QuoteRoot = .intel, releases: SigstoreRoot = .publicGood) {
    self.quotes = quotes
    self.releases = releases
  }

  /// Intel's root and Sigstore's public-good instance.
  public static let builtIn = TrustRoots()
}
