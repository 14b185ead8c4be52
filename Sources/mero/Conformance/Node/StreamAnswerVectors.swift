import Foundation
import MeroHTTP
import MeroKit
import MeroKitTestSupport

extension NodeGroup {
  /// Answers in place of an event stream, and what the client does then.
  static let streamAnswers = NodeGroup(name: "sseConnect") { file, run in
    let names = [
      "stream-401-expired", "stream-401-bare", "stream-403-revoked", "stream-403-permission", "stream-503",
    ]
    await NodeCases(["4": names]).check("sseConnect", in: file, &run) { _, object in
      try await StreamAnswerVector(object).check()
    }
  }
}

private struct StreamAnswerVector {
  private let answer: VectorAnswer
  private let expect: VectorObject

  init(_ object: VectorObject) throws(Mismatch) {
    answer = try VectorAnswer(try object.object("response"))
    expect = try object.object("expect")
  }

  /// What the client did.
  private struct Outcome: Sendable {
    var error: MeroError?
    /// When the stream was opened again; nil when it was not.
    var reopenedAfter: TimeInterval?
    var refreshes = 0
    var tokens: TokenData?
  }

  func check() async throws {
    try require("a guard's body", answer.body, is: "")
    let outcome = try await outcome()
    let error = expect.has("error") ? try expect.text("error") : nil
    try require("the error", outcome.error?.vectorName, is: error)
    let refreshes = expect.has("refreshOnce") ? try expect.flag("refreshOnce") : false
    try require("the number of refreshes", outcome.refreshes, is: refreshes ? 1 : 0)
    try require("whether the tokens are gone", outcome.tokens == nil, is: try expect.flag("tokensCleared"))
    try require("what comes then", Self.name(outcome.reopenedAfter), is: try expect.text("then"))
    try expect.finish()
  }

  private static func name(_ reopenedAfter: TimeInterval?) -> String {
    switch reopenedAfter {
    case nil: "stop"
    case 0: "reconnect-now"
    case let seconds?: "reconnect-after-\(Int((seconds * 1000).rounded()))ms"
    }
  }

  private func outcome() async throws -> Outcome {
    let node = VectorStreams(refusals: [answer])
    return try await awaiting {
      // The wait for the next stream passes by itself; limits of requests, which are longer, do not.
      let clock = FakeClock(autoAdvance: 9)
      let begin = clock.now
      let mero = Mero.of(node, tokens: .pair("A1", "R1"), clock: clock.clock)
      let states = node.follow(await mero.sse)
      defer { states.cancel() }
      await mero.sse.connect()
      var outcome = Outcome()
      var isSettled = false
      for await happening in node.happenings {
        switch happening {
        case .opened(2):
          outcome.reopenedAfter = clock.now.timeIntervalSince(begin)
          node.connect(VectorName.session)
        case .state(.offline(let error)): outcome.error = error
        case .state(.online): isSettled = true
        case .state(.stopped(let error)):
          outcome.error = error
          await clock.advance(by: 60)
          isSettled = true
        default: break
        }
        if isSettled { break }
      }
      outcome.refreshes = node.requests(to: "/auth/refresh").count
      if node.requests(to: "/sse").count > 1 { outcome.reopenedAfter = outcome.reopenedAfter ?? 0 }
      outcome.tokens = await mero.currentTokenData()
      await mero.close()
      return outcome
    }
  }
}
