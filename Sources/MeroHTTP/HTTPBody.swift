import Foundation

/// A response's body: an asynchronous sequence of `Data`, readable once.
///
/// The bytes are pulled, so a slow reader slows the sender down instead of filling memory. Dropping a body unread, or
/// leaving a loop over it, cancels what feeds it.
///
/// ```swift
/// for try await chunk in response.body { received += chunk.count }
/// let small = try await response.body.collect(upTo: 1 << 20)
/// ```
public struct HTTPBody: AsyncSequence, Sendable {
  /// A piece of the body; its size means nothing.
  public typealias Element = Data

  private let feed: Feed

  /// A body without a byte.
  public static var empty: HTTPBody { HTTPBody(Data()) }

  /// A body of these bytes.
  public init(_ data: Data) {
    feed = Feed(.bytes(data))
  }

  /// A body that yields what `stream` yields.
  public init<S: AsyncSequence & Sendable>(_ stream: S) where S.Element == Data {
    let pull = Pull(stream)
    self.init(next: { try await pull.next() }, cancel: { pull.cancel() })
  }

  /// A body that asks `next` for each chunk until it returns `nil` or throws. Calls do not overlap.
  ///
  /// `cancel` runs once, and only if the reader goes away before the end: the body is dropped unread, its iterator is
  /// dropped, or ``cancel()`` is called. It may run while a call of `next` is waiting.
  public init(
    next: @escaping @Sendable () async throws -> Data?, cancel: @escaping @Sendable () -> Void = {}
  ) {
    feed = Feed(.pull(next, cancel))
  }

  /// A body fed through a buffer that readers empty without leaving their own executor.
  init(_ buffer: BodyBuffer) {
    feed = Feed(.buffer(buffer))
  }

  /// This body, which throws what `transform` makes of each failure. Taking it begins the one pass.
  package func mapErrors(_ transform: @escaping @Sendable (any Error) -> any Error) -> HTTPBody {
    let pull = Pull(self)
    return HTTPBody(
      next: { do { return try await pull.next() } catch { throw transform(error) } }, cancel: { cancel() })
  }

  /// Tells the source that nobody will read on. Does nothing once the body has ended.
  public func cancel() {
    feed.end()?()
  }

  /// The whole body if it was made from bytes and is unread, else nil. Taking it is the one pass over it.
  ///
  /// So a server can send such a body in one piece, with its length, without a step of concurrency.
  package func takeBytes() -> Data? {
    feed.takeBytes()
  }

  /// The whole body in one piece.
  ///
  /// Throws `TransportError(kind: .tooLarge)` as soon as more than `limit` bytes have come, and cancels the rest.
  public func collect(upTo limit: Int) async throws -> Data {
    var whole = Data()
    for try await chunk in self {
      guard chunk.count <= limit - whole.count else {
        throw TransportError(
          kind: .tooLarge, text: "the body is larger than \(limit) bytes", mayHaveBeenSent: true)
      }
      if whole.isEmpty { whole = chunk } else { whole.append(chunk) }
    }
    return whole
  }

  /// Begins the one pass. A second iterator throws ``AlreadyRead`` at its first step.
  public func makeAsyncIterator() -> AsyncIterator {
    AsyncIterator(reader: feed.begin().map { Reader(source: $0, feed: feed) })
  }

  /// A body was read a second time.
  public struct AlreadyRead: Error, Sendable, Hashable, CustomStringConvertible {
    /// What went wrong.
    public var description: String { "the body was read before; a response's body can be read once" }
  }

  /// Walks over the body once.
  public struct AsyncIterator: AsyncIteratorProtocol {
    fileprivate let reader: Reader?

    /// The next chunk, or `nil` at the end.
    public mutating func next() async throws -> Data? {
      try await next(isolation: nil)
    }

    /// The next chunk, or `nil` at the end, without leaving the caller's actor when bytes are at hand.
    public mutating func next(isolation actor: isolated (any Actor)?) async throws -> Data? {
      guard let reader else { throw AlreadyRead() }
      return try await reader.next(isolation: actor)
    }
  }
}

/// Where the chunks come from.
private enum Source: Sendable {
  case bytes(Data)
  case buffer(BodyBuffer)
  case pull(@Sendable () async throws -> Data?, @Sendable () -> Void)

  var cancellation: @Sendable () -> Void {
    switch self {
    case .bytes: return {}
    case .buffer(let buffer): return { buffer.cancel() }
    case .pull(_, let cancel): return cancel
    }
  }
}

/// What all copies of a body share: whether it was begun, and how to cancel it. Dropping the last copy cancels.
private final class Feed: Sendable {
  private struct State {
    var unread: Source?
    var cancel: (@Sendable () -> Void)?
  }

  private let state: Locked<State>

  init(_ source: Source) {
    state = Locked(State(unread: source, cancel: source.cancellation))
  }

  /// Hands out the source, once.
  func begin() -> Source? {
    state.withLock { state in
      defer { state.unread = nil }
      return state.unread
    }
  }

  func takeBytes() -> Data? {
    state.withLock { state in
      guard case .bytes(let data)? = state.unread else { return nil }
      state.unread = nil
      state.cancel = nil
      return data
    }
  }

  /// Marks the end; what is returned must be called if the end came from the reader's side.
  func end() -> (@Sendable () -> Void)? {
    let (cancel, unread) = state.withLock { state in
      defer {
        state.cancel = nil
        // Who reads a body that was cancelled before it was begun must not take what is there for all of it.
        if state.unread != nil { state.unread = .pull({ throw CancellationError() }, {}) }
      }
      return (state.cancel, state.unread)
    }
    // What is let go of here may do more than it should within the lock.
    return withExtendedLifetime(unread) { cancel }
  }

  deinit {
    end()?()
  }
}

/// The one pass over a source. It is not Sendable, so its steps are taken one after the other.
private final class Reader {
  private let source: Source
  private let feed: Feed
  private var isEnded = false
  private var isWaiting = false

  init(source: Source, feed: Feed) {
    self.source = source
    self.feed = feed
  }

  func next(isolation actor: isolated (any Actor)?) async throws -> Data? {
    if isEnded { return nil }
    // Copies of an iterator share this reader and could interleave on one actor.
    guard !isWaiting else { throw HTTPBody.AlreadyRead() }
    isWaiting = true
    defer { isWaiting = false }
    do {
      switch source {
      case .bytes(let data):
        finish()
        return data.isEmpty ? nil : data
      case .buffer(let buffer):
        if let chunk = try await buffer.next(isolation: actor) { return chunk }
      case .pull(let next, _):
        if let chunk = try await next() { return chunk }
      }
      finish()
      return nil
    } catch {
      finish()
      throw error
    }
  }

  /// The source has ended by itself; there is nothing left to cancel.
  private func finish() {
    isEnded = true
    _ = feed.end()
  }

  deinit {
    if !isEnded { feed.end()?() }
  }
}

/// Pulls from another sequence.
///
/// `@unchecked Sendable` is sound because a body has one reader whose steps do not overlap (`Reader` is not Sendable
/// and checks it), so `iterator` is never used by two threads at once.
private final class Pull<S: AsyncSequence & Sendable>: @unchecked Sendable where S.Element == Data {
  private var iterator: S.AsyncIterator
  init(_ stream: S) {
    iterator = stream.makeAsyncIterator()
  }
  func next() async throws -> Data? { try await iterator.next() }
  func cancel() {}
}
