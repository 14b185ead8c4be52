import Foundation
import Testing

@testable import MeroKit

private let one = URL(string: "http://127.0.0.1:2501")!
private let two = URL(string: "http://127.0.0.1:2502")!
private let three = URL(string: "http://127.0.0.1:2503")!

private let wrongCluster = CalimeroError.attestation(AttestationFailure(reason: .wrongCluster, text: "other"))
private let mockRefused = CalimeroError.attestation(AttestationFailure(reason: .mockRefused, text: "mock"))

@Suite("The node ring")
struct EngineRingTests {
  private func attested(_ byte: UInt8 = 1) -> AttestedNode {
    AttestedNode(
      transportKey: [UInt8](repeating: byte, count: 32), clusterId: "aa", release: nil, isMock: true,
      at: Date(timeIntervalSince1970: 1_790_000_000))
  }

  @Test("a first request goes to the base URL")
  func first() {
    let ring = NodeRing([one, two, three])
    #expect(ring.choose(RingWalk(), at: 0) == .go(one))
  }

  @Test("after a failure the next node in ring order follows, and then a new round")
  func order() {
    let ring = NodeRing([one, two, three])
    var walk = RingWalk()
    for node in [one, two, three] {
      #expect(ring.choose(walk, at: 0) == .go(node))
      walk.visit(node)
    }
    #expect(ring.choose(walk, at: 0) == .newRound)
    walk.beginRound()
    #expect(walk.round == 2)
    #expect(ring.choose(walk, at: 0) == .go(one))
  }

  @Test("the ring has no end: after the last node comes the first")
  func wraps() {
    var ring = NodeRing([one, two, three])
    ring.answered(three, status: 200, movesCurrent: true)
    var walk = RingWalk()
    #expect(ring.choose(walk, at: 0) == .go(three))
    walk.visit(three)
    #expect(ring.choose(walk, at: 0) == .go(one))
  }

  @Test("after a failover requests stay with the node that answered, however well the first one is")
  func sticky() {
    var ring = NodeRing([one, two])
    ring.cool(one, at: 0)
    ring.answered(two, status: 404, movesCurrent: true)
    #expect(ring.choose(RingWalk(), at: 1000) == .go(two))
  }

  @Test("a status of 500 and above does not make a node the current one", arguments: [500, 502, 503, 504])
  func notCurrent(status: Int) {
    var ring = NodeRing([one, two])
    ring.answered(two, status: status, movesCurrent: true)
    #expect(ring.current == one)
  }

  @Test("a stream's answer does not move the current node, but ends its cooling")
  func streams() {
    var ring = NodeRing([one, two])
    ring.cool(two, at: 0)
    ring.answered(two, status: 200, movesCurrent: false)
    #expect(ring.current == one)
    #expect(ring[two]?.isCooling(at: 0.5) == false)
  }

  @Test("cooling lasts 1 s and doubles with each failure in a row to 30 s")
  func doubling() {
    var ring = NodeRing([one])
    for expected in [1, 2, 4, 8, 16, 30, 30] as [TimeInterval] {
      ring.cool(one, at: 100)
      #expect(ring[one]?.isCooling(at: 100 + expected - 0.01) == true)
      #expect(ring[one]?.coolUntil == 100 + expected)
    }
    ring.answered(one, status: 499, movesCurrent: true)
    ring.cool(one, at: 200)
    #expect(ring[one]?.coolUntil == 201)
  }

  @Test("the wait a node asks for is a lower bound of its cooling, up to 10 s; draining means 60 s")
  func bounds() {
    var ring = NodeRing([one, two, three])
    ring.cool(one, for: Cooling(atLeast: 4), at: 0)
    ring.cool(two, for: Cooling(atLeast: 3600), at: 0)
    ring.cool(three, for: Cooling(isDraining: true), at: 0)
    #expect(ring.nodes.map(\.coolUntil) == [4, 10, 60])
  }

  @Test("cooling nodes are passed over as long as another is left, then used in the order their cooling ends")
  func cooling() {
    var ring = NodeRing([one, two, three])
    ring.cool(two, at: 0)
    var walk = RingWalk()
    walk.visit(one)
    #expect(ring.choose(walk, at: 0.5) == .go(three))
    ring.cool(three, for: Cooling(atLeast: 0.5), at: -0.5)
    ring.cool(two, at: 0)
    #expect(ring.choose(walk, at: 0.4) == .go(three))
    walk.visit(three)
    #expect(ring.choose(walk, at: 0.4) == .go(two))
  }

