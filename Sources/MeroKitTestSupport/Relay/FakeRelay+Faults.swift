import Foundation
import MeroHTTP
import MeroSealed
import MeroWire

/// What a relay can be told to do wrong. Routes are named as for ``FakeNode``, whose faults work here too.
extension FakeRelay {
  /// How attesting fails.
  public enum AttestationFault: Sendable, Hashable {
    /// Nothing answers.
    case down
    /// It is answered with this status.
    case status(Int)
    /// The quote is made for another number than the one that was sent.
    case wrongNonce
    /// The answer names another key than the quote does.
    case wrongKey
    /// The answer has nothing in it.
    case empty
  }

  /// Fails attesting from now on, of either key; nil works again. What the hardware shows is ``FakeNode/present(_:)``.
  public func failAttestation(_ fault: AttestationFault?) { state.withLock { $0.attestation = fault } }

  /// The next `times` requests at a route get this answer and nothing is run; `.max` is for good.
  ///
  /// - Parameter retryAfter: seconds for a `Retry-After`, which is left out for nil.
  public func refuse(
    _ route: String? = nil, status: Int, reason: String = "refused by a fault", retryAfter: Int? = nil,
    times: Int = 1
  ) {
    var headers = HTTPHeaders()
    headers["retry-after"] = retryAfter.map { "\($0)" }
    node.failNext(route, status: status, json: ["error": .string(reason)], headers: headers, times: times)
  }

  /// The next `times` requests at a route are run, and the connection is dropped before the answer.
  public func dropConnection(_ route: String? = nil, times: Int = 1) { node.loseAnswer(route, times: times) }

  /// Names another executor than itself in what it says about writes; nil is the truth again.
  public func nameExecutor(account: String? = nil, key: String? = nil) {
    node.store.withState { $0.relay?.claimed = NodeRelay.Claimed(account: account, key: key) }
  }

  /// Whether the relay has a grant to write for others.
  public func setGrant(_ hasGrant: Bool) { node.store.withState { $0.relay?.hasGrant = hasGrant } }

  /// Whether the relay leaves it to its proxy to find out who asks, and so can serve nothing in an envelope that needs a
  /// session: such requests are answered with `sealed_route_unguarded` there.
  public func setUnguarded(_ isUnguarded: Bool) async {
    await responder.inject { $0.unguarded = isUnguarded ? .delegatedAccess : nil }
  }

  /// Forgets the sealed sessions and keeps the key, as after a long silence.
  public func forgetSealedSessions() async { await responder.forgetSessions() }

  /// Cuts the next response in an envelope after so many frames; nil never.
  public func cutSealedResponse(afterFrames frames: Int?) async {
    await responder.inject {
      $0.cutAfterFrames = frames
      $0.cutTimes = 1
    }
  }

  /// The process is started again: the key of sealed channels is another, and nobody's sealed session goes on.
  ///
  /// - Parameter newNodeKey: whether the relay lost its own key too, as on a new machine: pins of it are of no use then, and
  ///   warrants that name it.
  public func restart(newNodeKey: Bool = false) async {
    let key = node.store.withState { state in
      state.governance.restart(newNodeKey: newNodeKey, random: state.random)
      return state.governance.secrets.transport
    }
    await responder.restart(transportKey: key)
  }

  /// Answers `tee/attest`, as wrong as it was told to.
  func attest(_ request: HTTPRequest, _ body: Data) async throws -> HTTPResponse {
    var request = request
    switch state.withLock({ $0.attestation }) {
    case nil: return try await node.handle(request)
    case .down:
      throw TransportError(kind: .cannotConnect, text: "no way leads to the relay", mayHaveBeenSent: false)
    case .status(let status): return .json(status, ["error": "attesting failed"])
    case .empty: return .json(200, ["data": [:]])
    case .wrongNonce:
      guard var asked = (try? JSONValue(parsing: body))?.objectValue else { return .json(400, [:]) }
      asked["nonce"] = .string(Hex.encode(node.random.bytes(32)))
      request.body = .data(JSONValue.object(asked).data())
      return try await node.handle(request)
    case .wrongKey:
      let response = try await node.handle(request)
      let whole = try await response.body.collect(upTo: 1 << 24)
      guard var data = (try? JSONValue(parsing: whole))?["data"]?.objectValue else { return .json(500, [:]) }
      for name in ["boundPublicKey", "transportPublicKey"] where data[name] != nil {
        data[name] = .string(Hex.encode(node.random.bytes(32)))
      }
      return .json(200, ["data": .object(data)])
    }
  }
}
