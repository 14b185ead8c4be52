import Foundation
import MeroHTTP
import MeroKitTestSupport
import Testing

@testable import MeroKit

@Suite("Signing in with a browser")
struct BrowserEnrolmentTests {
  private let rig = CloudRig()

  /// A person who does the same with every page.
  private struct Person: WebAuthenticating {
    let asked = Locked<[CloudCallback]>([])
    let act: @Sendable (URL) throws -> URL

    func authenticate(url: URL, callback: CloudCallback) async throws -> URL {
      asked.withLock { $0.append(callback) }
      return try act(url)
    }
  }

  private func person(_ answer: FakeWallet.Answer) -> Person {
    let wallet = rig.wallet
    return Person { try wallet.answer($0, answer) }
  }

  @Test("the wallet's page is shown, and its answer signs in")
  func success() async throws {
    rig.assignRelay()
    let person = person(.approve)
    let session = try await rig.signIn().enrol(using: person, callback: .scheme("notes"))
    #expect(session.account == rig.wallet.account)
    #expect(session.relayUrl == CloudRig.relayURL)
    #expect(try rig.sessionStore.load() == session)
    #expect(person.asked.withLock { $0 } == [.scheme("notes")])
  }

  @Test("60 §5.4: a page that the person turned away changes nothing, and the next try signs in")
  func dismissed() async throws {
    let signIn = rig.signIn()
    let dismissing = Person { _ in throw WebAuthenticationCancelled() }
    for _ in 0..<2 {
      await #expect(throws: WebAuthenticationCancelled.self) {
        try await signIn.enrol(using: dismissing, callback: .scheme("notes"))
      }
    }
    #expect(await signIn.restoreSession() == nil)
    let session = try await signIn.enrol(using: person(.approve), callback: .scheme("notes"))
    #expect(session.account == rig.wallet.account)
  }

  @Test("an answer that came to a page after the person had turned it away still signs in")
  func dismissedTooEarly() async throws {
    let signIn = rig.signIn()
    let shown = Locked<URL?>(nil)
    let dismissing = Person { page in
      shown.withLock { $0 = page }
      throw WebAuthenticationCancelled()
    }
    _ = try? await signIn.enrol(using: dismissing, callback: .scheme("notes"))
    let answer = try rig.wallet.approve(try #require(shown.withLock { $0 }))
    #expect(try await signIn.completeEnrolment(callbackURL: answer).account == rig.wallet.account)
  }

  @Test(
    "a no, a forged answer and a callback that a wallet must not open are the errors they are without a browser"
  )
  func flaws() async throws {
    let signIn = rig.signIn()
    for (answer, kind) in [
      (FakeWallet.Answer.decline, AccountErrorKind.enrolmentDeclined), (.tamperState, .stateMismatch),
      (.certifyOtherKey, .credentialRejected),
    ] {
      let person = person(answer)
      #expect(
        await AccountErrorKind.of { try await signIn.enrol(using: person, callback: .scheme("notes")) }
          == kind)
    }
    let person = person(.approve)
    #expect(
      await AccountErrorKind.of { try await signIn.enrol(using: person, callback: .scheme("javascript")) }
        == .invalidInput)
    #expect(person.asked.withLock { $0 }.isEmpty)
    #expect(await signIn.restoreSession() == nil)
  }
}
