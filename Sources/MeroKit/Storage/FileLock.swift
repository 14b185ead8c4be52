import Foundation
import MeroHTTP

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// An exclusive `flock` on a file. Each holder opens the file itself, so two holders exclude each other within
/// a process just as they do across processes.
struct FileLock: Sendable {
  /// How long one waits for another process, in seconds: longer than a refresh takes over a bad connection.
  static let patience: TimeInterval = 90

  private let descriptor: Int32

  /// Waits for the lock, without holding a thread of the concurrency pool while it does.
  ///
  /// - Throws: ``FileFailure``, or `CancellationError` as soon as the task is cancelled.
  static func acquire(_ path: String) async throws -> FileLock {
    try Task.checkCancellation()
    try PrivateFile.makeFolder(of: path)
    let descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw FileFailure("open", path) }
    if flock(descriptor, LOCK_EX | LOCK_NB) == 0 { return FileLock(descriptor: descriptor) }
    guard errno == EWOULDBLOCK || errno == EINTR else {
      let failure = FileFailure("lock", path)
      close(descriptor)
      throw failure
    }
    return try await waiting(for: descriptor, path: path)
  }

  /// Waits for the lock of the file at `path`, beside it, for no longer than `patience` seconds: who holds it may be a process
  /// that was stopped.
  ///
  /// - Throws: ``FileFailure``, or `CancellationError` as soon as the task is cancelled.
  static func acquire(beside path: String, patience: TimeInterval) async throws -> FileLock {
    do {
      return try await withDeadline(patience, clock: .system) { try await acquire(path + ".lock") }
    } catch let error as TransportError where error.kind == .timedOut {
      throw FileFailure("another process has held its lock for \(Int(patience)) seconds", at: path)
    }
  }

  /// Runs `body` while the lock is held, and holds the thread that long: for what takes a moment, such as counting on.
  static func whileHeld<T>(_ path: String, _ body: () throws -> T) throws -> T {
    try PrivateFile.makeFolder(of: path)
    let descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw FileFailure("open", path) }
    defer { close(descriptor) }
    var result = flock(descriptor, LOCK_EX)
    while result != 0, errno == EINTR { result = flock(descriptor, LOCK_EX) }
    guard result == 0 else { throw FileFailure("lock", path) }
    return try body()
  }

  func release() {
    flock(descriptor, LOCK_UN)
    close(descriptor)
  }

  private static func waiting(for descriptor: Int32, path: String) async throws -> FileLock {
    let waiter = Waiter()
    return try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        waiter.begin(continuation)
        // flock has no asynchronous form and can wait for as long as another process pleases: a thread of
        // its own keeps that out of the pool that all tasks share.
        Thread.detachNewThread {
          var result = flock(descriptor, LOCK_EX)
          while result != 0, errno == EINTR { result = flock(descriptor, LOCK_EX) }
          let lock = FileLock(descriptor: descriptor)
          let outcome: Result<FileLock, any Error> =
            result == 0 ? .success(lock) : .failure(FileFailure("lock", path))
          // Whoever waited may have gone: then the lock is given back at once.
          if !waiter.end(outcome) || result != 0 { lock.release() }
        }
      }
    } onCancel: {
      waiter.cancel()
    }
  }

  /// The one continuation of a waiting task, resumed by the lock or by cancellation, whichever is first.
  private final class Waiter: Sendable {
    private enum State {
      case idle
      case cancelled
      case waiting(CheckedContinuation<FileLock, any Error>)
      case done
    }

    private let state = Locked(State.idle)

    func begin(_ continuation: CheckedContinuation<FileLock, any Error>) {
      let isCancelled = state.withLock { state in
        if case .cancelled = state {
          state = .done
          return true
        }
        state = .waiting(continuation)
        return false
      }
      if isCancelled { continuation.resume(throwing: CancellationError()) }
    }

    /// Whether somebody was still waiting.
    func end(_ outcome: Result<FileLock, any Error>) -> Bool {
      let continuation = take(leaving: .done)
      continuation?.resume(with: outcome)
      return continuation != nil
    }

    func cancel() { take(leaving: .cancelled)?.resume(throwing: CancellationError()) }

    private func take(leaving next: State) -> CheckedContinuation<FileLock, any Error>? {
      state.withLock { state in
        switch state {
        case .waiting(let continuation):
          state = .done
          return continuation
        case .idle:
          state = next
          return nil
        case .cancelled, .done: return nil
        }
      }
    }
  }
}
