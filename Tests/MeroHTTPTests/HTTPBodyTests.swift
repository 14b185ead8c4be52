import Foundation
import Testing

@testable import MeroHTTP

@Suite("HTTPBody", .timeLimit(.minutes(5)))
struct HTTPBodyTests {
  /// Counts what a pull source is asked.
  final class Source: Sendable {
    let cancelled = Locked(0)
    let chunks: Locked<[Data]>

    init(_ chunks: [String]) { self.chunks = Locked(chunks.map { Data($0.utf8) }) }

    var body: HTTPBody {
      HTTPBody(
        next: { self.chunks.withLock { $0.isEmpty ? nil : $0.removeFirst() } },
        cancel: { self.cancelled.withLock { $0 += 1 } })
    }

    var cancelCount: Int { cancelled.withLock { $0 } }
  }

  @Test("a body of bytes yields them once, and an empty one yields nothing")
  func bytes() async throws {
    var iterator = HTTPBody(Data("abc".utf8)).makeAsyncIterator()
    #expect(try await iterator.next() == Data("abc".utf8))
    #expect(try await iterator.next() == nil)
    var nothing = HTTPBody.empty.makeAsyncIterator()
    #expect(try await nothing.next() == nil)
    #expect(try await nothing.next() == nil)
  }

  @Test("a second pass over any copy throws AlreadyRead")
  func onePass() async throws {
    let body = HTTPBody(Data("abc".utf8))
    let copy = body
    #expect(try await body.collect(upTo: 3) == Data("abc".utf8))
    await #expect(throws: HTTPBody.AlreadyRead.self) { try await body.collect(upTo: 3) }
    await #expect(throws: HTTPBody.AlreadyRead.self) { for try await _ in copy {} }
  }

  @Test(
    "collecting takes exactly the limit and refuses one byte more",
    arguments: [[""], ["abc"], ["a", "b", "c"]])
  func collect(chunks: [String]) async throws {
    let whole = chunks.joined()
    #expect(try await Source(chunks).body.collect(upTo: whole.utf8.count) == Data(whole.utf8))
    guard !whole.isEmpty else { return }
    let source = Source(chunks + ["more"])
    let error = await failure { try await source.body.collect(upTo: whole.utf8.count) }
    #expect(error?.kind == .tooLarge)
    #expect(source.cancelCount == 1)
  }

  @Test("a body that was cancelled before it was read ends with that, and its source is asked for nothing")
  func readAfterCancellation() async throws {
    let source = Source(["a"])
    let body = source.body
    body.cancel()
    await #expect(throws: CancellationError.self) { for try await _ in body {} }
    let bytes = HTTPBody(Data("a".utf8))
    bytes.cancel()
    await #expect(throws: CancellationError.self) { try await bytes.collect(upTo: 10) }
  }

  @Test("a source that was read to its end is not cancelled")
  func endIsNotCancelled() async throws {
    let source = Source(["a", "b"])
    #expect(try await source.body.collect(upTo: 2) == Data("ab".utf8))
    #expect(source.cancelCount == 0)
  }

  @Test("a source is cancelled once: dropped unread, left in the middle, or cancelled and then dropped")
  func cancelledOnce() async throws {
    let unread = Source(["a"])
    do { _ = unread.body }
    #expect(unread.cancelCount == 1)

    let left = Source(["a", "b"])
    for try await _ in left.body { break }
    #expect(left.cancelCount == 1)

    let twice = Source(["a"])
    do {
      let body = twice.body
      body.cancel()
      body.cancel()
    }
    #expect(twice.cancelCount == 1)
  }

  @Test("an error of the source comes out, and after it the body has ended")
  func sourceFails() async throws {
    let lost = TransportError(kind: .lost, text: "gone", mayHaveBeenSent: true)
    var iterator = HTTPBody(next: { throw lost }).makeAsyncIterator()
    await #expect(throws: lost) { _ = try await iterator.next() }
    #expect(try await iterator.next() == nil)
  }

  @Test("another sequence is passed on, with its error")
  func wrapsSequence() async throws {
    let lost = TransportError(kind: .lost, text: "gone", mayHaveBeenSent: true)
    let stream = AsyncThrowingStream<Data, any Error> { continuation in
      continuation.yield(Data("a".utf8))
      continuation.yield(Data("b".utf8))
      continuation.finish(throwing: lost)
    }
    var iterator = HTTPBody(stream).makeAsyncIterator()
    #expect(try await iterator.next() == Data("a".utf8))
    #expect(try await iterator.next() == Data("b".utf8))
    await #expect(throws: lost) { _ = try await iterator.next() }
  }

