import Foundation
import MeroHTTP
import MeroWire

/// The front of a host: keeps what arrives, fails when it is told to, and turns refusals into answers.
final class FakeDoor: Sendable {
  private struct State {
    var log: [FakeRequest] = []
    var outages: [(path: String, outage: FakeOutage)] = []
  }

  let url: URL
  private let address: NodeAddress
  private let state = Locked(State())

  init(_ text: String) {
    guard let url = URL(string: text), url.host != nil else { preconditionFailure("\(text) is no address") }
    self.url = url
    address = NodeAddress(url)
  }

  var log: [FakeRequest] { state.withLock { $0.log } }

  func clearLog() { state.withLock { $0.log = [] } }

  /// Fails every request whose path has `path` in it; nil works again.
  func fail(_ outage: FakeOutage?, at path: String) {
    state.withLock { state in
      state.outages.removeAll { $0.path == path }
      if let outage { state.outages.append((path, outage)) }
    }
  }

  func answer(
    _ request: HTTPRequest, _ serve: (FakeRequest) async throws -> HTTPResponse
  ) async throws -> HTTPResponse {
    let inner = address.innerPath(of: request.url)
    let split = inner.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
    let arrived = FakeRequest(
      method: request.method.rawValue, path: String(split[0]),
      query: NodeExchange.readQuery(split.count > 1 ? split[1] : nil), headers: request.headers,
      body: try NodeBodyReader.bytes(of: request))
    let outage = state.withLock { state in
      let outage = state.outages.first { arrived.path.contains($0.path) || $0.path.isEmpty }?.outage
      // A request that finds nobody has not arrived.
      if outage != .refused { state.log.append(arrived) }
      return outage
    }
    switch outage {
    case .refused:
      throw TransportError(
        kind: .cannotConnect, text: "no way leads to \(url.host ?? "this host")", mayHaveBeenSent: false)
    case .status(let status): return .json(status, ["error": "failing, as it was told to"])
    case nil: break
    }
    do {
      return try await serve(arrived)
    } catch let refusal as NodeRefusal { return refusal.response }
  }
}

extension NodeRefusal {
  /// What every host answers at a path it does not know.
  static func noRoute(_ request: FakeRequest) -> NodeRefusal {
    NodeRefusal(404, "no route \(request.line)")
  }
}
