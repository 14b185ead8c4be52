import MeroTrust
import MeroWire

// Where a node stands among its peers, and what follows for those who ask it (70 §2.6, §2.22).

extension ClusterState {
  /// Why a node runs nothing for anyone; `nil` for one that serves.
  func refusal(ofNode node: Int) -> Refusal? {
    switch nodes[node].state {
    case .active: nil
    case .joining: Refusal(503, "SYNCING", "this node is copying the cluster's state", retryAfterMs: 250)
    case .draining: Refusal(503, "DRAINING", "this node is leaving service; use another")
    case .down: Refusal(503, "UNAVAILABLE", "this node is down", retryAfterMs: 250)
    }
  }

  func serves(_ node: Int) -> Bool { nodes[node].state == .active && nodes[node].isReachable }

  func release(of node: Int) -> String { nodes[node].release ?? release }

  /// Changes where a node stands. One that stops serving sends those who follow its streams elsewhere.
  func put(_ node: Int, _ state: Node.State, at now: Int64) {
    guard nodes[node].state != state else { return }
    nodes[node].state = state
    if state == .active { nodes[node].attestedAt = now }
    if let record = nodeRecords[nodes[node].id] {
      record.state = state
    } else {
      nodeRecords.insert(NodeRecord(id: nodes[node].id, state: state))
    }
    if state != .active { endStreams(.ended) { $0.node == node } }
  }

  /// Takes the nodes' standing from the records, after those were read from the disk.
  func restoreStanding() {
    for index in nodes.indices {
      if let record = nodeRecords[nodes[index].id] { nodes[index].state = record.state }
    }
  }

  /// Enters the release the nodes begin with. Mock hardware measures nothing.
  func knowOwnRelease(image: Measurements?) {
    guard releases[release] == nil else { return }
    let values =
      image.map { [$0.mrtd] + $0.rtmr } ?? Array(repeating: Array(repeating: 0, count: 48), count: 5)
    releases.insert(
      ReleaseRecord(
        version: release, isAllowed: true, profile: image == nil ? nil : "locked-read-only",
        measurements: JSONObject(zip(ReleaseRecord.registers, values).map { ($0, .string(Hex.encode($1))) }),
        addedAt: startedAt))
  }
}

extension FakeCloudNode {
  /// Where a node stands among its peers.
  public enum Standing: String, Sendable, Hashable, CaseIterable {
    /// It is copying state, and answers 503 `SYNCING`.
    case joining
    /// It serves.
    case active
    /// It takes nothing new, and answers 503 `DRAINING`.
    case draining
    /// Its peers gave it up. It answers 503 `UNAVAILABLE`, where ``down()`` has it not answer at all.
    case down
  }

  /// Puts the node in a state, as its peers or an operator would.
  public func stand(_ standing: Standing) {
    guard let state = ClusterState.Node.State(rawValue: standing.rawValue) else { return }
    store.withState { $0.put(index, state, at: store.now) }
  }

  /// Has the node run another release than the cluster began with, as operators see it. What it presents when it is
  /// attested is ``present(_:)``'s to say.
  public func run(release: String) {
    store.withState { $0.nodes[index].release = release }
  }
}
