/// That a group was pointed at another build, as all nodes know it. How far a node got with it is its own.
struct GroupUpgrade: Sendable, Hashable {
  let from: ApplicationTarget
  let to: ApplicationTarget
  /// Unix seconds.
  let initiatedAt: Int64
  let initiatedBy: String
  /// The line of the log that did it; tells one upgrade from the next.
  let position: LogEntry.Position
  let isCascade: Bool
  var isAborted = false
}
