#if canImport(CCurl)
  import CCurl
  import Foundation

  /// Keeps threads out of libcurl once the process ends.
  ///
  /// `exit` runs the last words of OpenSSL while other threads go on; one that is in the middle of a handshake would read
  /// what is freed. So whoever works in libcurl does so inside the gate, and the process closes it first: that waits for
  /// those inside, but for no more than ten seconds, and whoever comes later waits for ever. Inside, nothing blocks; but
  /// many handshakes at once, each reading the system's certificates, may take a second.
  ///
  /// `@unchecked Sendable` is sound because both properties are set before anybody sees the gate and never changed, and the
  /// lock is made to be used by many threads.
  final class ExitGate: @unchecked Sendable {
    /// Of the process, as its end is.
    static let process = ExitGate()

    /// Whether libcurl could begin at all.
    let isReady: Bool

    /// Whoever is inside holds it for reading, the end of the process for writing.
    private let lock: UnsafeMutablePointer<pthread_rwlock_t>

    private init() {
      // First, and here: what is asked for last is done first at the end, so the gate closes before OpenSSL ends.
      isReady = merokit_curl_init() == CURLE_OK
      var attributes = pthread_rwlockattr_t()
      pthread_rwlockattr_init(&attributes)
      // Otherwise busy threads could keep the end of the process waiting.
      pthread_rwlockattr_setkind_np(&attributes, Int32(PTHREAD_RWLOCK_PREFER_WRITER_NONRECURSIVE_NP))
      lock = .allocate(capacity: 1)
      pthread_rwlock_init(lock, &attributes)
      pthread_rwlockattr_destroy(&attributes)
      atexit { ExitGate.process.close() }
    }

    func pass<Result>(_ work: () -> Result) -> Result {
      pthread_rwlock_rdlock(lock)
      defer { pthread_rwlock_unlock(lock) }
      return work()
    }

    private func close() {
      var limit = timespec()
      clock_gettime(CLOCK_REALTIME, &limit)
      limit.tv_sec += 10
      pthread_rwlock_timedwrlock(lock, &limit)
    }
  }
#endif
