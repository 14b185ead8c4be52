import Foundation
import MeroHTTP
import MeroKitTestSupport
import MeroWire

@testable import MeroKit

/// A relay on this machine that lets an account do everything, and what an account needs to use it.
enum WillingRelay {
  static let url = "http://localhost:2540"
  static let namespace = AccountFixture.id(0x42)

  static func environment(
    _ transport: any HTTPTransport, store: DelegatedAccountStore = .memory(),
    nonces: any WarrantNonceStore = MemoryWarrantNonceStore()
  ) -> DelegatedEnvironment {
    DelegatedEnvironment(
      store: store, nonces: nonces, audience: .cli, transport: transport, clock: FakeClock().clock)
  }

  /// A relay that may do everything, and answers what it is told to.
  static func answering(_ answer: @escaping @Sendable (HTTPRequest) throws -> JSONValue?) -> ScriptedNode {
    ScriptedNode { request in
      if let json = try answer(request) { return .json(json) }
      let path = request.url.path
      if path.hasSuffix("/auth/challenge") { return .json(["challenge": .string(AccountFixture.id(9))]) }
      if path.hasSuffix("/auth/token") { return .json(["access_token": "A1", "refresh_token": "R1"]) }
      return .json([
        "data": [
          "executorAccount": .string(AccountFixture.id(3)), "executorKey": .string(AccountFixture.id(4)),
          "groupId": .string(namespace), "canActOnBehalf": true, "canCreateOnBehalf": true,
        ]
      ])
    }
  }
}
