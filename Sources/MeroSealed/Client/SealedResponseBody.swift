import Foundation
import MeroHTTP

/// The inside of one sealed response: its head first, then its body as the frames arrive.
///
/// `@unchecked Sendable` is sound because its steps do not overlap: the channel reads the head before anybody has the
/// body, and an `HTTPBody` calls its source one step at a time. `outer` and `cancel` are immutable.
final class SealedResponseBody: @unchecked Sendable {
  private let outer: HTTPBody
  private var chunks: HTTPBody.AsyncIterator
  private var reader: FrameReader
  /// Runs when a frame did not open: what else the session says cannot be trusted either.
  private let whenBroken: @Sendable () async -> Void

  init(_ outer: HTTPBody, reader: FrameReader, whenBroken: @escaping @Sendable () async -> Void) {
    self.outer = outer
    chunks = outer.makeAsyncIterator()
    self.reader = reader
    self.whenBroken = whenBroken
  }

  func head() async throws -> InnerResponseHead {
    // The reader refuses a first frame of another kind, so this is the head.
    guard case .head(let head) = try await frame() else {
      throw SealedError.malformedReply("the response has no head frame")
    }
    return head
  }

  /// The next piece of the body; `nil` after the end frame.
  func next() async throws -> Data? {
    while true {
      guard case .data(let piece) = try await frame() else {
        // Whatever follows the end frame is not part of the response.
        cancel()
        return nil
      }
      if !piece.isEmpty { return piece }
    }
  }

  func cancel() {
    outer.cancel()
  }

  private func frame() async throws -> FrameReader.Frame? {
    do {
      while true {
        if let frame = try reader.next() { return frame }
        guard let chunk = try await chunks.next() else {
          try reader.finish()
          return nil
        }
        reader.feed(chunk)
      }
    } catch let error as SealedError {
      cancel()
      if error == .frameDidNotOpen { await whenBroken() }
      throw error
    }
  }
}
