import Foundation
import MeroHTTP
import MeroWire
import Testing

@testable import MeroKitTestSupport

@Suite("FakeCloud: events")
struct EventTests {
  /// Reads an open stream event by event.
  struct Reader {
    private var iterator: HTTPBody.AsyncIterator
    private var parser = SSEParser(maxEventBytes: 1 << 20)
    private var ready: [ServerSentEvent] = []
    private(set) var comments = 0

    init(_ response: HTTPResponse) {
      iterator = response.body.makeAsyncIterator()
    }

    mutating func next() async throws -> ServerSentEvent? {
      while ready.isEmpty {
        guard let chunk = try await iterator.next() else { return nil }
        if chunk.first == UInt8(ascii: ":") { comments += 1 }
        ready = try parser.feed(chunk)
      }
      return ready.removeFirst()
    }

    /// Reads up to a comment.
    mutating func waitForComment() async throws {
      let before = comments
      while comments == before {
        guard let chunk = try await iterator.next() else { return }
        if chunk.first == UInt8(ascii: ":") { comments += 1 }
        ready += try parser.feed(chunk)
      }
    }
  }

  private func send(_ rig: Rig, _ app: String, _ token: String, _ text: String) async throws {
    let body = #"{"method":"send_message","args":{"message":"\#(text)"}}"#
    let reply = try await rig.send("POST", "/apps/\(app)/intents", body, token: token)
    try #require(reply.status == 200)
  }

