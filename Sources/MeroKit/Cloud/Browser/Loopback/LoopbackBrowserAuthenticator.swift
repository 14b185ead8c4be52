#if os(Linux) || os(macOS)
  import Foundation
  import MeroHTTP
  import MeroWire

  /// Shows pages in the browser of this computer, and listens on 127.0.0.1 for what they answer (RFC 8252 §7.3): for command-line
  /// tools, and for programs on Linux.
  ///
  /// ```swift
  /// let browser = LoopbackBrowserAuthenticator(orTell: { print("open \($0)") })
  /// let session = try await signIn.enrol(using: browser)
  /// ```
  ///
  /// The browser is led to a page of this program's, at a path that only the page before it was told. Its script hands the answer
  /// over, and then shows what became of it. Each call listens on a port of its own, and gives it back when it ends; cancelling the
  /// task ends it. An app in macOS's sandbox needs the entitlement to listen (`com.apple.security.network.server`), and is better
  /// off with ``SystemWebAuthenticator``.
  public final class LoopbackBrowserAuthenticator: WebAuthenticating {
    private let open: @Sendable (URL) async throws -> Void
    private let tell: (@Sendable (URL) async -> Void)?
    private let clock: MeroClock
    private let random: MeroRandom
    private let limits: LoopbackListener.Limits

    /// How long the page may take to show what became of its answer, in seconds.
    private static let courtesy: TimeInterval = 2

    /// One that opens pages with the system's browser, unless it is given another way.
    ///
    /// - Parameters:
    ///   - open: shows a person the page; it may return at once.
    ///   - tell: is told the page when it could not be opened, to show its address; the waiting goes on. Without it, not to be able
    ///     to open the page is an error.
    public convenience init(
      open: @escaping @Sendable (URL) async throws -> Void = { try await SystemBrowser.open($0) },
      orTell tell: (@Sendable (URL) async -> Void)? = nil, clock: MeroClock = .system,
      random: MeroRandom = .system
    ) {
      self.init(open: open, orTell: tell, clock: clock, random: random, limits: LoopbackListener.Limits())
    }

    init(
      open: @escaping @Sendable (URL) async throws -> Void,
      orTell tell: (@Sendable (URL) async -> Void)? = nil,
      clock: MeroClock = .system, random: MeroRandom = .system, limits: LoopbackListener.Limits
    ) {
      self.open = open
      self.tell = tell
      self.clock = clock
      self.random = random
      self.limits = limits
    }

    // MARK: Asking

    /// Shows a page that was told a callback, and takes whatever it answers there.
    ///
    /// - Parameter callback: a ``CloudCallback/loopback(port:path:)`` whose path nobody can guess.
    public func authenticate(url: URL, callback: CloudCallback) async throws -> URL {
      try await authenticate(url: url, callback: callback) {
        .accepted($0, says: "The answer was taken. This page can be closed.")
      }
    }

    /// Shows a page that was told a callback, and waits for an answer that is accepted.
    ///
    /// - Parameters:
    ///   - callback: a ``CloudCallback/loopback(port:path:)`` whose path nobody can guess.
    ///   - judge: says what an answer is worth, one at a time, before the page is told.
    /// - Throws: the error of a verdict that ends it; ``WebAuthenticationError``; `CancellationError`.
    public func authenticate<Answer: Sendable>(
      url: URL, callback: CloudCallback, accepting judge: @Sendable (URL) async -> BrowserVerdict<Answer>
    ) async throws -> Answer {
      guard case .loopback(let port, let path) = callback, port != 0 else {
        throw WebAuthenticationError.callbackNotSupported(
          "a browser on this computer comes back to a port of it")
      }
      guard URLComponents(string: callback.url)?.percentEncodedPath == CloudCallback.absolute(path) else {
        throw WebAuthenticationError.callbackNotSupported("the callback's path is no path of an address")
      }
      return try await wait(on: port, CloudCallback.absolute(path), page: { _ in url }, accepting: judge)
    }

    /// Listens, shows the page that is made for it, and waits for an answer that is accepted.
    ///
    /// - Parameters:
    ///   - port: where to listen; 0 takes any port that is free.
    ///   - page: makes the page for the callback that it has to lead to.
    ///   - judge: says what an answer is worth, one at a time, before the page is told.
    /// - Throws: what making the page throws; the error of a verdict that ends it; ``WebAuthenticationError``; `CancellationError`.
    public func authenticate<Answer: Sendable>(
      port: UInt16 = 0, page: @Sendable (CloudCallback) async throws -> URL,
      accepting judge: @Sendable (URL) async -> BrowserVerdict<Answer>
    ) async throws -> Answer {
      try await wait(on: port, "/" + Hex.encode(random.bytes(16)), page: page, accepting: judge)
    }

    // MARK: Waiting

    private enum Event: Sendable {
      case answer(String, LoopbackReply)
      case notOpened(any Error)
    }

    private func wait<Answer: Sendable>(
      on port: UInt16, _ path: String, page: @Sendable (CloudCallback) async throws -> URL,
      accepting judge: @Sendable (URL) async -> BrowserVerdict<Answer>
    ) async throws -> Answer {
      let (events, arrived) = AsyncStream.makeStream(of: Event.self, bufferingPolicy: .bufferingOldest(16))
      let shown = FirstAnswer<Void>()
      let listener = try listen(port, LoopbackPage(path: path), arrived, shown)
      let callback = CloudCallback.loopback(port: listener.port, path: path)
      let result: Result<Answer, any Error>
      do {
        let url = try await page(callback)
        // Ends with this block: a browser that runs on is not waited for.
        async let _ = show(url, arrived)
        result = .success(try await answer(to: callback, among: events, shown, judge))
      } catch { result = .failure(error) }
      await listener.stop()
      return try result.get()
    }

    private func listen(
      _ port: UInt16, _ page: LoopbackPage, _ arrived: AsyncStream<Event>.Continuation,
      _ shown: FirstAnswer<Void>
    ) throws -> LoopbackListener {
      do throws(ListenerError) {
        return try LoopbackListener(port: port, limits: limits) { request, reply in
          switch page.reaction(to: request) {
          case .response(let response): return response
          case .shown:
            shown.give(.success(()))
            return LoopbackResponse(status: 200, text: "")
          case .answer(let text):
            guard case .enqueued = arrived.yield(.answer(text, reply)) else {
              return LoopbackResponse(status: 503, text: "nobody waits for this any more")
            }
            return nil
          }
        }
      } catch { throw WebAuthenticationError.cannotListen(error.description) }
    }

    private func show(_ page: URL, _ arrived: AsyncStream<Event>.Continuation) async {
      do { try await open(page) } catch {
        guard !Task.isCancelled else { return }
        if let tell { await tell(page) } else { arrived.yield(.notOpened(error)) }
      }
    }

    /// Judges one answer after the other, until one ends it.
    private func answer<Answer: Sendable>(
      to callback: CloudCallback, among events: AsyncStream<Event>, _ shown: FirstAnswer<Void>,
      _ judge: @Sendable (URL) async -> BrowserVerdict<Answer>
    ) async throws -> Answer {
      for await event in events {
        guard case .answer(let text, let reply) = event else {
          if case .notOpened(let error) = event { throw error }
          continue
        }
        guard let url = URL(string: callback.url + text) else {
          reply(LoopbackResponse(status: 400, text: "The address of this page holds no answer."))
          continue
        }
        let result: Result<Answer, any Error>
        switch await judge(url) {
        case .refused(let words):
          reply(LoopbackResponse(status: 400, text: words))
          continue
        case .accepted(let answer, let words):
          reply(LoopbackResponse(status: 200, text: words))
          result = .success(answer)
        case .ended(let error, let words):
          reply(LoopbackResponse(status: 200, text: words))
          result = .failure(error)
        }
        // The listener's end would cut off what the page is about to show.
        _ = try? await withDeadline(Self.courtesy, clock: clock) { try await shown.wait() }
        return try result.get()
      }
      throw CancellationError()
    }
  }
#endif
