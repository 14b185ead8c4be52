import MeroHTTP
import MeroWire

/// 20 §5.1.
enum SystemRoutes {
  static let rows: [NodeRoute] = [
    NodeRoute(.get, "/admin-api/health", "public", health),
    NodeRoute(.get, "/admin-api/ready", "public", ready),
    NodeRoute(.get, "/admin-api/is-authed", "public") { _, _ in .data(["status": "alive"]) },
  ]

  private static let health: NodeHandler = { state, _ in
    guard state.system.isStoreAvailable else { throw unavailable("store_unavailable") }
    return .data(["status": "alive"])
  }

  private static let ready: NodeHandler = { state, _ in
    guard state.system.isStoreAvailable else { throw unavailable("store_unavailable") }
    guard state.system.lifecycle == .ready else { throw unavailable(state.system.lifecycle.rawValue) }
    return .data(["status": "ready"])
  }

  private static func unavailable(_ status: String) -> NodeRefusal {
    NodeRefusal(503, status, .json(["data": ["status": .string(status)]]))
  }
}
