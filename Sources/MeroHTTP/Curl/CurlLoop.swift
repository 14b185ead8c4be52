#if canImport(CCurl)
  import CCurl
  import Foundation

  /// What happens on the engine's thread: transfers begin, go on and end. Not Sendable: it never leaves that thread.
  final class CurlLoop {
    /// Nil when libcurl could not begin, or nobody could wake it, for want of memory or descriptors.
    let multi: UnsafeMutableRawPointer?

    private var runs: [ObjectIdentifier: CurlRun] = [:]
    private(set) var kept: KeptConnections
    private var idleSince = CurlLoop.now

    init(kept: KeptConnections, isReady: Bool) {
      self.kept = kept
      guard isReady, let multi = curl_multi_init() else {
        multi = nil
        return
      }
      // Without descriptors for it there is nothing to wake the thread with, and libcurl does not say so before.
      let canBeWoken = curl_multi_wakeup(multi) == CURLM_OK
      if !canBeWoken { curl_multi_cleanup(multi) }
      self.multi = canBeWoken ? multi : nil
    }

    var rules: KeptConnections.Rules { kept.rules }

    /// Whether nothing is under way.
    var isIdle: Bool { runs.isEmpty }

    /// Whether that has been so until no connection may be used again.
    var hasRested: Bool { multi == nil || Self.now - idleSince > TimeInterval(kept.rules.idleSeconds + 1) }

    private static var now: TimeInterval {
      var time = timespec()
      clock_gettime(CLOCK_MONOTONIC, &time)
      return TimeInterval(time.tv_sec) + TimeInterval(time.tv_nsec) / 1_000_000_000
    }

    func work(_ commands: [CurlEngine.Command]) {
      for command in commands {
        switch command {
        case .begin(let transfer, let exchange): begin(transfer, exchange)
        case .resume(let transfer): resume(transfer)
        case .cancel(let transfer): cancel(transfer)
        }
      }
      guard let multi else { return }
      var running: Int32 = 0
      curl_multi_perform(multi, &running)
      takeEnds(multi)
    }

    /// Sleeps until something arrives, a timer of libcurl's is due, or somebody wakes the thread.
    func wait() {
      guard let multi else { return }
      let span = runs.isEmpty ? Int32(kept.rules.idleSeconds + 1) * 1_000 + 100 : 60_000
      if curl_multi_poll(multi, nil, 0, span, nil) != CURLM_OK {
        // Out of memory or descriptors: asking again at once would keep a core busy.
        usleep(10_000)
      }
    }

    func close() {
      if let multi { curl_multi_cleanup(multi) }
    }

    // MARK: Transfers

    private func begin(_ transfer: CurlTransfer, _ exchange: Exchange) {
      guard !transfer.isCancelled else { return }
      guard let multi, let easy = curl_easy_init() else {
        return exchange.complete(.noMeans)
      }
      let run = CurlRun(easy, transfer, exchange, loop: self)
      let isPrepared = run.prepare(usesKept: mayUseKept(transfer.request.origin))
      runs[ObjectIdentifier(transfer)] = run
      limitConnections()
      if !isPrepared || curl_multi_add_handle(multi, easy) != CURLM_OK {
        end(transfer)
        exchange.complete(.noMeans)
      }
    }

    private func limitConnections() {
      guard let multi else { return }
      merokit_curl_multi_set_number(multi, CURLMOPT_MAXCONNECTS, runs.count + kept.rules.idleCount)
    }

    private func resume(_ transfer: CurlTransfer) {
      guard let run = runs[ObjectIdentifier(transfer)] else { return }
      let code = curl_easy_pause(run.easy, merokit_curl_go_on)
      if code != CURLE_OK { finish(run, code) }
    }

    /// Also tells the exchange: whoever gave up a body waits for nothing, but its watch over the limits would.
    private func cancel(_ transfer: CurlTransfer) {
      guard let run = runs[ObjectIdentifier(transfer)] else { return }
      end(transfer)
      run.exchange.complete(
        TransportError(kind: .lost, text: "\(run.exchange.host): given up", mayHaveBeenSent: true))
    }

    private func takeEnds(_ multi: UnsafeMutableRawPointer) {
      var left: Int32 = 0
      while let message = curl_multi_info_read(multi, &left) {
        guard message.pointee.msg == CURLMSG_DONE, let easy = message.pointee.easy_handle else { continue }
        var this: UnsafeMutableRawPointer?
        merokit_curl_get_pointer(easy, CURLINFO_PRIVATE, &this)
        finish(CurlRun.from(this), message.pointee.data.result)
      }
    }

    private func finish(_ run: CurlRun, _ code: CURLcode) {
      let failure = run.failure(code)
      let origin = run.transfer.request.origin
      if run.hasLostKept(code, failure) { kept.died(origin, at: Self.now) }
      if code == CURLE_OK, let open = run.openConnection {
        kept.add(open.socket, port: open.port, of: origin, at: Self.now)
      }
      end(run.transfer)
      run.exchange.complete(failure)
    }

    /// Takes the transfer from libcurl, which closes a connection that is in the middle of something.
    private func end(_ transfer: CurlTransfer) {
      guard let run = runs.removeValue(forKey: ObjectIdentifier(transfer)) else { return }
      if let multi { curl_multi_remove_handle(multi, run.easy) }
      run.free()
      limitConnections()
      idleSince = Self.now
    }

    // MARK: Connections

    private func mayUseKept(_ origin: String) -> Bool {
      kept.mayUseAgain(origin, at: Self.now) { socket in
        var wait = pollfd(fd: socket, events: Int16(POLLIN), revents: 0)
        return poll(&wait, 1, 0) == 0
      }
    }

    /// Whether the connection with this port was used before.
    func isUsed(_ port: Int32) -> Bool { kept.use(port: port) }

    func close(_ socket: Int32) -> Int32 {
      kept.remove(socket)
      return merokit_curl_close_socket(socket)
    }
  }
#endif
