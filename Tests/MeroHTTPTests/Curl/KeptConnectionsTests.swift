#if canImport(CCurl)
  import Testing

  @testable import MeroHTTP

  @Suite("Which hosts keep connections")
  struct KeptConnectionsTests {
    private let here = "https://a.example:443"
    private let there = "https://b.example:443"
    private let test = Connections()

    private final class Connections {
      var kept = KeptConnections(rules: KeptConnections.Rules(proof: 0.05, idleSeconds: 3, doubt: 60))

      func use(port: Int32) -> Bool { kept.use(port: port) }

      func mayUse(_ origin: String, at now: Double, closed: Set<Int32> = []) -> Bool {
        kept.mayUseAgain(origin, at: now) { !closed.contains($0) }
      }
    }

    @Test("nothing is used again at a host that nothing is known of")
    func unknown() {
      #expect(!test.mayUse(here, at: 0))
    }

    @Test(
      "a connection that was idle for a while and is open proves that its host keeps them, and no other host")
    func proof() {
      test.kept.add(7, port: 1, of: here, at: 10)
      #expect(!test.mayUse(here, at: 10.01))
      #expect(test.mayUse(here, at: 10.05))
      #expect(!test.mayUse(there, at: 10.05))
      #expect(test.mayUse(here, at: 10_000), "known from then on")
    }

    @Test(
      "a host that closes an idle connection early gets new ones for a minute, though another one is open")
    func closesEarly() {
      test.kept.add(7, port: 1, of: here, at: 10)
      test.kept.add(8, port: 2, of: here, at: 10.04)
      #expect(!test.mayUse(here, at: 10.06, closed: [8]))
      #expect(!test.mayUse(here, at: 70))
      #expect(test.mayUse(here, at: 70.07))
    }

    @Test("a connection that was closed while nobody looked proves nothing")
    func closedLater() {
      test.kept.add(7, port: 1, of: here, at: 10)
      #expect(!test.mayUse(here, at: 20, closed: [7]))
      test.kept.add(8, port: 2, of: here, at: 21)
      #expect(test.mayUse(here, at: 22))
    }

    @Test("what was learned outlives the connections")
    func outlives() {
      test.kept.add(7, port: 1, of: here, at: 10)
      #expect(test.mayUse(here, at: 11))
      test.kept.died(there, at: 12)
      test.kept.add(8, port: 2, of: there, at: 12)
      test.kept = test.kept.withoutConnections
      #expect(!test.use(port: 1))
      #expect(test.mayUse(here, at: 13))
      #expect(!test.mayUse(there, at: 71))
      test.kept.add(9, port: 3, of: there, at: 80)
      #expect(test.mayUse(there, at: 81))
    }

    @Test("a connection in use, and one that was closed, are not asked")
    func inUse() {
      test.kept.add(7, port: 1, of: here, at: 10)
      test.kept.add(8, port: 2, of: here, at: 10)
      #expect(test.use(port: 1))
      #expect(!test.use(port: 1), "it is no longer idle")
      test.kept.remove(8)
      #expect(!test.mayUse(here, at: 11))
    }

    @Test("a request that died on a kept connection ends the trust for a minute")
    func died() {
      test.kept.add(7, port: 1, of: here, at: 10)
      #expect(test.mayUse(here, at: 11))
      test.kept.died(here, at: 12)
      #expect(!test.mayUse(here, at: 71))
      #expect(test.mayUse(here, at: 72))
    }

    @Test("however many hosts there are, memory stays bounded")
    func manyHosts() {
      test.kept.add(7, port: 1, of: here, at: 0)
      #expect(test.mayUse(here, at: 1))
      for number in 0..<1_000 { test.kept.add(8, port: 2, of: "http://h\(number):80", at: 2) }
      #expect(!test.mayUse(here, at: 3), "forgotten")
      #expect(test.mayUse("http://h999:80", at: 3))
    }
  }
#endif
