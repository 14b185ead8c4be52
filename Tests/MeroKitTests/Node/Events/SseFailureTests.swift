import Foundation
import MeroWire
import Testing

@testable import MeroKit

@Suite("What the shared event stream does about failures")
struct SseFailureTests {
  private static let temporary: [MeroError] = [
    .network("reset"), .status(500), .status(503), .status(401), .status(401, auth: "invalid_token"),
    .status(404),
    .status(429), .decoding("html"), .noRefreshToken,
  ]
  private static let final: [MeroError] = [
    .revoked, .status(403), .status(403, auth: "permission_denied"), .status(403, auth: "invalid_node"),
  ]

  @Test("at connect: what may pass is reported and tried again after 3 seconds", arguments: temporary)
  func connectWaits(error: MeroError) {
    var rig = SseMachineRig()
    _ = rig.want("a")
    #expect(rig.ended(error) == [.announce(.offline(error)), .start(.reconnect, 3)])
  }

  @Test(
    "at connect: what will not pass is reported, ends the consumers, and is not tried again", arguments: final
  )
  func connectStops(error: MeroError) {
    var rig = SseMachineRig()
    _ = rig.want("a")
    #expect(rig.ended(error) == [.announce(.stopped(error)), .settled, .end(error)])
    #expect(rig.machine.answer(to: [.context("a")]) == .failure(error))
    #expect(rig.send(.elapsed(.reconnect)) == [])
    #expect(rig.unwant("a") == [])
  }

  @Test("what stopped begins again when somebody asks to connect, or wants events anew")
  func startsAgain() {
    for input in [SseMachine.Input.connect, .want([.context("b")]), .newTokens] {
      var rig = SseMachineRig.online("a")
      _ = rig.ended(.revoked)
      #expect(rig.send(input).opens)
    }
  }

  @Test("a session that is known to be over stops the stream, once")
  func sessionEnded() {
    var rig = SseMachineRig.online("a")
    let attempt = rig.attempt
    #expect(rig.send(.sessionEnded(.revoked)) == [.announce(.stopped(.revoked)), .settled, .end(.revoked)])
    #expect(rig.send(.sessionEnded(.revoked)) == [])
    #expect(rig.send(.ended(.revoked, attempt: attempt)) == [])
  }

