import Foundation
import MeroAPI

/// An access token as it goes out with a request, and enough to say later which session it was of.
struct Bearer: Sendable, Hashable {
  let token: String
  let sessionId: String
  let accountId: String
  /// The node that gave it. For half a minute the others may not know it yet.
  let issuedBy: URL?
  /// When it was given, on the monotonic clock.
  let issuedAtUptime: TimeInterval
  /// Counts sign-ins and sign-outs: what belongs to an earlier one must not change a later one.
  let generation: Int
}

/// Which session a client has, and what a request that needs one has to do first. Pure: time comes in, and
/// whoever drives it reads, refreshes and saves (70 §2.9).
struct SessionMachine: Sendable {
  /// Both clocks at one moment.
  struct Moment: Sendable {
    let now: Date
    let uptime: TimeInterval

    var milliseconds: Int64 { Int64(now.timeIntervalSince1970 * 1000) }
  }

  /// A session in use.
  struct Held: Sendable, Hashable {
    let stored: StoredSession
    let issuedAtUptime: TimeInterval
    let generation: Int

    /// When the access token ends, on the monotonic clock: a wrong wall clock must not matter.
    var endsAtUptime: TimeInterval {
      issuedAtUptime + TimeInterval(stored.session.accessExpiresInMs) / 1000
    }

    var bearer: Bearer {
      Bearer(
        token: stored.session.accessToken, sessionId: stored.session.sessionId,
        accountId: stored.session.accountId, issuedBy: stored.issuedBy, issuedAtUptime: issuedAtUptime,
        generation: generation)
    }
  }

  /// What a request has to do.
  enum Need: Sendable, Hashable {
    /// Read the store, then ask again.
    case read
    /// Send this.
    case token(Bearer)
    /// Refresh this, then ask again.
    case refresh(Held)
    /// Fail.
    case signedOut(SignedOutReason)
  }

  private enum State: Sendable {
    case unread
    case signedOut(SignedOutReason)
    case signedIn(Held)
  }

  /// A token with less left than this is refreshed before it is used.
  static let refreshAhead: TimeInterval = 60

  private var state = State.unread
  private(set) var generation = 0

  var isUnread: Bool { if case .unread = state { true } else { false } }

  var held: Held? { if case .signedIn(let held) = state { held } else { nil } }

  /// What the world is told; nothing before the store was read.
  var change: AuthChange? {
    switch state {
    case .unread: nil
    case .signedOut(let reason): .signedOut(reason)
    case .signedIn(let held): .signedIn(held.stored.account)
    }
  }

  /// The record of somebody else's cluster is not this client's to delete.
  var mayClearStore: Bool {
    if case .signedOut(.otherCluster) = state { false } else { true }
  }

  // MARK: Requests

  /// What a request needs that has not been sent yet.
  ///
  /// `acceptsShort` is for a request that has just waited for a refresh: it takes what there is.
  func need(at moment: Moment, acceptsShort: Bool = false) -> Need {
    switch state {
    case .unread: .read
    case .signedOut(let reason): .signedOut(reason)
    case .signedIn(let held):
      acceptsShort || held.endsAtUptime - moment.uptime >= Self.refreshAhead
        ? .token(held.bearer) : .refresh(held)
    }
  }

  /// What a request needs that a node answered with `TOKEN_EXPIRED`; `waited` once it has waited for a refresh.
  func need(afterExpiryOf sent: Bearer, waited: Bool = false) -> Need {
    switch state {
    case .unread: return .read
    case .signedOut(let reason): return .signedOut(reason)
    case .signedIn(let held):
      // A request begun as one account must not be finished as another.
      guard held.stored.session.accountId == sent.accountId else { return .signedOut(.signedOut) }
      return held.bearer.token == sent.token && !waited ? .refresh(held) : .token(held.bearer)
    }
  }

  /// The session of another cluster than the client's is not used, and not touched (70 §2.9).
  mutating func require(cluster: String?) {
    guard let cluster, let held, held.stored.clusterId != cluster else { return }
    generation += 1
    state = .signedOut(.otherCluster)
  }

  // MARK: Changes

  /// The store was read for the first time. Answers whether the record has to be cleared.
  mutating func read(_ record: StoredSession?, cluster: String?, at moment: Moment) -> Bool {
    guard isUnread else { return false }
    guard let record else {
      state = .signedOut(.never)
      return false
    }
    if let cluster, record.clusterId != cluster {
      state = .signedOut(.otherCluster)
      return false
    }
    if record.refreshEndsAt <= moment.milliseconds {
      state = .signedOut(.expired)
      return true
    }
    generation += 1
    state = .signedIn(hold(record, at: moment))
    return false
  }

  /// A refresh brought new tokens. They are kept only if nobody signed in or out since it began.
  mutating func refreshed(_ old: Held, with record: StoredSession, at moment: Moment) -> Held? {
    guard old.generation == generation, held != nil else { return nil }
    let new = hold(record, at: moment)
    state = .signedIn(new)
    return new
  }

  /// Somebody signed in. Answers the session that was in use.
  mutating func adopt(_ record: StoredSession, at moment: Moment) -> StoredSession? {
    let previous = held?.stored
    generation += 1
    state = .signedIn(hold(record, at: moment))
    return previous
  }

  /// The session is over. Answers it; nil when there was none.
  mutating func end(_ reason: SignedOutReason) -> StoredSession? {
    let previous = held?.stored
    generation += 1
    state = .signedOut(reason)
    return previous
  }

  /// How old the tokens are is what their record says, if the wall clock did not go back since.
  private func hold(_ record: StoredSession, at moment: Moment) -> Held {
    let age = TimeInterval(moment.milliseconds &- record.savedAt) / 1000
    let spent = age >= 0 ? age : TimeInterval(record.session.accessExpiresInMs) / 1000
    return Held(stored: record, issuedAtUptime: moment.uptime - spent, generation: generation)
  }
}

extension StoredSession {
  /// When the refresh token ends, on this device's wall clock.
  ///
  /// The node gave the times by its own clock and one of them as a span too, which tells how the two differ.
  fileprivate var refreshEndsAt: Int64 {
    let issuedAt = session.accessExpiresAt.subtractingReportingOverflow(session.accessExpiresInMs)
    let life = session.refreshExpiresAt.subtractingReportingOverflow(issuedAt.partialValue)
    let end = savedAt.addingReportingOverflow(life.partialValue)
    guard !issuedAt.overflow, !life.overflow, !end.overflow else { return session.refreshExpiresAt }
    return end.partialValue
  }
}

extension SignedOutReason {
  /// What a refused refresh means (70 §2.9 step 5); nil when the session may still be good.
  init?(refreshRefusal refusal: APIError) {
    guard refusal.status == 401 else { return nil }
    switch refusal.code {
    case .refreshReused: self = .reused
    case .tokenRevoked, .unauthenticated: self = .revoked
    case .tokenExpired: self = .expired
    default: return nil
    }
  }
}
