import Foundation
import MeroAPI
import MeroHTTP

extension CalimeroClient {
  /// One server-sent event as it came.
  public struct RawEvent: Sendable, Hashable {
    /// Its id, when it has one.
    public let id: String?
    /// Its type, when it has one.
    public let event: String?
    /// Its data; several lines are joined by a newline.
    public let data: String
  }

  /// Server-sent events of a route the API document lacks. Leaving the loop ends the request.
  public struct RawEventStream: AsyncSequence, Sendable {
    /// The sequence's element.
    public typealias Element = RawEvent

    let core: ClientCore
    let path: String

    /// Begins a request of its own.
    public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(core: core, path: path) }

    /// Reads one response.
    public struct AsyncIterator: AsyncIteratorProtocol {
      private enum State {
        case unopened
        case open(HTTPBody.AsyncIterator, SSEParser, ClientRuns.Hold?)
        case ended
      }

      private let core: ClientCore
      private let path: String
      private var state = State.unopened
      private var waiting: [RawEvent] = []

      init(core: ClientCore, path: String) {
        self.core = core
        self.path = path
      }

      /// The next event, or nil when the response is over.
      ///
      /// - Throws: ``CalimeroError``.
      public mutating func next() async throws -> RawEvent? {
        do {
          while true {
            if !waiting.isEmpty { return waiting.removeFirst() }
            switch state {
            case .ended: return nil
            case .unopened: try await open()
            case .open(let body, let parser, let hold): try await read(body, parser, hold)
            }
          }
        } catch let error as CalimeroError {
          state = .ended
          throw error
        } catch {
          state = .ended
          throw core.runs.isClosed ? CalimeroError.cancelled : CalimeroError(ofStream: error)
        }
      }

      private mutating func open() async throws {
        try RawRequest.check(path: path)
        let request = APIRequest(method: .get, path: path, headers: ["accept": "text/event-stream"])
        let opened = try await core.engine.openStream(request, plan: RequestPlan(request))
        state = .open(
          opened.body.makeAsyncIterator(), SSEParser(maxEventBytes: AnswerLimit.event), opened.hold)
      }

      private mutating func read(
        _ body: HTTPBody.AsyncIterator, _ parser: SSEParser, _ hold: ClientRuns.Hold?
      ) async throws {
        if core.runs.isClosed { throw CalimeroError.cancelled }
        var (body, parser) = (body, parser)
        guard let chunk = try await body.next() else {
          state = .ended
          return
        }
        waiting = try parser.feed(chunk).map { RawEvent(id: $0.id, event: $0.event, data: $0.data) }
        state = .open(body, parser, hold)
      }
    }
  }
}

extension CalimeroError {
  /// What ended a stream that had been open.
  init(ofStream error: any Error) {
    switch error {
    case is CancellationError: self = .cancelled
    case let error as TransportError where error.kind == .tooLarge:
      self = .decoding(.tooLarge(limit: AnswerLimit.event))
    default: self = .unknownOutcome(UnknownOutcome(cause: "the stream ended early: \(error)"))
    }
  }
}
