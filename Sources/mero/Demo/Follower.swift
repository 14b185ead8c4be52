import Foundation
import MeroHTTP
import MeroKit
import MeroWire

/// Follows an app's events in a task of its own and keeps them in order until somebody asks.
final class Follower: Sendable {
  private static let patience: TimeInterval = 30

  private let stream: AppEventStream
  private let events: AsyncStream<AppEvent>
  private let inbox: Inbox
  private let task: Task<Void, Never>

  init(_ stream: AppEventStream) {
    let (events, continuation) = AsyncStream.makeStream(of: AppEvent.self)
    self.stream = stream
    self.events = events
    inbox = Inbox(events)
    task = Task {
      // An error ends the stream; whoever waits for an event is told that none came.
      do { for try await event in stream { continuation.yield(event) } } catch {}
      continuation.finish()
    }
  }

  deinit { task.cancel() }

  func stop() { task.cancel() }

  /// Returns once the stream stands, so that what is sent from then on has to arrive.
  func untilOpen() async throws {
    try await withDeadline(Self.patience, clock: .system) { [stream] in
      for await state in stream.connection where state == .open { return }
      throw StepError("the event stream ended before it opened")
    }
  }

  func next() async throws -> AppEvent {
    try await withDeadline(Self.patience, clock: .system) { [inbox] in
      guard let event = await inbox.next() else { throw StepError("the event stream ended") }
      return event
    }
  }

  /// The message ids of the next events, until `count` have come since the stream opened, those already taken included.
  func collect(count: Int) async throws -> [JSONValue] {
    while await inbox.taken.count < count { _ = try await next() }
    return await inbox.taken.compactMap { $0.data["id"] }
  }

  static func messageIds(in view: JSONValue) -> [JSONValue] {
    let messages = view.arrayValue ?? view["messages"]?.arrayValue ?? []
    return messages.compactMap { $0["id"] }
  }

  /// The events received and not yet taken, and those taken.
  private actor Inbox {
    private(set) var taken: [AppEvent] = []
    private var iterator: AsyncStream<AppEvent>.AsyncIterator

    init(_ events: AsyncStream<AppEvent>) { iterator = events.makeAsyncIterator() }

    func next() async -> AppEvent? {
      var current = iterator
      let event = await current.next(isolation: self)
      iterator = current
      if let event { taken.append(event) }
      return event
    }
  }
}
