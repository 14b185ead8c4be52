/// One line of a namespace's log: what was done, by whom, and where it stands among the others.
struct LogEntry: Sendable {
  /// Orders the lines of all nodes alike: no line stands before one its writer had seen.
  struct Position: Sendable, Hashable, Comparable {
    let time: UInt64
    let node: String

    static func < (one: Position, other: Position) -> Bool {
      (one.time, one.node) < (other.time, other.node)
    }
  }

  let position: Position
  /// The account whose right counts.
  let author: String
  /// Unix milliseconds, on the node that wrote it.
  let at: Int64
  let op: GovernanceOp
}

/// The replicated log of a namespace and what follows from it.
///
/// Two nodes with the same lines have the same tree, in whatever order the lines came: a line that belongs between
/// others is put there and the tree is made anew, and a line that was not allowed in its place changes nothing.
struct NamespaceLog: Sendable {
  private(set) var entries: [LogEntry]
  private(set) var tree: NamespaceTree

  /// A log that begins with the founding. Throws when the birth is not what its id says.
  init(_ birth: LogEntry) throws(NodeRefusal) {
    guard let tree = NamespaceTree(birth) else {
      throw NodeRefusal(400, "the log does not begin with a founding")
    }
    entries = [birth]
    self.tree = tree
  }

  /// Does `op` now, or throws why that is not allowed.
  mutating func append(_ op: GovernanceOp, by author: String, on node: String, at milliseconds: Int64)
    throws(NodeRefusal) -> LogEntry
  {
    let last = entries.last?.position.time ?? 0
    let entry = LogEntry(
      position: LogEntry.Position(time: last + 1, node: node), author: author, at: milliseconds, op: op)
    try tree.apply(entry)
    entries.append(entry)
    return entry
  }

  /// Takes over lines of other nodes, and answers those that are new here.
  mutating func merge(_ others: [LogEntry]) -> [LogEntry] {
    let known = Set(entries.map(\.position))
    let new = others.filter { !known.contains($0.position) }.sorted { $0.position < $1.position }
    guard let first = new.first, let last = entries.last else { return [] }
    if last.position < first.position {
      entries += new
      for entry in new { try? tree.apply(entry) }
      return new
    }
    entries = (entries + new).sorted { $0.position < $1.position }
    if let tree = NamespaceTree(entries[0]) {
      self.tree = tree
      for entry in entries.dropFirst() { try? self.tree.apply(entry) }
    }
    return new
  }
}
