import Foundation

/// Reads a `text/event-stream` as it arrives, in chunks cut anywhere.
///
/// It follows the WHATWG rules for interpreting an event stream. Bytes are split into lines as bytes (neither CR nor LF
/// occurs within a UTF-8 character) and decoded once per event, so a character cut by a chunk border needs no care.
/// Whatever the server sends, no more than about `maxEventBytes` are kept.
///
/// ```swift
/// var parser = SSEParser(maxEventBytes: 1 << 20)
/// for try await chunk in response.body {
///   for event in try parser.feed(chunk) { handle(event) }
/// }
/// ```
package struct SSEParser {
  private let maxEventBytes: Int
  /// The beginning of a line whose end has not come.
  private var partialLine: [UInt8] = []
  /// A CR ended the last line; an LF that follows belongs to it.
  private var skipsLineFeed = false
  private var isFirstLine = true
  private var failure: TransportError?

  private var data: [UInt8] = []
  private var hasData = false
  private var event: String?
  private var retry: Int?
  private var lastEventID: String?
  /// What the current event has kept, without the line ends between its data lines.
  private var keptBytes = 0

  /// A parser that refuses an event of more than `maxEventBytes` bytes of data, type and id together.
  package init(maxEventBytes: Int) {
    self.maxEventBytes = max(0, min(maxEventBytes, Int.max / 4))
  }

  /// The events that `chunk` completes.
  ///
  /// Throws `TransportError(kind: .tooLarge)` for an event or a line beyond the limit, and from then on always.
  package mutating func feed(_ chunk: Data) throws -> [ServerSentEvent] {
    var events: [ServerSentEvent] = []
    try feed(chunk) { events.append($0) }
    return events
  }

  /// Hands each event that `chunk` completes to `body`, also those that precede a refused one.
  package mutating func feed(_ chunk: Data, _ body: (ServerSentEvent) -> Void) throws {
    try feed(chunk, frames: { body(ServerSentEvent($0)) })
  }

  /// An event whose data stays where the parser has it, for readers that want bytes.
  package struct Frame {
    /// As in ``ServerSentEvent``.
    package let id: String?
    /// As in ``ServerSentEvent``.
    package let event: String?
    /// As in ``ServerSentEvent``.
    package let retry: Int?
    /// The `data` lines joined by line feeds; good until the closure it was handed to returns. Not checked to be UTF-8.
    package let data: UnsafeRawBufferPointer
  }

  /// Hands each event that `chunk` completes to `body` without making a text of it.
  package mutating func feed(_ chunk: Data, frames body: (Frame) -> Void) throws {
    if let failure { throw failure }
    do {
      try chunk.withUnsafeBytes { try feed($0, body) }
    } catch let error as TransportError {
      reset()
      failure = error
      throw error
    }
  }

  /// Forgets an event whose closing blank line never came, as the rules ask, and is ready for another stream.
  ///
  /// Returns whether there was one.
  @discardableResult
  package mutating func finish() -> Bool {
    defer { reset() }
    return hasData || event != nil || !partialLine.isEmpty
  }

  private mutating func reset() {
    self = SSEParser(maxEventBytes: maxEventBytes)
  }

  // MARK: Lines

  private mutating func feed(_ bytes: UnsafeRawBufferPointer, _ body: (Frame) -> Void) throws {
    guard let base = bytes.baseAddress, !bytes.isEmpty else { return }
    var start = 0
    if skipsLineFeed {
      skipsLineFeed = false
      if bytes[0] == Self.lineFeed { start = 1 }
    }
    // Each position is searched for once and kept until passed: a stream that ends its lines with CR alone must not
    // be searched to its end for an LF at every line.
    var nextLF = Self.position(of: Self.lineFeed, in: base, from: start, to: bytes.count)
    var nextCR = Self.position(of: Self.carriageReturn, in: base, from: start, to: bytes.count)
    while start < bytes.count {
      let end = min(nextLF, nextCR)
      let piece = UnsafeRawBufferPointer(rebasing: bytes[start..<end])
      if end == bytes.count {
        try keepPartialLine(piece)
        return
      }
      try endLine(piece, body)
      start = end + 1
      if end == nextCR {
        nextCR = Self.position(of: Self.carriageReturn, in: base, from: start, to: bytes.count)
        if start == bytes.count { skipsLineFeed = true } else if nextLF == start { start += 1 }
      }
      if nextLF < start {
        nextLF = Self.position(of: Self.lineFeed, in: base, from: start, to: bytes.count)
      }
    }
  }

  private static func position(of byte: UInt8, in base: UnsafeRawPointer, from start: Int, to end: Int) -> Int
  {
    guard start < end, let found = memchr(base + start, Int32(byte), end - start) else { return end }
    return UnsafeRawPointer(found) - base
  }

  private mutating func keepPartialLine(_ piece: UnsafeRawBufferPointer) throws {
    try checkLine(partialLine.count + piece.count)
    partialLine.append(contentsOf: piece)
  }

  private mutating func endLine(_ piece: UnsafeRawBufferPointer, _ body: (Frame) -> Void) throws {
    guard !partialLine.isEmpty else {
      try checkLine(piece.count)
      return try interpret(piece, body)
    }
    try keepPartialLine(piece)
    var line: [UInt8] = []
    swap(&line, &partialLine)
    try line.withUnsafeBytes { try interpret($0, body) }
    line.removeAll(keepingCapacity: true)
    swap(&line, &partialLine)
  }

  /// A line may be longer than an event by the longest name of a field that is kept, the byte-order mark included.
  private func checkLine(_ count: Int) throws {
    if count > maxEventBytes + 10 { throw tooLarge() }
  }

  // MARK: Fields

  private mutating func interpret(_ line: UnsafeRawBufferPointer, _ body: (Frame) -> Void) throws {
    var line = line
    if isFirstLine {
      isFirstLine = false
      if line.starts(with: Self.byteOrderMark) { line = UnsafeRawBufferPointer(rebasing: line.dropFirst(3)) }
    }
    guard let base = line.baseAddress, !line.isEmpty else { return dispatch(body) }
    let colon = Self.position(of: Self.colon, in: base, from: 0, to: line.count)
    var value = UnsafeRawBufferPointer(rebasing: line[min(colon + 1, line.count)...])
    if value.first == Self.space { value = UnsafeRawBufferPointer(rebasing: value.dropFirst()) }
    switch line[..<colon] {
    case let name where name.elementsEqual(Self.dataName): try appendData(value)
    case let name where name.elementsEqual(Self.eventName):
      event = value.isEmpty ? nil : try keep(value)
    case let name where name.elementsEqual(Self.idName):
      if !value.contains(0) { lastEventID = try keep(value) }
    case let name where name.elementsEqual(Self.retryName):
      let isNumber = !value.isEmpty && value.allSatisfy { (0x30...0x39).contains($0) }
      if isNumber, let time = Int(String(decoding: value, as: UTF8.self)) { retry = time }
    default: break  // a comment (no name before the colon) or a field nobody knows
    }
  }

  private mutating func appendData(_ value: UnsafeRawBufferPointer) throws {
    try count(value.count + (hasData ? 1 : 0))
    if hasData { data.append(Self.lineFeed) }
    hasData = true
    data.append(contentsOf: value)
  }

  private mutating func keep(_ value: UnsafeRawBufferPointer) throws -> String {
    try count(value.count)
    return String(decoding: value, as: UTF8.self)
  }

  private mutating func count(_ bytes: Int) throws {
    keptBytes += bytes
    if keptBytes > maxEventBytes { throw tooLarge() }
  }

  private mutating func dispatch(_ body: (Frame) -> Void) {
    if hasData {
      data.withUnsafeBytes { body(Frame(id: lastEventID, event: event, retry: retry, data: $0)) }
    }
    // A single huge event must not hold its memory for the rest of a long stream.
    data.removeAll(keepingCapacity: data.capacity <= 1 << 16)
    hasData = false
    event = nil
    retry = nil
    keptBytes = 0
  }

  private func tooLarge() -> TransportError {
    TransportError(
      kind: .tooLarge, text: "an event of the stream is larger than \(maxEventBytes) bytes",
      mayHaveBeenSent: true)
  }

  private static let lineFeed = UInt8(ascii: "\n")
  private static let carriageReturn = UInt8(ascii: "\r")
  private static let colon = UInt8(ascii: ":")
  private static let space = UInt8(ascii: " ")
  private static let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]
  private static let dataName = Array("data".utf8)
  private static let eventName = Array("event".utf8)
  private static let idName = Array("id".utf8)
  private static let retryName = Array("retry".utf8)
}

extension ServerSentEvent {
  fileprivate init(_ frame: SSEParser.Frame) {
    self.init(
      id: frame.id, event: frame.event, data: String(decoding: frame.data, as: UTF8.self), retry: frame.retry)
  }
}
