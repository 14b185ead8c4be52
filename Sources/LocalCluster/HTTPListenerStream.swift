import Foundation
import MeroHTTP

/// The part of a streamed body that has been made and not been sent.
///
/// The body's task pushes and waits when too much is here; libmicrohttpd's thread reads.
final class ResponseStream: Sendable {
  /// Enough to keep a connection busy; a body is asked for more when half of it is sent.
  static let capacity = 256 << 10

  enum Reading {
    case bytes(Int)
    case nothingYet
    case end
    case failure
  }

  private struct State {
    var chunks: [Data] = []
    /// The first chunk that is not sent whole, and how much of it is.
    var first = 0
    var offset = 0
    var count = 0
    var end: Reading?
    var writer: CheckedContinuation<Void, Never>?
  }

  let connection: ListenerConnection
  private let state = Locked(State())

  init(_ connection: ListenerConnection) {
    self.connection = connection
  }

  /// Adds a chunk and returns when there is room for another.
  ///
  /// Throws `CancellationError` when nobody will read it.
  func push(_ chunk: Data) async throws {
    if chunk.isEmpty { return }
    let (isOpen, isFull) = state.withLock { state in
      guard state.end == nil else { return (false, false) }
      state.chunks.append(chunk)
      state.count += chunk.count
      return (true, state.count >= Self.capacity)
    }
    guard isOpen else { throw CancellationError() }
    connection.wake()
    if isFull { await room() }
  }

  /// No more chunks come. What is here is still sent, unless `failed`: then the connection is cut at once.
  func finish(failed: Bool) {
    let writer = state.withLock { state in
      if failed {
        state.end = .failure
      } else if state.end == nil {
        state.end = .end
      }
      defer { state.writer = nil }
      return state.writer
    }
    writer?.resume()
    connection.wake()
  }

  /// Copies what is next into `buffer`, from as many chunks as fit.
  func read(into buffer: UnsafeMutableRawBufferPointer) -> Reading {
    let (reading, writer) = state.withLock { state -> (Reading, CheckedContinuation<Void, Never>?) in
      if case .failure? = state.end { return (.failure, nil) }
      let copied = Self.take(&state, into: buffer)
      if copied == 0 { return (state.end ?? .nothingYet, nil) }
      guard state.count <= Self.capacity / 2 else { return (.bytes(copied), nil) }
      defer { state.writer = nil }
      return (.bytes(copied), state.writer)
    }
    writer?.resume()
    return reading
  }

  private static func take(_ state: inout State, into buffer: UnsafeMutableRawBufferPointer) -> Int {
    var copied = 0
    while copied < buffer.count, state.first < state.chunks.count {
      let chunk = state.chunks[state.first]
      let length = min(chunk.count - state.offset, buffer.count - copied)
      let start = chunk.startIndex + state.offset
      chunk.copyBytes(
        to: UnsafeMutableRawBufferPointer(rebasing: buffer[copied..<copied + length]),
        from: start..<start + length)
      copied += length
      state.offset += length
      if state.offset == chunk.count {
        state.chunks[state.first] = Data()
        state.first += 1
        state.offset = 0
      }
    }
    state.count -= copied
    if state.first == state.chunks.count {
      state.chunks.removeAll(keepingCapacity: true)
      state.first = 0
    }
    return copied
  }

  private func room() async {
    await withCheckedContinuation { continuation in
      let hasRoom = state.withLock { state in
        if state.end != nil || state.count <= Self.capacity / 2 { return true }
        state.writer = continuation
        return false
      }
      if hasRoom { continuation.resume() }
    }
  }
}