  @Test("a body whose errors are read anew passes its chunks on, and its error in the other words")
  func mappedErrors() async throws {
    let chunks = Locked([Data("abc".utf8)])
    let body = HTTPBody {
      try chunks.withLock {
        guard !$0.isEmpty else { throw URLError(.networkConnectionLost) }
        return $0.removeFirst()
      }
    }
    var iterator = body.mapErrors { error in
      TransportError(kind: .lost, text: "\((error as? URLError)?.code.rawValue ?? 0)", mayHaveBeenSent: true)
    }.makeAsyncIterator()
    #expect(try await iterator.next() == Data("abc".utf8))
    await #expect(throws: TransportError(kind: .lost, text: "-1005", mayHaveBeenSent: true)) {
      try await iterator.next()
    }
  }

  @Test(
    "a body whose errors are read anew cancels its source once: dropped unread, left in the middle, or cancelled"
  )
  func mappedCancellation() async throws {
    let dropped = Source(["a"])
    _ = dropped.body.mapErrors { $0 }
    #expect(dropped.cancelCount == 1)

    let left = Source(["a", "b"])
    for try await _ in left.body.mapErrors({ $0 }) { break }
    #expect(left.cancelCount == 1)

    let cancelled = Source(["a"])
    let body = cancelled.body.mapErrors { $0 }
    body.cancel()
    body.cancel()
    #expect(cancelled.cancelCount == 1)

    let ended = Source(["a"])
    #expect(try await ended.body.mapErrors { $0 }.collect(upTo: 1) == Data("a".utf8))
    #expect(ended.cancelCount == 0)
  }

  @Test("dropping a body drops the sequence it wraps")
  func dropsSequence() async throws {
    let ended = EventLog()
    do {
      let stream = AsyncStream<Data> { continuation in
        continuation.onTermination = { _ in ended.record(.mark("ended")) }
        continuation.yield(Data("a".utf8))
      }
      for try await _ in HTTPBody(stream) { break }
    }
    await ended.wait(for: .mark("ended"))
  }
}

@Suite("The buffer between delegate and reader", .timeLimit(.minutes(5)))
struct BodyBufferTests {
  final class Producer: Sendable {
    let asked = Locked<[BodyBuffer.Request]>([])
    var requests: [BodyBuffer.Request] { asked.withLock { $0 } }
    func buffer() -> BodyBuffer { BodyBuffer { request in self.asked.withLock { $0.append(request) } } }
  }

  @Test("the producer pauses above the high-water mark and goes on at the low one, once each")
  func water() async throws {
    let producer = Producer()
    let buffer = producer.buffer()
    let chunk = Data(count: 128 << 10)
    for _ in 0..<8 { buffer.push(chunk) }
    #expect(producer.requests == [])
    for _ in 0..<4 { buffer.push(chunk) }
    #expect(producer.requests == [.pause])
    for _ in 0..<9 { _ = try await buffer.next(isolation: nil) }
    #expect(producer.requests == [.pause])
    _ = try await buffer.next(isolation: nil)
    #expect(producer.requests == [.pause, .resume])
    for _ in 0..<2 { _ = try await buffer.next(isolation: nil) }
    buffer.finish(.success(()))
    #expect(try await buffer.next(isolation: nil) == nil)
    #expect(producer.requests == [.pause, .resume])
  }

  @Test("what was buffered is read before the end, and the first end counts")
  func endAfterChunks() async throws {
    let lost = TransportError(kind: .lost, text: "gone", mayHaveBeenSent: true)
    let buffer = Producer().buffer()
    buffer.push(Data("a".utf8))
    buffer.push(Data())
    buffer.push(Data("b".utf8))
    buffer.finish(.failure(lost))
    buffer.finish(.success(()))
    buffer.push(Data("late".utf8))
    #expect(try await buffer.next(isolation: nil) == Data("a".utf8))
    #expect(try await buffer.next(isolation: nil) == Data("b".utf8))
    await #expect(throws: lost) { _ = try await buffer.next(isolation: nil) }
  }

  @Test("a producer that cannot pause is cancelled at the limit, and the reader told")
  func limit() async {
    let producer = Producer()
    let buffer = producer.buffer()
    let chunk = Data(count: 8 << 20)
    for _ in 0..<8 { buffer.push(chunk) }
    #expect(producer.requests == [.pause])
    buffer.push(Data(count: 1))
    #expect(producer.requests == [.pause, .cancel])
    let error = await failure { try await buffer.next(isolation: nil) }
    #expect(error?.kind == .tooLarge)
  }

  @Test("the producer is cancelled once, and not after the end")
  func cancel() async {
    let running = Producer()
    let buffer = running.buffer()
    buffer.cancel()
    buffer.cancel()
    #expect(running.requests == [.cancel])
    await #expect(throws: CancellationError.self) { _ = try await buffer.next(isolation: nil) }

    let finished = Producer()
    let other = finished.buffer()
    other.finish(.success(()))
    other.cancel()
    #expect(finished.requests == [])
  }

  @Test("chunks pushed from another thread while a reader reads come whole and in order")
  func race() async throws {
    let producer = Producer()
    let buffer = producer.buffer()
    let count = 20_000
    Thread.detachNewThread {
      for index in 0..<count { buffer.push(withUnsafeBytes(of: UInt32(index)) { Data($0) }) }
      buffer.finish(.success(()))
    }
    var next: UInt32 = 0
    while let chunk = try await buffer.next(isolation: nil) {
      #expect(chunk.withUnsafeBytes { $0.loadUnaligned(as: UInt32.self) } == next)
      next += 1
    }
    #expect(next == UInt32(count))
  }
}