  private func data(_ event: ServerSentEvent?) throws -> JSONValue {
    try JSONValue(parsing: try #require(event).data)
  }

  @Test(
    "a stream begins with calimero.ready, brings what comes after, and its id and event are those of the data"
  )
  func live() async throws {
    let rig = try Rig()
    let (token, app) = try await rig.appOf("ada")
    try await send(rig, app, token, "before")
    var reader = Reader(try await rig.open("GET", "/apps/\(app)/events/stream", token: token, node: 1))
    let ready = try await reader.next()
    #expect(ready?.event == "calimero.ready")
    #expect(try data(ready)["data"] == ["seq": 1])
    try await send(rig, app, token, "after")
    let event = try await reader.next()
    let json = try data(event)
    #expect(event?.event == "MessageSent")
    #expect(json["cursor"]?.stringValue == event?.id)
    #expect(json["data"]?["text"] == "after")
    #expect(json["seq"] == 2)
    #expect(json["appId"]?.stringValue == app)
    #expect(rig.cloud.openStreams(of: app) == 1)
  }

  @Test("a cursor goes on at another node, oldest begins at the beginning, kinds filter what the app emits")
  func cursors() async throws {
    let rig = try Rig()
    rig.cloud.register(.probe)
    let (token, app) = try await rig.appOf("ada", package: "com.calimero.probe")
    for number in 1...3 {
      _ = try await rig.send(
        "POST", "/apps/\(app)/intents", #"{"method":"echo","args":[\#(number)]}"#, token: token)
    }
    let page = try await rig.send("GET", "/apps/\(app)/events?limit=2", token: token)
    #expect(page.json["more"] == true)
    #expect(page.json["events"]?.arrayValue?.count == 2)
    let cursor = try #require(page.json["cursor"]?.stringValue)
    let rest = try await rig.send("GET", "/apps/\(app)/events?cursor=\(cursor)", token: token, node: 1)
    #expect(rest.json["events"]?.arrayValue?.map { $0["data"]?[0]?.int } == [3])
    #expect(rest.json["more"] == false)
    let end = try #require(rest.json["cursor"]?.stringValue)
    let none = try await rig.send("GET", "/apps/\(app)/events?cursor=\(end)", token: token, node: 2)
    #expect(none.json == ["events": [], "cursor": .string(end), "more": false])
    var resumed = Reader(
      try await rig.open("GET", "/apps/\(app)/events/stream?cursor=\(cursor)", token: token, node: 2))
    #expect(try await resumed.next()?.id == cursor)
    #expect(try data(try await resumed.next())["data"] == [3])
    var oldest = Reader(
      try await rig.open("GET", "/apps/\(app)/events/stream?cursor=oldest&kinds=Other", token: token))
    #expect(try await oldest.next()?.event == "calimero.ready")
    let filtered = try await rig.send("GET", "/apps/\(app)/events?kinds=Echoed,Other", token: token)
    #expect(filtered.json["events"]?.arrayValue?.count == 3)
    let other = try await rig.send("GET", "/apps/\(app)/events?kinds=Other", token: token)
    #expect(other.json["events"] == [])
  }

  @Test("a cursor of another app, a made-up one and one from the future are INVALID_CURSOR")
  func invalidCursors() async throws {
    let rig = try Rig(nodes: 1)
    let (token, app) = try await rig.appOf("ada")
    let (other, theirs) = try await rig.appOf("bob")
    try await send(rig, theirs, other, "hi")
    let page = try await rig.send("GET", "/apps/\(theirs)/events", token: other)
    let foreign = try #require(page.json["cursor"]?.stringValue)
    let own = try #require(
      try await rig.send("GET", "/apps/\(app)/events", token: token).json["cursor"]?.stringValue)
    let future = own.replacingOccurrences(of: "c1.0.", with: "c1.9.")
    for cursor in [foreign, "c1.0.0", "p1.x", "", future] {
      for path in ["events", "events/stream"] {
        let reply = try await rig.send("GET", "/apps/\(app)/\(path)?cursor=\(cursor)", token: token)
        #expect(reply.code == "INVALID_CURSOR", "\(cursor)")
      }
    }
  }

  @Test("events are kept seven days; an older cursor is CURSOR_EXPIRED and names the oldest that goes on")
  func retention() async throws {
    let rig = try Rig(nodes: 1)
    rig.cloud.register(.probe)
    let session = try await rig.signUp("ada")
    let (token, app) = try await rig.appOf("bob", package: "com.calimero.probe")
    func echo(_ number: Int) async throws {
      _ = try await rig.send(
        "POST", "/apps/\(app)/intents", #"{"method":"echo","args":[\#(number)]}"#, token: token)
    }
    let start =
      try await rig.send("GET", "/apps/\(app)/events", token: token).json["cursor"]?.stringValue ?? ""
    try await echo(1)
    try await echo(2)
    rig.clock.jump(by: 600)
    try await echo(3)
    rig.clock.jump(by: 7 * 86_400 - 599)
    rig.cloud.share(app, with: "ada", as: "reader")
    let refresh = session["refreshToken"]?.stringValue ?? ""
    let renewed = try await rig.send("POST", "/auth/refresh", #"{"refreshToken":"\#(refresh)"}"#)
    let later = renewed.json["accessToken"]?.stringValue
    for path in ["events", "events/stream"] {
      let reply = try await rig.send("GET", "/apps/\(app)/\(path)?cursor=\(start)", token: later)
      #expect(reply.status == 410)
      #expect(reply.code == "CURSOR_EXPIRED")
      let oldest = try #require(reply.details?["oldest"]?.stringValue)
      let rest = try await rig.send("GET", "/apps/\(app)/events?cursor=\(oldest)", token: later)
      #expect(rest.json["events"]?.arrayValue?.map { $0["data"]?[0]?.int } == [3])
    }
    let rest = try await rig.send("GET", "/apps/\(app)/events", token: later)
    #expect(rest.json["events"]?.arrayValue?.count == 1)
    rig.cloud.forgetEvents(of: app)
    #expect(try await rig.send("GET", "/apps/\(app)/events", token: later).json["events"] == [])
  }

  @Test("events that are over go when new ones come, also where nobody reads")
  func unread() async throws {
    let rig = try Rig(nodes: 1)
    rig.cloud.register(
      FakePackage("com.example.clock", version: "1.0.0") {
        $0.call("tick") { context, args in
          context.emit("Tick", args)
          return .null
        }
      })
    let (token, app) = try await rig.appOf("ada", package: "com.example.clock")
    let timer = #"{"method":"tick","schedule":{"everyMs":3600000}}"#
    #expect(try await rig.send("POST", "/apps/\(app)/timers", timer, token: token).status == 201)
    func kept() -> Int { rig.cloud.store.withState { $0.apps[app]?.events.events.count ?? -1 } }
    // A timer makes up for a hundred of its times at most, so the clock goes by days.
    for _ in 0..<7 {
      await rig.clock.advance(by: 86_400)
      _ = kept()
    }
    #expect(kept() == 168)
    for _ in 0..<21 {
      await rig.clock.advance(by: 86_400)
      // An hour more than a week: what is an hour over goes with the next that is.
      #expect((168...170).contains(kept()))
    }
    #expect(try rig.lost() == [])
  }

  @Test("a page with waitMs waits for an event, and gives up when the time is over")
  func waiting() async throws {
    let rig = try Rig()
    let (token, app) = try await rig.appOf("ada")
    async let page = rig.send("GET", "/apps/\(app)/events?waitMs=20000", token: token, node: 1)
    while rig.cloud.log.requests("app_event_list").isEmpty { await Task.yield() }
    try await send(rig, app, token, "hi")
    #expect(try await page.json["events"]?.arrayValue?.count == 1)
    let start = rig.clock.now
    rig.clock.autoAdvance = 2
    let cursor = try await page.json["cursor"]?.stringValue ?? ""
    let empty = try await rig.send("GET", "/apps/\(app)/events?waitMs=2000&cursor=\(cursor)", token: token)
    #expect(empty.json["events"] == [])
    #expect(rig.clock.now.timeIntervalSince(start) == 2)
  }

  @Test("a stream sends a comment every fifteen seconds")
  func comments() async throws {
    let rig = try Rig(nodes: 1)
    let (token, app) = try await rig.appOf("ada")
    var reader = Reader(try await rig.open("GET", "/apps/\(app)/events/stream", token: token))
    _ = try await reader.next()
    for _ in 0..<3 {
      rig.clock.jump(by: 15)
      try await reader.waitForComment()
      await Task.yield()
    }
    #expect(reader.comments == 3)
  }

  @Test("a lagging node's stream brings an event only when the node has caught up")
  func laggingStream() async throws {
    let rig = try Rig()
    let (token, app) = try await rig.appOf("ada")
    try await send(rig, app, token, "first")
    rig.cloud.nodes[1].lag(changes: 1)
    var reader = Reader(
      try await rig.open("GET", "/apps/\(app)/events/stream?cursor=oldest", token: token, node: 1))
    #expect(try await reader.next()?.event == "calimero.ready")
    try await send(rig, app, token, "second")
    #expect(try data(try await reader.next())["data"]?["text"] == "first")
    rig.cloud.nodes[1].lag(changes: 0)
    #expect(try data(try await reader.next())["data"]?["text"] == "second")
  }

  @Test("streams end properly, are cut, or freeze, as they are told; a restart and a lost node cut them")
  func dropped() async throws {
    let rig = try Rig()
    let (token, app) = try await rig.appOf("ada")
    func open() async throws -> Reader {
      var reader = Reader(try await rig.open("GET", "/apps/\(app)/events/stream", token: token, node: 1))
      _ = try await reader.next()
      return reader
    }
    var reader = try await open()
    rig.cloud.nodes[1].dropStreams()
    #expect(try await reader.next() == nil)
    for cut in [{ rig.cloud.nodes[1].dropStreams(.cut) }, { rig.cloud.nodes[1].down() }] {
      rig.cloud.nodes[1].up()
      reader = try await open()
      cut()
      await #expect(throws: (any Error).self) { try await reader.next() }
    }
    rig.cloud.nodes[1].up()
    reader = try await open()
    await rig.cloud.nodes[1].restart()
    await #expect(throws: (any Error).self) { try await reader.next() }
    reader = try await open()
    rig.cloud.nodes[1].dropStreams(.frozen)
    rig.clock.autoAdvance = 50
    await #expect(throws: (any Error).self) { try await reader.next() }
    #expect(rig.cloud.openStreams(of: app) == 0)
  }

  @Test("signing out ends the session's streams and no other's")
  func signOut() async throws {
    let rig = try Rig()
    let (token, app) = try await rig.appOf("ada")
    let bob = try #require(try await rig.signUp("bob")["accessToken"]?.stringValue)
    rig.cloud.share(app, with: "bob", as: "reader")
    var mine = Reader(try await rig.open("GET", "/apps/\(app)/events/stream", token: bob))
    var other = Reader(try await rig.open("GET", "/apps/\(app)/events/stream", token: token))
    _ = try await mine.next()
    _ = try await other.next()
    _ = try await rig.send("POST", "/auth/signout", token: bob)
    #expect(try await mine.next() == nil)
    try await send(rig, app, token, "still here")
    #expect(try await other.next()?.event == "MessageSent")
  }

  @Test("a stream that nobody reads any more is gone")
  func noLeak() async throws {
    let rig = try Rig()
    let (token, app) = try await rig.appOf("ada")
    do {
      let unread = try await rig.open("GET", "/apps/\(app)/events/stream", token: token)
      #expect(unread.status == 200)
      var begun = Reader(try await rig.open("GET", "/apps/\(app)/events/stream", token: token))
      _ = try await begun.next()
      #expect(rig.cloud.openStreams(of: app) == 2)
    }
    let task = Task {
      var waiting = Reader(try await rig.open("GET", "/apps/\(app)/events/stream", token: token))
      while try await waiting.next() != nil {}
    }
    while rig.cloud.log.requests("app_event_stream").count < 3 { await Task.yield() }
    task.cancel()
    _ = try? await task.value
    #expect(await eventually { rig.cloud.openStreams(of: app) == 0 })
  }

  @Test("two hundred followers each see every event once and in order")
  func fanOut() async throws {
    let rig = try Rig()
    let (token, app) = try await rig.appOf("ada")
    try await withThrowingTaskGroup(of: [Int].self) { group in
      for number in 0..<200 {
        group.addTask {
          var reader = Reader(
            try await rig.open(
              "GET", "/apps/\(app)/events/stream?cursor=oldest", token: token, node: number % 3))
          var seqs: [Int] = []
          while seqs.count < 20, let event = try await reader.next() {
            if event.event == "MessageSent" { seqs.append(try data(event)["seq"]?.int ?? 0) }
          }
          return seqs
        }
      }
      for number in 0..<20 { try await send(rig, app, token, "\(number)") }
      for try await seqs in group { #expect(seqs == Array(1...20)) }
    }
    #expect(await eventually { rig.cloud.openStreams(of: app) == 0 })
  }

  @Test("with presence, calimero.presence.all follows calimero.ready")
  func presence() async throws {
    let rig = try Rig(nodes: 1)
    let (token, app) = try await rig.appOf("ada")
    var reader = Reader(try await rig.open("GET", "/apps/\(app)/events/stream?presence=true", token: token))
    _ = try await reader.next()
    let all = try await reader.next()
    #expect(all?.event == "calimero.presence.all")
    #expect(try data(all)["data"] == ["entries": [], "ttlMs": 7000])
  }
}
