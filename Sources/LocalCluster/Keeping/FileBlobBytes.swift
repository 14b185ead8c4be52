import Foundation
import MeroCrypto
import MeroKitTestSupport
import MeroWire

/// The bytes of files in a folder, one file for each stretch, readable by its owner alone.
///
/// A stretch is whole or not there: it is written beside its place and moved into it. One that no record names, because the
/// process ended between the two, takes room and does no harm.
package struct FileBlobBytes: BlobBytes {
  private let folder: String
  let notice: KeepingNotice

  /// Keeps them in this folder, which is made when the first ones come.
  ///
  /// - Parameter tell: is told, once, when writing begins to fail, and when it works again.
  package init(folder: String, tell: @escaping @Sendable (String) -> Void = { _ in }) {
    self.folder = folder
    notice = KeepingNotice(tell)
  }

  package func put(_ bytes: Data, as name: String) throws {
    do {
      try write(bytes, as: name)
      notice.worked("files can be written to \(folder) again")
    } catch {
      notice.failed("\(error)\nno file is taken until it can be written again")
      throw error
    }
  }

  private func write(_ bytes: Data, as name: String) throws {
    // Not the folders above it: where those are gone, so is the database that tells what the bytes belong to.
    guard mkdir(folder, 0o700) == 0 || errno == EEXIST else {
      throw KeepingError.folder(folder, reason: String(cString: strerror(errno)))
    }
    let temporary = "\(path(name)).\(UUID().uuidString).tmp"
    guard
      FileManager.default.createFile(
        atPath: temporary, contents: bytes, attributes: [.posixPermissions: 0o600]),
      rename(temporary, path(name)) == 0
    else {
      let reason = String(cString: strerror(errno))
      unlink(temporary)
      throw KeepingError.folder(folder, reason: reason)
    }
  }

  package func get(_ name: String, _ range: Range<Int>) throws -> Data? {
    guard let file = FileHandle(forReadingAtPath: path(name)) else { return nil }
    defer { try? file.close() }
    try file.seek(toOffset: UInt64(range.lowerBound))
    return try file.read(upToCount: range.count) ?? Data()
  }

  package func remove(_ name: String) throws {
    guard unlink(path(name)) == 0 || errno == ENOENT else {
      throw KeepingError.folder(folder, reason: String(cString: strerror(errno)))
    }
  }

  /// Names come from what was asked for, so a file is called by their hash.
  private func path(_ name: String) -> String {
    "\(folder)/\(Hex.encode(SHA256.hash(Array(name.utf8))))"
  }
}
