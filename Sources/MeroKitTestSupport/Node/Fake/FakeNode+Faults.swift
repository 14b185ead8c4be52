import Foundation
import MeroHTTP
import MeroWire

/// What a node can be told to do wrong.
///
/// A route is named as in the endpoint list, with or without its method (`POST /admin-api/contexts/{context_id}/join`),
/// or by the very path of a request; nil is every route.
extension FakeNode {
  /// The next `times` requests get this answer and nothing is run. `json` nil is a body of `{"error": ...}`.
  public func failNext(
    _ route: String? = nil, status: Int, json: JSONValue? = nil, headers: HTTPHeaders = [:], times: Int = 1
  ) {
    let body: NodeRefusal.Body = json.map { .json($0) } ?? .admin(type: nil, data: nil)
    add(.answer(NodeRefusal(status, "refused by a fault", body, headers: headers)), route, times)
  }

  /// The next `times` requests get plain text, as from a proxy, or nothing at all; nothing is run.
  public func failNext(
    _ route: String? = nil, status: Int, text: String, headers: HTTPHeaders = [:], times: Int = 1
  ) {
    let body: NodeRefusal.Body = text.isEmpty ? .none : .text
    add(.answer(NodeRefusal(status, text, body, headers: headers)), route, times)
  }

  /// The next `times` requests are refused with 503, as by a node that cannot decide yet; the same call succeeds later.
  public func notYet(_ route: String? = nil, times: Int = 1) {
    add(.answer(.notYet("the node has not synced what it needs to decide this")), route, times)
  }

  /// The next `times` requests wait so many seconds, on the node's clock, before the node looks at them.
  public func delay(_ route: String? = nil, seconds: TimeInterval, times: Int = 1) {
    add(.delay(seconds), route, times)
  }

  /// The next `times` requests are run, and the connection is lost before the answer.
  public func loseAnswer(_ route: String? = nil, times: Int = 1) { add(.lose, route, times) }

  /// The next `times` requests are run and get this answer in place of theirs: a join that landed and says 504.
  public func replaceAnswer(
    _ route: String? = nil, status: Int, json: JSONValue? = nil, headers: HTTPHeaders = [:], times: Int = 1
  ) {
    let body: NodeRefusal.Body = json.map { .json($0) } ?? .admin(type: nil, data: nil)
    add(
      .replace(NodeRefusal(status, "the answer was replaced by a fault", body, headers: headers)), route,
      times)
  }

  private func add(_ kind: NodeFaultList.Kind, _ route: String?, _ times: Int) {
    store.withState { $0.faults.add(kind, at: route, times: times) }
  }

  /// The next `times` executions end with this error of 10 §3, such as `GroupKeyPending`; nothing is run.
  public func failExecutions(
    _ type: String, data: JSONValue? = nil, method: String? = nil, context: String? = nil, times: Int = 1
  ) {
    store.withState {
      $0.faults.fail(ExecutionFailure(type, data), method: method, context: context, times: times)
    }
  }

  /// No way leads to the node any more: connecting fails, and open streams are cut.
  public func down() {
    store.withState { $0.faults.reach = .down }
    dropStreams(.cut)
  }

  /// The node takes requests and never answers. A request ends when its timeout does, on the node's clock.
  public func silent() { store.withState { $0.faults.reach = .silent } }

  /// The node answers again, after ``down()`` or ``silent()``.
  public func up() { store.withState { $0.faults.reach = .up } }

  /// Every fault set before is gone.
  public func clearFaults() { store.withState { $0.faults.clear() } }
}
