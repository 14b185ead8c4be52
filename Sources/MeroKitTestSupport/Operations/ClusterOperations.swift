import MeroTrust
import MeroWire

// The cluster as its operators see it: nodes, releases, the roster (70 §2.22).

extension ClusterState {
  static let clusterHandlers: [String: Handler] = [
    "ops_status": { state, _, x in try state.status(x) },
    "ops_node_list": { state, _, x in try state.listNodes(x) },
    "ops_node_update": { state, _, x in try state.updateNode(x) },
    "ops_release_list": { state, _, x in try state.listReleases(x) },
    "ops_release_set": { state, _, x in try state.setRelease(x) },
    "ops_operator_list": { state, _, x in try state.listOperators(x) },
  ]

  /// Writes can be taken while more than half of the nodes serve.
  private func status(_ x: Exchange) throws -> Outcome {
    try requireOperator(caller(x))
    _ = try x.fields()
    let serving = nodes.indices.filter(serves).count
    let pending = decisions.values.filter { $0.state(at: x.now) == .pending }.count
    return .answer(
      200,
      [
        "clusterId": .string(Hex.encode(clusterId)), "healthy": .bool(serving * 2 > nodes.count),
        "nodes": JSONValue(serving), "apps": JSONValue(apps.count), "accounts": JSONValue(accounts.count),
        "pendingDecisions": JSONValue(pending), "at": JSONValue(x.now),
      ])
  }

  private func listNodes(_ x: Exchange) throws -> Outcome {
    try requireOperator(caller(x))
    _ = try x.fields()
    let entries = nodes.indices.sorted { nodes[$0].id < nodes[$1].id }.map(describe(node:))
    return .answer(200, ["nodes": .array(entries)])
  }

  private func updateNode(_ x: Exchange) throws -> Outcome {
    let caller = try caller(x)
    try requireOperator(caller)
    guard let node = nodes.firstIndex(where: { $0.id == x.path["node"] }) else {
      throw Refusal.notFound("node")
    }
    let word = try x.fields()["state"]?.stringValue ?? ""
    guard let state = Node.State(rawValue: word), state == .active || state == .draining else {
      throw Refusal.invalidArgument("state", "can be active or draining")
    }
    if state == .draining, !nodes.indices.contains(where: { $0 != node && serves($0) }) {
      throw Refusal(409, "CONFLICT", "no other node serves")
    }
    if state == .active, releases[release(of: node)]?.isAllowed != true {
      throw Refusal(409, "CONFLICT", "the node's release \(release(of: node)) is not allowed")
    }
    _ = try requireOperatorSignature(x, by: caller, "set node \(nodes[node].id) to \(word)")
    put(node, state, at: x.now)
    return .answer(200, describe(node: node))
  }

  private func describe(node index: Int) -> JSONValue {
    let node = nodes[index]
    return [
      "nodeId": .string(node.id), "url": .string(node.url.absoluteString),
      "state": .string(node.seen.rawValue),
      "release": .string(release(of: index)), "coreVersion": "1.0.0-rc.10",
      "attestedAt": JSONValue(node.attestedAt), "lag": JSONValue(node.lag),
    ]
  }

  private func listReleases(_ x: Exchange) throws -> Outcome {
    try requireOperator(caller(x))
    _ = try x.fields()
    let newest = releases.values.sorted { ($0.addedAt, $0.id) > ($1.addedAt, $1.id) }
    return .answer(200, ["releases": .array(newest.map(describe))])
  }

  private func setRelease(_ x: Exchange) throws -> Outcome {
    let caller = try caller(x)
    try requireOperator(caller)
    let fields = try x.fields()
    let name = x.path["release"] ?? ""
    let isAllowed = fields["allowed"]?.boolValue ?? false
    let measurements = fields["measurements"]?.objectValue
    for register in ReleaseRecord.registers {
      guard let value = measurements?[register]?.stringValue else { continue }
      guard let bytes = try? Hex.decode(value), bytes.count == 48, Hex.encode(bytes) == value else {
        throw Refusal.invalidArgument("measurements.\(register)", "is not 48 bytes in lower-case hex")
      }
    }
    guard releases[name] != nil || measurements != nil else { throw Refusal.notFound("release") }
    if !isAllowed { try requireMayForbid(name) }
    let summary = "\(isAllowed ? "allow" : "forbid") release \(name)"
    _ = try requireOperatorSignature(x, by: caller, summary)
    let release =
      releases[name]
      ?? ReleaseRecord(
        version: name, isAllowed: isAllowed, profile: nil, measurements: measurements ?? [:], addedAt: x.now)
    if releases[name] == nil { releases.insert(release) }
    release.isAllowed = isAllowed
    release.profile = fields["profile"]?.stringValue ?? release.profile
    release.measurements = measurements ?? release.measurements
    if !isAllowed {
      for node in nodes.indices where self.release(of: node) == name && nodes[node].state == .active {
        put(node, .draining, at: x.now)
      }
    }
    return .answer(200, describe(release))
  }

  /// A cluster whose last release is forbidden, or whose last serving node would be drained by that, could not take it
  /// back.
  private func requireMayForbid(_ name: String) throws {
    guard releases[name]?.isAllowed == true else { return }
    guard releases.values.contains(where: { $0.isAllowed && $0.id != name }) else {
      throw Refusal(409, "CONFLICT", "it is the last release that is allowed")
    }
    guard nodes.indices.contains(where: { serves($0) && release(of: $0) != name }) else {
      throw Refusal(409, "CONFLICT", "no node that serves runs another release")
    }
  }

  private func describe(_ release: ReleaseRecord) -> JSONValue {
    var answer: JSONObject = [
      "release": .string(release.id), "allowed": .bool(release.isAllowed),
      "measurements": .object(release.measurements), "addedAt": JSONValue(release.addedAt),
    ]
    answer["profile"] = release.profile.map { .string($0) }
    return .object(answer)
  }

  private func listOperators(_ x: Exchange) throws -> Outcome {
    try requireOperator(caller(x))
    _ = try x.fields()
    let roster = operators.values.sorted { ($0.name, $0.id) < ($1.name, $1.id) }.map { one -> JSONValue in
      var json: JSONObject = [
        "operatorKey": .string(one.id), "name": .string(one.name), "addedAt": JSONValue(one.addedAt),
      ]
      json["accountId"] = one.account.map { .string($0.id) }
      return .object(json)
    }
    return .answer(200, ["operators": .array(roster), "threshold": JSONValue(threshold)])
  }
}
