import Foundation
import MeroAPI
import MeroKitTestSupport
import MeroWire

@testable import MeroKit

/// A cluster with an operator and an organization that would like to deploy, each with a client of its own.
struct OperatorRig {
  let rig: SessionRig
  /// The operator's client, which has no signer of its own.
  let olga: CalimeroClient
  let olgasPasskey = SoftPasskey()
  let key: Ed25519OperatorKey
  let ada: CalimeroClient
  let org: String
  static let publisher = [UInt8](repeating: 9, count: 32)

  init(nodes: Int = 3) async throws {
    rig = SessionRig(nodes: nodes)
    let places = Array(0..<nodes)
    (olga, ada) = (rig.client(nodes: places), rig.client(nodes: places))
    key = try Ed25519OperatorKey(raw: [UInt8](repeating: 1, count: 32))
    try await olga.signUp(olgasPasskey, name: "olga")
    rig.cloud.addOperator("olga", key: key.publicKey)
    try await ada.signUp(rig.passkey, name: "ada")
    org = try await ada.orgs.create(name: "Acme").orgId
  }

  /// Acme applies to deploy; the decision it waits for.
  func apply() async throws -> String {
    try await ada.deployments.signupCreate(org: org, reason: "A counter.").decisionId ?? ""
  }

  /// The requests for votes that reached the nodes, by their statuses.
  var votes: [Int?] { rig.cloud.log.requests("ops_decision_vote").map(\.status) }
}

/// A signer that keeps what it was shown, and signs, declines or fails.
actor WatchedSigner: OperatorSigner {
  nonisolated let publicKey: [UInt8]
  private(set) var seen: [OperatorStatement] = []
  private let key: Ed25519OperatorKey
  private let error: (any Error)?
  private let whileSigning: @Sendable () -> Void

  init(
    _ key: Ed25519OperatorKey, throwing error: (any Error)? = nil,
    whileSigning: @escaping @Sendable () -> Void = {}
  ) {
    self.key = key
    self.error = error
    publicKey = key.publicKey
    self.whileSigning = whileSigning
  }

  func sign(_ statement: OperatorStatement) throws -> [UInt8] {
    seen.append(statement)
    whileSigning()
    if let error { throw error }
    return try key.sign(statement)
  }
}
