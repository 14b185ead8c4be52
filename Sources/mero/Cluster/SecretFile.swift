import Foundation

/// A new file, readable by its owner alone, that a secret will be written to. It is never an older file, and is gone again when
/// nothing was written.
final class SecretFile {
  private let path: String
  private let file: FileHandle
  private var isFilled = false

  init(path: String) throws {
    self.path = path
    let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else {
      throw ToolError("\(path) cannot be made: \(String(cString: strerror(errno)))")
    }
    file = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
  }

  deinit {
    if !isFilled { unlink(path) }
  }

  /// Writes the secret, and a line's end.
  func fill(_ secret: String) throws {
    try file.write(contentsOf: Data((secret + "\n").utf8))
    try file.synchronize()
    isFilled = true
  }
}
