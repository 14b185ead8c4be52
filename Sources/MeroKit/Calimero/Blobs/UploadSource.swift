import Foundation
import MeroCrypto
import MeroWire

/// Where the bytes of a file that is put come from.
enum UploadSource: Sendable {
  case bytes(Data)
  case file(URL)

  /// A source whose bytes were counted and hashed.
  struct Measured: Sendable {
    let source: UploadSource
    let size: UInt64
    /// Lower-case hex.
    let hash: String

    /// The bytes of a range. Throws when a file has become shorter since; that its bytes are others, the node finds
    /// out.
    func read(_ range: Range<UInt64>) throws -> Data {
      switch source {
      case .bytes(let data): return data.dropFirst(Int(range.lowerBound)).prefix(range.count)
      case .file(let url):
        let handle = try FileHandle(forReadingFrom: url)
        defer { try? handle.close() }
        try handle.seek(toOffset: range.lowerBound)
        let data = try handle.read(upToCount: range.count) ?? Data()
        guard data.count == range.count else {
          throw CalimeroError.invalidInput("the file \(url.lastPathComponent) became shorter as it was sent")
        }
        return data
      }
    }
  }

  /// Reads all of it once, piece by piece.
  func measured() throws -> Measured {
    switch self {
    case .bytes(let data):
      Measured(source: self, size: UInt64(data.count), hash: Hex.encode(SHA256.hash(data)))
    case .file(let url):
      try {
        let (size, hash) = try BlobHash.measure(url)
        return Measured(source: self, size: size, hash: Hex.encode(hash))
      }()
    }
  }
}
