import Foundation

extension FakeNode {
  /// Joins that went well are answered this many seconds later, on the node's clock; the membership is there before.
  /// For a join that lands and is not answered, see ``replaceAnswer(_:status:json:headers:times:)`` and
  /// ``loseAnswer(_:times:)``.
  public func answerJoins(after seconds: TimeInterval) {
    store.withState { $0.governance.joinDelay = seconds }
  }
}
