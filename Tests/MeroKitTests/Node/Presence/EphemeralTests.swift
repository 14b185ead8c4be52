import Foundation
import MeroHTTP
import MeroWire
import Testing

@testable import MeroKit

@Suite("Presence on a node", .timeLimit(.minutes(5)))
struct EphemeralTests {
  private struct Typing: Codable, Sendable, Hashable { let typing: Bool }

  private struct RawCodec: Codec {
    func encode(_ value: [UInt8]) throws -> [UInt8] { value }
    func decode(_ bytes: [UInt8]) throws -> [UInt8] { bytes }
  }

  private func state(_ typing: Bool) -> JSONValue { JSONValue(bytes: Array(#"{"typing":\#(typing)}"#.utf8)) }

  private func client(_ rig: EventRig) -> EphemeralClient {
    EphemeralClient(rpc: RpcClient(http: rig.http), sse: rig.sse)
  }

  private func rpc(_ answer: String) -> EventNode.Reply {
    { _ in HTTPResponse(status: 200, body: HTTPBody(Data(answer.utf8))) }
  }

  // MARK: Writing

  @Test("a slot is written as an array of bytes that hold JSON text; the call names no author")
  func writes() async throws {
    let rig = try EventRig()
    rig.node.answer(rpc(#"{"jsonrpc":"2.0","id":1,"result":{}}"#))
    try await client(rig).set(contextId: "c", state: Typing(typing: true))
    let asked = try #require(rig.node.asked.first)
    #expect(asked.path == "/jsonrpc")
    #expect(
      asked.body == [
        "jsonrpc": "2.0", "id": 1, "method": "set_ephemeral",
        "params": ["contextId": "c", "state": state(true)],
      ])
  }

  @Test("another codec writes what it will")
  func writesRaw() async throws {
    let rig = try EventRig()
    rig.node.answer(rpc(#"{"jsonrpc":"2.0","id":1,"result":{}}"#))
    try await client(rig).set(contextId: "c", state: [1, 2, 3], codec: RawCodec())
    #expect(rig.node.posts.first?["params"]?["state"] == [1, 2, 3])
  }

  @Test("what the node refuses is thrown with its type and data; the size is the node's to judge")
  func refusals() async throws {
    let rig = try EventRig()
    rig.node.answer(
      rpc(#"{"jsonrpc":"2.0","id":1,"error":{"type":"SliceTooLarge","data":{"size":16385,"max":16384}}}"#))
    let tooLarge = await #expect(throws: MeroError.self) {
      try await client(rig).set(
        contextId: "c", state: [UInt8](repeating: 7, count: 16_385), codec: RawCodec())
    }
    #expect(tooLarge?.errorType == "SliceTooLarge")
    if case .rpc(let error)? = tooLarge { #expect(error.data == ["size": 16_385, "max": 16_384]) }
    #expect(rig.node.posts.first?["params"]?["state"]?.arrayValue?.count == 16_385)
    rig.node.answer(rpc(#"{"jsonrpc":"2.0","id":1,"error":{"type":"Unauthorized"}}"#))
    let stranger = await #expect(throws: MeroError.self) {
      try await client(rig).set(contextId: "c", state: Typing(typing: true))
    }
    #expect(stranger?.errorType == "Unauthorized")
    if case .rpc(let error)? = stranger { #expect(error.data == nil) }
  }

  // MARK: Reading

  @Test("live updates have no age, removals no state, and what the codec cannot read is passed over")
  func reads() async throws {
    let rig = try EventRig()
    var entries = client(rig).subscribe(contextId: "c", as: Typing.self).makeAsyncIterator()
    let stream = try await rig.node.stream(0)
    stream.connect("1")
    _ = try await rig.node.posts(1)
    stream.presence("c", ["author": "x", "state": state(true), "ageMs": 0])
    stream.presence("c", ["author": "y", "account": "k", "state": state(false)])
    stream.presence("c", ["author": "y", "state": [255, 254]])
    stream.presence("c", ["author": "y"])
    stream.presence("c", ["state": state(true)])
    stream.presence("other", ["author": "z", "state": state(true)])
    stream.presence("c", ["author": "x", "removed": true])
    #expect(try await entries.next() == EphemeralEntry(author: "x", state: Typing(typing: true), ageMs: 0))
    #expect(
      try await entries.next() == EphemeralEntry(author: "y", account: "k", state: Typing(typing: false)))
    #expect(try await entries.next() == EphemeralEntry<Typing>(author: "x", state: nil, removed: true))
  }

  @Test("a late subscriber gets everyone there is, as old as they are now, and then what happens")
  func lateSubscriber() async throws {
    let rig = try EventRig()
    var first = client(rig).subscribe(contextId: "c", as: Typing.self).makeAsyncIterator()
    let stream = try await rig.node.stream(0)
    stream.connect("1")
    _ = try await rig.node.posts(1)
    stream.presence("c", ["author": "x", "state": state(true), "ageMs": 447])
    stream.presence("c", ["author": "y", "state": state(true)])
    stream.presence("c", ["author": "z", "state": state(true)])
    stream.presence("c", ["author": "z", "removed": true])
    for _ in 0..<4 { _ = try await first.next() }
    await rig.clock.advance(by: 8)
    var late = client(rig).subscribe(contextId: "c", as: Typing.self).makeAsyncIterator()
    // Older than 7 seconds, and there: whoever says the same again causes no event.
    #expect(try await late.next() == EphemeralEntry(author: "x", state: Typing(typing: true), ageMs: 8447))
    #expect(try await late.next() == EphemeralEntry(author: "y", state: Typing(typing: true), ageMs: 8000))
    stream.presence("c", ["author": "x", "state": state(false)])
    #expect(try await late.next() == EphemeralEntry(author: "x", state: Typing(typing: false)))
    #expect(rig.node.posts.count == 1)
    #expect(await rig.sse.presenceSeed("c").map(\.presenceAuthor) == ["y", "x"])
  }

  @Test("a late subscriber misses nothing and gets nothing twice, whenever it comes among many updates")
  func handOver() async throws {
    let rig = try EventRig()
    let client = client(rig)
    var first = client.subscribe(contextId: "c", codec: JSONCodec<Int>()).makeAsyncIterator()
    let stream = try await rig.node.stream(0)
    stream.connect("1")
    _ = try await rig.node.posts(1)
    let sender = Task.detached {
      for number in 1...3000 {
        stream.presence("c", ["author": "x", "state": JSONValue(bytes: Array("\(number)".utf8))])
        if number % 50 == 0 { await Task.yield() }
      }
    }
    #expect(try await first.next()?.state == 1)
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<20 {
        group.addTask {
          var next: Int?
          for try await entry in client.subscribe(contextId: "c", codec: JSONCodec<Int>()) {
            let state = try #require(entry.state)
            #expect(next == nil || state == next)
            #expect((entry.ageMs != nil) == (next == nil))
            if state == 3000 { break }
            next = state + 1
          }
        }
        await Task.yield()
      }
      try await group.waitForAll()
    }
    await sender.value
  }

  @Test("a reconnect forgets who was there, and the node tells anew who is")
  func reconnect() async throws {
    let rig = try EventRig()
    var entries = client(rig).subscribe(contextId: "c", as: Typing.self).makeAsyncIterator()
    let stream = try await rig.node.stream(0)
    stream.connect("1")
    _ = try await rig.node.posts(1)
    stream.presence("c", ["author": "x", "state": state(true)])
    _ = try await entries.next()
    stream.end()
    await rig.wait { if case .offline = $0 { true } else { false } }
    await rig.clock.passReconnect()
    let next = try await rig.node.stream(1)
    next.connect("2")
    _ = try await rig.node.posts(2)
    await rig.waitUntilOnline("2")
    #expect(await rig.sse.presenceSeed("c") == [])
    next.presence("c", ["author": "y", "state": state(true), "ageMs": 20])
    #expect(try await entries.next() == EphemeralEntry(author: "y", state: Typing(typing: true), ageMs: 20))
    #expect(await rig.sse.presenceSeed("c").map(\.presenceAuthor) == ["y"])
  }

  @Test("the last one to leave takes the kept presence along")
  func unsubscribe() async throws {
    let rig = try EventRig()
    let client = client(rig)
    do {
      let stays = client.subscribe(contextId: "c", as: Typing.self)
      let stream = try await rig.node.stream(0)
      stream.connect("1")
      _ = try await rig.node.posts(1)
      stream.presence("c", ["author": "x", "state": state(true)])
      for try await _ in client.subscribe(contextId: "c", as: Typing.self) { break }
      for try await _ in stays { break }
      #expect(rig.node.posts.count == 1)
    }
    #expect(try await rig.node.posts(2)[1]["method"] == "unsubscribe")
    #expect(await rig.sse.presenceSeed("c") == [])
    // A new subscription, which makes the node tell everyone again.
    let again = client.subscribe(contextId: "c", as: Typing.self)
    #expect(try await rig.node.posts(3)[2]["method"] == "subscribe")
    _ = again
  }

  @Test("a stream that is refused throws from the loop")
  func refused() async throws {
    let rig = try EventRig()
    rig.node.refuse(.status(403, "permission_denied"))
    var entries = client(rig).subscribe(contextId: "c", as: Typing.self).makeAsyncIterator()
    let error = await #expect(throws: MeroError.self) { try await entries.next() }
    #expect(error?.httpStatus == 403)
  }

  @Test("JSON of presence keeps every digit, and what is no JSON is refused")
  func codec() throws {
    let codec = JSONCodec<UInt64>()
    #expect(try codec.encode(18_446_744_073_709_551_615) == Array("18446744073709551615".utf8))
    #expect(try codec.decode(Array("18446744073709551615".utf8)) == 18_446_744_073_709_551_615)
    #expect(throws: (any Error).self) { try codec.decode([255, 254]) }
  }
}
