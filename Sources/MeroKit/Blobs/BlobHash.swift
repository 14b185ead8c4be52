import Foundation
import MeroCrypto

enum BlobHash {
  /// The SHA-256 of a file, read piece by piece.
  static func of(_ file: URL) throws -> [UInt8] { try measure(file).hash }

  /// How many bytes were read of a file, and their SHA-256.
  static func measure(_ file: URL) throws -> (size: UInt64, hash: [UInt8]) {
    let handle = try FileHandle(forReadingFrom: file)
    defer { try? handle.close() }
    var hasher = SHA256.Hasher()
    var size: UInt64 = 0
    while let piece = try handle.read(upToCount: 1 << 18), !piece.isEmpty {
      try Task.checkCancellation()
      hasher.update(piece)
      size += UInt64(piece.count)
    }
    return (size, hasher.finalize())
  }
}
