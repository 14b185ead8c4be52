import Foundation
import LocalCluster
import MeroCrypto
import MeroHTTP
import MeroKit
import MeroWire

/// Listens on 127.0.0.1 for the browser that a wallet sends back.
///
/// The answer is in the fragment, which a browser keeps to itself, so a page reads it there and posts it. The path is random
/// and only the wallet is told it: no other page can post here, nor end the waiting. An answer to another request is refused,
/// and the waiting goes on.
final class WalletAnswerListener: Sendable {
  /// Takes the address that the wallet led to; throws when that is no good answer.
  typealias Take = @Sendable (URL) async throws -> Void

  private let path = "/" + Hex.encode(MeroRandom.system.bytes(16))
  private let take: Take
  private let running = Locked<HTTPListener?>(nil)
  private let outcomes: AsyncStream<Result<Void, any Error>>
  private let ended: AsyncStream<Result<Void, any Error>>.Continuation
  /// Ends when the page has shown what became of it.
  private let shown: AsyncStream<Never>
  private let wasShown: AsyncStream<Never>.Continuation

  /// How long the page may take to show what became of it, in seconds.
  private static let courtesy: TimeInterval = 2

  init(take: @escaping Take) {
    self.take = take
    (outcomes, ended) = AsyncStream.makeStream(bufferingPolicy: .bufferingOldest(1))
    (shown, wasShown) = AsyncStream.makeStream()
  }

  /// Begins to listen and answers where the wallet has to lead.
  func start(port: UInt16) throws -> URL {
    let listener = HTTPListener(port: port, limits: .init(body: 64 << 10, connections: 64)) {
      [weak self] request in
      guard let self else { return Self.text(503, "nobody waits for this any more") }
      return await self.answer(request)
    }
    let bound = try listener.start()
    running.withLock { $0 = listener }
    guard let url = URL(string: "http://127.0.0.1:\(bound)\(path)") else {
      throw ListenerError.failed("its address is none")
    }
    return url
  }

  /// What became of it: an answer that was taken, or a person who declined.
  func outcome() async -> Result<Void, any Error> {
    for await outcome in outcomes {
      // The listener's end would cut off what the page is about to show.
      _ = try? await withDeadline(Self.courtesy, clock: .system) { [shown] in for await _ in shown {} }
      return outcome
    }
    return .failure(CancellationError())
  }

  func stop() async {
    let listener = running.withLock { running in
      defer { running = nil }
      return running
    }
    await listener?.stop()
  }

  // MARK: Requests

  private func answer(_ request: HTTPRequest) async -> HTTPResponse {
    guard LoopbackName.isNamed(in: request), let host = request.headers["host"] else {
      return Self.text(421, "this answers to the names of this machine only")
    }
    guard request.url.path == path else { return Self.text(404, "there is no such page") }
    if request.method == .get { return Self.page }
    guard request.headers["origin"] == "http://\(host)" else {
      return Self.text(403, "only the page that the wallet led to may do this")
    }
    if request.method == .delete {
      wasShown.finish()
      return Self.text(200, "")
    }
    guard request.method == .post, case .data(let body)? = request.body else {
      return Self.text(405, "the answer is posted")
    }
    return await take(String(decoding: body, as: UTF8.self), at: host)
  }

  private func take(_ fragment: String, at host: String) async -> HTTPResponse {
    guard fragment.hasPrefix("#"), let url = URL(string: "http://\(host)\(path)\(fragment)") else {
      return Self.text(400, "The address of this page holds no answer of a wallet.")
    }
    do {
      try await take(url)
      ended.yield(.success(()))
      return Self.text(200, "You are signed in. This page can be closed.")
    } catch let error as AccountError {
      guard case .enrolmentDeclined = error else { return Self.text(400, error.description) }
      ended.yield(.failure(error))
      return Self.text(200, "Nothing was changed: \(error.description). This page can be closed.")
    } catch { return Self.text(500, "The answer could not be taken.") }
  }

  // MARK: Answers

  /// Hands the fragment over and takes it out of the browser's history.
  private static let script = """
    const said = document.getElementById("said");
    const answer = location.hash;
    const here = location.pathname;
    history.replaceState(null, "", here);
    fetch(here, { method: "POST", body: answer })
      .then((response) => response.text())
      .then((text) => { said.textContent = text; return fetch(here, { method: "DELETE" }); })
      .catch(() => { if (said.textContent === "…") said.textContent = "The program that waited for this has ended."; });
    """

  /// A new one for each request: a body can be read once.
  private static var page: HTTPResponse {
    let html = """
      <!doctype html><html lang="en"><head><meta charset="utf-8"><title>Sign-in</title>
      <meta name="viewport" content="width=device-width, initial-scale=1"></head><body>
      <p id="said">…</p><noscript><p>This page hands the wallet's answer over by a script.</p></noscript>
      <script>\(script)</script>
      </body></html>
      """
    let hash = Data(SHA256.hash(Array(script.utf8))).base64EncodedString()
    return response(
      200, "text/html", html,
      policy: "default-src 'none'; script-src 'sha256-\(hash)'; connect-src 'self'; frame-ancestors 'none'; "
        + "base-uri 'none'; form-action 'none'")
  }

  private static func text(_ status: Int, _ text: String) -> HTTPResponse {
    response(status, "text/plain", text, policy: "default-src 'none'; frame-ancestors 'none'")
  }

  private static func response(_ status: Int, _ type: String, _ text: String, policy: String) -> HTTPResponse
  {
    HTTPResponse(
      status: status,
      headers: [
        "content-type": "\(type); charset=utf-8", "cache-control": "no-store",
        "referrer-policy": "no-referrer",
        "x-content-type-options": "nosniff", "content-security-policy": policy,
      ], body: HTTPBody(Data(text.utf8)))
  }
}
