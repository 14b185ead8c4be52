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
    }

    private let rules: KeptConnections.Rules
    private let state = Locked(State())

    init(rules: KeptConnections.Rules) {
      self.rules = rules
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
      let thread = Thread { self.run() }
      thread.name = "MeroKit HTTP"
      thread.start()
    }

    private func run() {
      // OpenSSL may write to a connection that was reset.
      var signals = sigset_t()
      sigemptyset(&signals)
      sigaddset(&signals, SIGPIPE)
      pthread_sigmask(SIG_BLOCK, &signals, nil)

      let gate = ExitGate.process
      let loop = gate.pass { CurlLoop(rules: rules, isReady: gate.isReady) }
      state.withLock { $0.waking = loop.multi }
      while let commands = next(isIdle: loop.isIdle, hasRested: loop.hasRested) {
        gate.pass { loop.work(commands) }
        loop.wait()
      }
      gate.pass { loop.close() }
    }

    /// What has been asked for, or nil when the thread shall end.
    private func next(isIdle: Bool, hasRested: Bool) -> [Command]? {
      state.withLock { state in
        if state.commands.isEmpty, isIdle, hasRested || state.isRetired {
          state.isRunning = false
          state.waking = nil
          return nil
        }
        defer { state.commands = [] }
        return state.commands
      }
    }
  }
#endif
