import Foundation
import MeroCrypto

/// What a response frame carries; the first byte of its plaintext.
package enum FrameKind: UInt8, Sendable {
  case head = 0
  case data = 1
  case end = 2
}

/// Seals the frames of one response, in order (50 §1.5).
package struct FrameWriter: Sendable {
  private let cipher: AESGCM
  private let header: EnvelopeHeader
  private var index: UInt32 = 0
  private var isExhausted = false

  package init(cipher: AESGCM, header: EnvelopeHeader) {
    self.cipher = cipher
    self.header = header
  }

  /// One frame with its length prefix.
  ///
  /// - Precondition: `content` holds at most 65,536 bytes.
  package mutating func frame(_ kind: FrameKind, _ content: UnsafeRawBufferPointer) throws(CryptoError)
    -> Data
  {
    precondition(content.count <= SealedProtocol.frameDataLimit, "a frame holds at most 65,536 bytes")
    // An index used twice would be a nonce used twice.
    guard !isExhausted else { throw .backend("seal more than 2^32 frames in one response") }
    let plainCount = 1 + content.count
    let length = plainCount + SealedProtocol.tagSize
    let frame = OwnedBytes(count: 4 + length)
    let nonce = header.frameNonce(index)
    try frame.withBytes { (memory: UnsafeMutableRawBufferPointer) throws(CryptoError) in
      memory.copyBytes(from: UInt32(length).bigEndianBytes)
      memory[4] = kind.rawValue
      UnsafeMutableRawBufferPointer(rebasing: memory[5...]).copyMemory(from: content)
      try cipher.sealInPlace(memory, from: 4, nonce: nonce, authenticating: header.bytes)
    }
    isExhausted = index == .max
    index &+= 1
    return frame.data()
  }

  package mutating func frame(_ kind: FrameKind, _ content: some ContiguousBytes) throws(CryptoError) -> Data
  {
    let result: Result<Data, CryptoError> = content.withUnsafeBytes { content in
      do throws(CryptoError) { return .success(try frame(kind, content)) } catch { return .failure(error) }
    }
    return try result.get()
  }
}

