import MeroHTTP

/// Which attestations a client accepts (70 §2.5).
///
/// ```swift
/// CalimeroClientOptions(baseUrl: "https://node.example", policy: .production)
/// CalimeroClientOptions(baseUrl: "http://127.0.0.1:2501", policy: .development)
/// ```
///
/// Choose `.production` for everything that people use. `.development` also trusts a mock quote, which proves nothing
/// about hardware, and only from this machine; name a developer's computer with `.development(hosts:)` to reach it from
/// a phone.
public struct TeePolicy: Sendable, Hashable {
  /// From where a mock quote is taken; `nil` means from nowhere.
  private let mockHosts: Set<String>?
  /// Statuses of the platform that are acceptable; `nil` leaves the list to the signed release, or to whoever
  /// verifies the quote.
  let acceptedStatuses: [TCBStatus]?
  /// The images that are acceptable; `nil` means those of signed releases.
  let images: [Measurements]?
  /// The releases that are acceptable; `nil` means whichever a node names that is recent enough.
  private let chosen: ChosenDocuments?

  private struct ChosenDocuments: Hashable {
    let documents: [SignedRelease]
    let profile: String
  }

  private init(
    mockHosts: Set<String>? = nil, acceptedStatuses: [TCBStatus]? = nil, images: [Measurements]? = nil,
    chosen: ChosenDocuments? = nil
  ) {
    self.mockHosts = mockHosts
    self.acceptedStatuses = acceptedStatuses
    self.images = images
    self.chosen = chosen
  }

  /// Real TDX quotes only, never a mock one, whatever the host: of a signed release, on a platform whose status the
  /// release itself lists as acceptable.
  public static let production = TeePolicy()

  /// As ``production``, and of the statuses that a release accepts only these.
  public static func production(tcb: [TCBStatus]) -> TeePolicy {
    TeePolicy(acceptedStatuses: tcb)
  }

  /// Mock quotes from this machine (`localhost`, `*.localhost`, `127.0.0.0/8`, `::1`), and what ``production`` accepts.
  public static let development = TeePolicy(mockHosts: [])

  /// As ``development``, and mock quotes from these hosts too. A host is a name or an address without scheme and port.
  public static func development(hosts: [String]) -> TeePolicy {
    TeePolicy(mockHosts: Set(hosts.map(normalized)))
  }

  /// Real TDX quotes of exactly one of these images, on platforms with one of these statuses.
  public static func measurements(
    _ images: [Measurements], tcb: [TCBStatus] = [.upToDate]
  ) -> TeePolicy {
    TeePolicy(acceptedStatuses: tcb, images: images)
  }

  /// Real TDX quotes of one of these releases, whose signatures are checked, whatever their age and whatever a node says
  /// it runs.
  ///
  /// - Parameters:
  ///   - profile: the image among those of each release.
  ///   - tcb: which of the statuses that all of the releases accept to accept; `nil` means all of them.
  public static func releases(
    _ documents: [SignedRelease], profile: String = "locked-read-only", tcb: [TCBStatus]? = nil
  ) -> TeePolicy {
    TeePolicy(acceptedStatuses: tcb, chosen: ChosenDocuments(documents: documents, profile: profile))
  }

  /// Whether a mock quote is accepted from the host of a node's URL.
  package func acceptsMock(host: String) -> Bool {
    guard let mockHosts else { return false }
    return Loopback.isLoopback(host: host) || mockHosts.contains(Self.normalized(host))
  }

  /// Whether a real quote can be accepted, so that asking for its collateral makes sense. Every policy accepts real
  /// ones; accepting mock ones as well does not change that.
  package var canAcceptReal: Bool { true }

  /// IPv6 addresses come with and without brackets, names in any case.
  private static func normalized(_ host: String) -> String {
    let host = host.lowercased()
    return host.hasPrefix("[") && host.hasSuffix("]") ? String(host.dropFirst().dropLast()) : host
  }

  /// The releases that the policy names, if it names any.
  func chosenReleases(root: SigstoreRoot) -> ChosenReleases? {
    chosen.map { ChosenReleases(documents: $0.documents, profile: $0.profile, root: root) }
  }

  /// What checks real quotes under this policy when the client was given nothing else.
  func verifier(
    releases: (any ReleaseTrust)?, roots: TrustRoots, clock: MeroClock
  ) throws -> DcapVerifier {
    let accepted: AcceptedImages
    if let images {
      accepted = try .images(images)
    } else if let chosen = chosenReleases(root: roots.releases) {
      accepted = .releases(chosen)
    } else {
      accepted = .releases(releases ?? NoReleases())
    }
    return DcapVerifier(accepted, acceptedStatuses: acceptedStatuses, root: roots.quotes, clock: clock)
  }
}
