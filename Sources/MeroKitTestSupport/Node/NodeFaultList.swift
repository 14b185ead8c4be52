import Foundation
import MeroHTTP
import MeroWire

/// What a node does wrong on purpose (20 §9).
struct NodeFaultList: Sendable {
  enum Reach: Sendable { case up, down, silent }

  enum Kind: Sendable {
    /// Answers this without running anything.
    case answer(NodeRefusal)
    /// Waits so many seconds first.
    case delay(TimeInterval)
    /// Runs, and loses the connection before the answer.
    case lose
    /// Runs, and answers this instead.
    case replace(NodeRefusal)
  }

  private struct Fault: Sendable {
    /// The route or path it is for; nil for every one.
    let route: String?
    let kind: Kind
    var times: Int
  }

  private struct ExecutionFault: Sendable {
    let failure: ExecutionFailure
    let method: String?
    let contextId: String?
    var times: Int
  }

  /// Where a request goes, in the ways a test may name it.
  struct Target: Sendable {
    let method: String
    let path: String
    let template: String?

    func isNamed(_ name: String) -> Bool {
      [path, template].contains { known in known.map { $0 == name || "\(method) \($0)" == name } ?? false }
    }
  }

  var reach = Reach.up
  private var faults: [Fault] = []
  private var executions: [ExecutionFault] = []

  mutating func add(_ kind: Kind, at route: String?, times: Int) {
    faults.append(Fault(route: route, kind: kind, times: times))
  }

  mutating func fail(_ failure: ExecutionFailure, method: String?, context: String?, times: Int) {
    executions.append(ExecutionFault(failure: failure, method: method, contextId: context, times: times))
  }

  mutating func clear() { self = NodeFaultList() }

  /// What a request waits for, gets in place of being run, and gets in place of its answer.
  mutating func take(for target: Target) -> (delay: TimeInterval, before: NodeRefusal?, after: Kind?) {
    let delay = takeFirst(target) { if case .delay(let seconds) = $0 { seconds } else { nil } }
    if let refusal = takeFirst(target, { if case .answer(let refusal) = $0 { refusal } else { nil } }) {
      return (delay ?? 0, refusal, nil)
    }
    let after = takeFirst(target) { kind -> Kind? in
      switch kind {
      case .lose, .replace: kind
      case .answer, .delay: nil
      }
    }
    return (delay ?? 0, nil, after)
  }

  private mutating func takeFirst<Value>(_ target: Target, _ value: (Kind) -> Value?) -> Value? {
    for (index, fault) in faults.enumerated() where fault.route.map(target.isNamed) ?? true {
      guard let found = value(fault.kind) else { continue }
      if fault.times <= 1 { faults.remove(at: index) } else { faults[index].times -= 1 }
      return found
    }
    return nil
  }

  mutating func takeExecutionFailure(of method: String, in context: String) -> ExecutionFailure? {
    let index = executions.firstIndex { fault in
      (fault.method ?? method) == method && (fault.contextId ?? context) == context
    }
    guard let index else { return nil }
    let failure = executions[index].failure
    if executions[index].times <= 1 { executions.remove(at: index) } else { executions[index].times -= 1 }
    return failure
  }
}
