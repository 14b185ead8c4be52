#if canImport(CCurl)
  import CCurl
  import Foundation

  /// The thread of a transport on which libcurl works, and the way to it.
  ///
  /// The thread begins with the first request and ends when nothing was under way for as long as connections are kept, or
  /// when the transport is gone and the last body has ended. Everything of libcurl's is touched on it alone; other threads
  /// leave it commands.
  final class CurlEngine: Sendable {
    enum Command: Sendable {
      case begin(CurlTransfer, Exchange)
      case resume(CurlTransfer)
      case cancel(CurlTransfer)
    }

    private struct State {
      var commands: [Command] = []
      var isRunning = false
      var isRetired = false
      /// Where the thread waits, while it can be woken.
      var waking: UnsafeMutableRawPointer?
      /// What a thread that has ended knew of the hosts.
      var kept: KeptConnections
    }

    private let state: Locked<State>

    init(rules: KeptConnections.Rules) {
      state = Locked(State(kept: KeptConnections(rules: rules)))
    }

    /// Leaves a command and wakes the thread, or starts it.
    func submit(_ command: Command) {
      let mustStart = state.withLock { state in
        if !state.isRunning {
          // Without a thread there is nothing that could be resumed or cancelled.
          guard case .begin = command else { return false }
        }
        state.commands.append(command)
        defer { state.isRunning = true }
        // Under the lock, because the thread frees it when it ends; the call only writes to a pipe.
        if state.commands.count == 1, let waking = state.waking { curl_multi_wakeup(waking) }
        return !state.isRunning
      }
      if mustStart { start() }
    }

    /// No request will follow: the thread ends with the last exchange.
    func retire() {
      state.withLock { state in
        state.isRetired = true
        if let waking = state.waking { curl_multi_wakeup(waking) }
      }
    }

    private func start() {
      let this = Unmanaged.passRetained(self)
      var thread = pthread_t()
      // Not Foundation's Thread, which does not say when the system has none left: then nobody would answer.
      let code = pthread_create(
        &thread, nil,
        { this in
          guard let this else { return nil }
          merokit_curl_name_thread("MeroKit HTTP")
          Unmanaged<CurlEngine>.fromOpaque(this).takeRetainedValue().run()
          return nil
        }, this.toOpaque())
      if code == 0 {
        pthread_detach(thread)
      } else {
        this.release()
        refuseAll()
      }
    }

    private func refuseAll() {
      let commands = state.withLock { state in
        defer { state.commands = [] }
        state.isRunning = false
        return state.commands
      }
      for case .begin(_, let exchange) in commands { exchange.complete(.noMeans) }
    }

    private func run() {
      // OpenSSL may write to a connection that was reset.
      var signals = sigset_t()
      sigemptyset(&signals)
      sigaddset(&signals, SIGPIPE)
      pthread_sigmask(SIG_BLOCK, &signals, nil)

      let gate = ExitGate.process
      let kept = state.withLock { $0.kept }
      let loop = gate.pass { CurlLoop(kept: kept, isReady: gate.isReady) }
      state.withLock { $0.waking = loop.multi }
      while let commands = next(loop) {
        gate.pass { loop.work(commands) }
        loop.wait()
      }
      // What is called when a connection is closed needs the loop.
      withExtendedLifetime(loop) { gate.pass { loop.close() } }
    }

    /// What has been asked for, or nil when the thread shall end.
    private func next(_ loop: CurlLoop) -> [Command]? {
      let (isIdle, hasRested, kept) = (loop.isIdle, loop.hasRested, loop.kept)
      return state.withLock { state in
        if state.commands.isEmpty, isIdle, hasRested || state.isRetired {
          state.isRunning = false
          state.waking = nil
          state.kept = kept.withoutConnections
          return nil
        }
        defer { state.commands = [] }
        return state.commands
      }
    }
  }
#endif
