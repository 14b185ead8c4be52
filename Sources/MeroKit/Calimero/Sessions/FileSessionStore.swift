import Foundation
import MeroHTTP

/// Keeps a session in a file only its owner can read, which several processes may share.
///
/// A save writes a temporary file and renames it, so a reader never sees half a record. The lock is `flock` on
/// a file beside it with `.lock` at the end of its name; the system releases it when a process dies.
///
/// ```swift
/// options.sessionStore = FileSessionStore("/home/ada/.config/example/session.json")
/// ```
public struct FileSessionStore: SessionStore {
  private let file: PrivateFile
  private let patience: TimeInterval

  /// A store at `path`. Folders that are missing are made, for their owner alone.
  public init(_ path: String) { self.init(path, patience: FileLock.patience) }

  init(_ path: String, patience: TimeInterval) {
    file = PrivateFile(path: path)
    self.patience = patience
  }

  /// What was saved last; nil when there is no file, or when it does not hold a session.
  public func load() throws -> StoredSession? { try file.read().flatMap(StoredSession.init(record:)) }

  /// Replaces what is kept.
  public func save(_ session: StoredSession) throws { try file.write(try session.record()) }

  /// Removes the file.
  public func clear() throws { try file.remove() }

  /// Runs `body` while no other store over the same file does, in this process or another. Throws when another has held the
  /// lock for a minute and a half: it may be a process that was stopped.
  public func withLock<Value: Sendable>(_ body: @Sendable () async throws -> Value) async throws -> Value {
    let lock = try await FileLock.acquire(beside: file.path, patience: patience)
    defer { lock.release() }
    return try await body()
  }
}
