import MeroHTTP

/// What a node says about a session.
public enum SessionCheck: Sendable, Hashable {
  /// It is good.
  case live
  /// It is not: only a new login helps.
  case ended(MeroError)
  /// The node could not be asked, so the session may be good.
  case unknown(MeroError)
}

extension Mero {
  /// Asks the node whether the session is good, and renews it if it is only old (10 §2.9).
  ///
  /// - Throws: `CancellationError`.
  public func checkSession() async throws -> SessionCheck {
    try await SessionQuestion(http: http).answer()
  }
}

/// The question whether a session is good. Unlike other requests it tells a refresh that failed for want of a network from
/// one that was refused.
struct SessionQuestion: Sendable {
  let http: NodeHTTP

  func answer() async throws -> SessionCheck {
    guard let session = http.session, let sent = await session.bearer() else {
      return .ended(.noCredentials)
    }
    do {
      return try await ask()
    } catch let error as MeroError {
      guard let refusal = error.http, refusal.isExpiredToken else { return Self.verdict(error) }
    }
    do {
      _ = try await session.refresh(sent: sent)
      return try await ask()
    } catch let error as MeroError {
      return Self.verdict(error)
    }
  }

  private func ask() async throws -> SessionCheck {
    _ = try await http.send(NodeRequest(.head, "/auth/validate", canRefresh: false))
    return .live
  }

  /// A node that is starting, busy or away has said nothing about the session.
  static func verdict(_ error: MeroError) -> SessionCheck {
    error.isRetryable ? .unknown(error) : .ended(error)
  }
}
