import Foundation
import MeroAPI
import MeroHTTP
import MeroKitTestSupport
import MeroWire
import Testing

@testable import MeroKit

@Suite("What a hostile cluster answers")
struct AnswerFuzzTests {
  @Test(
    "every operation ends with a value or a typed error for 200 mutated answers, and nothing hangs",
    .timeLimit(.minutes(5)), arguments: FacadeCall.all)
  func mutatedAnswers(_ call: FacadeCall) async throws {
    let rig = SessionRig(nodes: 1)
    let client = rig.client(nodes: [0])
    try await client.signUp(rig.passkey, name: "ada")
    let good = try GoodAnswer(of: call.operation)
    let seed = Locked<UInt64>(0)
    rig.cloud.nodes[0].replaceAnswers { operation in
      operation == call.operation ? good.mutated(seed: seed.withLock { $0 }) : nil
    }
    var refused = 0
    for number in 0..<200 as Range<UInt64> {
      seed.withLock { $0 = number }
      do {
        try await call.run(Groups(caller: client.core))
      } catch CalimeroError.signedOut {
        refused += 1
        rig.cloud.nodes[0].replaceAnswers { operation in
          operation == call.operation && !Self.isSignIn(operation)
            ? good.mutated(seed: seed.withLock { $0 }) : nil
        }
        try await client.signIn(rig.passkey)
      } catch is CalimeroError {
        refused += 1
      } catch {
        Issue.record("seed \(number): \(error)")
      }
    }
    #expect(refused > 0)
  }

  private static func isSignIn(_ operation: String?) -> Bool {
    operation == "auth_signin_begin" || operation == "auth_signin_finish" || operation == "auth_refresh"
  }
}
