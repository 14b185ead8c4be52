import Foundation
import MeroHTTP
import MeroKit
import MeroKitTestSupport
import MeroWire

extension NodeGroup {
  /// What is posted to subscribe, and what the client makes of the answer.
  static let subscriptions = NodeGroup(name: "sseSubscription") { file, run in
    let names = [
      "sub-contexts-only", "sub-partly-refused", "sub-session-gone", "sub-not-owner", "sub-permission-denied",
      "unsub",
    ]
    await NodeCases(["4": names]).check("sseSubscription", in: file, &run) { name, object in
      try await SubscriptionVector(object).check(name)
    }
  }
}

private struct SubscriptionVector {
  private let request: Request?
  private let answer: VectorAnswer
  private let expect: VectorObject

  init(_ object: VectorObject) throws(Mismatch) {
    request = object.has("request") ? try Request(try object.object("request")) : nil
    answer = try VectorAnswer(try object.object("response"))
    expect = try object.object("expect")
  }

  /// What has to be posted.
  private struct Request: Sendable {
    let method: String?
    let path: String?
    let headers: [(name: String, value: String)]
    let body: JSONValue
    let contexts: [String]
    let groups: [String]

    init(_ object: VectorObject) throws(Mismatch) {
      method = object.has("method") ? try object.text("method") : nil
      path = object.has("path") ? try object.text("path") : nil
      var headers: [(String, String)] = []
      if object.has("headers") {
        let fields = try object.object("headers")
        for name in fields.keys { headers.append((name, try fields.text(name))) }
        try fields.finish()
      }
      self.headers = headers
      body = try object.value("bodyJson")
      let parameters = try VectorObject(body["params"] ?? .null, path: "\(object.path).bodyJson.params")
      contexts = parameters.has("contextIds") ? try parameters.texts("contextIds") : []
      groups = parameters.has("groupIds") ? try parameters.texts("groupIds") : []
      try object.finish()
    }
  }

  func check(_ name: String) async throws {
    switch name {
    case "unsub":
      try require("what is expected", try expect.flag("ok"), is: true)
      try await checkLeaving()
    case "sub-contexts-only", "sub-partly-refused": try await checkGrant()
    case "sub-session-gone":
      try require("the action", try expect.text("action"), is: "reconnect")
      try await checkNewSession(refusal: try await Self.refusal(ofUnknownSession: true))
    case "sub-not-owner":
      try require("the action", try expect.text("action"), is: "reconnect-with-fresh-session")
      try await checkNewSession(refusal: try await Self.refusal(ofUnknownSession: false))
    default: try await checkStop()
    }
    try expect.finish()
  }

  // MARK: Granted

  private func checkGrant() async throws {
    guard let request else { throw Mismatch("there is no request") }
    let (subscribed, refused) = (try expect.texts("subscribed"), try expect.texts("refused"))
    func granted(_ ids: [String]) -> JSONValue {
      .array(ids.filter(subscribed.contains).map { .string($0) })
    }
    let usual: JSONValue = [
      "result": [
        "status": "subscribed", "contexts": granted(request.contexts), "groups": granted(request.groups),
      ]
    ]
    try require("a node's answer", answer.json, is: usual)
    try require("the status", answer.status, is: 200)
    let node = VectorStreams(replies: [answer])
    let result = try await subscription(to: request, on: node)
    try require("the subscription", result, is: SseSubscription(subscribed: subscribed, refused: refused))
    try compare(request, with: node, number: 0)
  }

  private func checkLeaving() async throws {
    guard let request else { throw Mismatch("there is no request") }
    let ids = JSONValue.array((request.contexts + request.groups).map { .string($0) })
    let usual: JSONValue = ["result": ["status": "unsubscribed", "unsubscribed": ids, "requested": ids]]
    try require("a node's answer", answer.json, is: usual)
    try require("the status", answer.status, is: 200)
    let granting = VectorStreams()
    let result = try await awaiting { [answer] in
      let mero = Mero.of(granting, tokens: .pair("T", "R"), clock: FakeClock().clock)
      let sse = await mero.sse
      let states = granting.follow(sse)
      defer { states.cancel() }
      async let subscription = sse.subscribe(contextIds: request.contexts, groupIds: request.groups)
      try await granting.waitUntilOpened()
      granting.connect(VectorName.session)
      _ = try await subscription
      granting.reply(with: answer)
      await sse.unsubscribe(contextIds: request.contexts, groupIds: request.groups)
      // One request goes at a time: when this one is answered, the one before was.
      let next = try await sse.subscribe(contextIds: ["another"])
      let isOnline = sse.isOnline
      await mero.close()
      return (next, isOnline)
    }
    try require("the next subscription", result.0.subscribed, is: ["another"])
    try require(result.1, "the client is offline after it")
    try compare(request, with: granting, number: 1)
  }

