import Foundation

extension FakeNode {
  /// Links two nodes: what one of them changes the other takes over after `delay` seconds of its own clock, in order
  /// and once. Nodes that are linked already get the new delay.
  ///
  /// ```swift
  /// let alice = FakeNode(url: "http://localhost:2528", clock: clock.clock, seed: 1)
  /// let bob = FakeNode(url: "http://localhost:2529", clock: clock.clock, seed: 2)
  /// alice.link(bob, delay: 2)
  /// ```
  ///
  /// What a node did while it was not linked is told when it is.
  public func link(_ other: FakeNode, delay: TimeInterval = 0) {
    precondition(other !== self, "a node is not linked to itself")
    let (here, there) = (linkName, other.linkName)
    let known = store.withState { $0.links.outgoing.first { $0.to == there } }
    guard known == nil else {
      let back = other.store.withState { $0.links.outgoing.first { $0.to == here } }
      known?.setDelay(delay)
      back?.setDelay(delay)
      return
    }
    let out = NodeWire(from: here, to: other.store, named: there, delay: delay)
    let back = NodeWire(from: there, to: store, named: here, delay: delay)
    store.withState { state in
      state.links.outgoing.append(out)
      state.links.incoming.append(back)
    }
    other.store.withState { state in
      state.links.outgoing.append(back)
      state.links.incoming.append(out)
    }
    store.withState { $0.tellAll() }
    other.store.withState { $0.tellAll() }
  }

  /// Ends a link. What is on the way is lost, until the nodes are linked again.
  public func unlink(_ other: FakeNode) {
    let (here, there) = (linkName, other.linkName)
    store.withState { state in
      state.links.cut(there)
      state.presence.unlink(there, at: store.clock.now())
    }
    other.store.withState { state in
      state.links.cut(here)
      state.presence.unlink(here, at: other.store.clock.now())
    }
  }

  /// How many seconds what this node tells another takes to get there; nil when they are not linked.
  public func linkDelay(to other: FakeNode) -> TimeInterval? {
    let there = other.linkName
    return store.withState { $0.links.outgoing.first { $0.to == there }?.delay }
  }

  /// The key a node signs with: it never changes, unlike its account.
  private var linkName: String { store.withState { $0.governance.identity.key } }
}

/// Nodes that all know each other.
///
/// ```swift
/// let network = FakeNetwork([alice, bob, carol], delay: 0.5)
/// network.isolate(carol)
/// ```
public final class FakeNetwork: Sendable {
  /// The nodes, in the order they were given.
  public let nodes: [FakeNode]
  private let delay: TimeInterval

  /// Links every node with every other; see ``FakeNode/link(_:delay:)``.
  public init(_ nodes: [FakeNode], delay: TimeInterval = 0) {
    self.nodes = nodes
    self.delay = delay
    for node in nodes { rejoin(node) }
  }

  /// Cuts a node off from all others.
  public func isolate(_ node: FakeNode) {
    for other in nodes where other !== node { node.unlink(other) }
  }

  /// Links a node with all others again; what was missed is told.
  public func rejoin(_ node: FakeNode) {
    for other in nodes where other !== node { node.link(other, delay: delay) }
  }
}

extension NodeLinks {
  mutating func cut(_ name: String) {
    for wire in outgoing where wire.to == name { wire.cut() }
    outgoing.removeAll { $0.to == name }
    incoming.removeAll { $0.from == name }
  }
}

extension NodeState {
  /// Tells everything the node knows of namespaces, for those who missed it.
  mutating func tellAll() {
    for namespace in governance.known {
      for content in everything(of: namespace.id) { publish(content) }
    }
  }
}
