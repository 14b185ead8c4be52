import Testing

@testable import MeroKit

@Suite("The tokens of a connection, as a value")
struct TokenMachineTests {
  private let first = TokenData.first
  private let second = TokenData.sample("A2", "R2")

  private func holding(_ tokens: TokenData) -> TokenMachine {
    var machine = TokenMachine()
    machine.look(at: tokens)
    return machine
  }

  private func flight(_ machine: TokenMachine, _ sent: String = "A1") throws -> TokenMachine.Flight {
    guard case .refresh(let flight) = machine.need(afterExpiryOf: sent, waited: false) else {
      throw MeroError.noRefreshToken
    }
    return flight
  }

  /// `#expect` takes no expression that changes what it is about.
  private func expect<T: Equatable>(_ value: T, _ wanted: T, at place: SourceLocation = #_sourceLocation) {
    #expect(value == wanted, sourceLocation: place)
  }

  @Test("the token that a request carried decides, not the one that is held when its answer comes")
  func sentDecides() throws {
    var machine = holding(first)
    let flight = try flight(machine)
    expect(machine.depart(flight, stored: first), .present(first))
    expect(machine.arrive(flight, stored: first), true)
    machine.renew(flight, with: second)
    #expect(machine.need(afterExpiryOf: "A1", waited: false) == .send("A2"))
    #expect(machine.need(afterExpiryOf: "A2", waited: false) == .refresh(.init(base: second, generation: 1)))
  }

  @Test("a request that has waited for a refresh and got the same token gives up")
  func sameToken() {
    #expect(holding(first).need(afterExpiryOf: "A1", waited: true) == .end)
  }

  @Test("a refresh token is presented once, unless the node is known not to have taken it")
  func presentedOnce() throws {
    var machine = holding(first)
    let flight = try flight(machine)
    expect(machine.depart(flight, stored: first), .present(first))
    expect(machine.depart(flight, stored: first), .impossible)
    machine.notTaken("R1")
    expect(machine.depart(flight, stored: first), .present(first))
  }

  @Test("a session without a refresh token cannot be renewed")
  func accessOnly() throws {
    let tokens = TokenData.sample("A1", "")
    var machine = holding(tokens)
    expect(machine.depart(try flight(machine), stored: tokens), .impossible)
  }

  @Test("tokens that another process has renewed are taken over, and nothing is presented")
  func renewedElsewhere() throws {
    var machine = holding(first)
    let flight = try flight(machine)
    expect(machine.depart(flight, stored: second), .needless)
    #expect(machine.held == second)
    #expect(machine.need(afterExpiryOf: "A1", waited: true) == .send("A2"))
  }

  @Test("an older pair of ours, left behind by a write that failed, is not believed")
  func failedWrite() throws {
    var machine = holding(first)
    let flight = try flight(machine)
    _ = machine.depart(flight, stored: first)
    machine.renew(flight, with: second)
    machine.wrote(first)
    machine.look(at: first)
    #expect(machine.held == second)
    expect(machine.depart(try self.flight(machine, "A2"), stored: first), .present(second))
  }

  @Test("an empty store ends the session only if it was there before")
  func emptyStore() {
    var machine = holding(first)
    machine.look(at: nil)
    #expect(machine.held == nil)
    machine.begin(first)
    machine.wrote(nil)
    machine.look(at: nil)
    #expect(machine.held == first)
  }

  @Test("a refresh that ends after the session did is dropped")
  func afterTheEnd() throws {
    var machine = holding(first)
    let flight = try flight(machine)
    _ = machine.depart(flight, stored: first)
    machine.end()
    expect(machine.arrive(flight, stored: nil), false)
    machine.renew(flight, with: second)
    #expect(machine.held == nil)
  }

  @Test("a refresh that ends after another login is dropped, even if the store was not written")
  func afterLogin() throws {
    var machine = holding(first)
    let flight = try flight(machine)
    _ = machine.depart(flight, stored: first)
    machine.begin(.sample("B1", "S1"))
    expect(machine.arrive(flight, stored: first), false)
    machine.renew(flight, with: second)
    #expect(machine.held == .sample("B1", "S1"))
  }

  @Test("a refresh that ends after another process has logged in leaves that alone")
  func afterLoginElsewhere() throws {
    var machine = holding(first)
    let flight = try flight(machine)
    _ = machine.depart(flight, stored: first)
    expect(machine.arrive(flight, stored: .sample("B1", "S1")), false)
    #expect(machine.held == .sample("B1", "S1"))
  }

  @Test("a refresh that ends after another process has logged out leaves that alone")
  func afterLogoutElsewhere() throws {
    var machine = holding(first)
    let flight = try flight(machine)
    _ = machine.depart(flight, stored: first)
    expect(machine.arrive(flight, stored: nil), false)
    #expect(machine.held == nil)
  }

  @Test("a request of one person is not sent again as another")
  func otherPerson() {
    let ada = jwt(["sub": "ada", "exp": 1]), bob = jwt(["sub": "bob", "exp": 2])
    let adaAgain = jwt(["sub": "ada", "exp": 3])
    var machine = holding(.sample(ada, "R1"))
    machine.begin(.sample(bob, "S1"))
    #expect(machine.need(afterExpiryOf: ada, waited: false) == .end)
    machine.begin(.sample(adaAgain, "R2"))
    #expect(machine.need(afterExpiryOf: ada, waited: false) == .send(adaAgain))
  }

  @Test("a revocation ends the session it is about, also when that has been renewed since")
  func revocation() throws {
    var machine = holding(first)
    let flight = try flight(machine)
    _ = machine.depart(flight, stored: first)
    machine.renew(flight, with: second)
    expect(machine.revoke("A1", stored: second), .ended(clearsStore: true))
    #expect(machine.held == nil)
    expect(machine.revoke("A1", stored: nil), .known)
    expect(machine.revoke("A2", stored: nil), .known)
    #expect(machine.isRevoked("A1") && machine.isRevoked("A2"))
  }

  @Test("a late revocation of the session before leaves the one there is")
  func lateRevocation() {
    var machine = holding(first)
    machine.begin(.sample("B1", "S1"))
    expect(machine.revoke("A1", stored: .sample("B1", "S1")), .foreign)
    #expect(machine.held == .sample("B1", "S1"))
  }

  @Test("a revocation does not end what another process has begun since")
  func revocationElsewhere() {
    var machine = holding(first)
    expect(machine.revoke("A1", stored: second), .foreign)
    #expect(machine.held == second)
  }

  @Test("a revocation of what was never stored leaves the store alone")
  func revocationUnstored() {
    var machine = TokenMachine()
    machine.begin(first)
    expect(machine.revoke("A1", stored: nil), .ended(clearsStore: false))
  }

  @Test("a revocation said to a request without a bearer ends nothing")
  func revocationOfNobody() {
    var machine = TokenMachine()
    expect(machine.revoke(nil, stored: nil), .known)
    machine.begin(first)
    expect(machine.revoke(nil, stored: first), .foreign)
    #expect(machine.held == first)
  }

  @Test("a refresh token that was filled in elsewhere is the one that is presented")
  func filledIn() throws {
    var machine = holding(.sample("A1", ""))
    let flight = try flight(machine)
    expect(machine.depart(flight, stored: .sample("A1", "R9")), .present(.sample("A1", "R9")))
  }
}