  private func subscription(to request: Request, on node: VectorStreams) async throws -> SseSubscription {
    try await awaiting {
      let mero = Mero.of(node, tokens: .pair("T", "R"), clock: FakeClock().clock)
      async let subscription = mero.sse.subscribe(contextIds: request.contexts, groupIds: request.groups)
      try await node.waitUntilOpened()
      node.connect(VectorName.session)
      let result = try await subscription
      await mero.close()
      return result
    }
  }

  private func compare(_ expected: Request, with node: VectorStreams, number: Int) throws {
    let posts = node.requests.filter { $0.method == .post }
    guard posts.indices.contains(number) else { throw Mismatch("nothing was posted") }
    let sent = posts[number]
    try require("the body", sent.json, is: expected.body)
    try require("the method", sent.method.rawValue, is: expected.method ?? "POST")
    try require("the path", sent.url.path, is: expected.path ?? "/sse/subscription")
    for (name, value) in expected.headers {
      try require("the header \(name)", sent.headers[name], is: value)
    }
  }

  // MARK: Refused

  /// What came of a subscription that was refused.
  private enum Outcome: Sendable {
    case reopened(next: JSONValue)
    case stopped(MeroError)
    case offline(MeroError)
    case subscribed(SseSubscription)
  }

  private func checkNewSession(refusal: (status: Int, json: JSONValue)) async throws {
    try require("the status", answer.status, is: refusal.status)
    try require("what a node says", answer.json, is: refusal.json)
    guard case .reopened(let next) = try await outcome() else {
      throw Mismatch("no other session is asked for at once")
    }
    let expected: JSONValue = [
      "id": "2", "method": "subscribe", "params": ["contextIds": [.string(VectorName.context)]],
    ]
    try require("what is posted in the new session", next, is: expected)
  }

  private func checkStop() async throws {
    try require("the action", try expect.text("action"), is: "stop")
    let (name, authError) = (try expect.text("error"), try expect.text("authError"))
    guard case .stopped(let error) = try await outcome() else { throw Mismatch("the stream is not stopped") }
    try require("the error", error.vectorName, is: name)
    guard case .http(let http) = error else { throw Mismatch("the error is another: \(error)") }
    try require("what the guard says", http.authError, is: authError)
    try require("the guard's body", http.bodyText, is: "")
  }

  private func outcome() async throws -> Outcome {
    let node = VectorStreams(replies: [answer])
    return try await awaiting {
      // This clock stands still: what waits for three seconds waits for ever.
      let mero = Mero.of(node, tokens: .pair("T", "R"), clock: FakeClock().clock)
      let sse = await mero.sse
      let states = node.follow(sse)
      let subscribing = Task {
        node.report(.subscribed(try await sse.subscribe(contextIds: [VectorName.context])))
      }
      defer {
        states.cancel()
        subscribing.cancel()
      }
      try await node.waitUntilOpened()
      node.connect(VectorName.session)
      _ = try await node.waitUntilPosted()
      let outcome: Outcome = try await node.wait { happening in
        switch happening {
        case .opened: .reopened(next: .null)
        case .state(.stopped(let error)): .stopped(error)
        case .state(.offline(let error)): .offline(error)
        case .subscribed(let subscription): .subscribed(subscription)
        default: nil
        }
      }
      defer { Task { await mero.close() } }
      guard case .reopened = outcome else { return outcome }
      node.connect("2")
      return .reopened(next: try await node.waitUntilPosted())
    }
  }

  /// What the node of the test kit says to a session that it does not know, or that is somebody else's.
  private static func refusal(ofUnknownSession isUnknown: Bool) async throws -> (Int, JSONValue) {
    let node = FakeNode()
    func ask(_ method: HTTPMethod, _ path: String, _ token: String, _ body: JSONValue?) async throws
      -> HTTPResponse
    {
      try await node.handle(
        HTTPRequest(
          method, node.url.appendingPathComponent(path),
          headers: ["authorization": "Bearer \(token)", "content-type": "application/json"],
          body: body.map { .data($0.data()) }))
    }
    let stream = try await ask(.get, "sse", node.accessToken, nil)
    let session = stream.headers["x-sse-session-id"] ?? ""
    let stranger = node.makeSession().accessToken
    let answer = try await ask(
      .post, "sse/subscription", stranger,
      ["id": .string(isUnknown ? "1" : session), "method": "subscribe", "params": ["contextIds": []]])
    let body = try await answer.body.collect(upTo: 1 << 16)
    return (answer.status, try JSONValue(parsing: body))
  }
}

extension MeroError {
  /// The error as the vectors name it.
  var vectorName: String {
    switch self {
    case .http(let error): "http(\(error.status))"
    case .authRevoked(let reason, _): "authRevoked(\(reason))"
    default: "\(self)"
    }
  }
}
