import Foundation
import MeroAPI
import MeroHTTP
import MeroKitTestSupport

@testable import MeroKit

/// Sessions for tests. Pair `n` has the tokens `access-n` and `refresh-n`.
enum SessionSamples {
  static let epoch: Int64 = 1_790_000_000_000
  static let cluster = String(repeating: "ab", count: 32)
  static let node = URL(string: "http://127.0.0.1:2501")!

  static func session(
    _ pair: Int, at issued: Int64 = epoch, id: String = "ses_1", account: String = "acc_1",
    cluster: String = cluster
  ) -> Components.Schemas.Session {
    Components.Schemas.Session(
      sessionId: id, accountId: account, name: "ada", kind: .passkey, accessToken: "access-\(pair)",
      accessExpiresAt: issued + 900_000, accessExpiresInMs: 900_000, refreshToken: "refresh-\(pair)",
      refreshExpiresAt: issued + 30 * 86_400_000, scopes: ["all"], clusterId: cluster)
  }

  static func stored(
    _ pair: Int, at saved: Int64 = epoch, id: String = "ses_1", account: String = "acc_1",
    cluster: String = cluster
  ) -> StoredSession {
    StoredSession(
      session: session(pair, at: saved, id: id, account: account, cluster: cluster), issuedBy: node,
      savedAt: saved)
  }

  static func moment(_ seconds: TimeInterval) -> SessionMachine.Moment {
    .init(
      now: Date(timeIntervalSince1970: Double(epoch) / 1000 + seconds), uptime: 1000 + seconds)
  }
}
