import Foundation
import MeroHTTP
import MeroKitTestSupport
import Testing

@testable import MeroKit

/// A wallet, a directory, and somebody who signs in with the browser of this computer.
struct LoopbackRig {
  let wallet = FakeWallet(seed: 5)
  let manager = FakeManager(seed: 3)
  let browser: LoopbackBrowserAuthenticator
  /// The pages that were shown, in their order.
  private let pages: AsyncStream<URL>

  /// The time stands still unless a test moves it: the page may take as long as it takes to say that it was shown.
  init(clock: FakeClock = FakeClock()) {
    let (pages, shown) = AsyncStream.makeStream(of: URL.self)
    self.pages = pages
    browser = LoopbackBrowserAuthenticator(
      open: { shown.yield($0) }, clock: clock.clock, limits: LoopbackListener.Limits(patience: 3_600))
  }

  /// A device of its own each time.
  func signIn() -> CloudSignIn {
    CloudSignIn(
      config: CloudConfig(walletURL: wallet.url, cloudBaseURL: manager.url, audience: .cli),
      keyStore: .memory(),
      sessionStore: .memory(), nonces: MemoryWarrantNonceStore(), accountStore: .memory(),
      transport: FakeHosts([manager, wallet]))
  }

  /// The next page that is shown.
  func page() async throws -> URL {
    var iterator = pages.makeAsyncIterator()
    return try #require(await iterator.next())
  }

  /// Where the wallet leads from the next page.
  func answer(_ answer: FakeWallet.Answer = .approve) async throws -> BrowserVisit {
    BrowserVisit(try wallet.answer(try await page(), answer))
  }
}

/// What a browser does at the address that it was led to, byte for byte.
struct BrowserVisit {
  let url: URL
  let port: UInt16

  init(_ url: URL) {
    self.url = url
    port = UInt16(url.port ?? 0)
  }

  var host: String { "127.0.0.1:\(port)" }
  var fragment: String { String(url.absoluteString.drop { $0 != "#" }) }

  /// The head of a request of the page's.
  func head(_ method: String, length: Int, path: String? = nil, host: String? = nil, origin: String? = nil)
    -> String
  {
    """
    \(method) \(path ?? url.path) HTTP/1.1
    Host: \(host ?? self.host)
    Origin: \(origin ?? "http://\(self.host)")
    Content-Type: text/plain;charset=UTF-8
    Content-Length: \(length)


    """.replacingOccurrences(of: "\n", with: "\r\n")
  }

  func request(
    _ method: String, path: String? = nil, host: String? = nil, origin: String? = nil, _ body: String = ""
  ) async throws -> RawClient.Response {
    let client = try RawClient(port: port)
    let head = head(method, length: body.utf8.count, path: path, host: host, origin: origin)
    try await client.send(head + body)
    let response = try await client.response()
    #expect(try await client.readToEnd().isEmpty)
    return response
  }

  /// Hands the answer over.
  func post(_ fragment: String? = nil) async throws -> RawClient.Response {
    try await request("POST", fragment ?? self.fragment)
  }

  /// Says that what became of it is on the screen.
  func close() async throws { #expect(try await request("DELETE").status == 200) }
}
