import Foundation
import MeroHTTP
import MeroKit
import MeroKitTestSupport
import MeroWire

extension NodeGroup {
  /// What a connection keeps of presence for those who come later, and how old it says that is.
  static let presenceSeed = NodeGroup(name: "presenceSeed") { file, run in
    await NodeCases(["4,5": ["seed-timeline"]]).check("presenceSeed", in: file, &run) { _, object in
      let steps = try object.objects("steps")
      try await PresenceTimeline(steps).check()
    }
  }
}

/// What happens on a connection, moment by moment, and what it has kept at some of them.
private struct PresenceTimeline: Sendable {
  private enum Step: Sendable {
    case subscribe
    case unsubscribe
    case presence(JSONValue)
    case frame(JSONValue)
    /// The presence that has to be kept.
    case seed([JSONValue], inAnyOrder: Bool)

    /// What a file says of it, without what is expected.
    var json: JSONValue {
      switch self {
      case .subscribe: ["do": "subscribe", "contextId": .string(VectorName.context)]
      case .unsubscribe: ["do": "unsubscribe", "contextId": .string(VectorName.context)]
      case .presence(let data): ["event": data]
      case .frame(let frame): ["do": "frame", "frame": frame]
      case .seed: "seed"
      }
    }
  }

  /// What the case is about: an entry that lives on and one that is removed, then both, then another session.
  private static let script: [(milliseconds: Int, step: Step)] = {
    let (author, other) = (JSONValue.string(VectorName.author), JSONValue.string(VectorName.otherAuthor))
    let seed = Step.seed([], inAnyOrder: false)
    return [
      (0, .subscribe),
      (0, .presence(["author": author, "state": [49], "ageMs": 500])),
      (0, .presence(["author": other, "state": [50]])),
      (200, .presence(["author": other, "removed": true])),
      (1000, seed),
      (9000, seed),
      (9000, .presence(["author": other, "state": [51]])),
      (9100, seed),
      (9200, .frame(["type": "connect", "session_id": "2", "reconnect": false])),
      (9200, seed),
      (9300, .presence(["author": author, "state": [49], "ageMs": 10])),
      (9400, .unsubscribe),
      (9400, seed),
    ]
  }()

  private let steps: [(milliseconds: Int, step: Step)]

  init(_ objects: [VectorObject]) throws {
    var steps: [(milliseconds: Int, step: Step)] = []
    for object in objects {
      object.prose("note")
      steps.append((try object.number("atMs"), try Self.step(object)))
      try object.finish()
    }
    func inputs(_ steps: [(milliseconds: Int, step: Step)]) -> [JSONValue] {
      steps.map { [JSONValue($0.milliseconds), $0.step.json] }
    }
    try require("what happens", inputs(steps), is: inputs(Self.script))
    self.steps = steps
  }

  private static func step(_ object: VectorObject) throws -> Step {
    if object.has("event") { return .presence(try object.value("event")) }
    if object.has("expectSeed") {
      let order = object.has("order") ? try object.text("order") : nil
      try require(order == nil || order == "any", "there is no order \(order ?? "")")
      let seed = try object.value("expectSeed")
      guard let entries = seed.arrayValue else { throw Mismatch("\(object.path).expectSeed is not an array") }
      return .seed(entries, inAnyOrder: order != nil)
    }
    switch try object.text("do") {
    case "frame": return .frame(try object.value("frame"))
    case let name:
      try require("the context", try object.text("contextId"), is: VectorName.context)
      guard name == "subscribe" || name == "unsubscribe" else { throw Mismatch("nobody can \(name)") }
      return name == "subscribe" ? .subscribe : .unsubscribe
    }
  }

  func check() async throws {
    try await awaiting {
      let node = VectorStreams()
      let clock = FakeClock()
      let mero = Mero.of(node, clock: clock.clock)
      let sse = await mero.sse
      // Comes out of the client when everything before it is done.
      var marks = mero.events(contextIds: ["mark"]).makeAsyncIterator()
      try await node.waitUntilOpened()
      node.connect(VectorName.session)
      var time = 0
      for (milliseconds, step) in steps {
        clock.jump(by: TimeInterval(milliseconds - time) / 1000)
        time = milliseconds
        switch step {
        case .subscribe: try await sse.subscribe(contextIds: [VectorName.context])
        case .unsubscribe: await sse.unsubscribe(contextIds: [VectorName.context])
        case .frame(let frame): node.send(frame)
        case .presence(let data): node.send(["result": Self.event(data)])
        case .seed(let expected, let inAnyOrder):
          let seed = await sse.presenceSeed(VectorName.context)
          try Self.compare(seed, with: expected, inAnyOrder, at: milliseconds)
        }
        node.send(["result": ["contextId": "mark", "type": "Mark", "data": JSONValue(milliseconds)]])
        let mark = try await marks.next()
        try require("the mark after the step", mark?.data, is: JSONValue(milliseconds))
      }
      await mero.close()
    }
  }

  private static func event(_ data: JSONValue) -> JSONValue {
    ["contextId": .string(VectorName.context), "type": "Ephemeral", "data": data]
  }

  private static func compare(
    _ seed: [ContextEvent], with expected: [JSONValue], _ inAnyOrder: Bool, at milliseconds: Int
  ) throws {
    let actual = seed.map(\.payload)
    let events = expected.map(event)
    let what = "what is kept after \(milliseconds) ms"
    guard inAnyOrder else { return try require(what, actual, is: events) }
    try require(what, Set(actual), is: Set(events))
    try require("\(what): how much", actual.count, is: events.count)
  }
}
