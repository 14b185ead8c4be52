import Foundation
import Testing

@testable import MeroKit

@Suite("Which session a client has")
struct SessionMachineTests {
  private typealias Samples = SessionSamples

  private func signedIn(_ stored: StoredSession = Samples.stored(1), at seconds: TimeInterval = 0)
    -> SessionMachine
  {
    var machine = SessionMachine()
    _ = machine.read(stored, cluster: nil, at: Samples.moment(seconds))
    return machine
  }

  @Test("nothing is known before the store was read")
  func unread() {
    let machine = SessionMachine()
    #expect(machine.need(at: Samples.moment(0)) == .read)
    #expect(machine.change == nil)
  }

  @Test("an empty store means that nobody ever signed in")
  func empty() {
    var machine = SessionMachine()
    let mustClear = machine.read(nil, cluster: nil, at: Samples.moment(0))
    #expect(!mustClear)
    #expect(machine.need(at: Samples.moment(0)) == .signedOut(.never))
    #expect(machine.change == .signedOut(.never))
  }

  @Test("a record of another cluster is neither used nor cleared")
  func otherCluster() {
    var machine = SessionMachine()
    let mustClear = machine.read(Samples.stored(1), cluster: "ff", at: Samples.moment(0))
    #expect(!mustClear)
    #expect(machine.need(at: Samples.moment(0)) == .signedOut(.otherCluster))
    #expect(!machine.mayClearStore)
  }

  @Test("a cluster that becomes known later counts as well")
  func otherClusterLater() {
    var machine = signedIn()
    machine.require(cluster: Samples.cluster)
    #expect(machine.held != nil)
    machine.require(cluster: "ff")
    #expect(machine.need(at: Samples.moment(0)) == .signedOut(.otherCluster))
  }

  @Test("a record whose refresh token is over is cleared")
  func refreshTokenOver() {
    var machine = SessionMachine()
    let mustClear = machine.read(Samples.stored(1), cluster: nil, at: Samples.moment(30 * 86_400))
    #expect(mustClear)
    #expect(machine.change == .signedOut(.expired))
    var inTime = SessionMachine()
    let wouldClear = inTime.read(Samples.stored(1), cluster: nil, at: Samples.moment(30 * 86_400 - 1))
    #expect(!wouldClear)
  }

  @Test("a wrong wall clock does not end a session: the node's span counts, from when it was saved")
  func wrongWallClock() {
    // This device's clock is a year behind the node's, at saving and now.
    let year: Int64 = 365 * 86_400_000
    let stored = StoredSession(
      session: Samples.session(1, at: Samples.epoch), issuedBy: nil, savedAt: Samples.epoch - year)
    var machine = SessionMachine()
    let now = SessionMachine.Moment(
      now: Date(timeIntervalSince1970: Double(Samples.epoch - year) / 1000 + 60), uptime: 5)
    let mustClear = machine.read(stored, cluster: nil, at: now)
    #expect(!mustClear)
    #expect(machine.need(at: now) == .token(machine.held!.bearer))
  }

  @Test("a token is used until a minute of it is left, then refreshed first")
  func refreshAhead() throws {
    let machine = signedIn()
    let held = try #require(machine.held)
    #expect(machine.need(at: Samples.moment(839)) == .token(held.bearer))
    #expect(machine.need(at: Samples.moment(840)) == .token(held.bearer))
    #expect(machine.need(at: Samples.moment(840.5)) == .refresh(held))
    #expect(machine.need(at: Samples.moment(2000)) == .refresh(held))
    #expect(machine.need(at: Samples.moment(850), acceptsShort: true) == .token(held.bearer))
  }

  @Test("while the process lives, the monotonic clock alone tells the token's age")
  func monotonic() throws {
    let machine = signedIn()
    let held = try #require(machine.held)
    let jumped = SessionMachine.Moment(now: .distantFuture, uptime: 1001)
    #expect(machine.need(at: jumped) == .token(held.bearer))
  }

