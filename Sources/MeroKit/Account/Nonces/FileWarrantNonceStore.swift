import Foundation
import MeroHTTP

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// Nonces in a folder, one small file for each relay, safe between processes and after a crash.
///
/// Each number is on the disk before it is handed out: the file is replaced as a whole while it is locked, so whoever is
/// killed in between leaves the old number or the new one.
public struct FileWarrantNonceStore: WarrantNonceStore {
  /// Where the files are.
  public let folder: URL

  /// A store in `folder`, which is made when it is not there.
  public init(folder: URL) { self.folder = folder }

  /// The next number of a relay.
  public func next(relay: String) throws -> UInt64 {
    try change(relay) { try $0.next() }
  }

  /// Makes the next number at least `floor`.
  public func advance(relay: String, to floor: UInt64) throws {
    try change(relay) { $0.advance(to: floor) }
  }

  /// The file of a relay's sequence.
  package func path(of relay: String) -> String {
    folder.appendingPathComponent(FileText.name(of: RelayOrigin.of(relay))).path
  }

  private func change<T>(_ relay: String, _ body: (inout NonceSequence) throws -> T) throws -> T {
    let path = path(of: relay)
    return try FileLock.whileHeld("\(path).lock") {
      let file = PrivateFile(path: path)
      let text = try file.read().map { String(decoding: $0, as: UTF8.self) }
      var sequence = NonceSequence(stored: text?.trimmingCharacters(in: .whitespacesAndNewlines))
      let before = sequence
      let result = try body(&sequence)
      if sequence != before { try file.write(Data(sequence.stored.utf8)) }
      return result
    }
  }
}
