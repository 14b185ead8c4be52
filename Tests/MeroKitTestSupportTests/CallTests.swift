import Foundation
import MeroWire
import Testing

@testable import MeroKitTestSupport

@Suite("FakeCloud: calls and views")
struct CallTests {
  /// Numbers that must survive as they stand (70 §2.26).
  static let numbers = [
    "9007199254740993", "18446744073709551615", "-9223372036854775808",
    "340282366920938463463374607431768211455",
    "0.1", "1.0", "1E+2", "-0", "123456789012345678901234567890.123456789", "1e400",
  ]

  private func probe() async throws -> (rig: Rig, token: String, app: String) {
    let rig = try Rig()
    rig.cloud.register(.probe)
    let (token, app) = try await rig.appOf("ada", package: "com.calimero.probe")
    return (rig, token, app)
  }

  private func call(
    _ rig: Rig, _ app: String, _ token: String, _ body: String, node: Int = 0
  ) async throws -> Rig.Reply {
    try await rig.send("POST", "/apps/\(app)/intents", body, token: token, node: node)
  }

  @Test("70 §2.27 #23: numbers keep every digit through call, view, event and error details")
  func exactNumbers() async throws {
    let (rig, token, app) = try await probe()
    let list = "[\(Self.numbers.joined(separator: ","))]"
    let called = try await call(rig, app, token, #"{"method":"echo","args":\#(list)}"#)
    #expect(called.json["result"]?.text == list)
    let failed = try await call(rig, app, token, #"{"method":"fail","args":\#(list)}"#)
    #expect(failed.status == 422)
    #expect(failed.details?["error"]?.text == list)
    let viewed = try await rig.send(
      "POST", "/apps/\(app)/views", #"{"method":"look","args":\#(list)}"#, token: token)
    #expect(viewed.json["result"]?.text == list)
    let events = try await rig.send("GET", "/apps/\(app)/events", token: token)
    #expect(events.json["events"]?[0]?["data"]?.text == list)
  }

  @Test("a method that fails or traps changes nothing and emits nothing")
  func rollback() async throws {
    let (rig, token, app) = try await probe()
    _ = try await call(rig, app, token, #"{"method":"put","args":{"n":1}}"#)
    #expect(try await call(rig, app, token, #"{"method":"fail","args":{}}"#).code == "METHOD_FAILED")
    let trapped = try await call(rig, app, token, #"{"method":"trap","args":{"reason":"gas"}}"#)
    #expect(trapped.code == "METHOD_TRAPPED")
    #expect(trapped.details == ["reason": "gas"])
    let view = try await rig.send("POST", "/apps/\(app)/views", #"{"method":"get","args":{}}"#, token: token)
    #expect(view.json == ["result": ["n": 1], "seq": 1])
    #expect(try await rig.send("GET", "/apps/\(app)/events", token: token).json["events"] == [])
  }

  @Test(
    "a view that writes is VIEW_WROTE and nothing is kept; methods and arguments that do not exist are refused"
  )
  func refusals() async throws {
    let (rig, token, app) = try await probe()
    func view(_ body: String) async throws -> Rig.Reply {
      try await rig.send("POST", "/apps/\(app)/views", body, token: token)
    }
    #expect(try await view(#"{"method":"put","args":{"n":1}}"#).code == "VIEW_WROTE")
    #expect(try await view(#"{"method":"get","args":{}}"#).json["result"] == .null)
    #expect(try await view(#"{"method":"none","args":{}}"#).code == "METHOD_NOT_FOUND")
    #expect(try await view(#"{"method":"get","args":7}"#).code == "INVALID_ARGUMENT")
    let (_, chat) = try await rig.appOf("bob")
    rig.cloud.share(chat, with: "ada", as: "writer")
    let invalid = try await call(rig, chat, token, #"{"method":"send_message","args":{"message":7}}"#)
    #expect(invalid.code == "ARGS_INVALID")
    #expect(rig.cloud.violations == [])
  }

  @Test("70 §2.27 #6: the same key gives the kept answer at any node and the method ran once")
  func idempotency() async throws {
    let (rig, token, app) = try await probe()
    let body = #"{"method":"echo","args":{"n":1.0},"idempotencyKey":"k-1"}"#
    let first = try await call(rig, app, token, body)
    let again = try await call(rig, app, token, body, node: 2)
    #expect(first.json["replayed"] == false)
    #expect(again.json["replayed"] == true)
    #expect(again.json["result"]?.text == #"{"n":1.0}"#)
    #expect(again.json["seq"] == first.json["seq"])
    #expect(rig.cloud.runs(of: "echo", in: app) == 1)
    for other in [#"{"n":1}"#, #"{ "n":1.0}"#] {
      let reused = try await call(
        rig, app, token, #"{"method":"echo","args":\#(other),"idempotencyKey":"k-1"}"#)
      #expect(reused.code == "IDEMPOTENCY_KEY_REUSED", "arguments are compared as the bytes received")
    }
    let reordered = try await call(
      rig, app, token, #"{"idempotencyKey":"k-1", "args" : {"n":1.0} ,"method":"echo"}"#)
    #expect(reordered.json["replayed"] == true)
    let session = try await rig.signUp("bob")
    rig.cloud.share(app, with: "bob", as: "writer")
    let bob = try #require(session["accessToken"]?.stringValue)
    #expect(try await call(rig, app, bob, body).json["replayed"] == false, "keys belong to an account")
  }

  @Test("arguments are told apart and measured also where the name of their field is written with an escape")
  func escapedName() async throws {
    let (rig, token, app) = try await probe()
    func body(_ args: String) -> String {
      #"{"method":"echo","\u0061rgs":\#(args),"idempotencyKey":"k-1"}"#
    }
    #expect(try await call(rig, app, token, body(#"{"n":1}"#)).json["result"] == ["n": 1])
    #expect(try await call(rig, app, token, body(#"{"n":2}"#)).code == "IDEMPOTENCY_KEY_REUSED")
    #expect(try await call(rig, app, token, body(#"{"n":1}"#)).json["replayed"] == true)
    let large = try await call(rig, app, token, body(#"["\#(String(repeating: "x", count: 1 << 20))"]"#))
    #expect(large.code == "PAYLOAD_TOO_LARGE")
  }

  @Test("a kept answer is forgotten after a day")
  func forgottenKey() async throws {
    let rig = try Rig()
    rig.cloud.register(.probe)
    let session = try await rig.signUp("ada")
    let (owner, app) = try await rig.appOf("bob", package: "com.calimero.probe")
    rig.cloud.share(app, with: "ada", as: "writer")
    let body = #"{"method":"echo","args":{},"idempotencyKey":"k-1"}"#
    let first = try await call(rig, app, session["accessToken"]?.stringValue ?? "", body)
    #expect(first.status == 200)
    #expect(try await call(rig, app, owner, body).json["replayed"] == false)
    func later(_ seconds: TimeInterval, _ session: JSONValue) async throws -> (JSONValue, JSONValue?) {
      rig.clock.jump(by: seconds)
      let token = session["refreshToken"]?.stringValue ?? ""
      let next = try await rig.send("POST", "/auth/refresh", #"{"refreshToken":"\#(token)"}"#).json
      let reply = try await call(rig, app, next["accessToken"]?.stringValue ?? "", body)
      return (next, reply.json["replayed"])
    }
    let (next, isKept) = try await later(86_399, session)
    #expect(isKept == true)
    #expect(try await later(1, next).1 == false)
  }

  @Test("a failure of the app's code is a kept answer, a refusal that ran nothing is not")
  func keptFailure() async throws {
    let (rig, token, app) = try await probe()
    let failing = #"{"method":"fail","args":{"why":1},"idempotencyKey":"k-1"}"#
    for _ in 0..<2 {
      let reply = try await call(rig, app, token, failing)
      #expect(reply.details == ["error": ["why": 1]])
    }
    #expect(rig.cloud.runs(of: "fail", in: app) == 1)
    let missing = #"{"method":"later","args":{},"idempotencyKey":"k-2"}"#
    #expect(try await call(rig, app, token, missing).code == "METHOD_NOT_FOUND")
    let found = #"{"method":"echo","args":{},"idempotencyKey":"k-2"}"#
    #expect(try await call(rig, app, token, found).status == 200)
  }

  @Test("while the first request with a key runs, another is IDEMPOTENCY_IN_PROGRESS")
  func inProgress() async throws {
    let rig = try Rig()
    rig.cloud.register(
      FakePackage("com.example.slow", version: "1.0.0") { $0.call("slow", taking: 5) { _, args in args } })
    let (token, app) = try await rig.appOf("ada", package: "com.example.slow")
    let body = #"{"method":"slow","args":{},"idempotencyKey":"k-1"}"#
    let sleepers = rig.clock.sleeperCount
    async let first = call(rig, app, token, body)
    // The request's deadline sleeps too; the method is the second sleeper.
    while rig.cloud.log.requests("app_call").isEmpty || rig.clock.sleeperCount <= sleepers {
      await Task.yield()
    }
    var second = try await call(rig, app, token, body, node: 1)
    while second.status == 200 { second = try await call(rig, app, token, body, node: 1) }
    #expect(second.code == "IDEMPOTENCY_IN_PROGRESS")
    await rig.clock.advance(by: 5)
    #expect(try await first.json["replayed"] == false)
    #expect(try await call(rig, app, token, body).json["replayed"] == true)
  }

  @Test(
    "a repeat gets the kept answer whatever state the app came to be in, and a refusal for that state keeps nothing"
  )
  func keptWhateverState() async throws {
    let (rig, token, app) = try await probe()
    func body(_ key: String) -> String { #"{"method":"echo","args":{},"idempotencyKey":"\#(key)"}"# }
    #expect(try await call(rig, app, token, body("k-1")).status == 200)
    rig.cloud.setState("upgrading", ofApp: app)
    #expect(try await call(rig, app, token, body("k-1")).json["replayed"] == true)
    #expect(try await call(rig, app, token, body("k-2")).code == "APP_NOT_READY")
    rig.cloud.setState("ready", ofApp: app)
    #expect(try await call(rig, app, token, body("k-2")).json["replayed"] == false)
    #expect(rig.cloud.violations == [])
  }

  private static let slowSeconds: TimeInterval = 5.25

  /// A call whose method takes its time, begun.
  private func begin(_ rig: Rig, _ app: String, _ token: String, _ body: String) async -> Task<
    Rig.Reply, any Error
  > {
    let first = Task { try await call(rig, app, token, body) }
    while rig.clock.nextWake != Self.slowSeconds { await Task.yield() }
    return first
  }

  private static let slow = FakePackage("com.example.slow", version: "1.0.0") {
    $0.call("slow", taking: slowSeconds) { _, args in args }
  }
  private static let slowBody = #"{"method":"slow","args":{},"idempotencyKey":"k-1"}"#

  @Test("a call that is refused when its time is over, because the app is not ready by then, frees its key")
  func refusedLate() async throws {
    let rig = try Rig()
    rig.cloud.register(Self.slow)
    let (token, app) = try await rig.appOf("ada", package: "com.example.slow")
    let first = await begin(rig, app, token, Self.slowBody)
    rig.cloud.setState("upgrading", ofApp: app)
    await rig.clock.advance(by: Self.slowSeconds)
    #expect(try await first.value.code == "APP_NOT_READY")
    rig.cloud.setState("ready", ofApp: app)
    let second = await begin(rig, app, token, Self.slowBody)
    await rig.clock.advance(by: Self.slowSeconds)
    #expect(try await second.value.json["replayed"] == false)
    #expect(rig.cloud.runs(of: "slow", in: app) == 1)
    #expect(rig.cloud.violations == [])
  }

  @Test("a call whose session ends before it runs frees its key for the account's next session")
  func signedOutLate() async throws {
    let rig = try Rig()
    rig.cloud.register(Self.slow)
    let (_, app) = try await rig.appOf("ada", package: "com.example.slow")
    let key = HandPasskey()
    let session = try await rig.signUp("bob", with: key)
    rig.cloud.share(app, with: "bob", as: "writer")
    let first = await begin(rig, app, session["accessToken"].text, Self.slowBody)
    rig.cloud.revokeSessions(of: "bob")
    await rig.clock.advance(by: Self.slowSeconds)
    #expect(try await first.value.code == "TOKEN_REVOKED")
    let begun = try await rig.send("POST", "/auth/signin/begin", #"{"name":"bob"}"#)
    key.counter = 1
    let next = try await rig.send("POST", "/auth/signin/finish", try key.assertion(for: begun.json).text)
    let second = await begin(rig, app, next.json["accessToken"].text, Self.slowBody)
    await rig.clock.advance(by: Self.slowSeconds)
    #expect(try await second.value.json["replayed"] == false)
    #expect(rig.cloud.violations == [])
  }

  @Test("a method ends at its time though the client has gone away, and its key is in progress until then")
  func clientGone() async throws {
    let rig = try Rig()
    rig.cloud.register(Self.slow)
    let (token, app) = try await rig.appOf("ada", package: "com.example.slow")
    let first = await begin(rig, app, token, Self.slowBody)
    first.cancel()
    _ = await first.result
    #expect(try await call(rig, app, token, Self.slowBody, node: 1).code == "IDEMPOTENCY_IN_PROGRESS")
    #expect(rig.cloud.runs(of: "slow", in: app) == 0)
    await rig.clock.advance(by: Self.slowSeconds)
    #expect(await eventually { rig.cloud.runs(of: "slow", in: app) == 1 })
    #expect(try await call(rig, app, token, Self.slowBody).json["replayed"] == true)
    #expect(rig.cloud.violations == [])
  }

  @Test("a key whose first request never came to its end is free after a day")
  func lostKey() throws {
    let ledger = Ledger()
    var table = IdempotencyTable(ledger)
    let key = IdempotencyTable.Key(account: "acc_1", scope: "app_1", key: "k-1")
    #expect(try table.begin(key, contents: [1], at: 0) == nil)
    #expect(throws: Refusal.self) { _ = try table.begin(key, contents: [1], at: 86_399_999) }
    #expect(try table.begin(key, contents: [1], at: 86_400_000) == nil)
    #expect(throws: Refusal.self) { _ = try table.begin(key, contents: [1], at: 86_400_001) }
    #expect(ledger.rows.isEmpty)
  }

  @Test("ifSeq makes a call conditional on the app's position")
  func ifSeq() async throws {
    let (rig, token, app) = try await probe()
    #expect(try await call(rig, app, token, #"{"method":"put","args":{},"ifSeq":0}"#).json["seq"] == 1)
    let late = try await call(rig, app, token, #"{"method":"put","args":{},"ifSeq":0,"idempotencyKey":"k"}"#)
    #expect(late.code == "VERSION_CONFLICT")
    let fixed = try await call(rig, app, token, #"{"method":"put","args":{},"ifSeq":1,"idempotencyKey":"k"}"#)
    #expect(fixed.json["seq"] == 2)
  }

  @Test("arguments over a mebibyte are PAYLOAD_TOO_LARGE, a result over four traps")
  func sizes() async throws {
    let rig = try Rig(nodes: 1)
    rig.cloud.register(
      FakePackage("com.example.big", version: "1.0.0") {
        $0.call("grow") { context, _ in
          context["grown"] = true
          return .string(String(repeating: "x", count: 4 << 20))
        }
        $0.view("look") { _, args in .string(String(repeating: "x", count: args[0]?.int ?? 0)) }
        $0.call("own") { context, _ in
          context.emit("calimero.state")
          return .null
        }
      })
    let (token, app) = try await rig.appOf("ada", package: "com.example.big")
    let padding = String(repeating: "x", count: 1 << 20)
    let large = try await call(rig, app, token, #"{"method":"grow","args":["\#(padding)"]}"#)
    #expect(large.code == "PAYLOAD_TOO_LARGE")
    #expect(large.details == ["limit": 1_048_576])
    let grown = try await call(rig, app, token, #"{"method":"grow","args":[]}"#)
    #expect(grown.details == ["reason": "memory"])
    // Two of the four mebibytes' bytes are the quotes of the text.
    for (count, status) in [(4_194_302, 200), (4_194_303, 422)] {
      let viewed = try await rig.send(
        "POST", "/apps/\(app)/views", #"{"method":"look","args":[\#(count)]}"#, token: token)
      #expect(viewed.status == status)
      #expect(viewed.details?["reason"] == (status == 422 ? "memory" : nil))
    }
    let own = try await call(rig, app, token, #"{"method":"own","args":[]}"#)
    #expect(own.code == "METHOD_TRAPPED", "kinds of the node are not the app's to emit")
  }

  @Test("70 §2.27 #16: a lagging node shows the past, waits two seconds for a position, then is BEHIND")
  func lag() async throws {
    let (rig, token, app) = try await probe()
    for number in 1...3 { _ = try await call(rig, app, token, #"{"method":"put","args":{"n":\#(number)}}"#) }
    rig.cloud.nodes[1].lag(changes: 2)
    let body = #"{"method":"get","args":{}}"#
    func view(_ least: Int?) async throws -> Rig.Reply {
      try await rig.send(
        "POST", "/apps/\(app)/views", body, token: token, node: 1,
        headers: least.map { [("x-calimero-min-seq", "\($0)")] } ?? [])
    }
    #expect(try await view(nil).json == ["result": ["n": 1], "seq": 1])
    #expect(try await view(1).status == 200)
    let start = rig.clock.now
    rig.clock.autoAdvance = 2
    let behind = try await view(3)
    rig.clock.autoAdvance = 0
    #expect(behind.status == 503)
    #expect(behind.code == "BEHIND")
    #expect(behind.headers["retry-after"] == "1")
    #expect(rig.clock.now.timeIntervalSince(start) == 2)
    let calls = rig.cloud.log.requests("app_view").count
    async let waiting = view(3)
    while rig.cloud.log.requests("app_view").count == calls { await Task.yield() }
    rig.cloud.nodes[1].lag(changes: 0)
    #expect(try await waiting.json == ["result": ["n": 3], "seq": 3])
  }

  @Test("an app a lagging node has not heard of is SYNCING there")
  func syncing() async throws {
    let (rig, token, app) = try await probe()
    rig.cloud.nodes[2].lag(changes: 1)
    let reply = try await rig.send("GET", "/apps/\(app)", token: token, node: 2)
    #expect(reply.status == 503)
    #expect(reply.code == "SYNCING")
    #expect(try await rig.send("GET", "/apps", token: token, node: 2).json["apps"] == [])
    #expect(try await rig.send("GET", "/apps/\(app)", token: token, node: 1).status == 200)
  }

  @Test("init makes the first state from its arguments; when it fails no app remains")
  func initialize() async throws {
    let rig = try Rig(nodes: 1)
    rig.cloud.register(
      FakePackage("com.example.counter", version: "1.0.0") {
        $0.initialize { context, args in
          guard let start = args["start"] else { throw FakePackage.Failure(["missing": "start"]) }
          context["count"] = start
        }
        $0.view("count") { context, _ in context["count"] ?? .null }
      })
    let token = try #require(try await rig.signUp("ada")["accessToken"]?.stringValue)
    let org =
      try await rig.send("POST", "/orgs", #"{"name":"Acme"}"#, token: token).json["orgId"]?.stringValue ?? ""
    func create(_ args: String) async throws -> Rig.Reply {
      try await rig.send(
        "POST", "/apps",
        #"{"name":"a","package":"com.example.counter","org":"\#(org)","initArgs":\#(args),"idempotencyKey":"\#(args.count)"}"#,
        token: token)
    }
    let failed = try await create("{}")
    #expect(failed.code == "METHOD_FAILED")
    #expect(failed.details?["error"] == ["missing": "start"])
    #expect(try await rig.send("GET", "/apps", token: token).json["apps"] == [])
    let app = try await create(#"{"start":41}"#).json["appId"]?.stringValue ?? ""
    let count = try await rig.send(
      "POST", "/apps/\(app)/views", #"{"method":"count","args":{}}"#, token: token)
    #expect(count.json == ["result": 41, "seq": 0])
  }

  @Test("fifty calls at once at three nodes each get a position of their own")
  func concurrency() async throws {
    let rig = try Rig()
    let (token, app) = try await rig.appOf("ada")
    let seqs = try await withThrowingTaskGroup(of: Int?.self) { group in
      for number in 0..<50 {
        group.addTask {
          try await rig.send(
            "POST", "/apps/\(app)/intents", #"{"method":"send_message","args":{"message":"\#(number)"}}"#,
            token: token, node: number % 3
          ).json["seq"]?.int
        }
      }
      return try await group.reduce(into: Set<Int?>()) { $0.insert($1) }
    }
    #expect(seqs == Set((1...50).map { Optional($0) }))
    let view = try await rig.send(
      "POST", "/apps/\(app)/views", #"{"method":"get_messages","args":{"limit":2}}"#, token: token)
    #expect(
      view.json["result"]?["messages"]?.arrayValue?.map { $0["id"]?.int } == [
        9_007_199_254_741_041, 9_007_199_254_741_042,
      ])
    #expect(rig.cloud.violations == [])
  }
}
