import Foundation
import MeroKit
import MeroKitTestSupport
import MeroWire
import Testing

@Suite("Presence between a client and a node", .timeLimit(.minutes(5)))
struct NodePresenceTests {
  private func bytes(_ typing: Bool) -> [UInt8] { Array(#"{"typing":\#(typing)}"#.utf8) }

  @Test("the page's examples run: one's own slot and everyone's, JSON and raw")
  func page() async throws {
    let rig = await FakeNodeRig()
    let context = rig.node.makeContext()
    rig.node.setPresence(in: context, author: "ann", state: bytes(false))
    let typing = try await PresencePage.readAndWrite(rig.mero, context) { $0.count == 2 }
    #expect(typing == ["ann": false, rig.node.signingKey: true])
    try await PresencePage.writeRaw(rig.mero, context)
    #expect(rig.node.presence(in: context)[rig.node.signingKey] == [1, 2, 3])
  }

  @Test("an author that was not heard from for 7 seconds is removed, also for who comes later")
  func expiry() async throws {
    let rig = await FakeNodeRig()
    let context = rig.node.makeContext()
    rig.node.setPresence(in: context, author: "ann", state: bytes(true))
    await rig.clock.advance(by: 2)
    var entries = await rig.mero.ephemeral.subscribe(contextId: context, as: PresencePage.Typing.self)
      .makeAsyncIterator()
    let replayed = try #require(try await entries.next())
    #expect(replayed.author == "ann" && replayed.state?.typing == true && replayed.ageMs == 2000)
    await rig.clock.advance(by: 1)
    #expect(await PresencePage.seed(rig.mero, context).map { $0.data["ageMs"] } == [3000])
    await rig.clock.advance(by: 5)
    let removed = try #require(try await entries.next())
    #expect(removed.removed && removed.author == "ann" && removed.state == nil && removed.ageMs == nil)
    #expect(await PresencePage.seed(rig.mero, context).isEmpty)
  }

  @Test("an account whose presence a relay carried is named")
  func account() async throws {
    let rig = await FakeNodeRig()
    let context = rig.node.makeContext()
    let account = String(repeating: "5f", count: 32)
    rig.node.setPresence(in: context, author: "ann", account: account, state: bytes(true))
    var entries = await rig.mero.ephemeral.subscribe(contextId: context, as: PresencePage.Typing.self)
      .makeAsyncIterator()
    #expect(try await entries.next()?.account == account)
  }

  @Test("16,384 bytes are taken; one more is SliceTooLarge with size and limit, a strange context is refused")
  func refusals() async throws {
    let rig = await FakeNodeRig()
    let context = rig.node.makeContext()
    let ephemeral = await rig.mero.ephemeral
    let codec = PresencePage.RawCodec()
    try await ephemeral.set(contextId: context, state: [UInt8](repeating: 1, count: 16_384), codec: codec)
    let error = await #expect(throws: MeroError.self) {
      try await ephemeral.set(contextId: context, state: [UInt8](repeating: 1, count: 16_385), codec: codec)
    }
    guard case .rpc(let tooLarge)? = error else {
      return #expect(Bool(false), "\(String(describing: error))")
    }
    #expect(tooLarge.type == "SliceTooLarge")
    #expect(tooLarge.data == ["size": 16_385, "max": 16_384])
    let stranger = await #expect(throws: MeroError.self) {
      try await ephemeral.set(contextId: String(repeating: "0", count: 64), state: [1], codec: codec)
    }
    #expect(stranger?.errorType == "Unauthorized")
  }
}
