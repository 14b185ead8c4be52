import Foundation
import MeroKit
import MeroWire

extension NodeGroup {
  /// Whether the tokens of a login callback replace those there are.
  static let adoptions = NodeGroup(name: "adoption") { file, run in
    await NodeCases(["2": AdoptionVector.known.keys.sorted()]).check("adoption", in: file, &run) {
      name, object in
      let vector = try AdoptionVector(name, object)
      let expect = try object.object("expect")
      try vector.check(expect)
      try expect.finish()
    }
  }
}

/// A callback and what was stored before it.
private struct AdoptionVector {
  private let inputs: Inputs
  private let now: Date

  init(_ name: String, _ object: VectorObject) throws {
    guard let known = Self.known[name] else { throw Mismatch("there is no case \(name)") }
    inputs = try Inputs(object)
    // Whether old tokens are old does not depend on their every letter: that they are the right ones is looked at here.
    try require("the callback and what is stored", inputs, is: known)
    let milliseconds = try object.number("nowMs")
    try require("the time", milliseconds, is: 1_790_000_010_000)
    now = Date(milliseconds: milliseconds)
  }

  func check(_ expect: VectorObject) throws {
    let decision = TokenAdoption.resolve(
      callbackAccessToken: inputs.access, callbackRefreshToken: inputs.refresh, callbackNodeURL: inputs.node,
      stored: inputs.stored, storedNodeURL: inputs.storedNode, now: now)
    try require("the reason", decision.reason.rawValue, is: try expect.text("reason"))
    try require("the decision", decision.adopt, is: try expect.flag("adopt"))
    let tokens = try expect.valueIfThere("tokens")
    try require("what is stored then", try decision.tokens.map { try JSONValue(encoding: $0) }, is: tokens)
  }

  struct Inputs: Hashable {
    let access: String
    let refresh: String
    let node: String
    let stored: TokenData?
    let storedNode: String?

    init(
      _ access: String, _ refresh: String, from node: String = "https://node-a.example",
      over stored: (access: String, refresh: String)? = nil, of storedNode: String? = nil
    ) {
      self.access = access
      self.refresh = refresh
      self.node = node
      self.stored = stored.map {
        TokenData(
          accessToken: $0.access, refreshToken: $0.refresh, expiresAt: Date(milliseconds: 1_790_003_540_000))
      }
      self.storedNode = storedNode
    }

    init(_ object: VectorObject) throws {
      let callback = try object.object("callback")
      access = try callback.text("accessToken")
      refresh = try callback.text("refreshToken")
      node = try callback.text("nodeUrl")
      try callback.finish()
      let bundle = try object.value("stored")
      stored = bundle.isNull ? nil : try bundle.decode(TokenData.self)
      storedNode = try object.textOrNull("storedNodeUrl")
      // What a store holds is all that it holds.
      try require("what is stored", try stored.map { try JSONValue(encoding: $0) } ?? .null, is: bundle)
    }
  }

  static let known: [String: Inputs] = {
    func issued(_ issued: Int, _ end: Int) -> String {
      SampleToken.claims(["sub": "u", "iat": JSONValue(issued), "exp": JSONValue(end)])
    }
    func ending(_ end: Int) -> String { SampleToken.claims(["exp": JSONValue(end)]) }
    let newest = issued(1_790_000_000, 1_790_003_600)
    let oldest = issued(1_789_999_400, 1_790_003_000)
    let held = (access: issued(1_789_999_940, 1_790_003_540), refresh: "rotated")
    let opaque = (access: "opaque", refresh: "rotated")
    let node = "https://node-a.example"
    return [
      "adopt-fresh": Inputs(newest, "r1"),
      "adopt-fresh-access-only": Inputs(newest, ""),
      "adopt-stale": Inputs(oldest, "consumed", over: held, of: node),
      "adopt-replay": Inputs(held.access, "original", over: held, of: node),
      "adopt-newer": Inputs(newest, "r2", over: held, of: node),
      "adopt-newer-access-only": Inputs(newest, "", over: held, of: node),
      "adopt-other-node-even-if-older": Inputs(
        oldest, "rb", from: "https://node-b.example", over: held, of: node),
      "adopt-unknown-stored-node": Inputs(oldest, "rb", over: held),
      "adopt-same-origin-path": Inputs(
        oldest, "consumed", from: "https://node-a.example/auth/callback", over: held, of: node),
      "adopt-fill-refresh": Inputs(oldest, "r9", over: (held.access, ""), of: node),
      "adopt-exp-tiebreak": Inputs(
        ending(1_790_009_000), "r3", over: (ending(1_790_000_100), "rotated"), of: node),
      "adopt-opaque-stored-newer": Inputs(ending(1_790_007_200), "", over: opaque, of: node),
      "adopt-opaque-stored-older": Inputs(ending(1_790_003_000), "x", over: opaque, of: node),
      "adopt-opaque-callback": Inputs("opaque-cb", "x", over: held, of: node),
    ]
  }()
}
