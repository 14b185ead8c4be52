import Foundation
import MeroWire

/// Answers what a node asks of a request beyond a session: a person's passkey (412) or an operator's signature (428).
/// Each is answered once, and the time it takes a person is not the request's.
extension RequestRun {
  func providers() async -> (passkey: (any PasskeyProvider)?, signer: (any OperatorSigner)?) {
    let (passkey, signer) = (await engine.settings.passkey, await engine.settings.operatorSigner)
    return (plan.passkey ?? passkey, plan.operatorSigner ?? signer)
  }

  mutating func confirm(at node: URL) async throws {
    progress.situation.answersConfirm = false
    let challenge = lastRefusal?.details ?? [:]
    guard let provider = await providers().passkey else {
      throw CalimeroError.confirm(.required(action: challenge["action"]?.stringValue ?? ""))
    }
    guard let (cluster, time) = await statementGrounds() else { throw CalimeroError.confirm(.mismatch) }
    log(.stepUp, node: node, text: "a passkey is asked for")
    let asked = now
    confirmation = try await StepUp.confirmHeader(
      challenge: challenge, request: request, clusterId: cluster, nodeTime: time, provider: provider,
      node: await pool.base)
    progress.excuse(now - asked)
  }

  mutating func sign() async throws {
    progress.situation.answersOperator = false
    let challenge = lastRefusal?.details ?? [:]
    guard let signer = await providers().signer else {
      throw CalimeroError.operatorSignature(.required(action: challenge["action"]?.stringValue ?? ""))
    }
    guard let (cluster, time) = await statementGrounds() else {
      throw CalimeroError.operatorSignature(.mismatch)
    }
    log(.stepUp, text: "an operator's signature is asked for")
    let asked = now
    operatorSignature = try await StepUp.operatorHeader(
      challenge: challenge, request: request, clusterId: cluster, nodeTime: time, signer: signer)
    progress.excuse(now - asked)
  }

  /// The cluster and the node's time, which every signed statement speaks of. A node answered, so it was attested, and
  /// its cluster is known; nil if it is not after all.
  private func statementGrounds() async -> (cluster: [UInt8], time: Date)? {
    guard let id = await pool.cluster(), let cluster = try? Hex.decode(id, count: 32, field: "clusterId")
    else { return nil }
    var offset = await engine.settings.nodeTimeOffset
    if await !engine.settings.knowsNodeTime, await engine.settings.apiKey == nil,
      let stored = await engine.keeper?.current()
    {
      // No answer told the time since this client was made; the session it found stored did, when it was given.
      offset = stored.nodeTimeOffset
    }
    return (cluster, engine.clock.now().addingTimeInterval(offset))
  }
}
