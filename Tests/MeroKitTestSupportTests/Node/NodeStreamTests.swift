import Foundation
import MeroHTTP
import MeroKitTestSupport
import MeroWire
import Testing

@Suite("Event streams of a fake node")
struct NodeStreamTests {
  @Test("a stream begins with its session, in a frame and in headers")
  func connect() async throws {
    let rig = NodeRig()
    let stream = try await rig.follow()
    #expect(stream.response.status == 200)
    #expect(stream.response.headers["content-type"] == "text/event-stream")
    #expect(stream.response.headers["x-sse-reconnect"] == "false")
    let id = try #require(stream.response.headers["x-sse-session-id"])
    #expect(
      try await stream.frame() == [
        "event: message", "id: \(id)-0", "retry: 3000",
        #"data: {"reconnect":false,"session_id":"\#(id)","type":"connect"}"#,
      ])
    #expect(UInt64(id) != nil)
    #expect(rig.node.openStreams == 1)
  }

  @Test(
    "a stream without context:subscribe is 403, and a token in the query is taken when there is no header")
  func permission() async throws {
    let rig = NodeRig()
    let weak = rig.node.makeSession(permissions: ["context:execute"]).accessToken
    let denied = try await rig.send(.get, "/sse", as: .bearer(weak))
    #expect(denied.status == 403)
    #expect(denied.authError == "permission_denied")
    let token = rig.node.makeSession(permissions: ["context:subscribe"]).accessToken
    let request = try rig.request(.get, "/sse?token=\(token)", as: .nobody)
    #expect(try await rig.node.transport.send(request).status == 200)
    #expect(try await rig.send(.get, "/admin-api/peers?token=\(token)", as: .nobody).status == 401)
  }

  @Test("a write reaches whoever subscribed, with the contract's events as bytes and numbers that rise")
  func mutations() async throws {
    let rig = NodeRig()
    let context = rig.node.makeContext(of: .keyValue)
    let other = rig.node.makeContext(of: .keyValue)
    let stream = try await rig.follow()
    let session = try await stream.connect()
    let answer = try await rig.subscribe(session, contexts: [context, NodeRig.anId])
    #expect(
      answer.json == ["result": ["status": "subscribed", "contexts": [.string(context)], "groups": []]])
    for id in [other, context, context] {
      _ = try await rig.execute("set_value", ["key": "a", "value": "b"], in: id)
    }
    let first = try #require(try await stream.frame())
    #expect(first[1] == "id: \(session)-1")
    let event = try JSONValue(parsing: String(first[2].dropFirst(6)))["result"]
    #expect(event?["contextId"] == .string(context))
    #expect(event?["type"] == "StateMutation")
    let emitted = event?["data"]?["events"]?[0]
    #expect(emitted?["kind"] == "Inserted")
    #expect(emitted?["handler"] == .null)
    let bytes = try #require(emitted?["data"]?.arrayValue).compactMap { $0.int.map { UInt8($0) } }
    #expect(try JSONValue(parsing: Data(bytes)) == ["key": "a", "value": "b"])
    let second = try #require(try await stream.frame())
    #expect(second[1] == "id: \(session)-2")
    let root = try JSONValue(parsing: String(second[2].dropFirst(6)))["result"]?["data"]?["newRoot"]
    let state = try await rig.send(.get, "/admin-api/contexts/\(context)").data["contextStateHash"]
    #expect(root == state)
    #expect(root != event?["data"]?["newRoot"])
  }

  @Test("unsubscribing says what it ended, and nothing comes any more")
  func unsubscribe() async throws {
    let rig = NodeRig()
    let context = rig.node.makeContext(of: .keyValue)
    let group = rig.node.makeNamespace()
    let stream = try await rig.follow()
    let session = try await stream.connect()
    _ = try await rig.subscribe(session, contexts: [context], groups: [group])
    #expect(rig.node.subscriptions == [context, group])
    for expected in [[context], []] as [[String]] {
      let answer = try await rig.subscribe(session, contexts: [context], method: "unsubscribe")
      #expect(
        answer.json["result"]
          == [
            "status": "unsubscribed", "unsubscribed": .array(expected.map { .string($0) }),
            "requested": [.string(context)],
          ])
    }
    _ = try await rig.execute("set_value", ["key": "a", "value": "b"], in: context)
    rig.node.push(.member("MemberJoined", group, account: NodeRig.anId, role: "Member"))
    let event = try await stream.event()
    #expect(event?["groupId"] == .string(group))
    #expect(event?["contextId"] == nil)
    #expect(event?["data"] == ["memberAccount": .string(NodeRig.anId), "role": "Member"])
  }

  @Test("a subscription is refused to a foreign, unknown or malformed session")
  func refusedSubscriptions() async throws {
    let rig = NodeRig()
    let owner = rig.node.accessToken
    let stream = try await rig.follow()
    let session = try await stream.connect()
    let other = NodeRig.Sender.bearer(rig.node.makeSession().accessToken)
    let foreign = try await rig.subscribe(session, as: other)
    #expect(foreign.status == 403)
    #expect(foreign.error == "Forbidden: not the session owner")
    let me = NodeRig.Sender.bearer(owner)
    let unknown = try await rig.subscribe("12", as: me)
    #expect(unknown.status == 404)
    #expect(unknown.error == "Session not found. Please reconnect to SSE endpoint first.")
    let malformed = try await rig.subscribe("session", as: me)
    #expect(malformed.status == 400)
    #expect(malformed.error == "Invalid Session Id")
    let parse = try await rig.send(
      .post, "/sse/subscription",
      json: ["id": .string(session), "method": "subscribe", "params": ["contextIds": "x"]], as: me)
    #expect(parse.status == 400)
    #expect(parse.json["error"]?["type"] == "ParseError")
  }

  @Test("a session is resumed with its subscriptions and without what was missed, which is on record")
  func resume() async throws {
    let rig = NodeRig()
    let context = rig.node.makeContext(of: .keyValue)
    var stream: NodeStreamReader? = try await rig.follow()
    let session = try #require(try await stream?.connect())
    _ = try await rig.subscribe(session, contexts: [context])
    _ = try await rig.execute("set_value", ["key": "a", "value": "b"], in: context)
    #expect(try await stream?.event()?["type"] == "StateMutation")
    stream = nil
    #expect(rig.node.openStreams == 0)
    let status = try await rig.send(.get, "/sse/session/\(session)").json["result"]
    #expect(status?["status"] == "persisted")
    #expect(status?["event_counter"] == 1)
    #expect(status?["session_id"]?.uint64 == UInt64(session))
    _ = try await rig.execute("set_value", ["key": "lost", "value": "b"], in: context)
    #expect(rig.node.sentEvents.map(\.delivered) == [[session], []])
    #expect(rig.node.sentEvents.map(\.missed) == [[], [session]])
    let again = try await rig.follow(headers: ["last-event-id": "\(session)-1"])
    #expect(again.response.headers["x-sse-reconnect"] == "true")
    #expect(try await again.connect() == session)
    _ = try await rig.execute("remove_value", ["key": "a"], in: context)
    #expect(try await again.frame()?[1] == "id: \(session)-2")
  }

  @Test("a foreign or expired session becomes a new one without a word")
  func expiredSessions() async throws {
    let rig = NodeRig()
    let mine = NodeRig.Sender.bearer(rig.node.accessToken)
    var stream: NodeStreamReader? = try await rig.follow(as: mine)
    let session = try #require(try await stream?.connect())
    let other = NodeRig.Sender.bearer(rig.node.makeSession().accessToken)
    let foreign = try await rig.follow(as: other, headers: ["last-event-id": "\(session)-0"])
    #expect(try await foreign.connect() != session)
    stream = nil
    rig.clock.jump(by: 24 * 3_600 + 1)
    let owner = NodeRig.Sender.bearer(try #require(try await rig.logIn().data["access_token"]?.stringValue))
    #expect(try await rig.send(.get, "/sse/session/\(session)", as: owner).status == 410)
    let late = try await rig.follow(as: owner, headers: ["last-event-id": "\(session)-0"])
    #expect(late.response.headers["x-sse-reconnect"] == "false")
    #expect(try await late.connect() != session)
  }

  @Test("a comment comes every fifteen seconds")
  func keepAlive() async throws {
    let rig = NodeRig()
    let stream = try await rig.follow()
    _ = try await stream.connect()
    for _ in 0..<2 {
      await rig.clock.waitForSleepers(1)
      await rig.clock.advance(by: 15)
      #expect(try await stream.frame() == [":"])
    }
  }

  @Test("an open stream outlives its token")
  func expiredTokens() async throws {
    let rig = NodeRig()
    let context = rig.node.makeContext(of: .keyValue)
    let stream = try await rig.follow()
    _ = try await rig.subscribe(try await stream.connect(), contexts: [context])
    rig.node.expireAccessToken()
    #expect(try await rig.send(.get, "/sse").authError == "token_expired")
    rig.node.push(.ofContext(context, "Odd", 7))
    #expect(try await stream.event() == ["contextId": .string(context), "type": "Odd", "data": 7])
  }

  @Test("streams end properly, are cut, freeze, or close with a reason")
  func endings() async throws {
    let rig = NodeRig()
    var streams: [NodeStreamReader] = []
    func open() async throws -> NodeStreamReader {
      let stream = try await rig.follow()
      _ = try await stream.connect()
      streams.append(stream)
      return stream
    }
    let ended = try await open()
    rig.node.dropStreams(.ended)
    #expect(try await ended.frame() == nil)
    let closed = try await open()
    rig.node.closeStreams(reason: "going away")
    #expect(try await closed.data() == ["type": "close", "reason": "going away"])
    #expect(try await closed.frame() == nil)
    let cut = try await open()
    rig.node.dropStreams(.cut)
    await #expect { _ = try await cut.frame() } throws: { ($0 as? TransportError)?.kind == .lost }
    rig.clock.autoAdvance = 60
    let frozen = try await open()
    rig.node.dropStreams(.frozen)
    await #expect { _ = try await frozen.frame() } throws: { ($0 as? TransportError)?.kind == .timedOut }
    #expect(rig.node.openStreams == 0)
  }

  @Test("sessions that are forgotten cut their streams, and subscribing to one is 404")
  func forgottenSessions() async throws {
    let rig = NodeRig()
    let stream = try await rig.follow()
    let session = try await stream.connect()
    rig.node.forgetStreamSessions()
    await #expect(throws: TransportError.self) { _ = try await stream.frame() }
    #expect(try await rig.subscribe(session).status == 404)
  }

  @Test("a slow reader loses what does not fit its queue, and the numbers leave no gap")
  func slowReaders() async throws {
    let rig = NodeRig()
    rig.node.setStreamQueue(2)
    let context = rig.node.makeContext(of: .keyValue)
    let stream = try await rig.follow()
    let session = try await stream.connect()
    _ = try await rig.subscribe(session, contexts: [context])
    for number in 0..<4 { rig.node.push(.ofContext(context, "Counted", JSONValue(number))) }
    #expect(try await stream.event()?["data"] == 0)
    #expect(try await stream.event()?["data"] == 1)
    rig.node.push(.ofContext(context, "Counted", 9))
    #expect(try await stream.frame()?[1] == "id: \(session)-3")
    #expect(rig.node.sentEvents.filter { !$0.missed.isEmpty }.map(\.data) == [2, 3])
  }

  @Test("bytes a test sends go out as they are")
  func rawFrames() async throws {
    let rig = NodeRig()
    let stream = try await rig.follow()
    _ = try await stream.connect()
    rig.node.pushRaw("data: {broken\n\n")
    #expect(try await stream.frame() == ["data: {broken"])
  }

  @Test("each kind of event has the shape of the node's")
  func kinds() async throws {
    let rig = NodeRig()
    let context = rig.node.makeContext(of: .keyValue)
    let group = rig.node.makeNamespace()
    let stream = try await rig.follow()
    _ = try await rig.subscribe(try await stream.connect(), contexts: [context], groups: [group])
    let cases: [(FakeNode.Event, String, JSONValue)] = [
      (
        .stateMutation(context, root: NodeRig.anId, events: nil), "StateMutation",
        ["newRoot": .string(NodeRig.anId), "events": .null]
      ),
      (.appVersionChanged(context, from: nil, to: "2.0.0"), "AppVersionChanged", ["toVersion": "2.0.0"]),
      (
        .xCall(context, target: "t", function: "f", status: "denied", detail: ["reason": "r"]), "XCall",
        [
          "targetContextId": "t", "function": "f",
          "outcome": ["status": "denied", "detail": ["reason": "r"]],
        ]
      ),
      (
        .migrationStarted(group, from: "1", to: "2", stateVersion: 3, contexts: 4), "MigrationStarted",
        ["fromVersion": "1", "toVersion": "2", "toStateVersion": 3, "localContextsTotal": 4]
      ),
      (
        .migrationProgress(group, migrated: 1, inProgress: 2, unknown: 3, failed: 4), "MigrationProgress",
        ["migrated": 1, "inProgress": 2, "unknown": 3, "failed": 4, "total": 10]
      ),
      (
        .cascadeProgress(group, subgroup: "s", swapped: 1, total: 2), "CascadeProgress",
        ["subgroupId": "s", "localContextsSwapped": 1, "localContextsTotal": 2]
      ),
      (
        .migrationCompleted(group, to: "2", at: 5), "MigrationCompleted",
        ["toVersion": "2", "completedAt": 5]
      ),
    ]
    for (event, kind, data) in cases {
      rig.node.push(event)
      let received = try await stream.event()
      #expect(received?["type"] == .string(kind))
      #expect(received?["data"] == data)
    }
    rig.node.setSyncStatus(["state": "syncing"], context: context)
    #expect(try await stream.event()?["data"] == ["syncState": ["state": "syncing"], "failureCount": 0])
  }
}
