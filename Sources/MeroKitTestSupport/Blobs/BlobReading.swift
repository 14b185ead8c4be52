import Foundation
import MeroCrypto
import MeroHTTP

/// Reads stretches of a file one after the other, a little at a time, so that no file is ever in memory as a whole on its
/// way out. Not done under the cluster's lock.
struct BlobReading {
  private static let step = 1 << 20

  private let bytes: any BlobBytes
  private var rest: [(piece: BlobPiece, range: Range<Int>)]

  /// Reads `range` of the file that consists of `pieces`.
  init(_ pieces: [BlobPiece], _ range: Range<Int>, from bytes: any BlobBytes) {
    self.bytes = bytes
    var offset = 0
    rest = []
    for piece in pieces {
      let overlap = range.clamped(to: offset..<offset + piece.size)
      if !overlap.isEmpty { rest.append((piece, overlap.lowerBound - offset..<overlap.upperBound - offset)) }
      offset += piece.size
    }
  }

  /// The next bytes; nil at the end. Throws when bytes are gone, as those of a file deleted meanwhile are.
  mutating func next() throws -> Data? {
    guard let (piece, range) = rest.first else { return nil }
    let end = min(range.upperBound, range.lowerBound + Self.step)
    guard let bytes = try bytes.get(piece.name, range.lowerBound..<end),
      bytes.count == end - range.lowerBound
    else {
      throw TransportError(kind: .lost, text: "the file's bytes are gone", mayHaveBeenSent: true)
    }
    if end == range.upperBound { rest.removeFirst() } else { rest[0].range = end..<range.upperBound }
    return bytes
  }

  /// The same as a response's body.
  func body() -> HTTPBody {
    let reading = Locked(self)
    return HTTPBody(next: { try reading.withLock { try $0.next() } })
  }

  /// The SHA-256 of all of it.
  mutating func hash() throws -> [UInt8] {
    var hasher = SHA256.Hasher()
    while let bytes = try next() { hasher.update(bytes) }
    return hasher.finalize()
  }
}
