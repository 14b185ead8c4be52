import Foundation
import MeroHTTP
import MeroWire

extension FakeRelay {
  /// Whether the relay takes part in a namespace, so that it can serve its members.
  public func serves(_ namespaceId: String) -> Bool {
    node.store.withState { state in
      state.governance.namespaces[namespaceId]?.log.tree.groups[namespaceId]?.members[
        state.governance.identity.account] != nil
    }
  }

  /// Asks the linked relays of a namespace to let this one in by what its hardware says, as the cloud has it do to host the
  /// namespace.
  ///
  /// - Returns: whether it was let in.
  @discardableResult
  public func joinFleet(of namespaceId: String) async throws -> Bool {
    let session = node.makeSession(permissions: ["admin"])
    var request = HTTPRequest(.post, hostURL.appendingPathComponent("admin-api/tee/fleet-join"))
    request.headers["authorization"] = "Bearer \(session.accessToken)"
    request.headers["content-type"] = "application/json"
    request.body = .data(JSONValue.object(["groupId": .string(namespaceId)]).data())
    let response = try await node.handle(request)
    let answer = try? JSONValue(parsing: try await response.body.collect(upTo: 1 << 20))
    return answer?["admitted"]?.boolValue == true
  }
}
