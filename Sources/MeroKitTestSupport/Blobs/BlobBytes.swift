import Foundation
import MeroHTTP

/// Where the bytes of files are, apart from the records that speak of them: a cluster that keeps its records on disk
/// keeps the bytes beside them, and reads of a file what is asked for.
///
/// Bytes are there before the record that names them, and go after it.
package protocol BlobBytes: Sendable {
  /// Keeps bytes under a name; what had the name before is gone.
  func put(_ bytes: Data, as name: String) throws
  /// Bytes of a name from `range`, as far as there are any; nil when nothing has the name.
  func get(_ name: String, _ range: Range<Int>) throws -> Data?
  /// Forgets the bytes of a name, if there are any.
  func remove(_ name: String) throws
}

/// Bytes in memory.
package final class MemoryBlobBytes: BlobBytes {
  private let kept = Locked<[String: Data]>([:])

  package init() {}

  package func put(_ bytes: Data, as name: String) { kept.withLock { $0[name] = bytes } }

  package func get(_ name: String, _ range: Range<Int>) -> Data? {
    guard let bytes = kept.withLock({ $0[name] }) else { return nil }
    return bytes.dropFirst(range.lowerBound).prefix(range.count)
  }

  package func remove(_ name: String) { kept.withLock { $0[name] = nil } }
}

/// A stretch of a file's bytes, under a name of its own. A file that came in parts stays in parts.
struct BlobPiece: Hashable, Sendable {
  let name: String
  let size: Int
}
