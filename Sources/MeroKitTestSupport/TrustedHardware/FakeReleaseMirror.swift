import Foundation
import MeroHTTP
import MeroTrust
import MeroWire

/// Serves signed releases as a mirror does (50 §5.4): `GET /api/tee/node-releases/{version}`.
///
/// ``handle(_:)`` is its one door, for ``FakeCloud/transport`` and for a listener on a socket alike.
public final class FakeReleaseMirror: Sendable {
  /// How a mirror fails.
  public enum Outage: Sendable, Hashable {
    /// Nothing listens there.
    case refused
    /// It answers with this status and a page.
    case status(Int)
    /// It answers 200 with something that is no release.
    case nonsense
  }

  private struct State {
    var releases: [String: SignedRelease] = [:]
    var outage: Outage?
    var asked: [String] = []
  }

  private static let path = "/api/tee/node-releases/"
  private let state = Locked(State())

  /// A mirror of these releases.
  public init(_ releases: [SignedRelease] = []) {
    for release in releases { publish(release) }
  }

  /// A mirror of every release that a node of ``FakeCloud`` may name.
  public convenience init(_ pki: TestPKI) {
    self.init(FakeCloudNode.Attestation.allCases.compactMap { $0.release(of: pki) })
  }

  /// Serves a release from now on, in place of one of the same version.
  public func publish(_ release: SignedRelease) {
    state.withLock { $0.releases[release.version] = release }
  }

  /// Fails from now on; `nil` works again.
  public func fail(_ outage: Outage?) { state.withLock { $0.outage = outage } }

  /// The versions it was asked for, in order, those it does not have included.
  public var asked: [String] { state.withLock { $0.asked } }

  /// Answers a request. Throws `TransportError` when the connection is to be refused.
  public func handle(_ request: HTTPRequest) async throws -> HTTPResponse {
    let path = request.url.path
    guard path.hasPrefix(Self.path) else { return Self.refusal(404, "there is no such path") }
    guard request.method == .get else { return Self.refusal(405, "use GET") }
    let version = String(path.dropFirst(Self.path.count))
    let (release, outage) = state.withLock { state in
      state.asked.append(version)
      return (state.releases[version], state.outage)
    }
    switch outage {
    case .refused:
      throw TransportError(kind: .cannotConnect, text: "the mirror is away", mayHaveBeenSent: false)
    case .status(let status): return Self.refusal(status, "the mirror has failed")
    case .nonsense: return Self.json(200, ["data": [:]])
    case nil: break
    }
    guard let release else { return Self.refusal(404, "there is no release of this version") }
    let data: JSONValue = [
      "version": .string(release.version), "publishedMrtds": .string(release.publishedMrtds),
      "bundle": .string(release.bundle),
    ]
    return Self.json(200, ["data": data])
  }

  private static func refusal(_ status: Int, _ text: String) -> HTTPResponse {
    json(status, ["error": ["message": .string(text)]])
  }

  private static func json(_ status: Int, _ value: JSONValue) -> HTTPResponse {
    HTTPResponse(
      status: status, headers: ["content-type": "application/json"], body: HTTPBody(value.data()))
  }
}