  @Test("after a restart the wall clock tells the token's age")
  func afterRestart() throws {
    let machine = signedIn(at: 870)
    #expect(machine.need(at: Samples.moment(870)) == .refresh(try #require(machine.held)))
    // A wall clock that went back tells nothing: the token counts as spent.
    let confused = signedIn(at: -10)
    #expect(confused.need(at: Samples.moment(-10)) == .refresh(try #require(confused.held)))
  }

  @Test("a refresh replaces the tokens and keeps the session's generation")
  func refreshed() throws {
    var machine = signedIn()
    let held = try #require(machine.held)
    let new = machine.refreshed(
      held, with: Samples.stored(2, at: Samples.epoch + 850_000), at: Samples.moment(850))
    #expect(new?.bearer.token == "access-2")
    #expect(new?.generation == held.generation)
    #expect(machine.need(at: Samples.moment(850)) == .token(try #require(new).bearer))
  }

  @Test("a refresh that ends after sign-out does not bring the session back")
  func lateRefreshAfterSignOut() throws {
    var machine = signedIn()
    let held = try #require(machine.held)
    #expect(machine.end(.signedOut) == Samples.stored(1))
    #expect(machine.refreshed(held, with: Samples.stored(2), at: Samples.moment(1)) == nil)
    #expect(machine.need(at: Samples.moment(1)) == .signedOut(.signedOut))
  }

  @Test("a refresh that ends after another sign-in does not bring the old session back")
  func lateRefreshAfterSignIn() throws {
    var machine = signedIn()
    let held = try #require(machine.held)
    #expect(machine.adopt(Samples.stored(7, id: "ses_2"), at: Samples.moment(0)) == Samples.stored(1))
    #expect(machine.refreshed(held, with: Samples.stored(2), at: Samples.moment(1)) == nil)
    #expect(machine.held?.stored.session.sessionId == "ses_2")
  }

  @Test("TOKEN_EXPIRED asks for a refresh once, and then for whatever there is")
  func afterExpiry() throws {
    var machine = signedIn()
    let held = try #require(machine.held)
    #expect(machine.need(afterExpiryOf: held.bearer) == .refresh(held))
    #expect(machine.need(afterExpiryOf: held.bearer, waited: true) == .token(held.bearer))
    let new = machine.refreshed(held, with: Samples.stored(2), at: Samples.moment(1))
    #expect(machine.need(afterExpiryOf: held.bearer) == .token(try #require(new).bearer))
  }

  @Test("a request begun as one account is not finished as another")
  func otherAccount() throws {
    var machine = signedIn()
    let sent = try #require(machine.held).bearer
    _ = machine.adopt(Samples.stored(7, id: "ses_2", account: "acc_2"), at: Samples.moment(0))
    #expect(machine.need(afterExpiryOf: sent) == .signedOut(.signedOut))
    _ = machine.adopt(Samples.stored(8, id: "ses_3"), at: Samples.moment(0))
    #expect(machine.need(afterExpiryOf: sent) == .token(try #require(machine.held).bearer))
  }

  @Test(
    "a refused refresh tells why the session is over",
    arguments: [
      ("REFRESH_REUSED", SignedOutReason.reused), ("TOKEN_REVOKED", .revoked), ("TOKEN_EXPIRED", .expired),
      ("UNAUTHENTICATED", .revoked),
    ])
  func refusals(code: String, reason: SignedOutReason) {
    #expect(
      SignedOutReason(refreshRefusal: APIError(status: 401, code: ErrorCode(code), message: "")) == reason)
  }

  @Test("any other refusal of a refresh leaves the session")
  func otherRefusals() {
    for (status, code) in [(401, "PASSKEY_REJECTED"), (429, "RATE_LIMITED"), (503, "TOKEN_REVOKED")] {
      #expect(
        SignedOutReason(refreshRefusal: APIError(status: status, code: ErrorCode(code), message: "")) == nil)
    }
  }
}
