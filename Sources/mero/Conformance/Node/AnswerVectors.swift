import Foundation
import MeroHTTP
import MeroKit
import MeroWire

extension NodeGroup {
  /// What an answer means: which error it is, whether the session survives, whether the request is sent again.
  static let answers = NodeGroup(name: "http") { file, run in
    let cases = NodeCases([
      "1": [
        "http-admin-error-envelope", "http-nested-proxy-envelope", "http-non-json-error",
        "http-typed-refusal", "http-not-yet-503", "http-401-expired-refreshes",
        "http-401-expired-but-already-rotated", "http-401-expired-store-newer", "http-401-bare",
        "http-403-token-revoked", "http-403-permission-denied", "http-204-empty", "http-2xx-null-data",
        "http-2xx-not-json", "http-network", "http-cancelled",
      ],
      "2": [
        "http-auth-validation", "http-403-invalid-node", "http-401-refresh-too-early", "http-429-login",
      ],
      "1,2": ["http-401-token-reuse"],
    ])
    await cases.check("http", in: file, &run) { name, object in
      let exchange = try AnswerExchange(name, object)
      let outcome = try await exchange.outcome()
      let expect = try object.object("expect")
      try AnswerExpectation(expect, of: exchange).check(outcome)
      try expect.finish()
    }
  }
}
