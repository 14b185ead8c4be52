import Foundation

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

  /// A store at `path`. Folders that are missing are made, for their owner alone.
  public init(_ path: String) { file = PrivateFile(path: path) }

  /// What was saved last; nil when there is no file, or when it does not hold a session.
  public func load() throws -> StoredSession? { try file.read().flatMap(StoredSession.init(record:)) }

  /// Replaces what is kept.
  public func save(_ session: StoredSession) throws { try file.write(try session.record()) }

  /// Removes the file.
  public func clear() throws { try file.remove() }

  /// Runs `body` while no other store over the same file does, in this process or another.
  public func withLock<Value: Sendable>(_ body: @Sendable () async throws -> Value) async throws -> Value {
    let lock = try await FileLock.acquire(file.path + ".lock")
    defer { lock.release() }
    return try await body()
  }
}
