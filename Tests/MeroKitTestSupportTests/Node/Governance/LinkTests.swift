import Foundation
import MeroKitTestSupport
import MeroWire
import Testing

@Suite("Linked fake nodes")
struct LinkTests {
  /// A counter whose events carry every sum.
  static let counter = FakePackage("com.example.counter", version: "1.0.0") {
    $0.initialize { context, _ in context["count"] = 0 }
    $0.call("add") { context, arguments in
      let sum = (context["count"]?.int64 ?? 0) + (arguments["by"]?.int64 ?? 1)
      context["count"] = JSONValue(sum)
      context.append(JSONValue(sum), to: "history")
      context.emit("Added", ["sum": JSONValue(sum)])
      return JSONValue(sum)
    }
    $0.call("draw") { context, _ in
      context["drawn"] = .array(context.random(8).map { JSONValue($0) })
      return .null
    }
    $0.view("state") { context, _ in [context.state, .array(Array(context.list("history")))] }
  }

  /// A context of alice's in which bob takes part too.
  func shared(_ pair: NodePair) async throws -> (namespace: String, context: String) {
    let namespace = pair.alice.node.makeNamespace(of: Self.counter)
    let context = pair.alice.node.makeContext(of: Self.counter, in: namespace)
    try await pair.join(namespace)
    if let delay = pair.alice.node.linkDelay(to: pair.bob.node) { await pair.clock.advance(by: delay) }
    #expect(try await pair.bob.post("/contexts/\(context)/join").status == 200)
    #expect(try await pair.bob.post("/contexts/sync/\(context)").status == 200)
    return (namespace, context)
  }

  func state(_ rig: NodeRig, _ context: String) async throws -> JSONValue? {
    try await rig.execute("state", in: context)["result"]?["output"]
  }

  func stateHash(_ rig: NodeRig, _ context: String) async throws -> String? {
    try await rig.get("/contexts/\(context)").data["contextStateHash"]?.stringValue
  }

  @Test("a context that is joined brings its state, and what is written on one node is read on the other")
  func sharesContexts() async throws {
    let pair = NodePair()
    let (_, context) = try await shared(pair)
    #expect(try await state(pair.bob, context) == [["count": 0], []])
    _ = try await pair.alice.execute("add", ["by": 2], in: context)
    #expect(try await state(pair.bob, context) == [["count": 2], [2]])
    _ = try await pair.bob.execute("add", ["by": 3], in: context)
    #expect(try await state(pair.alice, context) == [["count": 5], [2, 5]])
    #expect(try await stateHash(pair.alice, context) == stateHash(pair.bob, context))
  }

