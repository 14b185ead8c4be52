import Foundation
import MeroHTTP
import MeroSealed
import MeroWire

/// How requests come in: in the open, or in envelopes.
extension FakeRelay {
  /// Answers a request that arrives at the relay, whatever its host: for listeners on sockets.
  ///
  /// Throws `TransportError` when the connection is to be dropped.
  public func handle(_ request: HTTPRequest) async throws -> HTTPResponse {
    let path = address.innerPath(of: request.url)
    switch path.prefix(while: { $0 != "?" }) {
    case "/sealed/v2/handshake":
      try await node.checkReach(of: request)
      state.withLock { $0.handshakes += 1 }
      return await responder.handshake(request)
    case "/sealed/v2":
      try await node.checkReach(of: request)
      state.withLock { $0.envelopes += 1 }
      return await responder.exchange(request) { try await self.open($0, from: request) }
    default: return try await serve(request, path, isSealed: false)
    }
  }

  /// Serves what was in an envelope as if it had come without.
  private func open(_ inner: SealedInnerRequest, from outer: HTTPRequest) async throws -> HTTPResponse {
    let base = String(address.url.absoluteString.reversed().drop { $0 == "/" }.reversed())
    guard let url = URL(string: base + inner.path) else {
      return .json(400, ["error": "the path inside the envelope is none"])
    }
    let request = HTTPRequest(
      HTTPMethod(rawValue: inner.method), url, headers: inner.headers,
      body: inner.body.isEmpty ? nil : .data(inner.body), timeout: outer.timeout,
      idleTimeout: outer.idleTimeout)
    return try await serve(request, inner.path, isSealed: true)
  }

  private func serve(_ request: HTTPRequest, _ path: String, isSealed: Bool) async throws -> HTTPResponse {
    let body = try NodeBodyReader.bytes(of: request)
    let number = state.withLock { state in
      state.log.append(
        Request(
          method: request.method.rawValue, path: path, headers: request.headers,
          body: body.count <= 1 << 20 ? body : Data(), isSealed: isSealed))
      return state.log.count - 1
    }
    let isAttestation = request.method == .post && path == "/admin-api/tee/attest"
    let response =
      isAttestation ? try await attest(request, body) : try await node.handle(request)
    state.withLock { state in
      if state.log.indices.contains(number) { state.log[number].status = response.status }
    }
    return response
  }
}

extension FakeNode {
  /// Ends here what cannot reach the node, or what it does not answer.
  func checkReach(of request: HTTPRequest) async throws {
    switch store.withState({ $0.faults.reach }) {
    case .up: return
    case .down:
      throw TransportError(kind: .cannotConnect, text: "no way leads to the node", mayHaveBeenSent: false)
    case .silent:
      try await store.clock.sleep(request.timeout ?? 86_400)
      throw TransportError(kind: .timedOut, text: "the node did not answer in time", mayHaveBeenSent: true)
    }
  }
}
