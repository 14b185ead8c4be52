import Foundation
import MeroAPI
import MeroHTTP

/// The one owner of a client's session: reads it, refreshes it once for everyone who waits, saves it before it
/// is used, and forgets it (70 §2.9).
actor SessionKeeper {
  /// `POST /auth/refresh` with this refresh token, within the ring and retry rules.
  typealias Refresh =
    @Sendable (_ refreshToken: String) async throws -> (
      session: Components.Schemas.Session, issuedBy: URL
    )

  /// Tells the cluster that a session is over, as well as it can be.
  typealias Revoke = @Sendable (_ session: StoredSession) async -> Void

  private let store: any SessionStore
  private let clock: MeroClock
  private let refresh: Refresh
  private let revoke: Revoke
  private nonisolated let announcements = Announcements<AuthChange>()

  private var machine = SessionMachine()
  private var reading: Task<StoredSession?, any Error>?
  private var flight: Flight?
  private var farewell: Task<Void, Never>?
  private let writes: SessionWrites

  init(
    store: any SessionStore, clock: MeroClock, refresh: @escaping Refresh,
    revoke: @escaping Revoke = { _ in }
  ) {
    self.store = store
    writes = SessionWrites(store)
    self.clock = clock
    self.refresh = refresh
    self.revoke = revoke
  }

  /// The token a request is sent with, refreshed first when less than a minute of it is left.
  ///
  /// - Throws: ``CalimeroError/signedOut(_:)``, whatever a refresh failed with, or
  ///   ``CalimeroError/cancelled``.
  func bearer(clusterId: String?) async throws -> Bearer {
    try await settle(cluster: clusterId) { machine, moment, waited in
      machine.need(at: moment, acceptsShort: waited)
    }
  }

  /// The token to send a request with again that was answered with `TOKEN_EXPIRED` when it carried `sent`.
  func refreshed(after sent: Bearer) async throws -> Bearer {
    try await settle(cluster: nil) { machine, _, waited in
      machine.need(afterExpiryOf: sent, waited: waited)
    }
  }

  /// A node answered `TOKEN_REVOKED` to a request that carried `sent`.
  func revoked(_ sent: Bearer, reason: SignedOutReason = .revoked) async {
    guard sent.generation == machine.generation, let held = machine.held else { return }
    await forget(held, reason)
  }

  /// Takes over a session that was just signed in to. It is in use from now on and saved on return.
  ///
  /// - Returns: the session it replaces.
  func adopt(_ session: Components.Schemas.Session, issuedBy: URL?) async throws -> StoredSession? {
    let record = StoredSession(session: session, issuedBy: issuedBy, savedAt: moment.milliseconds)
    let previous = machine.adopt(record, at: moment)
    let generation = machine.generation
    abandonFlight()
    announce()
    do {
      // Another process may be in the middle of refreshing the old session: what it saves must not be last.
      // In a task of its own: the session is in use already, so a caller that gives up must not keep it from the store.
      try await Task { [store] in
        try await store.withLock { try await self.save(record, generation: generation) }
      }.value
    } catch {
      throw CalimeroError.localFailure("the new session, which is in use, cannot be saved: \(error)")
    }
    return previous
  }

  /// Ends the session: memory and store are cleared on return. The session of another cluster is left alone, and that of
  /// another account, which a process signed in to since.
  ///
  /// - Returns: the sessions that ended: the one in use, and the one of the same account that was in the store instead.
  func end(_ reason: SignedOutReason, clusterId: String? = nil) async -> [StoredSession] {
    if machine.isUnread { try? await read(cluster: clusterId) }
    require(cluster: clusterId)
    guard machine.mayClearStore else { return [] }
    let isUnread = machine.isUnread
    let previous = machine.end(reason)
    abandonFlight()
    announce()
    let clearing = writes.clear { [writes] record in
      if let previous, record.isSameAccount(as: previous) { return true }
      // A store that could not be read until now holds what this client would have used.
      return writes.isOwn(record) || isUnread && record.clusterId == clusterId ?? record.clusterId
    }
    let cleared = try? await clearing.value
    var ended = previous.map { [$0] } ?? []
    if let cleared, cleared.session.sessionId != previous?.session.sessionId { ended.append(cleared) }
    if !ended.isEmpty { lookAgain(for: Set(ended.map(\.session.sessionId))) }
    return ended
  }

  /// Another process may have been in the middle of a refresh when the store was cleared, and have saved what it brought
  /// after that: once it has let go of the lock, the store is cleared of it. Whoever signs out does not wait for that.
  private func lookAgain(for ended: Set<String>) {
    Task {
      try? await store.withLock { try await self.clear(ended) }
    }
  }

  private func clear(_ ended: Set<String>) async throws {
    guard case .session(let record) = await writes.contents(), ended.contains(record.session.sessionId) else {
      return
    }
    _ = try await writes.clear { record in
      guard ended.contains(record.session.sessionId) else { return false }
      // A ceremony that is repeated within its minute may have given the same session again.
      return await self.machine.held?.stored.session.sessionId != record.session.sessionId
    }.value
  }

  /// Whether nobody has read the store yet.
  var isUnread: Bool { machine.isUnread }

  /// The session in use, reading the store if nobody has yet.
  func current() async -> StoredSession? {
    if machine.isUnread { try? await read(cluster: nil) }
    return machine.held?.stored
  }

  /// Reads the store if nobody has yet, for the given cluster.
  ///
  /// - Throws: ``CalimeroError/invalidInput(_:)`` when the store cannot be read.
  func restore(clusterId: String?) async throws -> StoredSession? {
    if machine.isUnread { try await read(cluster: clusterId) }
    require(cluster: clusterId)
    return machine.held?.stored
  }

  /// Who is signed in, now and from now on.
  ///
  /// - Parameter readStore: reads the store, so that there is a state to begin with.
  nonisolated func changes(readStore: @escaping @Sendable () async -> Void) -> AuthChanges {
    AuthChanges(announcements, readStore: readStore)
  }

  /// Where the store is not to be read: nobody is signed in, as far as this client goes.
  func announceNobody() {
    if machine.isUnread { announcements.announce(.signedOut(.never)) }
  }

  /// Waits until a session that is in use, or comes into use, is over. Answers why; nil when the client closes. Whoever
  /// signs in as another account ends the session that was in use as signing out does.
  nonisolated func sessionEnd() async -> SignedOutReason? {
    var inUse: CalimeroAccount?
    for await change in announcements.listen() {
      switch change {
      case .signedIn(let account):
        guard inUse ?? account == account else { return .signedOut }
        inUse = account
      case .signedOut(let reason): if inUse != nil { return reason }
      }
    }
    return nil
  }

  /// Ends whoever listens; nothing is forgotten. A refresh under way goes on to its end: the refresh token it was asked
  /// with is spent, so its answer may hold the only tokens that still work.
  func close() { announcements.close() }

  /// Returns when no refresh is under way, and the cluster was told of what ended by one.
  func landed() async {
    await flight?.task.value
    await farewell?.value
  }

  // MARK: Waiting for a token

  private var moment: SessionMachine.Moment {
    SessionMachine.Moment(now: clock.now(), uptime: clock.uptime())
  }

  private func settle(
    cluster: String?, _ need: (SessionMachine, SessionMachine.Moment, _ waited: Bool) -> SessionMachine.Need
  ) async throws -> Bearer {
    var waited = false
    while true {
      if Task.isCancelled { throw CalimeroError.cancelled }
      require(cluster: cluster)
      switch need(machine, moment, waited) {
      case .token(let bearer): return bearer
      case .signedOut(let reason): throw CalimeroError.signedOut(reason)
      case .read: try await read(cluster: cluster)
      case .refresh(let held):
        try await waitForRefresh(of: held)
        waited = true
      }
    }
  }

  private func require(cluster: String?) {
    machine.require(cluster: cluster)
    announce()
  }

  private func read(cluster: String?) async throws {
    let task = reading ?? Task { [store] in try await store.load() }
    reading = task
    do {
      let record = try await task.value
      reading = nil
      guard machine.isUnread else { return }
      if machine.read(record, cluster: cluster, at: moment) {
        _ = try? await writes.clear { $0 == record }.value
      }
      // Not a record of another cluster, which is none of this client's.
      if let record, machine.held?.stored == record { writes.found(record) }
      announce()
    } catch {
      // The Keychain before the first unlock, say: not a reason to take anybody for signed out.
      reading = nil
      throw CalimeroError.localFailure("the session store cannot be read: \(error)")
    }
  }

  private func announce() { if let change = machine.change { announcements.announce(change) } }

  // MARK: Refreshing

  /// A refresh under way, and where everyone waits for it.
  private struct Flight {
    let task: Task<Void, Never>
    let landing: Gate
  }

  private func waitForRefresh(of held: SessionMachine.Held) async throws {
    let flight = flight ?? takeOff(held)
    do {
      try await flight.landing.wait()
    } catch is CancellationError {
      // The refresh itself goes on, for the others and for the next request.
      throw CalimeroError.cancelled
    }
  }

  private func takeOff(_ held: SessionMachine.Held) -> Flight {
    let landing = Gate()
    let task = Task {
      let outcome = await self.outcome(of: held)
      if self.flight?.landing === landing { self.flight = nil }
      landing.open(outcome)
    }
    let flight = Flight(task: task, landing: landing)
    self.flight = flight
    return flight
  }

  /// Nobody needs the refresh any more: whoever waits looks again at what there is now.
  private func abandonFlight() {
    flight?.task.cancel()
    flight?.landing.open()
    flight = nil
  }

  private func outcome(of held: SessionMachine.Held) async -> Result<Void, any Error> {
    do {
      try await store.withLock { try await self.renew(held) }
      return .success(())
    } catch let error as CalimeroError {
      return .failure(error)
    } catch is CancellationError {
      return .failure(CalimeroError.cancelled)
    } catch {
      return .failure(CalimeroError.localFailure("the session store cannot be locked: \(error)"))
    }
  }

  private func isCurrent(_ held: SessionMachine.Held) -> Bool { held.generation == machine.generation }

  /// Runs in the store's lock: takes what another process refreshed, or refreshes and saves.
  private func renew(_ held: SessionMachine.Held) async throws {
    let contents = await writes.contents()
    guard isCurrent(held) else { return }
    if writes.isCleared(held.stored, by: contents) { throw leave(held.stored) }
    var base = held
    if case .session(let record) = contents, record.isSuccessor(of: held.stored),
      let taken = machine.refreshed(held, with: record, at: moment)
    {
      writes.found(record)
      base = taken
      if case .token = machine.need(at: moment) { return }
    }
    do {
      let (session, issuedBy) = try await refresh(base.stored.session.refreshToken)
      guard isCurrent(held) else { return }
      let new = StoredSession(session: session, issuedBy: issuedBy, savedAt: moment.milliseconds)
      guard new.isSameAccount(as: held.stored) else {
        throw CalimeroError.decoding(
          DecodingFailure(reason: "the tokens are another account's", operation: APIOperation.authRefresh.id))
      }
      guard new.canBeSent else {
        throw CalimeroError.decoding(
          DecodingFailure(reason: "a token cannot be sent", operation: APIOperation.authRefresh.id))
      }
      // Saved before it is used: a program that ends in between must find the only token that still works.
      // A store that fails now must not take from this process a session that it holds. Another account's record is of
      // a process that signed in since: it stays, and this session lives on in memory alone.
      do {
        try await writes.save(new, renewing: base.stored, before: contents) { await self.isCurrent(held) }
          .value
      } catch is SessionWrites.SignedOutElsewhere {
        if isCurrent(held) { throw leave(new) }
      } catch {}
      _ = machine.refreshed(base, with: new, at: moment)
    } catch CalimeroError.api(let refusal) {
      guard let reason = SignedOutReason(refreshRefusal: refusal) else { throw CalimeroError.api(refusal) }
      if isCurrent(held) { await forget(base, reason) }
      throw CalimeroError.signedOut(reason)
    }
  }

  /// Another client over the same store has signed out, and so has this one. The cluster may not have heard of it, and
  /// the session would go on there with nobody to end it.
  private func leave(_ last: StoredSession) -> CalimeroError {
    _ = machine.end(.signedOut)
    announce()
    farewell = Task { [farewell, revoke] in
      await farewell?.value
      await revoke(last)
    }
    return .signedOut(.signedOut)
  }

  /// The cluster ended the session.
  private func forget(_ held: SessionMachine.Held, _ reason: SignedOutReason) async {
    _ = machine.end(reason)
    let sessionId = held.stored.session.sessionId
    announce()
    // Another process may have signed in since, into the same store; that record is not ours to clear.
    _ = try? await writes.clear { $0.session.sessionId == sessionId }.value
  }

  /// Saves unless somebody has signed in or out since: what they wrote must stay.
  private func save(_ record: StoredSession, generation: Int) async throws {
    try await writes.save(record) { await self.machine.generation == generation }.value
  }
}
