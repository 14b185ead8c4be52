import Foundation

/// One request's way around the ring: which nodes had their turn in this round, and where to go on.
struct RingWalk: Sendable, Hashable {
  /// From 1.
  private(set) var round = 1
  /// The node visited last, in any round.
  private(set) var last: URL?
  /// Where to begin instead of the ring's current node.
  let preferred: URL?
  /// A node that another one named as the right one; forgotten once visited.
  private(set) var hint: URL?
  private var visited: Set<URL> = []

  /// Begins at the ring's current node, at `preferred`, or after a node that just failed.
  init(preferred: URL? = nil, after failed: URL? = nil) {
    self.preferred = preferred
    last = failed
    if let failed { visited = [failed] }
  }

  /// Whether nothing was visited yet.
  var isAtStart: Bool { last == nil }

  func wasVisited(_ url: URL) -> Bool { visited.contains(url) }

  mutating func visit(_ url: URL) {
    visited.insert(url)
    last = url
    if hint == url { hint = nil }
  }

  /// Asks for a node to be next if it had no turn in this round.
  mutating func prefer(_ url: URL) { hint = url }

  mutating func beginRound() {
    round += 1
    visited = []
  }
}
