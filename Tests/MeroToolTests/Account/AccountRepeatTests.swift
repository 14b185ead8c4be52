import Foundation
import MeroWire
import Testing

@testable import mero

@Suite("mero account: writing once", .timeLimit(.minutes(3)))
struct AccountRepeatTests {
  @Test("a write that ran, and whose answer says that its number was spent, is not run again")
  func spentByItself() async throws {
    try await withAccountTool { rig in
      let ada = rig.person("ada")
      try await ada.signIn()
      let (_, context) = try await ada.foundWithContext()
      @Sendable func runs() -> Int {
        rig.services.relays.flatMap(\.nonces).filter { $0.subject == context && $0.isSpent }.count
      }
      let before = runs()
      for relay in rig.services.relays {
        // As of a proxy that sends a request again when the first answer was lost.
        relay.node.replaceAnswer(
          "POST /admin-api/contexts/{context_id}/intents", status: 403,
          json: ["error": "this warrant's nonce has already been spent"])
      }
      await ada.run("call", context, "set_value", #"{"key":"k","value":"v"}"#)
      #expect(runs() - before == 1)
    }
  }
}
