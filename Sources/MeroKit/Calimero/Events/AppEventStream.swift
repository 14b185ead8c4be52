import MeroHTTP

/// The events of an app, each once and in order, across lost connections, nodes that end and token refreshes.
///
/// It connects with the loop's first step and closes when the loop ends, its task is cancelled, or the stream
/// is dropped. It can be walked over once.
///
/// ```swift
/// let stream = client.events(app, from: .after(cursor))
/// for try await event in stream {
///   apply(event)
///   cursor = event.cursor        // or stream.lastCursor
/// }
/// ```
///
/// It throws ``CalimeroError`` and goes on by itself over everything that waiting or another node can mend.
public struct AppEventStream: AsyncSequence, Sendable {
  /// An event of the app.
  public typealias Element = AppEvent

  private let owner: Owner

  init(_ driver: EventStreamDriver) { owner = Owner(driver) }

  /// The cursor of the last event taken, or where the stream began; nil before it has begun.
  ///
  /// It can be kept and used later with ``EventStart/after(_:)``, at any node, as long as events are kept.
  public var lastCursor: String? { owner.driver.status.cursor.withLock { $0 } }

  /// How the connection stands: the state at once, then every change. Each loop over it has its own.
  public var connection: AsyncStream<StreamConnection> { owner.driver.status.connection.listen() }

  /// Begins to read.
  public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(owner: owner) }

  /// Walks over the events.
  public struct AsyncIterator: AsyncIteratorProtocol {
    fileprivate let owner: Owner

    /// The next event; nil after the app was deleted, the client closed, or the task cancelled.
    ///
    /// - Throws: ``CalimeroError``.
    public mutating func next() async throws -> AppEvent? { try await owner.driver.next() }
  }

  /// Ends the stream with the last one who could read it.
  fileprivate final class Owner: Sendable {
    let driver: EventStreamDriver

    init(_ driver: EventStreamDriver) { self.driver = driver }

    deinit { driver.status.cancel() }
  }
}
