import Foundation
import MeroHTTP
import MeroKitTestSupport
import MeroWire
import Testing

@testable import MeroKit

@Suite("Signing in with a wallet")
struct EnrolmentTests {
  private let rig = CloudRig()
  private let key = String(repeating: "0a", count: 32)

  private func page(
    wallet: String = "https://wallet.example/enroll", key: String? = nil, callback: String = "myapp://enrol",
    state: String = "s1"
  ) throws -> String {
    try DeviceEnrolment.url(
      walletURL: wallet, devicePublicKey: key ?? self.key, kemPublicKey: self.key, callbackURL: callback,
      state: state
    ).absoluteString
  }

  @Test("40 §19 #17: the wallet is asked with the parameters in their order, percent-encoded")
  func address() throws {
    #expect(
      try page()
        == "https://wallet.example/enroll?enrol-device=\(key)&enrol-kem=\(key)&callback-url=myapp%3A%2F%2Fenrol&state=s1"
    )
    #expect(try page(state: "").hasSuffix("callback-url=myapp%3A%2F%2Fenrol"))
  }

  @Test(
    "40 §19 #18: a callback that would run or read something, or is none, is not sent",
    arguments: ["javascript:alert(1)", "data:text/html,x", "FILE:///etc", "myapp://enrol#x", "enrol", ""])
  func badCallback(_ callback: String) async {
    #expect(await AccountErrorKind.of { try page(callback: callback) } == .invalidInput)
    let signIn = rig.signIn()
    #expect(
      await AccountErrorKind.of { try await signIn.beginEnrolment(callbackURL: callback) } == .invalidInput)
  }

  @Test("40 §19 #18: a key in upper case is not sent")
  func upperCaseKey() async {
    #expect(await AccountErrorKind.of { try page(key: key.uppercased()) } == .invalidInput)
  }

  @Test("40 §19 #19: a query that the wallet's address has is kept")
  func keepsQuery() throws {
    #expect(
      try page(wallet: "https://wallet.example/enroll?lang=en").hasPrefix(
        "https://wallet.example/enroll?lang=en&enrol-device=\(key)&"))
  }

  @Test("40 §19 #20: an address without an answer is none, and a no is told from a refusal")
  func answers() throws {
    func read(_ text: String) throws -> EnrolmentCallback? {
      try DeviceEnrolment.readCallback(try #require(URL(string: text)))
    }
    #expect(try read("myapp://enrol") == nil)
    #expect(try read("myapp://enrol?credential=a&account=b&device=c") == nil)
    for code in ["cancelled", "denied"] {
      let error = #expect(throws: AccountError.self) { try read("myapp://enrol#error=\(code)") }
      #expect(AccountErrorKind(error) == .enrolmentDeclined)
    }
    let other = #expect(throws: AccountError.self) { try read("myapp://enrol#error=other") }
    #expect(AccountErrorKind(other) == .enrolmentDeclined)
    #expect(other?.description.contains("other") == true)
  }

  @Test("40 §19 #21: an answer to another request ends nothing, and the right one still signs in")
  func wrongState() async throws {
    let signIn = rig.signIn()
    let page = try await signIn.beginEnrolment(callbackURL: rig.callback)
    let forged = try rig.wallet.answer(page, .tamperState)
    #expect(
      await AccountErrorKind.of { try await signIn.completeEnrolment(callbackURL: forged) } == .stateMismatch)
    #expect(await signIn.restoreSession() == nil)
    #expect(try rig.sessionStore.load() == nil)
    #expect(rig.manager.log.isEmpty)
    let session = try await signIn.completeEnrolment(callbackURL: try rig.wallet.approve(page))
    #expect(session.account == rig.wallet.account)
  }

  @Test(
    "40 §19 #22: a credential about something else, or a broken one, is not stored",
    arguments: [
      FakeWallet.Answer.certifyOtherKey, .certifyOtherDeliveryKey, .lieAboutAccount, .lieAboutDevice,
      .breakCertificate,
    ])
  func rejected(_ answer: FakeWallet.Answer) async throws {
    let signIn = rig.signIn()
    let page = try await signIn.beginEnrolment(callbackURL: rig.callback)
    let callback = try rig.wallet.answer(page, answer)
    #expect(
      await AccountErrorKind.of { try await signIn.completeEnrolment(callbackURL: callback) }
        == .credentialRejected)
    #expect(try rig.sessionStore.load() == nil)
    #expect(await signIn.delegatedSession() == nil)
    #expect(rig.manager.log.isEmpty)
  }

  @Test("a no in the wallet leaves the app signed out, and an address without an answer is an error")
  func declined() async throws {
    let signIn = rig.signIn()
    let page = try await signIn.beginEnrolment(callback: .scheme("notes"))
    for callback in [try rig.wallet.decline(page), try rig.wallet.answer(page, .refuse("too many"))] {
      #expect(
        await AccountErrorKind.of { try await signIn.completeEnrolment(callbackURL: callback) }
          == .enrolmentDeclined)
    }
    let nothing = try #require(URL(string: "notes://enrol"))
    #expect(
      await AccountErrorKind.of { try await signIn.completeEnrolment(callbackURL: nothing) }
        == .protocolViolation)
    #expect(await signIn.restoreSession() == nil)
  }

  @Test("40 §19 #23: the session is what the wallet certified and the cloud assigned, and it is stored")
  func session() async throws {
    rig.assignRelay()
    let signIn = rig.signIn()
    let session = try await rig.enrol(signIn)
    let certified = try DeviceCertificates.verify(session.credential)
    let keys = try await signIn.deviceKeys()
    #expect(certified.signPublicKey == keys.signPublicKey)
    #expect(
      session
        == CloudSession(
          account: rig.wallet.account, device: certified.device, credential: certified.text,
          relayUrl: CloudRig.relayURL, executorAccount: CloudRig.executor))
    #expect(try rig.sessionStore.load() == session)
    #expect(
      await signIn.delegatedSession()
        == DelegatedSession(
          account: session.account, credential: session.credential, keys: keys, relayUrl: CloudRig.relayURL,
          executorAccount: CloudRig.executor))
    #expect(rig.manager.violations.isEmpty)
  }

  @Test(
    "40 §19 #24: a cloud that cannot be asked does not undo the sign-in",
    arguments: [FakeOutage.refused, .status(503)])
  func cloudIsDown(_ outage: FakeOutage) async throws {
    rig.manager.fail(outage)
    let session = try await rig.enrol(rig.signIn())
    #expect(session.isRelayless)
    #expect(session.note != nil)
    #expect(try rig.sessionStore.load() == session)
  }

  @Test("40 §19 #25: an account without a relay is signed in, with a note of what to do")
  func relayless() async throws {
    let session = try await rig.enrol(rig.signIn())
    #expect(session.isRelayless)
    #expect(session.note == CloudClient.chooseRelay([]).note)
  }

  @Test("40 §19 #30: every request has a state of its own, and the same device")
  func statesAndKeys() async throws {
    let signIn = rig.signIn()
    func query(_ name: String, _ page: URL) -> String? {
      URLComponents(string: page.absoluteString)?.queryItems?.first { $0.name == name }?.value
    }
    let pages = [
      try await signIn.beginEnrolment(callbackURL: rig.callback),
      try await rig.signIn().beginEnrolment(callbackURL: rig.callback),
    ]
    for name in ["enrol-device", "enrol-kem"] { #expect(query(name, pages[0]) == query(name, pages[1])) }
    let states = pages.compactMap { query("state", $0) }
    #expect(states.count == 2)
    #expect(states[0] != states[1])
    #expect(states.allSatisfy { $0.utf8.count == 32 })
  }

  @Test("40 §5.2: an app that was ended while the wallet was open knows the answer from a forged one")
  func stateSurvives() async throws {
    let page = try await rig.signIn().beginEnrolment(callbackURL: rig.callback)
    let launched = rig.signIn()
    let forged = try rig.wallet.answer(page, .tamperState)
    #expect(
      await AccountErrorKind.of { try await launched.completeEnrolment(callbackURL: forged) }
        == .stateMismatch)
    let answer = try rig.wallet.approve(page)
    #expect(try await launched.completeEnrolment(callbackURL: answer).account == rig.wallet.account)
  }

  @Test("an answer that comes after a sign-out signs nobody in")
  func signedOutMeanwhile() async throws {
    let gate = Gate()
    let manager = rig.manager
    let slow = ScriptedNode { request in
      try await gate.wait()
      return try await manager.handle(request)
    }
    let signIn = rig.signIn(transport: slow)
    let answer = try rig.wallet.approve(try await signIn.beginEnrolment(callbackURL: rig.callback))
    async let kind = AccountErrorKind.of { try await signIn.completeEnrolment(callbackURL: answer) }
    while slow.requests.isEmpty { await Task.yield() }
    await signIn.signOut()
    gate.open(.success(()))
    #expect(await kind == .notSignedIn)
    #expect(await signIn.restoreSession() == nil)
    #expect(try rig.sessionStore.load() == nil)
  }

  @Test("40 §5.1: a callback has one slash between host and path")
  func callbackAddresses() {
    #expect(CloudCallback.scheme("myapp").url == "myapp://enrol")
    #expect(CloudCallback.scheme("myapp", path: "auth").url == "myapp://auth")
    #expect(CloudCallback.https(host: "a.example", path: "enrol").url == "https://a.example/enrol")
    #expect(CloudCallback.https(host: "a.example", path: "/enrol").url == "https://a.example/enrol")
  }
}
