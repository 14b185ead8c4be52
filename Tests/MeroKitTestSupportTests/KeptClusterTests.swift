import Foundation
import MeroHTTP
import MeroWire
import Testing

@testable import MeroKitTestSupport

@Suite("FakeCloud: a cluster that is kept")
struct KeptClusterTests {
  private func send(_ rig: Rig, _ app: String, _ token: String, _ text: String, key: String? = nil)
    async throws
    -> Rig.Reply
  {
    let key = key.map { #","idempotencyKey":"\#($0)""# } ?? ""
    return try await rig.send(
      "POST", "/apps/\(app)/intents", #"{"method":"send_message","args":{"message":"\#(text)"}\#(key)}"#,
      token: token)
  }

  private func messages(_ rig: Rig, _ app: String, _ token: String) async throws -> [String] {
    let reply = try await rig.send(
      "POST", "/apps/\(app)/views", #"{"method":"get_messages","args":{}}"#, token: token)
    return (reply.json["result"]?["messages"]?.arrayValue ?? []).compactMap { $0["text"]?.stringValue }
  }

  @Test(
    "a cluster that is started again goes on with its accounts, sessions, apps, state, events and kept answers"
  )
  func goesOn() async throws {
    let rig = try Rig()
    let (token, app) = try await rig.appOf("ada")
    let first = try await send(rig, app, token, "one", key: "k-1")
    let cursor = try await rig.send("GET", "/apps/\(app)/events", token: token).json["cursor"]?.stringValue
    _ = try await send(rig, app, token, "two")

    let again = try rig.restarted()
    #expect(again.cloud.clusterId == rig.cloud.clusterId)
    #expect(again.cloud.nodes.map(\.id) == rig.cloud.nodes.map(\.id))
    #expect(try await messages(again, app, token) == ["one", "two"])
    let repeated = try await send(again, app, token, "one", key: "k-1")
    #expect(repeated.json["replayed"] == true)
    #expect(repeated.json["seq"] == first.json["seq"])
    #expect(try await send(again, app, token, "other", key: "k-1").code == "IDEMPOTENCY_KEY_REUSED")
    let events = try await again.send("GET", "/apps/\(app)/events?cursor=\(cursor ?? "")", token: token)
    #expect(events.json["events"]?.arrayValue?.map { $0["data"]?["text"]?.stringValue } == ["two"])
    #expect(try await send(again, app, token, "three").json["seq"] == 3)
    let taken = try await again.send("POST", "/auth/signup/begin", #"{"name":"ada"}"#)
    #expect(taken.code == "NAME_TAKEN")
    #expect(again.cloud.violations == [])
  }

  @Test("a passkey, a refreshed session and a revoked one are after a restart what they were before")
  func sessions() async throws {
    let rig = try Rig()
    let key = HandPasskey()
    let session = try await rig.signUp("ada", with: key)
    let old = session["refreshToken"]?.stringValue ?? ""
    let refreshed = try await rig.send("POST", "/auth/refresh", #"{"refreshToken":"\#(old)"}"#).json
    let other = try await rig.signUp("bob")
    let bob = other["accessToken"]?.stringValue ?? ""
    #expect(try await rig.send("POST", "/auth/signout", token: bob).status == 204)

    let again = try rig.restarted()
    #expect(try await again.send("GET", "/auth/session", token: bob).code == "TOKEN_REVOKED")
    let token = refreshed["accessToken"]?.stringValue ?? ""
    #expect(try await again.send("GET", "/auth/session", token: token).json["name"] == "ada")
    // The refresh token that was traded gives the same pair for a while, and betrays itself afterwards.
    let repeated = try await again.send("POST", "/auth/refresh", #"{"refreshToken":"\#(old)"}"#)
    #expect(repeated.json["refreshToken"] == refreshed["refreshToken"])
    let begun = try await again.send("POST", "/auth/signin/begin", #"{"name":"ada"}"#)
    key.counter = 5
    let finished = try await again.send(
      "POST", "/auth/signin/finish", try key.assertion(for: begun.json).text)
    #expect(finished.status == 200)
    again.clock.jump(by: 11)
    let third = try again.restarted()
    #expect(
      try await third.send("POST", "/auth/refresh", #"{"refreshToken":"\#(old)"}"#).code == "REFRESH_REUSED")
    // The counter of the passkey was kept.
    let replay = try await third.send("POST", "/auth/signin/begin", #"{"name":"ada"}"#)
    key.counter = 4
    let refused = try await third.send(
      "POST", "/auth/signin/finish", try key.assertion(for: replay.json).text)
    #expect(refused.code == "PASSKEY_REJECTED")
  }

  @Test("no id and no token is made twice, whatever seed a cluster is started with again")
  func freshSeed() async throws {
    let rig = try Rig()
    var seen: Set<String> = []
    for _ in 0..<3 {
      // Each goes on from the same rows.
      let session = try await rig.restarted().signUp("ada")
      for field in ["accountId", "sessionId", "accessToken", "refreshToken"] {
        let isNew = seen.insert(try #require(session[field]?.stringValue)).inserted
        #expect(isNew, "\(field)")
      }
    }
  }

  @Test("a call that ran when the cluster ended was not applied, and its key is free again")
  func runningCall() async throws {
    // Less than a node gives a call, and no other wait of the cluster's.
    let seconds: TimeInterval = 29.5
    let slow = FakePackage("com.example.slow", version: "1.0.0") {
      $0.call("put", taking: seconds) { _, args in args }
    }
    let rig = try Rig()
    rig.cloud.register(slow)
    let (token, app) = try await rig.appOf("ada", package: "com.example.slow")
    let body = #"{"method":"put","args":{"n":1},"idempotencyKey":"k-1"}"#
    async let first = rig.send("POST", "/apps/\(app)/intents", body, token: token)
    while !rig.clock.sleeps.contains(seconds) { await Task.yield() }
    let busy = try await rig.send("POST", "/apps/\(app)/intents", body, token: token)
    #expect(busy.code == "IDEMPOTENCY_IN_PROGRESS")

    let again = try rig.restarted()
    again.cloud.register(slow)
    async let anew = again.send("POST", "/apps/\(app)/intents", body, token: token)
    while again.clock.sleeps.filter({ $0 == seconds }).count < 2 { await Task.yield() }
    await again.clock.advance(by: 30)
    let reply = try await anew
    #expect(reply.json["seq"] == 1)
    #expect(reply.json["replayed"] == false)
    #expect(try await first.status == 200)
  }

  @Test("an app that was being created when the cluster ended is not there, and its name is free")
  func unfinishedApp() async throws {
    let seconds: TimeInterval = 7.25
    let rig = try Rig()
    let (token, _) = try await rig.appOf("ada")
    rig.cloud.register(
      FakePackage("com.example.slow", version: "1.0.0") { $0.initialize(taking: seconds) { _, _ in } })
    let org = try await rig.send("GET", "/orgs", token: token).json["orgs"]?[0]?["orgId"]?.stringValue
    func body(_ package: String) -> String {
      #"{"name":"slow","package":"\#(package)","org":"\#(org ?? "")"}"#
    }
    async let first = rig.send("POST", "/apps", body("com.example.slow"), token: token)
    while !rig.clock.sleeps.contains(seconds) { await Task.yield() }

    let again = try rig.restarted()
    let apps = try await again.send("GET", "/apps", token: token).json["apps"]?.arrayValue
    #expect(apps?.compactMap { $0["name"]?.stringValue } == ["app"])
    #expect(try await again.send("POST", "/apps", body("com.calimero.chat"), token: token).status == 201)
    await rig.clock.advance(by: 8)
    #expect(try await first.status == 201)
  }

  @Test("an app whose code is not there is suspended and says so, and goes on when the code is back")
  func missingCode() async throws {
    let rig = try Rig()
    rig.cloud.register(.probe)
    let (token, app) = try await rig.appOf("ada", package: "com.calimero.probe")
    let put = #"{"method":"put","args":{"n":1}}"#
    #expect(try await rig.send("POST", "/apps/\(app)/intents", put, token: token).status == 200)
    #expect(rig.cloud.notices == [])

    let again = try rig.restarted()
    let notice = try #require(again.cloud.notices.first)
    #expect(notice.contains("com.calimero.probe 1.0.0") && notice.contains(app))
    let view = #"{"method":"get","args":{}}"#
    let refused = try await again.send("POST", "/apps/\(app)/views", view, token: token)
    #expect(refused.code == "SUSPENDED")
    let described = try await again.send("GET", "/apps/\(app)", token: token)
    #expect(described.json["state"] == "suspended")
    #expect(described.json["version"] == "1.0.0")

    again.cloud.register(.probe)
    let viewed = try await again.send("POST", "/apps/\(app)/views", view, token: token)
    #expect(viewed.json == ["result": ["n": 1], "seq": 1])
    #expect(again.cloud.violations == [])
  }

  @Test("an upgrade to code that is not there waits for it, says so, and migrates when it is")
  func upgradeWithoutCode() async throws {
    let next = FakePackage("com.calimero.chat", version: "2.0.0") {
      $0.migrate(taking: 5) { context, args in context["from"] = args["from"] }
      $0.view("from") { context, _ in context["from"] ?? .null }
    }
    let rig = try Rig()
    let (token, app) = try await rig.appOf("ada")
    rig.cloud.register(next)
    rig.cloud.store.withState { state in
      guard let record = state.apps[app] else { return }
      state.upgrade(record, to: next, by: nil, at: rig.cloud.store.now)
    }

    let again = try rig.restarted()
    let notice = try #require(again.cloud.notices.first)
    #expect(notice.contains("com.calimero.chat 2.0.0") && notice.contains(app))
    again.clock.jump(by: 10)
    let waiting = try await again.send("GET", "/apps/\(app)", token: token)
    #expect(waiting.json["state"] == "upgrading")
    #expect(waiting.json["version"] == "1.4.0")
    #expect(try await messages(again, app, token) == [])

    again.cloud.register(next)
    let moved = try await again.send("GET", "/apps/\(app)", token: token)
    #expect(moved.json["state"] == "ready")
    #expect(moved.json["version"] == "2.0.0")
    let view = try await again.send(
      "POST", "/apps/\(app)/views", #"{"method":"from","args":{}}"#, token: token)
    #expect(view.json["result"] == "1.4.0")
    #expect(again.cloud.violations == [])
  }

  @Test("timers and jobs of an app whose code is not there wait for it, and none is lost")
  func workWithoutCode() async throws {
    let package = FakePackage("com.example.tick", version: "1.0.0") {
      $0.call("tick") { _, _ in .null }
      $0.call("work", taking: 60) { _, args in args }
    }
    let rig = try Rig()
    rig.cloud.register(package)
    let (token, app) = try await rig.appOf("ada", package: "com.example.tick")
    let timer = #"{"method":"tick","schedule":{"at":1790000030000}}"#
    #expect(try await rig.send("POST", "/apps/\(app)/timers", timer, token: token).status == 201)
    let made = try await rig.send(
      "POST", "/apps/\(app)/jobs", #"{"method":"work","args":{"n":1}}"#, token: token)
    let job = "/apps/\(app)/jobs/\(made.json["jobId"].text)"
    #expect(try await rig.send("GET", job, token: token).json["state"] == "running")

    let again = try rig.restarted()
    let rows = again.keeper.rows.records
    again.clock.jump(by: 120)
    #expect(try await again.send("GET", "/apps/\(app)", token: token).json["state"] == "suspended")
    for table in ["timers", "jobs", "apps"] {
      #expect(rows[table]?.count == 1)
      #expect(again.keeper.rows.records[table] == rows[table], "\(table)")
    }

    again.cloud.register(package)
    let timers = try await again.send("GET", "/apps/\(app)/timers", token: token)
    #expect(timers.json["timers"]?[0]?["lastAt"] == 1_790_000_030_000)
    #expect(timers.json["timers"]?[0]?["lastError"] == nil)
    let done = try await again.send("GET", job, token: token)
    #expect(done.json["state"] == "done")
    #expect(done.json["result"] == ["n": 1])
    #expect(again.cloud.runs(of: "tick", in: app) == 1)
    #expect(again.cloud.violations == [])
  }

  @Test("the bytes of a file that is deleted stay until that is written down")
  func deletedBytes() async throws {
    let rig = try Rig()
    let (token, app) = try await rig.appOf("ada")
    let blob = try await rig.send("POST", "/apps/\(app)/blobs", "abc", token: token).json["blobId"].text
    let store = rig.cloud.store
    let piece = try #require(store.withState { $0.blobs.values.first?.pieces.first })
    rig.keeper.fill()
    await #expect(throws: (any Error).self) {
      try await rig.send("DELETE", "/apps/\(app)/blobs/\(blob)", token: token)
    }
    #expect(rig.keeper.rows.records["blobs"]?.count == 1)
    #expect(try store.blobBytes.get(piece.name, 0..<3) == Data("abc".utf8))
    rig.keeper.fill(false)
    #expect(try await rig.send("GET", "/apps/\(app)/blobs", token: token).json["blobs"] == [])
    #expect(rig.keeper.rows.records["blobs"] == nil)
    #expect(try store.blobBytes.get(piece.name, 0..<3) == nil)
  }

  @Test("a call that takes its time ends, and frees its key, also when nothing could be written as it began")
  func fullMeanwhile() async throws {
    let rig = try Rig()
    rig.cloud.register(
      FakePackage("com.example.slow", version: "1.0.0") { $0.call("slow", taking: 5.25) { _, args in args } })
    let (token, app) = try await rig.appOf("ada", package: "com.example.slow")
    rig.keeper.fill()
    await #expect(throws: (any Error).self) {
      try await rig.send("POST", "/orgs", #"{"name":"Other"}"#, token: token)
    }
    let body = #"{"method":"slow","args":{},"idempotencyKey":"k-1"}"#
    let first = Task { try await rig.send("POST", "/apps/\(app)/intents", body, token: token) }
    while rig.clock.nextWake != 5.25 { await Task.yield() }
    rig.keeper.fill(false)
    await rig.clock.advance(by: 5.25)
    #expect(try await first.value.json["replayed"] == false)
    let again = try await rig.send("POST", "/apps/\(app)/intents", body, token: token)
    #expect(again.json["replayed"] == true)
  }

  @Test(
    "what cannot be written is not answered; when it can be again, the repeat gets the answer of the one run")
  func full() async throws {
    let rig = try Rig()
    let (token, app) = try await rig.appOf("ada")
    let stream = try await rig.open("GET", "/apps/\(app)/events/stream", token: token)
    rig.keeper.fill()
    await #expect(throws: (any Error).self) { try await send(rig, app, token, "one", key: "k-1") }
    // Neither does anybody see it.
    await #expect(throws: (any Error).self) { try await messages(rig, app, token) }
    await #expect(throws: (any Error).self) { _ = try await stream.body.collect(upTo: 1 << 20) }
    #expect(try await messages(try rig.restarted(), app, token) == [])

    rig.keeper.fill(false)
    let repeated = try await send(rig, app, token, "one", key: "k-1")
    #expect(repeated.json["replayed"] == true)
    #expect(rig.cloud.runs(of: "send_message", in: app) == 1)
    #expect(try await messages(try rig.restarted(), app, token) == ["one"])
  }

  @Test("a call writes what it changed, however long the history is, also after one that was taken back")
  func cost() async throws {
    let rig = try Rig()
    let log = FakePackage("com.example.log", version: "1.0.0") {
      $0.call("add") { context, args in
        context.append(args, to: "entries")
        if args["fails"] == true { throw FakePackage.Failure("no") }
        return .null
      }
    }
    rig.cloud.register(log)
    let (token, app) = try await rig.appOf("ada", package: "com.example.log")
    func add(_ args: String) async throws -> Int {
      let before = rig.keeper.written
      _ = try await rig.send(
        "POST", "/apps/\(app)/intents", #"{"method":"add","args":\#(args)}"#, token: token)
      return rig.keeper.written - before
    }
    let first = try await add(#"{"n":0}"#)
    for number in 1..<200 { _ = try await add(#"{"n":\#(number)}"#) }
    #expect(try await add(#"{"n":200}"#) == first)
    // That it was called counts for the organization's quota.
    #expect(try await add(#"{"fails":true}"#) == 1)
    #expect(try await add(#"{"n":61}"#) == first)
    #expect(try await add(#"{"n":62}"#) == first)
    #expect(try rig.lost() == [])
  }

  @Test("events that are forgotten are forgotten for good, and old cursors stay expired")
  func forgotten() async throws {
    let rig = try Rig()
    let (token, app) = try await rig.appOf("ada")
    for text in ["one", "two", "three"] { _ = try await send(rig, app, token, text) }
    let page = try await rig.send("GET", "/apps/\(app)/events?limit=1", token: token)
    let cursor = page.json["cursor"]?.stringValue ?? ""
    rig.cloud.forgetEvents(of: app, keeping: 1)
    for again in [try rig.restarted(), try rig.restarted().restarted()] {
      let expired = try await again.send("GET", "/apps/\(app)/events?cursor=\(cursor)", token: token)
      #expect(expired.code == "CURSOR_EXPIRED")
      let left = try await again.send("GET", "/apps/\(app)/events?cursor=oldest", token: token)
      #expect(left.json["events"]?.arrayValue?.map { $0["data"]?["text"]?.stringValue } == ["three"])
      again.cloud.forgetEvents(of: app)
      let none = try await again.restarted().send("GET", "/apps/\(app)/events?cursor=oldest", token: token)
      #expect(none.json["events"] == [])
    }
  }

  @Test("numbers keep every digit, and a state may be deeper than what a node takes")
  func exact() async throws {
    let rig = try Rig()
    let nest = FakePackage("com.example.nest", version: "1.0.0") {
      $0.call("wrap") { context, args in
        for _ in 0..<350 { context.state = ["args": args, "in": context.state] }
        return .null
      }
      $0.view("depth") { context, _ in
        var (depth, value) = (0, context.state)
        while let inner = value["in"] { (depth, value) = (depth + 1, inner) }
        return ["depth": JSONValue(depth), "args": context.state["args"] ?? .null]
      }
    }
    rig.cloud.register(nest)
    let (token, app) = try await rig.appOf("ada", package: "com.example.nest")
    let numbers = "[\(CallTests.numbers.joined(separator: ","))]"
    for _ in 0..<2 {
      _ = try await rig.send(
        "POST", "/apps/\(app)/intents", #"{"method":"wrap","args":\#(numbers)}"#, token: token)
    }
    let again = try rig.restarted()
    again.cloud.register(nest)
    let view = try await again.send(
      "POST", "/apps/\(app)/views", #"{"method":"depth","args":{}}"#, token: token)
    #expect(view.json["result"]?["depth"] == 700)
    #expect(view.json["result"]?["args"]?.text == numbers)
  }

  @Test("a cluster may be started with more nodes or fewer; nodes keep their ids")
  func nodes() async throws {
    let rig = try Rig()
    let ids = rig.cloud.nodes.map(\.id)
    let more = try rig.restarted(nodes: 5)
    #expect(Array(more.cloud.nodes.map(\.id).prefix(3)) == ids)
    let five = more.cloud.nodes.map(\.id)
    #expect(Set(five).count == 5)
    let fewer = try more.restarted(nodes: 1)
    #expect(fewer.cloud.nodes.map(\.id) == [ids[0]])
    #expect(try fewer.restarted(nodes: 5).cloud.nodes.map(\.id) == five)
  }

  @Test("rows that mean nothing stop the start with an error that names them")
  func damage() async throws {
    let rig = try Rig()
    let (token, app) = try await rig.appOf("ada")
    _ = try await send(rig, app, token, "one")
    func refused(_ change: (inout KeptRows) -> Void) -> String {
      let keeper = MirrorKeeper(rig.keeper.rows)
      keeper.change(change)
      do {
        _ = try FakeCloud(keptBy: keeper)
        return "started"
      } catch { return "\(error)" }
    }
    #expect(refused { $0.records["orgs"] = nil } == "org of \(app) in apps cannot be read")
    #expect(
      refused { $0.records["apps"]?[app] = Data("{".utf8) } == "the row of \(app) in apps cannot be read")
    #expect(refused { $0.records["identity"] = nil } == "the row of cluster in identity cannot be read")
    #expect(
      refused { $0.records["dreams"] = ["d": Data("{}".utf8)] }
        == "it has a table that this program does not know: dreams")
    let document = KeptList(table: "apps", id: app, name: "document")
    #expect(refused { $0.lists[document] = nil } == "document of \(app) in apps cannot be read")
    let events = KeptList(table: "apps", id: app, name: "events")
    #expect(
      refused { $0.lists[events]?[.max] = Data("{}".utf8) } == "events[1] of \(app) in apps cannot be read")
    #expect(
      refused { $0.lists[events] = [.max: Data("{}".utf8)] } == "events of \(app) in apps cannot be read")
    for number in ["18446744073709551615", "9223372036854775807", "9007199254740992"] {
      let progress = Data(
        #"{"changes":\#(number),"signup":"open","signupInvites":[],"signupUsesLeft":{}}"#.utf8)
      #expect(
        refused { $0.records["progress"]?["cluster"] = progress }
          == "changes of cluster in progress cannot be read")
    }
    #expect(refused { _ in } == "started")
  }
}
