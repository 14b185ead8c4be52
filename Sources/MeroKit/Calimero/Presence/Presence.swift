import Foundation
import MeroWire

extension CalimeroClient {
  /// Who is present in an app, and this client's own part in it (70 §2.17).
  ///
  /// ```swift
  /// struct Typing: Codable, Sendable { var typing: Bool }
  ///
  /// let presence = client.presence(app)
  /// try await presence.set(Typing(typing: true))          // and again every 2.5 seconds
  /// for try await entries in presence.entries(as: Typing.self) {
  ///   show(entries.filter { $0.state?.typing == true && !$0.isMine }.map(\.name))
  /// }
  /// await presence.clear()
  /// ```
  ///
  /// All that a client gives out for one app are the same presence: what is set last counts, and whoever reads entries
  /// shares one event stream. It ends with ``Presence/close()``, ``signOut()`` and ``close()``, and with the client.
  ///
  /// Presence says what is so now. It is never stored, has no place among the app's events, and moves no cursor.
  public func presence(_ app: String) -> Presence {
    Presence(app: app, core: core)
  }

  /// The presence of one app; see ``CalimeroClient/presence(_:)``.
  public struct Presence: Sendable {
    /// The app.
    public let app: String
    private let core: ClientCore
    private let driver: PresenceDriver

    init(app: String, core: ClientCore) {
      self.app = app
      self.core = core
      driver = core.presences.driver(of: app, in: core)
    }

    /// Says something of this session, and says it again every 2.5 seconds, until something else is set or it is
    /// cleared. Others see it for 7 seconds after it was last said.
    ///
    /// The last call wins, also over an older one that is still on its way. Null is as ``clear()``. While the app is in
    /// the background nothing is said; it is said when the app comes back.
    ///
    /// - Throws: ``CalimeroError``: what a node refuses it with, and then nothing is said again. That no node is
    ///   reached, or that one is busy, is not thrown: the next time covers it. More than 16,384 bytes of JSON are
    ///   ``CalimeroError/invalidInput(_:)``, and nothing is sent.
    public func set(_ state: JSONValue) async throws {
      try NameLimits.check(presence: state)
      try await driver.set(state)
    }

    /// Says something of this session in a type of the app; otherwise as ``set(_:)-(JSONValue)``.
    @_disfavoredOverload
    public func set(_ state: some Encodable) async throws {
      let json: JSONValue
      do {
        json = try JSONValue(encoding: state)
      } catch {
        throw CalimeroError.invalidInput("the state cannot be written as JSON: \(error)")
      }
      try await set(json)
    }

    /// Takes back what was set: it is said once, and nothing after it. When no node hears it, others see the entry for
    /// 7 seconds at most.
    public func clear() async { await driver.clear() }

    /// Takes back what was set and ends everything that goes on, for all who hold this presence: entries and failures
    /// end. It can be used again afterwards.
    public func close() async { await driver.close() }

    /// Everyone present: the whole set when it is known, and after each change of it, by account and session.
    ///
    /// An entry goes when its session says so, or was not heard from for 7 seconds. While the connection is lost,
    /// entries go one after the other, until none is left; when it is back, the set is whole again. A reader that is
    /// slow gets the newest set only.
    ///
    /// - Parameter type: what states are read as. An entry whose state is something else is there, without its state.
    /// - Returns: a sequence that throws ``CalimeroError`` as ``CalimeroClient/events(_:from:kinds:presence:options:)``
    ///   does, and ends when the app is deleted or the presence closed. Each loop needs its own.
    public func entries<State: Decodable & Sendable>(
      as type: State.Type = State.self
    ) -> AsyncThrowingStream<[PresenceEntry<State>], any Error> {
      let (stream, continuation) = AsyncThrowingStream.makeStream(
        of: [PresenceEntry<State>].self, throwing: (any Error).self, bufferingPolicy: .bufferingNewest(1))
      let listening = Task { [driver] in
        do {
          try await driver.listen { snapshot in
            continuation.yield(snapshot.entries.map { PresenceEntry($0, in: snapshot) })
          }
          continuation.finish()
        } catch {
          continuation.finish(throwing: error)
        }
      }
      // The client lives as long as somebody reads.
      continuation.onTermination = { [core] _ in withExtendedLifetime(core) { listening.cancel() } }
      return stream
    }

    /// Why nothing is said any more: what a node refused with after it had taken what was set. Each loop has its own,
    /// and hears what happens from then on.
    public var failures: AsyncStream<CalimeroError> { driver.failures.listen() }
  }

  /// One session that is present in an app. An account that is signed in twice has two.
  public struct PresenceEntry<State: Sendable>: Sendable {
    /// The account.
    public let accountId: String
    /// The session.
    public let sessionId: String
    /// The account's name, when the node says it.
    public let name: String?
    /// What it says of itself; nil when that is not a `State`.
    public let state: State?
    /// Seconds since the session was last heard from, when the set was given out.
    public let age: TimeInterval
    /// Whether it is this client's own session.
    public let isMine: Bool

    /// An entry, for previews and tests.
    public init(
      accountId: String, sessionId: String, name: String?, state: State?, age: TimeInterval, isMine: Bool
    ) {
      self.accountId = accountId
      self.sessionId = sessionId
      self.name = name
      self.state = state
      self.age = age
      self.isMine = isMine
    }
  }
}

extension CalimeroClient.PresenceEntry: Equatable where State: Equatable {}
extension CalimeroClient.PresenceEntry: Hashable where State: Hashable {}

extension CalimeroClient.PresenceEntry where State: Decodable {
  fileprivate init(_ entry: PresentSet.Entry, in snapshot: PresenceDriver.Snapshot) {
    self.init(
      accountId: entry.accountId, sessionId: entry.sessionId, name: entry.name,
      state: try? entry.state.decode(State.self), age: max(0, snapshot.uptime - entry.heardAt),
      isMine: entry.sessionId == snapshot.session)
  }
}