  @Test(
    "a subscription whose session the node has forgotten, or gave to another, is made in a new one at once")
  func sessionGone() {
    for error in [
      MeroError.status(404, body: #"{"error":"Session not found. Please reconnect to SSE endpoint first."}"#),
      .status(403, body: #"{"error":"Forbidden: not the session owner"}"#),
    ] {
      var rig = SseMachineRig.online("a")
      _ = rig.want("b")
      let effects = rig.refused(error)
      #expect(effects.opens)
      #expect(effects.states == [.connecting])
      #expect(rig.connected("2").posts.count == 1)
      // Again, and nothing was subscribed in between: not without a wait.
      let again = rig.refused(error)
      #expect(again == [.announce(.offline(error)), .start(.reconnect, 3)])
      rig.send(.elapsed(.reconnect))
      _ = rig.connected("3")
      _ = rig.granted()
      _ = rig.want("c")
      #expect(rig.refused(error).opens)
    }
  }

  @Test("a subscription that the guard refuses is treated as the same refusal at connect")
  func guardRefusal() {
    for error in Self.final {
      var rig = SseMachineRig.online("a")
      _ = rig.want("b")
      #expect(rig.refused(error) == [.announce(.stopped(error)), .settled, .end(error)])
    }
    var rig = SseMachineRig.online("a")
    _ = rig.want("b")
    #expect(rig.refused(.status(401)) == [.announce(.offline(.status(401))), .start(.reconnect, 3)])
  }

  @Test("a subscription that fails otherwise keeps the stream and is tried once more after 3 seconds")
  func retry() {
    var rig = SseMachineRig.online("a")
    _ = rig.want("b")
    #expect(rig.refused(.status(500)) == [.announce(.offline(.status(500))), .start(.retry, 3)])
    // Others wait with it.
    #expect(rig.want("c") == [])
    let again = rig.send(.elapsed(.retry)).posts
    #expect(again == [["id": "1", "method": "subscribe", "params": ["contextIds": ["b", "c"]]]])
    #expect(rig.granted() == [.settled, .announce(.online(sessionId: "1"))])
  }

  @Test("a subscription that fails twice is left until the next connection, and its waiters are told")
  func retryFails() {
    var rig = SseMachineRig.online("a")
    _ = rig.want("b")
    _ = rig.refused(.network("1"))
    #expect(rig.machine.answer(to: [.context("b")]) == nil)
    rig.send(.elapsed(.retry))
    _ = rig.want("c")
    let effects = rig.refused(.network("2"))
    #expect(effects.states == [.offline(.network("2"))])
    #expect(effects.contains(.settled))
    #expect(rig.machine.answer(to: [.context("b")]) == .failure(.network("2")))
    // What came meanwhile does not suffer from it, and its answer shows that the stream is well.
    #expect(effects.posts == [["id": "1", "method": "subscribe", "params": ["contextIds": ["c"]]]])
    #expect(rig.granted().states == [.online(sessionId: "1")])
    _ = rig.ended(.network("away"))
    rig.send(.elapsed(.reconnect))
    #expect(
      rig.connected("2").posts == [
        ["id": "2", "method": "subscribe", "params": ["contextIds": ["a", "b", "c"]]]
      ])
  }

  @Test(
    "an end of a subscription that fails is tried once more, and then after what is wanted next, which does not wait"
  )
  func unsubscribeFails() {
    var rig = SseMachineRig.online("a", "b")
    _ = rig.unwant("a")
    #expect(rig.refused(.status(500)).starts(.retry) == 3)
    let unsubscribe: JSONValue = ["id": "1", "method": "unsubscribe", "params": ["contextIds": ["a"]]]
    #expect(rig.send(.elapsed(.retry)).posts == [unsubscribe])
    #expect(rig.refused(.status(500)).posts == [])
    let subscribe: JSONValue = ["id": "1", "method": "subscribe", "params": ["contextIds": ["c"]]]
    #expect(rig.want("c").posts == [subscribe])
    #expect(rig.granted().posts == [unsubscribe])
  }

  @Test(
    "the vectors' answers to a subscription do what the vectors expect",
    arguments: NodeVectors.group("sseSubscription"))
  func subscriptionVectors(vector: NodeVector) throws {
    let response = try #require(vector.json["response"])
    let status = try #require(response["status"]?.int)
    var rig = SseMachineRig.online()
    let request = vector.json["request"]?["bodyJson"]
    let contexts = request?["params"]?["contextIds"]?.arrayValue?.compactMap(\.stringValue) ?? ["c"]
    let groups = request?["params"]?["groupIds"]?.arrayValue?.compactMap(\.stringValue) ?? []
    let topics = SseTopic.list(contextIds: contexts, groupIds: groups)
    rig.send(.want(topics))
    if request?["method"]?.stringValue == "unsubscribe" {
      _ = rig.granted()
      rig.send(.unwant(topics))
    }
    let sent = try #require(rig.lastRequest)
    if let request {
      var body = sent.json.objectValue
      body?["id"] = request["id"]
      #expect(body.map(JSONValue.object) == request)
      #expect(body.map(JSONValue.object)?.text == request.text)
    }
    guard status == 200 else {
      let headers = (response["headers"]?.objectValue?.map { ($0.key, $0.value.stringValue ?? "") }) ?? []
      let body = response["bodyJson"]?.text ?? response["body"]?.stringValue ?? ""
      let effects = rig.refused(
        .http(HTTPError(status: status, headers: .init(headers), bodyText: body)))
      switch vector.expect["action"]?.stringValue {
      case "reconnect", "reconnect-with-fresh-session": #expect(effects.opens)
      case "stop":
        guard case .stopped(.http(let error))? = effects.states.last else {
          return #expect(Bool(false), "not stopped")
        }
        #expect("http(\(error.status))" == vector.expect["error"]?.stringValue)
        #expect(error.authError == vector.expect["authError"]?.stringValue)
      case let action: #expect(Bool(false), "unknown action \(action ?? "none")")
      }
      return
    }
    _ = rig.granted(Array(SseRequest.granted(in: response["bodyJson"] ?? .null)))
    guard let subscribed = vector.expect["subscribed"] else {
      #expect(vector.expect["ok"] == true)
      return
    }
    let answer = try #require(try rig.machine.answer(to: topics)?.get())
    #expect(answer.subscribed == subscribed.arrayValue?.compactMap(\.stringValue))
    #expect(answer.refused == vector.expect["refused"]?.arrayValue?.compactMap(\.stringValue))
  }
}
