import Foundation
import MeroAPI
import MeroHTTP

extension RequestEngine {
  /// Tells the cluster that a session is over: one try, five seconds, and no harm if it does not hear (70 §2.9).
  ///
  /// An access token lives for minutes and its session for weeks: when the token is over, it is renewed for this last request.
  /// Or whoever signs out after a while would leave a session behind that its refresh token still opens.
  func endSession(_ session: StoredSession) async {
    guard let request = try? Operations.AuthSignout.Input().request() else { return }
    var plan = RequestPlan(request)
    plan.bearerToken = session.session.accessToken
    plan.retry = RetryPolicy.none
    plan.timeout = 5
    plan.deadline = 5
    plan.isFarewell = true
    do {
      _ = try await perform(request, plan: plan)
    } catch let error as CalimeroError where error.code == .tokenExpired {
      guard let renewed = try? await renew(session) else { return }
      plan.bearerToken = renewed.session.accessToken
      plan.preferredNode = renewed.issuedBy
      _ = try? await perform(request, plan: plan)
    } catch {}
  }

  private func renew(
    _ session: StoredSession
  ) async throws -> (session: Components.Schemas.Session, issuedBy: URL) {
    try await withDeadline(5, clock: clock) { try await refreshSession(session.session.refreshToken) }
  }
}
