import Foundation
import MeroHTTP

/// Fetches signed releases from a mirror, which is trusted for nothing: what it serves is signed (50 §5.4).
///
/// `GET {mirror}/api/tee/node-releases/{version}`, without credentials.
public struct ReleaseMirror: ReleaseSource {
  private static let largestAnswer = 2 << 20

  private let base: String
  private let transport: any HTTPTransport
  private let timeout: TimeInterval

  /// A mirror.
  ///
  /// - Parameters:
  ///   - baseURL: where it is, with or without a slash at the end, such as `https://cloud.calimero.network`.
  ///   - timeout: how long one release may take, in seconds.
  public init(_ baseURL: String, transport: any HTTPTransport, timeout: TimeInterval = 10) {
    base = String(baseURL.reversed().drop { $0 == "/" }.reversed())
    self.transport = transport
    self.timeout = timeout
  }

  /// The release, as the mirror serves it.
  ///
  /// - Throws: ``TrustError/refused(_:)`` with `releaseUnknown` when the mirror answers that there is no such release,
  ///   ``TrustError/unavailable(_:)`` for everything else that goes wrong.
  public func release(_ version: String) async throws -> SignedRelease {
    guard ReleaseVersion(version) != nil, let url = URL(string: "\(base)/api/tee/node-releases/\(version)"),
      url.host != nil
    else { throw TrustError.unavailable("the release mirror has no usable address") }
    let request = HTTPRequest(
      .get, url, headers: ["accept": "application/json"], timeout: timeout, idleTimeout: timeout)
    do {
      let response = try await transport.send(request)
      guard response.status == 200 else {
        response.body.cancel()
        if response.status == 404 {
          throw TrustError.refused(for: .releaseUnknown, "the release \(version) was never published")
        }
        throw TrustError.unavailable("the release mirror answered with \(response.status)")
      }
      return try SignedRelease(mirrorAnswer: try await response.body.collect(upTo: Self.largestAnswer))
    } catch let error as TransportError {
      throw TrustError.unavailable("the release mirror could not be asked: \(error.text)")
    }
  }
}
