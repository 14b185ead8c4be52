import Foundation
import MeroHTTP
import MeroWire

/// Presence of an account, which has no node: this device signs it, and a relay passes it on (40 §12).
///
/// A slice is said again every 2.5 seconds for as long as it is set, since nodes forget it after 7. One writes one's own slot
/// and reads everyone's.
///
/// ```swift
/// struct Typing: Codable, Sendable { let typing: Bool }
///
/// try await presence.set(contextId: contextId, state: Typing(typing: true))
/// for try await entry in presence.subscribe(contextId: contextId, as: Typing.self) {
///   typing[entry.author] = entry.state?.typing
/// }
/// try await presence.set(contextId: contextId, state: Typing?.none)   // retracted
/// await presence.close()
/// ```
public final class RelayPresenceClient: Sendable {
  private let repeating: PresenceRepetition
  private let events: @Sendable () async throws -> SseConnection

  /// Presence over a relay.
  ///
  /// - Parameter events: the relay's events, asked for when somebody wants to read. It throws when there is no session to read
  ///   under; writing needs none.
  public init(relay: RelayClient, events: @escaping @Sendable () async throws -> SseConnection) {
    repeating = PresenceRepetition(relay: relay)
    self.events = events
  }

  /// Sets the account's slice in a context, as JSON, or with nil retracts it.
  ///
  /// The last call for a context wins, also over an older one that is still on its way.
  ///
  /// - Throws: what the relay refuses the first statement with; nothing is repeated then. That the relay is busy or away is not
  ///   thrown: the next repetition covers it.
  public func set<State: Codable & Sendable>(contextId: String, state: State?) async throws {
    try await set(contextId: contextId, state: state, codec: JSONCodec<State>())
  }

  /// Sets the account's slice in a context in another encoding; otherwise as ``set(contextId:state:)``.
  ///
  /// - Throws: also what the codec throws.
  public func set<C: Codec>(contextId: String, state: C.Value?, codec: C) async throws {
    let bytes = try state.map { try codec.encode($0) }
    try await repeating.set(bytes, contextId: RelayClient.inPath(contextId))
  }

  /// Everyone's slices in a context, read as JSON: what is known already, then every change.
  ///
  /// - Returns: a stream as that of ``EphemeralClient/subscribe(contextId:as:)``. It fails at once without a session to read
  ///   under.
  public func subscribe<State: Codable & Sendable>(
    contextId: String, as type: State.Type
  ) -> AsyncThrowingStream<EphemeralEntry<State>, any Error> {
    subscribe(contextId: contextId, codec: JSONCodec<State>())
  }

  /// Everyone's slices in a context, read in another encoding; otherwise as ``subscribe(contextId:as:)``.
  public func subscribe<C: Codec>(
    contextId: String, as type: C.Value.Type = C.Value.self, codec: C
  ) -> AsyncThrowingStream<EphemeralEntry<C.Value>, any Error> {
    let (stream, continuation) = AsyncThrowingStream.makeStream(
      of: EphemeralEntry<C.Value>.self, throwing: (any Error).self,
      bufferingPolicy: .bufferingNewest(SseConnection.bufferLimit))
    let reading = Task { [events] in
      do {
        let sse = try await events()
        let topics = SseTopic.list(contextIds: [contextId], groupIds: [])
        let entries = sse.stream(of: topics, replaysPresence: true) { EphemeralEntry($0, codec: codec) }
        for try await entry in entries { continuation.yield(entry) }
        continuation.finish()
      } catch {
        continuation.finish(throwing: error)
      }
    }
    continuation.onTermination = { _ in reading.cancel() }
    return stream
  }

  /// Stops every repetition. Nothing is retracted: nodes forget the slices within 7 seconds.
  public func close() async { await repeating.close() }
}

/// Posts what the machine says, and waits in between.
private actor PresenceRepetition {
  private let relay: RelayClient
  private var machine = RelayPresenceMachine()
  /// By context: the one that sends again.
  private var repetitions: [String: Task<Void, Never>] = [:]

  init(relay: RelayClient) { self.relay = relay }

  deinit {
    for repetition in repetitions.values { repetition.cancel() }
  }

  func set(_ state: [UInt8]?, contextId: String) async throws {
    // One statement comes of it; all else is done in the same step of this actor.
    guard let statement = perform(.set(state, contextId: contextId)) else { return }
    let failure = await post(statement)
    _ = perform(.ended(statement, Self.outcome(failure)))
    if let failure, Self.outcome(failure) != .missed { throw failure }
  }

  func close() { _ = perform(.close) }

  /// Does what the machine says, and answers what is to be posted.
  private func perform(_ input: RelayPresenceMachine.Input) -> RelayPresenceMachine.Statement? {
    var statement: RelayPresenceMachine.Statement?
    for effect in machine.handle(input, at: relay.milliseconds) {
      switch effect {
      case .post(let next): statement = next
      case .stop(let context): repetitions.removeValue(forKey: context)?.cancel()
      case .wait(let context, let turn): wait(context, turn)
      }
    }
    return statement
  }

  private func wait(_ context: String, _ turn: Int) {
    // It does not hold the client while it sleeps: one that nobody holds any more says nothing more.
    repetitions[context] = Task { [weak self, clock = relay.clock] in
      guard (try? await clock.sleep(RelayPresenceMachine.resendInterval)) != nil else { return }
      await self?.repeatOnce(context, turn)
    }
  }

  private func repeatOnce(_ context: String, _ turn: Int) async {
    guard let statement = perform(.due(contextId: context, turn: turn)) else { return }
    let failure = await post(statement)
    _ = perform(.ended(statement, Self.outcome(failure)))
  }

  private func post(_ statement: RelayPresenceMachine.Statement) async -> (any Error)? {
    do {
      try await relay.presenceIntent(
        contextId: statement.contextId, state: statement.state, seq: statement.seq,
        sentAtMs: statement.sentAtMs)
      return nil
    } catch { return error }
  }

  private static func outcome(_ failure: (any Error)?) -> RelayPresenceMachine.Outcome {
    guard let failure else { return .taken }
    switch failure {
    case is CancellationError: return .cancelled
    case AccountError.intentRefused, AccountError.invalidInput, MeroError.rpc: return .refused
    case let error as MeroError where error.http != nil && !error.isRetryable: return .refused
    // The relay did not answer, or not as a relay does.
    default: return .missed
    }
  }
}
