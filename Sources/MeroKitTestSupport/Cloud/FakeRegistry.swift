import Foundation
import MeroHTTP
import MeroWire

/// A registry of applications in memory (40 §16.1, §18.3).
///
/// ```swift
/// let registry = FakeRegistry()
/// registry.publish("com.example.notes", version: "1.0.0", signerId: "did:key:z6MkExample")
/// ```
public final class FakeRegistry: FakeHost {
  private let door: FakeDoor
  private let bundles = Locked<[(package: String, bundle: JSONObject)]>([])

  /// A registry with nothing in it.
  public init(url: String = "https://registry.test") { door = FakeDoor(url) }

  /// Where it is reached, as an app is told.
  public var url: String { door.url.absoluteString }
  /// Where it is reached.
  public var hostURL: URL { door.url }

  /// Publishes a version; a member that is nil is left out.
  public func publish(
    _ package: String, version: String?, signerId: String?, yanked: Bool = false, migration: JSONValue? = nil
  ) {
    var bundle: JSONObject = ["package": .string(package)]
    bundle["appVersion"] = version.map { .string($0) }
    bundle["signerId"] = signerId.map { .string($0) }
    bundle["yanked"] = .bool(yanked)
    bundle["migration"] = migration
    bundles.withLock { $0.append((package, bundle)) }
  }

  /// Answers a request. Throws `TransportError` when the connection is to be dropped.
  public func handle(_ request: HTTPRequest) async throws -> HTTPResponse {
    try await door.answer(request) { try self.serve($0) }
  }

  /// What arrived so far, in order.
  public var log: [FakeRequest] { door.log }

  /// Fails every request whose path has `path` in it, or every request; nil works again.
  public func fail(_ outage: FakeOutage?, at path: String = "") { door.fail(outage, at: path) }

  private func serve(_ request: FakeRequest) throws(NodeRefusal) -> HTTPResponse {
    guard request.method == "GET" else { throw .noRoute(request) }
    let all = bundles.withLock { $0 }
    if request.path == "/api/v2/bundles" {
      let asked = request.query["package"]
      let found = all.filter { asked == nil || $0.package == asked }
      return .json(200, .array(found.map { .object($0.bundle) }))
    }
    guard let parts = request.parts(of: "/api/v2/bundles/*/*") else { throw .noRoute(request) }
    let found = all.first { $0.package == parts[0] && $0.bundle["appVersion"]?.stringValue == parts[1] }
    guard let found else { throw NodeRefusal(404, "there is no such version") }
    return .json(200, .object(found.bundle))
  }
}