  @Test("events of a write reach who follows it on the other node: all, in order and once, after the delay")
  func sharesEvents() async throws {
    let pair = NodePair(delay: 3)
    let (_, context) = try await shared(pair)
    let stream = try await pair.bob.follow()
    #expect(try await pair.bob.subscribe(stream.connect(), contexts: [context]).status == 200)
    for _ in 0..<5 { _ = try await pair.alice.execute("add", in: context) }
    #expect(try await state(pair.bob, context)?[0]?["count"] == 0)
    await pair.clock.advance(by: 3)
    var sums: [Int64] = []
    for _ in 0..<5 {
      let event = try #require(try await stream.event())
      #expect(event["type"] == "StateMutation")
      let bytes = try #require(event["data"]?["events"]?[0]?["data"]?.arrayValue).map {
        UInt8(truncatingIfNeeded: $0.int64 ?? 0)
      }
      sums.append(try #require(try JSONValue(parsing: Data(bytes))["sum"]?.int64))
    }
    #expect(sums == [1, 2, 3, 4, 5])
    #expect(
      pair.bob.node.sentEvents.filter { $0.kind == "StateMutation" && $0.contextId == context }.count >= 5)
    #expect(try await state(pair.bob, context)?[0]?["count"] == 5)
  }

  @Test("nodes that write at the same time end with the same state, randomness included")
  func converges() async throws {
    let pair = NodePair(delay: 2)
    let (_, context) = try await shared(pair)
    _ = try await pair.alice.execute("add", ["by": 10], in: context)
    _ = try await pair.bob.execute("add", ["by": 1], in: context)
    _ = try await pair.bob.execute("draw", in: context)
    _ = try await pair.alice.execute("add", ["by": 100], in: context)
    await pair.clock.advance(by: 2)
    let (one, other) = (try await state(pair.alice, context), try await state(pair.bob, context))
    #expect(one == other)
    #expect(one?[0]?["count"] == 111)
    #expect(try await stateHash(pair.alice, context) == stateHash(pair.bob, context))
  }

  @Test("what is done while the link is cut is told when the nodes are linked again")
  func catchesUp() async throws {
    let pair = NodePair()
    let (namespace, context) = try await shared(pair)
    pair.alice.node.unlink(pair.bob.node)
    _ = try await pair.alice.execute("add", in: context)
    _ = try await pair.bob.execute("add", in: context)
    _ = try await pair.alice.put("/groups/\(namespace)/metadata", ["name": "later"])
    #expect(try await state(pair.bob, context)?[0]?["count"] == 1)
    pair.alice.node.link(pair.bob.node)
    #expect(try await state(pair.bob, context)?[0]?["count"] == 2)
    #expect(try await state(pair.alice, context) == state(pair.bob, context))
    #expect(try await pair.bob.get("/groups/\(namespace)/metadata").data["name"] == "later")
  }

  @Test("nodes hear of each other by way of a third")
  func passesOn() async throws {
    let pair = NodePair()
    let carol = NodeRig(FakeNode(url: "http://localhost:2530", clock: pair.clock.clock, seed: 3), pair.clock)
    carol.node.link(pair.bob.node)
    let (namespace, context) = try await shared(pair)
    let row: JSONValue = ["identity": .string(carol.node.account), "role": "Member"]
    #expect(try await pair.alice.post("/groups/\(namespace)/members", ["members": [row]]).status == 200)
    #expect(try await carol.namespaces() == [namespace])
    #expect(try await carol.post("/contexts/\(context)/join").status == 200)
    _ = try await pair.alice.execute("add", in: context)
    #expect(try await state(carol, context)?[0]?["count"] == 1)
  }

  @Test("presence of a linked node lasts as long as the link, and seven seconds longer")
  func sharesPresence() async throws {
    let pair = NodePair()
    let (_, context) = try await shared(pair)
    let set: JSONValue = ["contextId": .string(context), "state": [1, 2, 3]]
    #expect(try await pair.alice.rpc("set_ephemeral", set).json["result"] == [:])
    #expect(pair.bob.node.presence(in: context) == [pair.alice.node.signingKey: [1, 2, 3]])
    await pair.clock.advance(by: 60)
    #expect(pair.bob.node.presence(in: context).count == 1)
    pair.alice.node.unlink(pair.bob.node)
    await pair.clock.advance(by: 6)
    #expect(pair.bob.node.presence(in: context).count == 1)
    await pair.clock.advance(by: 1)
    #expect(pair.bob.node.presence(in: context).isEmpty)
  }

  @Test("a blob that is held for a context is found by the other node with it, and without it not")
  func sharesBlobs() async throws {
    let pair = NodePair()
    let (_, context) = try await shared(pair)
    let upload = try await pair.alice.send(
      .put, "/admin-api/blobs?context_id=\(context)", bytes: Data("hello".utf8))
    let id = try #require(upload.data["blob_id"]?.stringValue)
    #expect(try await pair.bob.get("/blobs/\(id)").status == 404)
    #expect(try await pair.bob.get("/blobs/\(id)?context_id=\(context)").text == "hello")
  }

  @Test("members' comings and goings are events of their group, on both nodes")
  func memberEvents() async throws {
    let pair = NodePair()
    let (namespace, _) = try await shared(pair)
    pair.bob.node.clearSentEvents()
    let row: JSONValue = ["identity": .string(NodeRig.anId), "role": "ReadOnly"]
    _ = try await pair.alice.post("/groups/\(namespace)/members", ["members": [row]])
    _ = try await pair.alice.post("/groups/\(namespace)/members/remove", ["members": [.string(NodeRig.anId)]])
    let events = pair.bob.node.sentEvents.filter { $0.groupId == namespace }
    #expect(events.map(\.kind) == ["MemberAdded", "MemberRemoved"])
    #expect(events.first?.data == ["memberAccount": .string(NodeRig.anId), "role": "ReadOnly"])
    #expect(events.last?.data == ["memberAccount": .string(NodeRig.anId)])
  }

  @Test("a detached context is gone on both nodes, a deleted one only where it was deleted")
  func contextsGo() async throws {
    let pair = NodePair()
    let (namespace, context) = try await shared(pair)
    let other = pair.alice.node.makeContext(of: Self.counter, in: namespace)
    #expect(try await pair.alice.send(.delete, "/admin-api/contexts/\(other)").data == ["isDeleted": true])
    #expect(!pair.alice.node.contextIds.contains(other))
    #expect(pair.bob.node.contextIds.contains(other))
    #expect(try await pair.alice.post("/groups/\(namespace)/contexts/\(context)/remove").json == [:])
    #expect(!pair.bob.node.contextIds.contains(context))
  }

  @Test("joining a context waits for its registration, as long as it is on its way")
  func joinWaits() async throws {
    let pair = NodePair(delay: 5)
    let (namespace, _) = try await shared(pair)
    let context = pair.alice.node.makeContext(of: Self.counter, in: namespace)
    #expect(try await pair.bob.get("/contexts/\(context)").status == 404)
    async let answer = pair.bob.post("/contexts/\(context)/join")
    await pair.clock.waitForSleepers(2)
    await pair.clock.advance(by: 5)
    #expect(try await answer.data["contextId"]?.stringValue == context)
    #expect(try await pair.bob.post("/contexts/\(NodeRig.anId)/join").status == 404)
  }

  // MARK: Following

  /// Has bob's node follow what is new in a group.
  func follow(_ pair: NodePair, _ group: String, contexts: Bool, subgroups: Bool) async throws {
    let path = "/groups/\(group)/members/\(pair.bob.node.account)/auto-follow"
    let flags: JSONValue = ["autoFollowContexts": .bool(contexts), "autoFollowSubgroups": .bool(subgroups)]
    #expect(try await pair.bob.put(path, flags).json == [:])
  }

  /// The keys a node takes part in a context with.
  func keys(_ rig: NodeRig, _ context: String) async throws -> JSONValue? {
    try await rig.get("/contexts/\(context)/identities-owned").data["identities"]
  }

  @Test("a member that follows contexts takes part in new ones, and one that does not is left out")
  func followsContexts() async throws {
    let pair = NodePair()
    let carol = NodeRig(FakeNode(url: "http://localhost:2530", clock: pair.clock.clock, seed: 3), pair.clock)
    carol.node.link(pair.alice.node)
    let (namespace, old) = try await shared(pair)
    #expect(try await carol.join(namespace, pair.alice.invite(to: namespace)).status == 200)
    try await follow(pair, namespace, contexts: true, subgroups: false)
    let context = pair.alice.node.makeContext(of: Self.counter, in: namespace)
    #expect(try await keys(pair.bob, context) == [.string(pair.bob.node.signingKey)])
    #expect(try await state(pair.bob, context) == [["count": 0], []])
    _ = try await pair.alice.execute("add", ["by": 2], in: context)
    #expect(try await state(pair.bob, context) == [["count": 2], [2]])
    // Carol knows of it, and is told nothing of what is in it before she joins.
    #expect(try await keys(carol, context) == [])
    #expect(try await state(carol, context) == nil)
    #expect(try await keys(carol, old) == [])
    #expect(try await carol.post("/contexts/\(context)/join").status == 200)
    #expect(try await state(carol, context) == [["count": 2], [2]])

    try await follow(pair, namespace, contexts: false, subgroups: false)
    let later = pair.alice.node.makeContext(of: Self.counter, in: namespace)
    #expect(try await keys(pair.bob, later) == [])
  }

  @Test("a context that was left is not followed again")
  func leavesFollowed() async throws {
    let pair = NodePair()
    let (namespace, _) = try await shared(pair)
    try await follow(pair, namespace, contexts: true, subgroups: false)
    let context = pair.alice.node.makeContext(of: Self.counter, in: namespace)
    #expect(try await pair.bob.post("/contexts/\(context)/leave").status == 200)
    _ = try await pair.alice.execute("add", in: context)
    pair.alice.node.unlink(pair.bob.node)
    pair.alice.node.link(pair.bob.node)
    #expect(try await keys(pair.bob, context) == [])
  }

  @Test("a member that follows subgroups is published in new open ones, and takes part in what is made there")
  func followsSubgroups() async throws {
    let pair = NodePair(delay: 2)
    let (namespace, _) = try await shared(pair)
    try await follow(pair, namespace, contexts: true, subgroups: true)
    await pair.clock.advance(by: 2)
    let open = try await pair.alice.makeGroup(in: namespace, ["groupName": "open"])
    let closed = try await pair.alice.makeGroup(in: namespace, ["visibility": "restricted"])
    // Made before bob's node has heard of the group.
    let context = pair.alice.node.makeContext(of: Self.counter, in: open)
    let hidden = pair.alice.node.makeContext(of: Self.counter, in: closed)
    await pair.clock.advance(by: 2)
    #expect(try await keys(pair.bob, context) == [.string(pair.bob.node.signingKey)])
    #expect(try await state(pair.bob, context) == [["count": 0], []])
    #expect(!pair.bob.node.contextIds.contains(hidden))
    // What bob's node published gets back to alice's.
    await pair.clock.advance(by: 2)
    let joined = pair.alice.node.sentEvents.filter { $0.groupId == open && $0.kind == "MemberJoined" }
    #expect(joined.map { $0.data["memberAccount"] } == [.string(pair.bob.node.account)])
    #expect(
      pair.alice.node.sentEvents.allSatisfy { $0.groupId != closed || $0.kind != "MemberJoined" })
    // An explicit member follows as the inherited one did.
    let later = pair.alice.node.makeContext(of: Self.counter, in: open)
    await pair.clock.advance(by: 2)
    #expect(try await keys(pair.bob, later) == [.string(pair.bob.node.signingKey)])
  }

  @Test("a member that does not follow subgroups stays an inherited one")
  func staysInherited() async throws {
    let pair = NodePair()
    let (namespace, _) = try await shared(pair)
    try await follow(pair, namespace, contexts: true, subgroups: false)
    let group = try await pair.alice.makeGroup(in: namespace)
    let answer = try await pair.bob.post("/groups/\(group)/join-via-inheritance")
    #expect(answer.data["wasInherited"] == true)
  }

  @Test("an attested node that is let in holds the contexts there are, and those that come")
  func attestedFollows() async throws {
    let pair = NodePair()
    let namespace = pair.alice.node.makeNamespace(of: Self.counter)
    let old = pair.alice.node.makeContext(of: Self.counter, in: namespace)
    let policy: JSONValue = ["signedRelease": ["allowedProfiles": ["locked-read-only"]], "acceptMock": true]
    _ = try await pair.alice.put("/groups/\(namespace)/settings/tee-admission-policy", policy)
    pair.bob.node.present(.mock)
    let answer = try await pair.bob.post("/tee/fleet-join", ["groupId": .string(namespace)])
    #expect(answer.json["auto_follow_enabled"] == true)
    #expect(answer.json["contexts_joined"] == 1)
    let new = pair.alice.node.makeContext(of: Self.counter, in: namespace)
    for context in [old, new] {
      _ = try await pair.alice.execute("add", in: context)
      #expect(try await state(pair.bob, context) == [["count": 1], [1]])
    }
  }
}
