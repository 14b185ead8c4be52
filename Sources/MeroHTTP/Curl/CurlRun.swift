#if canImport(CCurl)
  import CCurl
  import Foundation

  /// One exchange as libcurl sees it: its handle, what is set on it, and what it calls. Not Sendable: it never leaves the
  /// engine's thread.
  final class CurlRun {
    let easy: UnsafeMutableRawPointer
    let transfer: CurlTransfer
    let exchange: Exchange

    private unowned let loop: CurlLoop
    private let request: CurlRequest
    private var fields: UnsafeMutablePointer<curl_slist>?
    private var head = CurlHead()
    private var readCount = 0
    private var sentCount: Int64 = 0
    /// How often libcurl was about to send the request; nil when the library does not say.
    private var sendings: Int? = 0
    /// Whether its connection was used before.
    private var isOnKept = false
    private var hasHead = false
    /// Why we ended it ourselves.
    private var reason: TransportError?
    /// Whether libcurl took all that it was told.
    private var isPrepared = true

    init(_ easy: UnsafeMutableRawPointer, _ transfer: CurlTransfer, _ exchange: Exchange, loop: CurlLoop) {
      self.easy = easy
      self.transfer = transfer
      self.exchange = exchange
      self.loop = loop
      request = transfer.request
    }

    /// After this nothing of libcurl's may be used.
    func free() {
      curl_easy_cleanup(easy)
      curl_slist_free_all(fields)
      fields = nil
    }

    // MARK: Setting

    /// Sets all that differs from what libcurl does by itself.
    ///
    /// - Parameter usesKept: whether a connection that was used before may be used again.
    /// - Returns: whether libcurl took all of it. A request is not sent otherwise: it might be another one, or go elsewhere.
    func prepare(usesKept: Bool) -> Bool {
      let this = Unmanaged.passUnretained(self).toOpaque()
      set(CURLOPT_PRIVATE, this)
      set(CURLOPT_URL, request.address)
      set(CURLOPT_PATH_AS_IS, 1)
      require(merokit_curl_only_http(easy))
      require(merokit_curl_keep_sockets(easy))
      set(CURLOPT_SSL_VERIFYPEER, 1)
      set(CURLOPT_SSL_VERIFYHOST, 2)
      set(CURLOPT_HTTP_VERSION, merokit_curl_http_1_1)
      set(CURLOPT_NOSIGNAL, 1)
      set(CURLOPT_TCP_KEEPALIVE, 1)
      set(CURLOPT_SSLVERSION, merokit_curl_tls_1_2)
      set(CURLOPT_SUPPRESS_CONNECT_HEADERS, 1)
      // All that the library can decode.
      set(CURLOPT_ACCEPT_ENCODING, "")
      // The exchange has the limits. libcurl is told of this one because it gives half of it to the first address of a
      // host that has several; without any, one that is never reached, because none means five minutes.
      set(
        CURLOPT_CONNECTTIMEOUT_MS,
        min(max(Int(min(request.connectLimit, 7 * 24 * 3600) * 1000), 1), 604_800_000))
      merokit_curl_leave_lookups(easy)
      // A proxy of the surroundings (`http_proxy`) cannot know what is on this machine.
      if Loopback.isLoopback(host: request.host) { set(CURLOPT_NOPROXY, "*") }
      set(CURLOPT_MAXAGE_CONN, loop.rules.idleSeconds)
      prepareFields()
      prepareMethod()
      prepareCalls(this)
      // Libraries that do not say when they send a request might send it twice on a connection that was used before.
      if !usesKept || sendings == nil { set(CURLOPT_FRESH_CONNECT, 1) }
      return isPrepared
    }

    private func prepareFields() {
      for line in request.lines {
        let longer = curl_slist_append(fields, line)
        if longer == nil { isPrepared = false }
        fields = longer ?? fields
      }
      set(CURLOPT_HTTPHEADER, UnsafeMutableRawPointer(fields))
      set(CURLOPT_USERAGENT, Self.agent)
    }

    private static let agent =
      "MeroKit libcurl/" + String(cString: curl_version_info(CURLVERSION_FIRST).pointee.version)

    private func prepareMethod() {
      if let upload = request.upload {
        set(CURLOPT_UPLOAD, 1)
        require(merokit_curl_set_large(easy, CURLOPT_INFILESIZE_LARGE, curl_off_t(upload.count)))
      }
      // Without it libcurl would wait for the body that an answer to HEAD does not have.
      if request.method == .head {
        set(CURLOPT_NOBODY, 1)
      } else {
        set(CURLOPT_CUSTOMREQUEST, request.method.rawValue)
      }
    }

    private func prepareCalls(_ this: UnsafeMutableRawPointer) {
      for option in [CURLOPT_READDATA, CURLOPT_WRITEDATA, CURLOPT_HEADERDATA, CURLOPT_XFERINFODATA] {
        set(option, this)
      }
      // No function to go back in the body is given: a body is never sent twice.
      merokit_curl_set_bytes(easy, CURLOPT_READFUNCTION) { bytes, size, count, this in
        CurlRun.from(this).read(UnsafeMutableRawBufferPointer(start: bytes, count: size * count))
      }
      merokit_curl_set_bytes(easy, CURLOPT_WRITEFUNCTION) { bytes, size, count, this in
        CurlRun.from(this).receive(UnsafeRawBufferPointer(start: bytes, count: size * count))
      }
      merokit_curl_set_bytes(easy, CURLOPT_HEADERFUNCTION) { bytes, size, count, this in
        CurlRun.from(this).receiveLine(UnsafeRawBufferPointer(start: bytes, count: size * count))
      }
      if request.upload != nil {
        set(CURLOPT_NOPROGRESS, 0)
        merokit_curl_set_progress(easy) { this, _, _, _, sent in
          CurlRun.from(this).hasSent(sent)
          return 0
        }
      }
      let tellsSending = merokit_curl_set_prerequest(
        easy,
        { this, _, _, _, port in
          CurlRun.from(this).willSend(port: port) ? merokit_curl_send : merokit_curl_do_not_send
        },
        this)
      if tellsSending != CURLE_OK {
        sendings = nil
        // From here on a byte may go out at any time.
        _ = exchange.willSend()
      }
      // A connection outlives its transfer, and with it what is called when it is closed.
      set(CURLOPT_CLOSESOCKETDATA, Unmanaged.passUnretained(loop).toOpaque())
      merokit_curl_set_close(easy) { loop, socket in
        guard let loop else { return close(socket) }
        return Unmanaged<CurlLoop>.fromOpaque(loop).takeUnretainedValue().close(socket)
      }
    }

    static func from(_ this: UnsafeMutableRawPointer?) -> CurlRun {
      guard let this else { preconditionFailure("libcurl calls without what it was given") }
      return Unmanaged<CurlRun>.fromOpaque(this).takeUnretainedValue()
    }

    private func set(_ option: CURLoption, _ value: Int) {
      require(merokit_curl_set_number(easy, option, value))
    }
    private func set(_ option: CURLoption, _ text: String) {
      require(merokit_curl_set_text(easy, option, text))
    }
    private func set(_ option: CURLoption, _ pointer: UnsafeMutableRawPointer?) {
      require(merokit_curl_set_pointer(easy, option, pointer))
    }
    private func require(_ code: CURLcode) {
      // What a library without it lacks it does not need to be told.
      if code != CURLE_OK, code != CURLE_NOT_BUILT_IN { isPrepared = false }
    }

    // MARK: What libcurl calls

    /// Whether the request may be sent. When a connection that was used before is dead, libcurl would send it again on
    /// another, although it may have run: this is where it hears no.
    private func willSend(port: Int32) -> Bool {
      guard let before = sendings else { return true }
      sendings = before + 1
      isOnKept = loop.isUsed(port)
      return before == 0 && !transfer.isCancelled && exchange.willSend()
    }

    private func read(_ buffer: UnsafeMutableRawBufferPointer) -> Int {
      guard let upload = request.upload, readCount < upload.count else { return 0 }
      let count = upload.read(from: readCount, into: buffer)
      readCount += count
      if count == 0, case .file(let file) = upload {
        reason = TransportError(
          kind: .lost,
          text: "\(exchange.host): the file to send, \(file.name), can no longer be read to its end",
          mayHaveBeenSent: true)
        return merokit_curl_abort_reading
      }
      return count
    }

    private func hasSent(_ count: curl_off_t) {
      guard let upload = request.upload, count > sentCount else { return }
      sentCount = Int64(count)
      exchange.sent(sentCount, of: Int64(upload.count))
    }

    private func receiveLine(_ line: UnsafeRawBufferPointer) -> Int {
      exchange.touch()
      switch head.take(line) {
      case .more: break
      case .head(let status, let headers):
        hasHead = true
        exchange.receive(status: status, headers: headers)
      case .tooLarge:
        reason = TransportError(
          kind: .tooLarge,
          text: "\(exchange.host): the head of the answer is larger than \(CurlHead.limit >> 10) KiB",
          mayHaveBeenSent: true)
        return 0
      case .notHTTP: return 0
      }
      return line.count
    }

    private func receive(_ bytes: UnsafeRawBufferPointer) -> Int {
      switch transfer.reception() {
      case .holdBack: return merokit_curl_pause_writing
      case .giveUp: return 0
      case .take:
        exchange.receive(Data(bytes))
        return bytes.count
      }
    }

    // MARK: The end

    /// What the code that libcurl ends with means for the one who waits; nil when all went well.
    func failure(_ code: CURLcode) -> TransportError? {
      guard code != CURLE_OK else { return nil }
      if let reason { return reason }
      let wasSent = sendings.map { $0 > 0 } ?? !FailureCause.provesNothingSent(code)
      return TransportError(
        FailureCause(code, wasSent: wasSent), code: Int(code.rawValue), host: exchange.host)
    }

    /// Whether its connection, one used before, died before an answer: libcurl may have wanted to send the request once
    /// more, or have found by itself that nothing rewinds the body, or have given up where a part of it had gone out.
    func hasLostKept(_ code: CURLcode, _ failure: TransportError?) -> Bool {
      if (sendings ?? 0) > 1 || code == CURLE_SEND_FAIL_REWIND { return true }
      return isOnKept && !hasHead && reason == nil && failure?.kind == .lost
    }

    /// The connection that was left open.
    var openConnection: (socket: Int32, port: Int32)? {
      var socket = curl_socket_t(-1)
      var port = 0
      guard merokit_curl_get_socket(easy, &socket) == CURLE_OK, socket >= 0,
        merokit_curl_get_number(easy, CURLINFO_LOCAL_PORT, &port) == CURLE_OK
      else { return nil }
      return (socket, Int32(port))
    }
  }
#endif