/// Opens the frames of one response as their bytes arrive.
///
/// Feed it what comes, ask for what it has; nothing is handed out before its frame opened under the next index.
///
/// ```swift
/// try reader.feed(chunk)
/// while let frame = try reader.next() { … }
/// ```
package struct FrameReader: Sendable {
  package enum Frame: Sendable, Hashable {
    case head(InnerResponseHead)
    case data(Data)
    case end
  }

  private let cipher: AESGCM
  private let header: EnvelopeHeader
  private var index: UInt32 = 0
  /// What was fed and not yet looked at.
  private var chunk = Data()
  private var position = 0
  /// The beginning of a prefix or frame that continues in the next chunk.
  private var partial: [UInt8] = []
  /// The frame being read, once its prefix is known.
  private var length: Int?
  private var isOver = false

  package init(cipher: AESGCM, header: EnvelopeHeader) {
    self.cipher = cipher
    self.header = header
  }

  package mutating func feed(_ chunk: Data) {
    if position == self.chunk.endIndex {
      self.chunk = chunk
    } else {
      self.chunk = self.chunk[position...] + chunk
    }
    position = self.chunk.startIndex
  }

  /// The next frame, or `nil` when more bytes are needed. After the end frame it is always `nil`.
  package mutating func next() throws(SealedError) -> Frame? {
    guard !isOver else { return nil }
    do {
      return try step()
    } catch {
      isOver = true
      chunk = Data()
      position = 0
      partial = []
      throw error
    }
  }

  /// To be called when the connection has ended: throws unless the end frame came first.
  package mutating func finish() throws(SealedError) {
    guard !isOver else { return }
    isOver = true
    guard index > 0 || length != nil || !partial.isEmpty else {
      throw .malformedReply("the response has no head frame")
    }
    throw .cutShort
  }

  private mutating func step() throws(SealedError) -> Frame? {
    if length == nil {
      guard let prefix = take(4, { $0.reduce(0) { $0 << 8 | Int($1) } }) else { return nil }
      // Before any of it is kept: a length is the sender's claim, and memory is ours.
      guard prefix <= SealedProtocol.frameLengthLimit else { throw .frameTooLarge }
      guard prefix >= SealedProtocol.frameLengthMinimum else { throw .frameDidNotOpen }
      length = prefix
    }
    guard let length, let frame = try openFrame(length) else { return nil }
    self.length = nil
    return frame
  }

  private mutating func openFrame(_ length: Int) throws(SealedError) -> Frame? {
    let (cipher, nonce, header) = (cipher, header.frameNonce(index), header.bytes)
    let plain = OwnedBytes(count: length - SealedProtocol.tagSize)
    let opened = take(length) { sealed in
      plain.withBytes { cipher.opens(sealed, nonce: nonce, authenticating: header, into: $0) }
    }
    guard let opened else { return nil }
    guard opened else { throw .frameDidNotOpen }
    let isFirst = index == 0
    guard index < .max else { throw .malformedReply("the response has too many frames") }
    index += 1
    let kind = plain.withBytes { FrameKind(rawValue: $0[0]) }
    let content = plain.data(from: 1)
    switch (kind, isFirst) {
    case (.head, true): return .head(try InnerResponseHead(parsing: content))
    case (.data, false): return .data(content)
    case (.end, false) where content.isEmpty:
      isOver = true
      return .end
    case (_, true): throw .malformedReply("the first frame is not a head")
    case (.head, false): throw .malformedReply("a second head frame")
    case (.end, false): throw .malformedReply("an end frame with data")
    case (nil, false): throw .malformedReply("a frame of an unknown kind")
    }
  }

  /// Hands `count` bytes to `body` once all of them are there, from where they lie if they lie together.
  private mutating func take<R>(_ count: Int, _ body: (UnsafeRawBufferPointer) -> R) -> R? {
    let available = chunk.endIndex - position
    if partial.isEmpty, available >= count {
      let offset = position - chunk.startIndex
      position += count
      return chunk.withUnsafeBytes { body(UnsafeRawBufferPointer(rebasing: $0[offset..<offset + count])) }
    }
    let piece = min(count - partial.count, available)
    if piece > 0 {
      partial.reserveCapacity(count)
      partial.append(contentsOf: chunk[position..<position + piece])
      position += piece
    }
    guard partial.count == count else { return nil }
    defer { partial.removeAll(keepingCapacity: true) }
    return partial.withUnsafeBytes(body)
  }
}

extension AESGCM {
  /// Seals everything from `offset` but the last 16 bytes, which become the tag.
  func sealInPlace(
    _ memory: UnsafeMutableRawBufferPointer, from offset: Int, nonce: [UInt8], authenticating header: [UInt8]
  ) throws(CryptoError) {
    let output = UnsafeMutableRawBufferPointer(rebasing: memory[offset...])
    let plaintext = UnsafeRawBufferPointer(rebasing: output[..<(output.count - AESGCM.tagSize)])
    let result: Result<Void, CryptoError> = nonce.withUnsafeBytes { nonce in
      header.withUnsafeBytes { header in
        do throws(CryptoError) {
          return .success(try seal(plaintext, nonce: nonce, authenticating: header, into: output))
        } catch {
          return .failure(error)
        }
      }
    }
    try result.get()
  }

  func opens(
    _ sealed: UnsafeRawBufferPointer, nonce: [UInt8], authenticating header: [UInt8],
    into output: UnsafeMutableRawBufferPointer
  ) -> Bool {
    nonce.withUnsafeBytes { nonce in
      header.withUnsafeBytes { header in
        do throws(CryptoError) {
          try open(sealed, nonce: nonce, authenticating: header, into: output)
          return true
        } catch {
          return false
        }
      }
    }
  }
}
