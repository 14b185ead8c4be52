import Foundation

/// A file being written beside the one it is to replace, which it does in one step and only when it is whole. What is
/// given up before leaves nothing.
///
/// ```swift
/// let replacement = try ReplacementFile(for: file)
/// defer { replacement.discard() }
/// try replacement.write(piece)
/// try replacement.commit()
/// ```
///
/// Used by one task; it is not Sendable.
final class ReplacementFile {
  private let file: URL
  /// In the same folder, so that it can be moved in one step.
  private let part: URL
  /// Opened when there is something to put in, so that a transfer that never begins touches nothing.
  private var handle: FileHandle?

  /// - Throws: when something else than an ordinary file has the name.
  init(for file: URL) throws {
    try PrivateFile.requireOrdinary(file.path)
    self.file = file
    part = file.deletingLastPathComponent().appendingPathComponent(".\(UUID().uuidString).part")
  }

  func write(_ piece: Data) throws { try opened().write(contentsOf: piece) }

  /// Puts what was written where it belongs.
  func commit() throws {
    let handle = try opened()
    try handle.synchronize()
    try handle.close()
    self.handle = nil
    guard rename(part.path, file.path) == 0 else { throw FileFailure("replace", file.path) }
  }

  /// Leaves nothing behind; after ``commit()`` there is nothing to leave.
  func discard() {
    try? handle?.close()
    handle = nil
    try? FileManager.default.removeItem(at: part)
  }

  private func opened() throws -> FileHandle {
    if let handle { return handle }
    try Data().write(to: part, options: .withoutOverwriting)
    let opened = try FileHandle(forWritingTo: part)
    handle = opened
    return opened
  }
}
