#if canImport(CCurl)
  /// One exchange as every thread sees it. What libcurl knows of it, `CurlRun`, lives on the engine's thread.
  final class CurlTransfer: Transfer {
    private struct State {
      var isBegun = false
      var isCancelled = false
      var isPaused = false
      /// Whether the engine has held the sender back, and has to hear when that ends.
      var isHeldBack = false
    }

    /// What may be done with bytes that have arrived.
    enum Reception {
      case take, holdBack, giveUp
    }

    let request: CurlRequest
    let canPause = true
    let asksBeforeSending = true

    private let engine: CurlEngine
    private let state = Locked(State())

    init(_ request: CurlRequest, engine: CurlEngine) {
      self.request = request
      self.engine = engine
    }

    // MARK: The exchange's side

    func begin(_ exchange: Exchange) {
      let isWanted = state.withLock { state in
        state.isBegun = true
        return !state.isCancelled
      }
      if isWanted { engine.submit(.begin(self, exchange)) }
    }

    func pause() {
      state.withLock { $0.isPaused = true }
    }

    func resume() {
      let wasHeldBack = state.withLock { state in
        defer { state.isHeldBack = false }
        state.isPaused = false
        return state.isHeldBack
      }
      if wasHeldBack { engine.submit(.resume(self)) }
    }

    func cancel() {
      let isUnderWay = state.withLock { state in
        defer { state.isCancelled = true }
        return state.isBegun && !state.isCancelled
      }
      if isUnderWay { engine.submit(.cancel(self)) }
    }

    // MARK: The engine's side

    var isCancelled: Bool { state.withLock { $0.isCancelled } }

    /// Asked for all that arrives. After `holdBack` a `resume` reaches the engine, whenever it comes.
    func reception() -> Reception {
      state.withLock { state in
        if state.isCancelled { return .giveUp }
        if state.isPaused { state.isHeldBack = true }
        return state.isPaused ? .holdBack : .take
      }
    }
  }
#endif
