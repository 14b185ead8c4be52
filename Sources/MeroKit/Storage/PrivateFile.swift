import Foundation

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// A file with secrets in it: mode 0600, replaced as a whole or not at all.
package struct PrivateFile: Sendable {
  package let path: String

  package init(path: String) { self.path = path }

  /// More than this is not a record of ours.
  private static let sizeLimit = 1 << 20

  /// What the file holds; nil when there is none, or when it is far too large.
  package func read() throws -> Data? {
    // O_NONBLOCK: to open a pipe would otherwise wait for somebody to write to it, perhaps for ever.
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    if descriptor < 0, errno == ENOENT || errno == ENOTDIR { return nil }
    guard descriptor >= 0 else { throw FileFailure("read", path) }
    let handle = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { throw FileFailure("read", path) }
    guard [S_IFREG, S_IFCHR].contains(status.st_mode & S_IFMT) else {
      throw FileFailure("it is no ordinary file", at: path)
    }
    let data = try handle.read(upToCount: Self.sizeLimit + 1) ?? Data()
    return data.count > Self.sizeLimit ? nil : data
  }

  package func write(_ data: Data) throws {
    // What could not be read again would be as good as lost, and what was there before with it.
    guard data.count <= Self.sizeLimit else { throw FileFailure("it is too large to keep", at: path) }
    try Self.makeFolder(of: path)
    try Self.requireOrdinary(path)
    let temporary = "\(path).\(getpid()).\(UInt64.random(in: .min ... .max)).tmp"
    // O_EXCL: a link planted under this name must not be followed with a secret in hand.
    let descriptor = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw FileFailure("write", temporary) }
    do {
      let handle = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
      try handle.write(contentsOf: data)
      guard fsync(descriptor) == 0 else { throw FileFailure("write", temporary) }
      try handle.close()
      guard rename(temporary, path) == 0 else { throw FileFailure("replace", path) }
    } catch {
      unlink(temporary)
      throw error
    }
  }

  /// Writes unless there is something already, whatever other processes do meanwhile.
  ///
  /// - Returns: whether it was written.
  package func add(_ data: Data) throws -> Bool {
    try FileLock.whileHeld("\(path).lock") {
      guard try read() == nil else { return false }
      try write(data)
      return true
    }
  }

  /// Refuses a name that is taken by something else than a file, such as a device or a link: to replace it would not be
  /// what was meant.
  static func requireOrdinary(_ path: String) throws {
    var status = stat()
    guard lstat(path, &status) == 0, status.st_mode & S_IFMT != S_IFREG else { return }
    throw FileFailure("it is no ordinary file, and is not replaced", at: path)
  }

  package func remove() throws {
    guard unlink(path) == 0 || errno == ENOENT || errno == ENOTDIR else { throw FileFailure("remove", path) }
  }

  /// Makes the folders above a file, readable by their owner alone.
  static func makeFolder(of path: String) throws {
    let folder = (path as NSString).deletingLastPathComponent
    guard !folder.isEmpty else { return }
    try FileManager.default.createDirectory(
      atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
  }
}

/// The system refused something with a file.
struct FileFailure: LocalizedError, CustomStringConvertible {
  let description: String
  /// The same for those who ask an error for its text as Foundation has it.
  var errorDescription: String? { description }

  init(_ reason: String, at path: String) { description = "\(path): \(reason)" }

  init(_ verb: String, _ path: String) {
    description = "cannot \(verb) \(path): \(String(cString: strerror(errno)))"
  }
}