  @Test("a request that begins while its node cools goes to a node that does not, and stays if all do")
  func begins() {
    var ring = NodeRing([one, two])
    ring.cool(one, for: Cooling(isDraining: true), at: 0)
    #expect(ring.choose(RingWalk(), at: 1) == .go(two))
    ring.cool(two, at: 0)
    #expect(ring.choose(RingWalk(), at: 0.5) == .go(one))
  }

  @Test("a refused node is skipped for five minutes, even when nothing else is left")
  func refused() {
    var ring = NodeRing([one, two])
    ring.refuse(one, mockRefused, at: 10)
    #expect(ring.choose(RingWalk(), at: 10) == .go(two))
    var walk = RingWalk()
    walk.visit(two)
    #expect(ring.choose(walk, at: 309) == .newRound)
    #expect(ring.choose(walk, at: 310) == .go(one))
  }

  @Test("with every node refused the base URL's reason is told, else the first one in ring order")
  func nobody() {
    var ring = NodeRing([one, two])
    ring.refuse(two, wrongCluster, at: 0)
    #expect(ring.refusal(at: 1) == wrongCluster)
    ring.refuse(one, mockRefused, at: 1)
    #expect(ring.choose(RingWalk(), at: 2) == .nobody(mockRefused))
    ring.forgetAttestations()
    #expect(ring.choose(RingWalk(), at: 2) == .go(one))
    #expect(ring.refusal(at: 2) == nil)
  }

  @Test("a hint is followed once if it names an untried node of the ring, by id or by address")
  func hints() {
    var ring = NodeRing([one, two, three])
    ring.identify(three, as: "node_3")
    #expect(ring.member(named: "node_3") == three)
    #expect(ring.member(named: "HTTP://127.0.0.1:2503/") == three)
    #expect(ring.member(named: "http://evil.example") == nil)
    #expect(ring.member(named: "") == nil)
    var walk = RingWalk()
    walk.visit(one)
    walk.prefer(three)
    #expect(ring.choose(walk, at: 0) == .go(three))
    walk.visit(three)
    #expect(walk.hint == nil)
    walk.prefer(one)
    #expect(ring.choose(walk, at: 0) == .go(two))
  }

  @Test("a hint wins over cooling and loses against a refusal")
  func hintsAndState() {
    var ring = NodeRing([one, two, three])
    var walk = RingWalk()
    walk.visit(one)
    walk.prefer(three)
    ring.cool(three, at: 0)
    #expect(ring.choose(walk, at: 0) == .go(three))
    ring.refuse(three, wrongCluster, at: 0)
    #expect(ring.choose(walk, at: 0) == .go(two))
  }

  @Test("a walk may begin at a preferred node, or after one that failed")
  func starts() {
    let ring = NodeRing([one, two, three])
    #expect(ring.choose(RingWalk(preferred: two), at: 0) == .go(two))
    #expect(ring.choose(RingWalk(after: two), at: 0) == .go(three))
    #expect(ring.choose(RingWalk(preferred: URL(string: "http://gone.example")), at: 0) == .go(one))
  }

  @Test("trust holds for 24 hours")
  func trust() {
    var ring = NodeRing([one])
    ring.trust(one, attested(), at: 5)
    #expect(ring.trusted(one, at: 5 + 86_399) == attested())
    #expect(ring.trusted(one, at: 5 + 86_400) == nil)
    ring.forgetAttestations()
    #expect(ring.trusted(one, at: 6) == nil)
  }

  @Test("discovered nodes come last, are not doubled, and cannot grow the ring without end")
  func discovery() {
    var ring = NodeRing([one, two])
    let isNew = ring.add(discovered: two, id: "node_2")
    #expect(!isNew)
    #expect(ring[two]?.id == "node_2")
    let isThirdNew = ring.add(discovered: three, id: "node_3")
    #expect(isThirdNew)
    #expect(ring.nodes.map(\.isDiscovered) == [false, false, true])
    for number in 0..<200 {
      _ = ring.add(discovered: URL(string: "https://node-\(number).example")!, id: "n\(number)")
    }
    #expect(ring.nodes.count == NodeRing.capacity)
  }

  @Test("what happens at a node outside the ring changes nothing")
  func strangers() {
    var ring = NodeRing([one])
    let stranger = URL(string: "https://stranger.example")!
    ring.cool(stranger, at: 0)
    ring.answered(stranger, status: 200, movesCurrent: true)
    ring.trust(stranger, attested(), at: 0)
    #expect(ring.current == one)
    #expect(ring.nodes.count == 1)
    #expect(ring.trusted(stranger, at: 0) == nil)
  }
}
