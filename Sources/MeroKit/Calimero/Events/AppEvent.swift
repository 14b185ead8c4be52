import MeroAPI

/// One event of an app, its data exact.
///
/// `(seq, index)` is its place in the app's one order, and `cursor` the point to resume after it.
public typealias AppEvent = Components.Schemas.AppEvent

/// The kinds of event that come from the node itself and that a stream treats in a way of their own.
enum NodeEventKind {
  static let ready = "calimero.ready"
  static let reset = "calimero.reset"
  static let deleted = "calimero.deleted"
  static let presence: Set = ["calimero.presence", "calimero.presence.all"]
}
