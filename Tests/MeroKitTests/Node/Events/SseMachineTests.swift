import Foundation
import MeroWire
import Testing

@testable import MeroKit

@Suite("The shared event stream's decisions")
struct SseMachineTests {
  private let away = MeroError.network("away")

  private func subscribe(_ session: String, _ contexts: JSONValue...) -> JSONValue {
    ["id": .string(session), "method": "subscribe", "params": ["contextIds": .array(contexts)]]
  }

  private func unsubscribe(_ session: String, _ contexts: JSONValue...) -> JSONValue {
    ["id": .string(session), "method": "unsubscribe", "params": ["contextIds": .array(contexts)]]
  }

  // MARK: Connecting

  @Test("nothing happens before somebody wants events")
  func idle() {
    var rig = SseMachineRig()
    #expect(rig.send(.newTokens) == [])
    #expect(rig.send(.sessionEnded(.revoked)) == [])
    #expect(rig.unwant("a") == [])
    #expect(rig.send(.elapsed(.reconnect)) == [])
    #expect(rig.send(.elapsed(.silence)) == [])
  }

  @Test("the first who wants events opens the stream; later ones, and asking to connect, open no other")
  func lazy() {
    var rig = SseMachineRig()
    #expect(
      rig.want("a") == [.announce(.connecting), .open(attempt: 1), .start(.silence, 60)])
    #expect(rig.want("b") == [])
    #expect(rig.send(.connect) == [])
    let connected = rig.connected("9")
    #expect(connected.states == [.online(sessionId: "9")])
    #expect(connected.posts == [subscribe("9", "a", "b")])
    #expect(rig.send(.connect) == [])
  }

  @Test("with nothing wanted no subscription is sent")
  func nothingWanted() {
    var rig = SseMachineRig()
    rig.send(.connect)
    #expect(rig.connected() == [.announce(.online(sessionId: "1"))])
  }

  @Test("an empty list is left out of a subscription, and groups are asked for as groups")
  func lists() {
    var rig = SseMachineRig.online()
    #expect(
      rig.send(.want([.group("9f")])).posts == [
        ["id": "1", "method": "subscribe", "params": ["groupIds": ["9f"]]]
      ])
    _ = rig.granted()
    #expect(
      rig.send(.want([.context("a"), .group("aa")])).posts == [
        ["id": "1", "method": "subscribe", "params": ["contextIds": ["a"], "groupIds": ["aa"]]]
      ])
  }

  @Test("a stream that ends is reported and opened again after 3 seconds, every time after the same wait")
  func reconnects() {
    var rig = SseMachineRig.online("a")
    for _ in 0..<5 {
      let ended = rig.ended(away)
      #expect(ended == [.announce(.offline(away)), .start(.reconnect, 3)])
      rig.now += 3
      #expect(rig.send(.elapsed(.reconnect)).opens)
    }
  }

  @Test("what belongs to an earlier stream is ignored")
  func staleStream() {
    var rig = SseMachineRig.online("a")
    let old = rig.attempt
    _ = rig.ended(away)
    #expect(rig.send(.ended(away, attempt: old)) == [])
    #expect(rig.send(.frame(.connect(session: "8"), attempt: old)) == [])
    rig.send(.elapsed(.reconnect))
    #expect(rig.send(.ended(away, attempt: old)) == [])
    #expect(rig.send(.frame(.close(reason: nil), attempt: old)) == [])
    #expect(rig.machine.hears(old, at: 9) == false)
    #expect(rig.connected("2").posts == [subscribe("2", "a")])
  }

  @Test("a node that closes the stream is left, and asked again after 3 seconds")
  func closeFrame() {
    var rig = SseMachineRig.online("a")
    let effects = rig.send(.frame(.close(reason: "shutting down"), attempt: rig.attempt))
    #expect(effects.starts(.reconnect) == 3)
    #expect(effects.states == [.offline(.network("the node has closed the event stream: shutting down"))])
  }

  @Test("asked to connect while it waits, it does not wait")
  func connectAtOnce() {
    var rig = SseMachineRig.online("a")
    _ = rig.ended(away)
    #expect(rig.want("b") == [])
    #expect(rig.send(.connect).opens)
    #expect(rig.send(.elapsed(.reconnect)) == [])
  }

  @Test("new tokens open a stream that waits, was stopped, or is open with the old ones")
  func newTokens() {
    var rig = SseMachineRig.online("a")
    #expect(rig.send(.newTokens).opens)
    _ = rig.ended(away)
    #expect(rig.send(.newTokens).opens)
    _ = rig.ended(.revoked)
    #expect(rig.send(.newTokens).opens)
  }

  // MARK: Silence

  @Test("a stream that is silent for 60 seconds is dead; a comment is not silence")
  func silence() {
    var rig = SseMachineRig.online("a")
    rig.now = 15
    #expect(rig.machine.hears(rig.attempt, at: 15) == true)
    rig.now = 60
    #expect(rig.send(.elapsed(.silence)) == [.start(.silence, 15)])
    rig.now = 75
    let effects = rig.send(.elapsed(.silence))
    #expect(effects.states == [.offline(.network("the node has sent nothing for 60 seconds"))])
    #expect(effects.starts(.reconnect) == 3)
  }

  @Test("a node that does not answer at all is given up after 60 seconds")
  func silentConnect() {
    var rig = SseMachineRig()
    _ = rig.want("a")
    rig.now = 60
    #expect(rig.send(.elapsed(.silence)).starts(.reconnect) == 3)
  }

  @Test("an app that was suspended and asks to connect gets a new stream for one that fell silent meanwhile")
  func suspended() {
    var rig = SseMachineRig.online("a")
    rig.now = 59
    #expect(rig.send(.connect) == [])
    rig.now = 61
    #expect(rig.send(.connect).opens)
  }

  // MARK: Being back

  @Test("back again is reported when what is wanted has been subscribed again, in one request")
  func reportsAfterSubscribing() {
    var rig = SseMachineRig.online("a")
    _ = rig.want("b")
    _ = rig.granted()
    _ = rig.ended(away)
    rig.send(.elapsed(.reconnect))
    let connected = rig.connected("2")
    #expect(connected.posts == [subscribe("2", "a", "b")])
    #expect(connected.states == [])
    #expect(connected.starts(.report) == 10)
    #expect(rig.granted().states == [.online(sessionId: "2")])
  }

  @Test("back again is reported at once when nothing is wanted")
  func reportsAtOnce() {
    var rig = SseMachineRig.online()
    _ = rig.ended(away)
    rig.send(.elapsed(.reconnect))
    #expect(rig.connected("2") == [.announce(.online(sessionId: "2"))])
  }

  @Test("back again is reported when subscribing fails, and then the failure")
  func reportsAfterFailure() {
    var rig = SseMachineRig.online("a")
    _ = rig.ended(away)
    rig.send(.elapsed(.reconnect))
    _ = rig.connected("2")
    let failed = rig.refused(.status(500))
    #expect(failed.states == [.online(sessionId: "2"), .offline(.status(500))])
    #expect(failed.starts(.retry) == 3)
  }

  @Test("back again is reported after 10 seconds without an answer, and then the lack of one")
  func reportsLate() {
    var rig = SseMachineRig.online("a")
    _ = rig.ended(away)
    rig.send(.elapsed(.reconnect))
    _ = rig.connected("2")
    let late = rig.send(.elapsed(.report)).states
    #expect(late.first == .online(sessionId: "2"))
    #expect(late.last == .offline(.network("the node has not answered the subscription in 10 seconds")))
    #expect(rig.send(.elapsed(.report)) == [])
    // The answer comes after all.
    #expect(rig.granted().states == [.online(sessionId: "2")])
  }

  @Test("a second connect frame on one stream is a new session: everything is subscribed again")
  func secondConnectFrame() {
    var rig = SseMachineRig.online("a")
    #expect(rig.connected("2").posts == [subscribe("2", "a")])
  }

  // MARK: Who wants what

  @Test("two who want one context share a subscription, which the last one to leave ends")
  func references() {
    var rig = SseMachineRig.online("a")
    #expect(rig.want("a") == [])
    #expect(rig.unwant("a") == [])
    #expect(rig.unwant("a").posts == [unsubscribe("1", "a")])
    #expect(rig.granted() == [.settled])
    #expect(rig.unwant("a") == [])
  }

  @Test("only what is new is sent, one request after the other")
  func onlyNew() {
    var rig = SseMachineRig.online("a")
    #expect(rig.want("a", "b").posts == [subscribe("1", "b")])
    #expect(rig.want("c") == [])
    #expect(rig.want("d") == [])
    #expect(rig.granted().posts == [subscribe("1", "c", "d")])
    #expect(rig.granted() == [.settled])
  }

  @Test("what was wanted and left while there was no connection is never sent")
  func leftBeforeConnecting() {
    var rig = SseMachineRig()
    _ = rig.want("a", "b")
    #expect(rig.unwant("a") == [])
    #expect(rig.connected().posts == [subscribe("1", "b")])
  }

  @Test(
    "what is left while it is being subscribed is unsubscribed, and subscribed again for whoever came since")
  func leftInFlight() {
    var rig = SseMachineRig.online()
    _ = rig.want("a")
    #expect(rig.unwant("a") == [])
    #expect(rig.want("a") == [])
    #expect(rig.granted().posts == [unsubscribe("1", "a")])
    #expect(rig.machine.answer(to: [.context("a")]) == nil)
    #expect(rig.granted().posts == [subscribe("1", "a")])
    _ = rig.granted()
    #expect(
      rig.machine.answer(to: [.context("a")]) == .success(SseSubscription(subscribed: ["a"], refused: [])))
  }

  @Test("what was refused is told, not unsubscribed, and asked for again by the next who wants it")
  func refusedIds() {
    var rig = SseMachineRig.online()
    _ = rig.want("a", "b")
    #expect(rig.machine.answer(to: [.context("a"), .context("b")]) == nil)
    _ = rig.granted([.context("a")])
    let both: [SseTopic] = [.context("a"), .context("b")]
    #expect(rig.machine.answer(to: both) == .success(SseSubscription(subscribed: ["a"], refused: ["b"])))
    #expect(rig.want("b").posts == [subscribe("1", "b")])
    _ = rig.granted([])
    _ = rig.unwant("b")
    #expect(rig.unwant("b") == [])
  }

  @Test("an answer that comes after its session is over changes nothing")
  func lateAnswer() throws {
    var rig = SseMachineRig.online()
    _ = rig.want("a")
    let request = try #require(rig.lastRequest)
    _ = rig.ended(away)
    #expect(rig.send(.answered(.success(Set(request.topics)), request)) == [])
    #expect(rig.send(.answered(.failure(.status(403)), request)) == [])
    rig.send(.elapsed(.reconnect))
    _ = rig.connected("2")
    #expect(rig.machine.answer(to: [.context("a")]) == nil)
  }

  @Test(
    "ids in hex are the same in either case, others are not; empty ones and repeated ones count once or not at all"
  )
  func spelling() {
    let hex = String(repeating: "aB", count: 32)
    #expect(
      SseTopic.list(contextIds: [hex, hex.lowercased(), "aB", "AB", ""], groupIds: [hex])
        == [.context(hex.lowercased()), .context("aB"), .context("AB"), .group(hex.lowercased())])
  }

  // MARK: Closing

  @Test("closing forgets everything; whoever comes later begins anew")
  func closing() {
    var rig = SseMachineRig.online("a")
    _ = rig.presence("a", ["author": "x", "state": [1]])
    #expect(rig.send(.close) == [.settled, .end(nil)])
    #expect(rig.machine.presenceSeed("a", at: 0).isEmpty)
    #expect(rig.ended(away) == [])
    #expect(rig.unwant("a") == [])
    let old = rig.attempt
    #expect(rig.want("b").opens)
    #expect(rig.attempt != old)
    // The first connection of a new beginning is reported at once.
    let connected = rig.connected("5")
    #expect(connected.states == [.online(sessionId: "5")])
    #expect(connected.posts == [subscribe("5", "b")])
  }

  @Test("the wait for the next connection ends with closing")
  func closingWhileWaiting() {
    var rig = SseMachineRig.online("a")
    _ = rig.ended(away)
    #expect(rig.machine.handle(.close, at: 0).contains(.stop(.reconnect)))
    #expect(rig.send(.elapsed(.reconnect)) == [])
  }
}
