/// How far a transfer is.
public struct BlobProgress: Sendable, Hashable {
  /// Bytes that are through.
  public let completed: Int64
  /// Bytes in all; nil when the node does not tell.
  public let total: Int64?

  /// A progress of these counts.
  public init(completed: Int64, total: Int64?) {
    self.completed = completed
    self.total = total
  }

  /// Told at every step, on no thread in particular, one call after the other; at the end that everything is through.
  public typealias Handler = @Sendable (BlobProgress) -> Void
}
