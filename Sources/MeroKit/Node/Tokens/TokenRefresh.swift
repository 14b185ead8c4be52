import Foundation
import MeroHTTP

/// Asks a node for new tokens, once, and tells whether the refresh token may have been used up (10 §2.3).
struct TokenRefresh: Sendable {
  /// What became of it.
  enum Outcome: Sendable {
    case renewed(TokenData)
    /// It failed; `mayHaveTaken` when the node may have used up the refresh token all the same.
    case failed(MeroError, mayHaveTaken: Bool)

    var mayHaveTaken: Bool {
      switch self {
      case .renewed: true
      case .failed(_, let mayHaveTaken): mayHaveTaken
      }
    }
  }

  /// A connection without a session.
  let http: NodeHTTP

  func callAsFunction(_ pair: TokenData) async -> Outcome {
    let watch = DepartureWatch(http.transport)
    do {
      let answer = try await AuthApi(http: http.over(watch)).refreshToken(
        RefreshTokenRequest(accessToken: pair.accessToken, refreshToken: pair.refreshToken))
      guard !answer.accessToken.isBlank else {
        return .failed(.emptyResponse("an access token"), mayHaveTaken: true)
      }
      guard answer.fitsInAHeader else { return .failed(.unusableToken, mayHaveTaken: true) }
      return .renewed(
        TokenData(
          accessToken: answer.accessToken, refreshToken: answer.refreshToken, now: http.clock.now()))
    } catch {
      let error = MeroError(error)
      return .failed(error, mayHaveTaken: mayHaveTaken(error, hasLeft: watch.hasLeft))
    }
  }

  private func mayHaveTaken(_ error: MeroError, hasLeft: Bool) -> Bool {
    switch error {
    case .http(let refusal), .authRevoked(_, let refusal):
      // A token is marked as used before the new ones are made, and a proxy may have lost the node's answer.
      [500, 502, 504].contains(refusal.status) || (200..<400).contains(refusal.status)
    case .network: hasLeft
    default: true
    }
  }
}

/// Remembers whether a request may have left this machine.
private final class DepartureWatch: HTTPTransport {
  private let inner: any HTTPTransport
  private let left = Locked(false)

  init(_ inner: any HTTPTransport) { self.inner = inner }

  var hasLeft: Bool { left.withLock { $0 } }

  func send(_ request: HTTPRequest) async throws -> HTTPResponse {
    do {
      let response = try await inner.send(request)
      left.withLock { $0 = true }
      return response
    } catch let error as TransportError where !error.mayHaveBeenSent {
      throw error
    } catch {
      left.withLock { $0 = true }
      throw error
    }
  }
}

extension TokenResponse {
  /// Whether the access token can be sent: a session with any other would fail at its first request, and every one after.
  var fitsInAHeader: Bool { accessToken.isVisibleASCII }
}

extension TokenData {
  /// Likewise.
  var fitsInAHeader: Bool { accessToken.isVisibleASCII }
}

extension String {
  fileprivate var isVisibleASCII: Bool { utf8.allSatisfy { (0x21...0x7E).contains($0) } }
}

extension MeroError {
  static let unusableToken = MeroError.decoding("its access token has characters that no header can carry")
}
