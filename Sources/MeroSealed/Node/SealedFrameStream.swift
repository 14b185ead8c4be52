import Foundation
import MeroHTTP

/// The frames of one response, made one by one as the connection takes them.
///
/// One frame is made for each piece the router's body yields, cut at 65,536 bytes, so an event goes out when it
/// happens. The stream ends without an end frame when the session's life does.
///
/// `@unchecked Sendable` is sound because an `HTTPBody` calls its source one step at a time, and ``cancel()``, which may
/// come in the middle of a step, touches only what is immutable or locked.
final class SealedFrameStream: @unchecked Sendable {
  /// What ends, spoils or slows a stream from outside.
  struct Conditions: Sendable {
    let clock: MeroClock
    /// By the clock's uptime.
    let endsAt: TimeInterval
    /// Whether the node that began the response still runs.
    let isRunning: @Sendable () -> Bool
    let cutAfterFrames: Int?
    let tamperFrame: Int?
    let frameDelay: TimeInterval
  }

  private enum State {
    case head([UInt8])
    case body
    case ended
  }

  private let content: HTTPBody
  private var pieces: HTTPBody.AsyncIterator
  private var writer: FrameWriter
  private let conditions: Conditions
  /// A stream of events may be silent for longer than the session lives.
  private let isEventStream: Bool
  private var state: State
  private var rest = Data()
  private var frameCount = 0
  private let isCancelled = Locked(false)

  init(_ response: HTTPResponse, writer: FrameWriter, conditions: Conditions) {
    var response = response
    var head = InnerResponseHead(status: response.status, headers: response.headers).encoded()
    if head.count > SealedProtocol.frameDataLimit {
      response.body.cancel()
      response = HTTPResponse(
        status: 502, headers: ["content-type": "application/json"],
        body: HTTPBody(errorBody(code: nil, message: "the response's header fields are too large")))
      head = InnerResponseHead(status: response.status, headers: response.headers).encoded()
    }
    content = SealedProtocol.hasNoBody(response.status) ? .empty : response.body
    pieces = content.makeAsyncIterator()
    isEventStream = response.headers["content-type"]?.hasPrefix("text/event-stream") ?? false
    self.writer = writer
    self.conditions = conditions
    state = .head(head)
  }

  func next() async throws -> Data? {
    if conditions.frameDelay > 0 { try await conditions.clock.sleep(conditions.frameDelay) }
    guard frameCount != conditions.cutAfterFrames, conditions.isRunning(),
      conditions.clock.uptime() < conditions.endsAt
    else {
      cancel()
      return nil
    }
    guard var frame = try await frame() else { return nil }
    if frameCount == conditions.tamperFrame { frame[frame.index(before: frame.endIndex)] ^= 1 }
    frameCount += 1
    return frame
  }

  func cancel() {
    isCancelled.withLock { $0 = true }
    content.cancel()
  }

  private func frame() async throws -> Data? {
    if isCancelled.withLock({ $0 }) { state = .ended }
    switch state {
    case .head(let head):
      state = .body
      return try writer.frame(.head, head)
    case .body:
      if rest.isEmpty {
        switch try await piece() {
        case .piece(let piece): rest = piece
        case .end:
          state = .ended
          return try writer.frame(.end, [])
        case .outlived:
          cancel()
          return nil
        }
      }
      return try cut()
    case .ended:
      return nil
    }
  }

  /// Takes as much as one frame holds from what the router wrote at once.
  private func cut() throws -> Data {
    let count = min(rest.count, SealedProtocol.frameDataLimit)
    let frame = try rest.withUnsafeBytes {
      try writer.frame(.data, UnsafeRawBufferPointer(rebasing: $0[..<count]))
    }
    rest = count == rest.count ? Data() : rest[(rest.startIndex + count)...]
    return frame
  }

  private enum Piece: Sendable {
    case piece(Data), end, outlived
  }

  private func piece() async throws -> Piece {
    guard isEventStream else { return try await nextPiece() }
    do {
      let remaining = conditions.endsAt - conditions.clock.uptime()
      return try await withDeadline(remaining, clock: conditions.clock) { try await self.nextPiece() }
    } catch let error as TransportError where error.kind == .timedOut {
      return .outlived
    }
  }

  private func nextPiece() async throws -> Piece {
    while let piece = try await pieces.next() {
      if !piece.isEmpty { return .piece(piece) }
    }
    return .end
  }
}
