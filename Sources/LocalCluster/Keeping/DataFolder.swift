import Foundation

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// The folder a cluster is kept in, held by one process at a time.
///
/// The lock belongs to the open file, so it ends with the process, however that ends.
final class DataFolder: Sendable {
  let path: String
  private let lock: Int32

  /// Makes the folder if it is missing, for its owner alone, and takes the lock.
  init(_ path: String) throws(KeepingError) {
    self.path = path
    do {
      try FileManager.default.createDirectory(
        atPath: path, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    } catch {
      throw .folder(path, reason: Self.reason(of: error, at: path))
    }
    let name = "\(path)/lock"
    let lock = open(name, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard lock >= 0 else { throw .folder(path, reason: "\(name): \(String(cString: strerror(errno)))") }
    guard flock(lock, LOCK_EX | LOCK_NB) == 0 else {
      let holder = errno == EWOULDBLOCK ? Self.text(lock) : nil
      let error = errno
      close(lock)
      guard error == EWOULDBLOCK else { throw .folder(path, reason: String(cString: strerror(error))) }
      throw .inUse(path, process: holder)
    }
    self.lock = lock
    // For the message above only; the lock counts without it.
    let own = "\(getpid())\n"
    if ftruncate(lock, 0) == 0 { _ = own.withCString { pwrite(lock, $0, strlen($0), 0) } }
  }

  deinit { close(lock) }

  /// Makes a file for its owner alone, if it is missing. SQLite gives the files beside it the same mode.
  func makeFile(_ name: String) throws(KeepingError) -> String {
    let file = "\(path)/\(name)"
    let descriptor = open(file, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard descriptor >= 0 else { throw .folder(path, reason: "\(file): \(String(cString: strerror(errno)))") }
    close(descriptor)
    return file
  }

  private static func text(_ descriptor: Int32) -> String? {
    var bytes = [UInt8](repeating: 0, count: 32)
    let count = pread(descriptor, &bytes, bytes.count, 0)
    guard count > 0 else { return nil }
    let text = String(decoding: bytes.prefix(count), as: UTF8.self).trimmingCharacters(
      in: .whitespacesAndNewlines)
    return UInt(text) == nil ? nil : text
  }

  private static func reason(of error: any Error, at path: String) -> String {
    var isFolder: ObjCBool = false
    if FileManager.default.fileExists(atPath: path, isDirectory: &isFolder), !isFolder.boolValue {
      return "it is a file"
    }
    return error.localizedDescription
  }
}
