import Foundation
import MeroHTTP
import MeroKitTestSupport
import Testing

@testable import MeroKit

@Suite("Signing in with the browser of this computer", .timeLimit(.minutes(5)))
struct LoopbackBrowserTests {
  @Test("the wallet leads back to a page whose script hands the answer over, which signs in")
  func success() async throws {
    let rig = LoopbackRig()
    let signIn = rig.signIn()
    async let enrolled = signIn.enrol(using: rig.browser)
    let visit = try await rig.answer()
    #expect(visit.url.absoluteString.hasPrefix("http://127.0.0.1:\(visit.port)/"))
    let page = try await visit.request("GET")
    #expect(page.status == 200)
    #expect(
      page.headers["content-security-policy"]?.hasPrefix("default-src 'none'; script-src 'sha256-") == true)
    #expect(!page.text.contains("credential"))
    let answer = try await visit.post()
    #expect(answer.status == 200)
    #expect(answer.text.contains("signed in"))
    try await visit.close()
    let session = try await enrolled
    #expect(session.account == rig.wallet.account)
    #expect(await signIn.restoreSession() == session)
    #expect(throws: RawClient.Failed.self) { try RawClient(port: visit.port) }
  }

  @Test("a person who says no ends it, and the next try signs in")
  func declined() async throws {
    let rig = LoopbackRig()
    let signIn = rig.signIn()
    async let declined = AccountErrorText.of { try await signIn.enrol(using: rig.browser) }
    let no = try await rig.answer(.decline)
    let answer = try await no.post()
    #expect(answer.status == 200)
    #expect(answer.text.contains("Nothing was changed"))
    try await no.close()
    #expect(await declined?.contains("declined") == true)

    async let enrolled = signIn.enrol(using: rig.browser)
    let yes = try await rig.answer()
    #expect(yes.url.path != no.url.path)
    #expect(try await yes.post().status == 200)
    try await yes.close()
    #expect(try await enrolled.account == rig.wallet.account)
  }

  @Test(
    "a forged answer, another page's, and one through a foreign name are refused, and the waiting goes on")
  func forged() async throws {
    let rig = LoopbackRig()
    let signIn = rig.signIn()
    async let enrolled = signIn.enrol(using: rig.browser)
    let page = try await rig.page()
    let visit = BrowserVisit(try rig.wallet.approve(page))
    let forged = BrowserVisit(try rig.wallet.answer(page, .tamperState))
    let refusal = try await forged.post()
    #expect(refusal.status == 400)
    #expect(refusal.text.contains("did not start"))
    #expect(try await BrowserVisit(try rig.wallet.answer(page, .certifyOtherKey)).post().status == 400)
    #expect(try await visit.post("#nothing=1").status == 400)
    #expect(try await visit.post("").status == 400)
    #expect(try await visit.post("#\u{0}\u{ffff} #%zz").status == 400)

    let answer = visit.fragment
    let evil = "evil.example:\(visit.port)"
    #expect(try await visit.request("POST", host: evil, origin: "http://\(evil)", answer).status == 421)
    #expect(try await visit.request("GET", host: evil).status == 421)
    #expect(try await visit.request("POST", origin: "https://wallet.test", answer).status == 403)
    #expect(try await visit.request("POST", origin: "null", answer).status == 403)
    #expect(try await visit.request("DELETE", origin: "https://wallet.test").status == 403)
    #expect(try await visit.request("POST", path: "/", answer).status == 404)
    #expect(try await visit.request("PUT", answer).status == 405)
    #expect(await signIn.restoreSession() == nil)

    #expect(try await visit.post().status == 200)
    try await visit.close()
    #expect(try await enrolled.account == rig.wallet.account)
  }

  @Test("a browser that does not show what became of its answer is not waited for")
  func neverShown() async throws {
    let clock = FakeClock()
    let rig = LoopbackRig(clock: clock)
    let signIn = rig.signIn()
    async let enrolled = signIn.enrol(using: rig.browser)
    #expect(try await rig.answer().post().status == 200)
    await clock.waitForSleepers()
    clock.jump(by: 2)
    #expect(try await enrolled.account == rig.wallet.account)
  }

  @Test("cancelling the task gives the port back before it ends, and what was begun can be begun again")
  func cancelled() async throws {
    let rig = LoopbackRig()
    let signIn = rig.signIn()
    let task = Task { try await signIn.enrol(using: rig.browser) }
    let visit = try await rig.answer()
    let open = try RawClient(port: visit.port)
    try await open.send("POST ")
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(try await open.readToEnd().isEmpty)
    #expect(throws: RawClient.Failed.self) { try RawClient(port: visit.port) }

    async let enrolled = signIn.enrol(using: rig.browser, port: visit.port)
    let next = try await rig.answer()
    #expect(next.port == visit.port)
    #expect(try await next.post().status == 200)
    try await next.close()
    #expect(try await enrolled.account == rig.wallet.account)
  }

  @Test("a task that was cancelled before it began leaves nothing behind")
  func cancelledBefore() async throws {
    let rig = LoopbackRig()
    let signIn = rig.signIn()
    let gate = Signal()
    let task = Task {
      await gate.wait()
      return try await signIn.enrol(using: rig.browser)
    }
    task.cancel()
    gate.fire()
    await #expect(throws: CancellationError.self) { try await task.value }
  }

  @Test("two at once with one authenticator have a port each, and neither takes the other's answer")
  func two() async throws {
    let rig = LoopbackRig()
    let (first, second) = (rig.signIn(), rig.signIn())
    async let one = first.enrol(using: rig.browser)
    let mine = try await rig.answer()
    async let other = second.enrol(using: rig.browser)
    let its = try await rig.answer()
    #expect(mine.port != its.port)
    #expect(try await its.post(mine.fragment).status == 400)
    #expect(try await mine.request("POST", path: its.url.path, its.fragment).status == 404)
    for visit in [its, mine] {
      #expect(try await visit.post().status == 200)
      try await visit.close()
    }
    #expect(try await one.account == rig.wallet.account)
    #expect(try await other.account == rig.wallet.account)
    #expect(try await first.deviceKeys() != second.deviceKeys())
  }

  @Test("a page that was told its callback before comes back to that port and path, with query and fragment")
  func fixedCallback() async throws {
    let rig = LoopbackRig()
    let port = try freePort()
    let callback = CloudCallback.loopback(port: port, path: "5ec2e7")
    let url = try #require(URL(string: "https://page.test/"))
    async let answer = rig.browser.authenticate(url: url, callback: callback)
    #expect(try await rig.page() == url)
    let visit = BrowserVisit(try #require(URL(string: callback.url)))
    #expect(try await visit.request("GET", path: "/5ec2e7?code=1").status == 200)
    #expect(try await visit.post("?code=1#state=2").status == 200)
    try await visit.close()
    #expect(try await answer.absoluteString == "\(callback.url)?code=1#state=2")
  }

  @Test(
    "a port that is taken, and a callback that no browser of this computer comes back to, are errors in words"
  )
  func unusable() async throws {
    let rig = LoopbackRig()
    let taken = try LoopbackListener(port: 0) { _, _ in nil }
    let signIn = rig.signIn()
    let error = await #expect(throws: WebAuthenticationError.self) {
      try await signIn.enrol(using: rig.browser, port: taken.port)
    }
    #expect(error?.description.contains("\(taken.port)") == true)
    await taken.stop()
    let url = try #require(URL(string: "https://page.test/"))
    for callback in [
      CloudCallback.scheme("notes"), .https(host: "a.example", path: "a"), .loopback(port: 0, path: "a"),
      .loopback(port: 8123, path: "a b"), .loopback(port: 8123, path: "a#b"),
    ] {
      await #expect(throws: WebAuthenticationError.self) {
        try await rig.browser.authenticate(url: url, callback: callback)
      }
    }
  }

  @Test("a browser that cannot be opened is an error, unless somebody is told the page")
  func notOpened() async throws {
    let failure = WebAuthenticationError.browserNotOpened("there is no screen")
    let rig = LoopbackRig()
    let signIn = rig.signIn()
    await #expect(throws: failure) {
      try await signIn.enrol(using: LoopbackBrowserAuthenticator(open: { _ in throw failure }))
    }
    let (pages, told) = AsyncStream.makeStream(of: URL.self)
    let telling = LoopbackBrowserAuthenticator(
      open: { _ in throw failure }, orTell: { told.yield($0) }, clock: FakeClock().clock)
    async let enrolled = signIn.enrol(using: telling)
    var iterator = pages.makeAsyncIterator()
    let visit = BrowserVisit(try rig.wallet.approve(try #require(await iterator.next())))
    #expect(try await visit.post().status == 200)
    try await visit.close()
    #expect(try await enrolled.account == rig.wallet.account)
  }

  @Test("a browser that runs on after the answer does not hold it up")
  func runsOn() async throws {
    let rig = LoopbackRig()
    let signIn = rig.signIn()
    let (pages, shown) = AsyncStream.makeStream(of: URL.self)
    let browser = LoopbackBrowserAuthenticator(
      open: { page in
        shown.yield(page)
        await waitForCancellation()
      }, clock: FakeClock().clock)
    async let enrolled = signIn.enrol(using: browser)
    var iterator = pages.makeAsyncIterator()
    let visit = BrowserVisit(try rig.wallet.approve(try #require(await iterator.next())))
    #expect(try await visit.post().status == 200)
    try await visit.close()
    #expect(try await enrolled.account == rig.wallet.account)
  }

  private func freePort() throws -> UInt16 {
    let socket = try AnyPort.open(host: "127.0.0.1")
    close(socket.descriptor)
    return socket.port
  }
}

/// What an account's error says.
private enum AccountErrorText {
  static func of<T>(_ call: () async throws -> T) async -> String? {
    do {
      _ = try await call()
      return nil
    } catch { return (error as? AccountError)?.description }
  }
}
