import Foundation
import MeroAPI
import MeroCrypto
import MeroHTTP
import MeroWire

/// Reads a file, or a range of it, from whatever node has it; after an interruption from the next node, from where it
/// was (70 §2.18). A whole file is hashed as it comes and checked at its end.
///
/// Used by one task; it is not Sendable.
struct BlobReader {
  private static let empty = Hex.encode(SHA256.hash([UInt8]()))

  private let requests: BlobRequests
  private let id: String
  private let start: UInt64
  /// Where the caller's range ends; nil for the file's end.
  private let limit: UInt64?
  /// Of a whole file.
  private var hasher: SHA256.Hasher?
  /// The place in the file of the next byte to give out.
  private var position: UInt64
  /// Where the bytes end, once a node has said it.
  private var end: UInt64?
  private var body: HTTPBody.AsyncIterator?
  /// Ends the response at hand with the client.
  private var hold: ClientRuns.Hold?
  /// Bytes to come that are at hand already, from a node that sends the whole file whatever it is asked for.
  private var surplus: UInt64 = 0
  private var node: NodeHandle?
  private var isInterrupted = false
  /// Interruptions since the last byte came.
  private var fruitless = 0
  private var isOver = false

  init(requests: BlobRequests, id: String, range: Range<UInt64>?) throws(CalimeroError) {
    guard (try? Hex.decode(id, count: 32)).map({ Hex.encode($0) }) == id else {
      throw .invalidInput("a file's id is its SHA-256 in 64 lower-case hex digits")
    }
    if let range, range.isEmpty { throw .invalidInput("the range holds no byte") }
    self.requests = requests
    self.id = id
    start = range?.lowerBound ?? 0
    limit = range?.upperBound
    position = start
    hasher = range == nil ? SHA256.Hasher() : nil
  }

  /// How many bytes were given out.
  var count: UInt64 { position - start }
  /// How many there are in all, once a node has said it.
  var total: UInt64? { end.map { $0 - start } }

  /// The next bytes; nil at the end.
  mutating func next() async throws -> Data? {
    guard !isOver else { return nil }
    do {
      while true {
        if Task.isCancelled { throw CalimeroError.cancelled }
        if body == nil {
          if position == end { return try finish() }
          try await open()
        }
        if let piece = try await receive() { return piece }
      }
    } catch {
      isOver = true
      body = nil
      throw error
    }
  }

  // MARK: Reading

  /// Takes a step in the response at hand: bytes, or nil when there is something else to do first.
  private mutating func receive() async throws -> Data? {
    guard var open = body else { return nil }
    // What is at hand of the response is not given out either.
    if requests.core.runs.isClosed { throw CalimeroError.cancelled }
    let piece: Data?
    do {
      piece = try await open.next()
      body = open
    } catch {
      body = nil
      // With every byte at hand it does not matter how the response ended.
      if position != end { try await interrupted("\(error)") }
      return nil
    }
    guard let piece else {
      body = nil
      if end == nil { end = position }
      if position != end { try await interrupted("the node ended the response early") }
      return nil
    }
    return try accept(piece)
  }

  private mutating func accept(_ piece: Data) throws -> Data? {
    var piece = piece
    if surplus > 0 {
      let dropped = min(surplus, UInt64(piece.count))
      surplus -= dropped
      piece = piece.dropFirst(Int(dropped))
    }
    if let limit { piece = piece.prefix(Int(clamping: limit - position)) }
    guard UInt64(piece.count) <= (end ?? .max) - position else {
      throw CalimeroError.integrity("the node sent more bytes of \(id) than it said there are")
    }
    guard !piece.isEmpty else {
      // A node that ignores ranges goes on beyond the one asked for.
      if let limit, position == limit {
        end = limit
        body = nil
      }
      return nil
    }
    position += UInt64(piece.count)
    fruitless = 0
    hasher?.update(piece)
    return piece
  }

  private mutating func finish() throws -> Data? {
    isOver = true
    guard let hash = hasher?.finalize(), Hex.encode(hash) != id else { return nil }
    throw CalimeroError.integrity("the bytes of the file \(id) have the SHA-256 \(Hex.encode(hash))")
  }

  // MARK: Asking

  /// Asks for what is left. A range is asked for also when it is everything: only then a node says how much there is,
  /// as a sealed response has no length of its own.
  private mutating func open() async throws {
    let last = limit.map { "\($0 - 1)" } ?? ""
    let range = id == Self.empty ? nil : "bytes=\(position)-\(last)"
    let opened = try await requests.open(id, range: range, after: isInterrupted ? node : nil)
    node = opened.node
    isInterrupted = false
    if opened.status == 206 {
      surplus = 0
      try note(ContentRange(opened.headers["content-range"]))
    } else {
      surplus = position
    }
    body = opened.body.makeAsyncIterator()
    hold = opened.hold
  }

  private mutating func note(_ range: ContentRange?) throws {
    guard let range, range.first == position, range.last < limit ?? .max else {
      throw CalimeroError.decoding(
        DecodingFailure(
          path: "content-range", reason: "the node answered another range than it was asked for",
          operation: APIOperation.appBlobGet.id))
    }
    let told = range.last + 1
    guard end == nil || end == told, limit != nil || range.total == told else {
      throw CalimeroError.integrity("nodes do not agree on how long \(id) is")
    }
    end = told
  }

  /// The response broke off: another node is to go on, after a wait when that has happened before without a byte.
  private mutating func interrupted(_ cause: String) async throws {
    if Task.isCancelled || requests.core.runs.isClosed { throw CalimeroError.cancelled }
    let options = requests.core.options
    fruitless += 1
    isInterrupted = true
    if let node { await requests.core.engine.streamFailed(at: node) }
    guard fruitless < options.retry.maxTries else {
      throw CalimeroError.unknownOutcome(
        UnknownOutcome(cause: "the file broke off again and again: \(cause)", node: node?.url))
    }
    guard fruitless > 1 else { return }
    do {
      try await options.clock.sleep(
        options.retry.wait(beforeRound: fruitless, unit: options.random.unit()))
    } catch { throw CalimeroError.cancelled }
  }
}

/// What a `Content-Range` says (RFC 9110, 14.4).
struct ContentRange {
  let first: UInt64
  let last: UInt64
  let total: UInt64?

  init?(_ header: String?) {
    guard let header, header.lowercased().hasPrefix("bytes ") else { return nil }
    let parts = header.dropFirst(6).split(separator: "/", omittingEmptySubsequences: false)
    guard parts.count == 2 else { return nil }
    let ends = parts[0].split(separator: "-", omittingEmptySubsequences: false)
    guard ends.count == 2, let first = UInt64(ends[0]), let last = UInt64(ends[1]), first <= last, last < .max
    else { return nil }
    total = UInt64(parts[1])
    guard total ?? .max > last, total != nil || parts[1] == "*" else { return nil }
    self.first = first
    self.last = last
  }
}
