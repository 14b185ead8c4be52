import Foundation
import MeroCrypto
import MeroTrust
import MeroWire

/// 20 §5.14.
enum TeeRoutes {
  private static let flags = ["bindNodeKey", "bindTransportKey", "includeCollateral"]
  private static let policy = "/admin-api/groups/{group_id}/settings/tee-admission-policy"
  private static let authoring = "/admin-api/groups/{group_id}/settings/tee-authoring-policy"

  static let rows: [NodeRoute] = [
    NodeRoute(.get, "/admin-api/tee/info", "public", info),
    NodeRoute(
      .post, "/admin-api/tee/attest", "public", body: .strict(["nonce", "applicationId"] + flags), attest),
    NodeRoute(.get, "/admin-api/tee/release", "public", release),
    NodeRoute(.post, "/admin-api/tee/registration-attest", "token:admin", body: .strict(["nonce"]), attest),
    NodeRoute(
      .post, "/admin-api/tee/fleet-join", "token:admin", body: .strict(["groupId", "admitterAddrs"]),
      fleetJoin),
    NodeRoute(.get, policy, "token:group:list[{group_id}]") { state, exchange in
      state.flat(
        TeeAdmissionPolicy.json(try state.tree(exchange["group_id"], for: exchange.caller).teePolicy))
    },
    NodeRoute(.put, policy, "token:group:manage[{group_id}]", body: .strict(TeeAdmissionPolicy.fields)) {
      state, exchange in
      let id = try state.rootTree(exchange["group_id"]).id
      try state.govern(.teePolicySet(try TeeAdmissionPolicy(exchange.fields)), in: id, exchange)
      return .empty
    },
    NodeRoute(
      .put, authoring, "token:group:manage[{group_id}]", body: .strict(["allowedMrtd", "rootProof"])
    ) { state, exchange in
      let id = try state.rootTree(exchange["group_id"]).id
      guard let images = try exchange.fields.strings("allowedMrtd"), !images.isEmpty else {
        throw NodeRefusal.invalid("allowed_mrtd", "must not be empty")
      }
      try state.governAsOwner(.setTeeAuthoring(images), in: id, exchange)
      return .empty
    },
    NodeRoute(.delete, authoring, "token:group:manage[{group_id}]", body: .optional(["rootProof"])) {
      state, exchange in
      let id = try state.rootTree(exchange["group_id"]).id
      try state.governAsOwner(.setTeeAuthoring(nil), in: id, exchange)
      return .empty
    },
  ]

  private static let noHardware = NodeRefusal(501, "this machine has no TDX hardware")

  private static let info: NodeHandler = { state, _ in
    guard let presented = state.governance.hardware.presented else {
      throw NodeRefusal(500, "cannot read the launch measurement")
    }
    let image =
      "merotee-locked-read-only-" + presented.releaseVersion.replacingOccurrences(of: ".", with: "-")
    let mrtd = state.tdx.map { Hex.encode($0.image().mrtd) } ?? String(repeating: "00", count: 48)
    return .data(["cloudProvider": "gcp", "osImage": .string(image), "mrtd": .string(mrtd)])
  }

  private static let attest: NodeHandler = { state, exchange in
    let fields = exchange.fields
    let nonce = try fields.hex("nonce", count: 32...32)
    let application = try fields.optionalId("applicationId")
    let bindsNode = try fields.optionalBool("bindNodeKey") ?? false
    let bindsTransport = try fields.optionalBool("bindTransportKey") ?? false
    guard let presented = state.governance.hardware.presented else { throw noHardware }
    let secrets = state.governance.secrets
    var bytecode: [UInt8]?
    if let application { bytecode = try Hex.decode(try state.target(application, appKey: nil).appKey) }
    let data = AttestedData(
      application: bytecode, nodeKey: bindsNode ? secrets.signing.publicKey.bytes : nil,
      transportKey: bindsTransport ? secrets.transport.publicKey : nil)
    let evidence = presented.presented(nonce + data.suffix, by: state.tdx, at: exchange.now)
    var answer: JSONObject = [
      "quoteB64": .string(Data(evidence.quote).base64EncodedString()),
      "quote": QuoteRendering.json(evidence.quote),
    ]
    answer["boundPublicKey"] = data.nodeKey.map { .string(Hex.encode($0)) }
    answer["transportPublicKey"] = data.transportKey.map { .string(Hex.encode($0)) }
    if try fields.optionalBool("includeCollateral") ?? false { answer["collateral"] = evidence.collateral }
    return .data(.object(answer))
  }

  private static let release: NodeHandler = { state, _ in
    switch state.governance.hardware.releaseOutage {
    case .noneNamed: throw NodeRefusal(501, "the node names no TEE release")
    case .fetchFailed: throw NodeRefusal(502, "the release could not be fetched")
    case .backingOff(let seconds):
      throw NodeRefusal(
        503, "the release could not be fetched; trying again later", headers: ["retry-after": "\(seconds)"])
    case nil: break
    }
    guard let pki = state.tdx, let release = state.governance.hardware.presented?.release(of: pki) else {
      throw NodeRefusal(501, "the node names no TEE release")
    }
    return .data([
      "version": .string(release.version), "publishedMrtds": .string(release.publishedMrtds),
      "bundle": .string(release.bundle),
    ])
  }

  // MARK: Fleet

  /// Asks the linked nodes to let this one in by what its hardware says.
  private static let fleetJoin: NodeHandler = { state, exchange in
    let group = try exchange.fields.id("groupId")
    let addresses = try exchange.fields.strings("admitterAddrs") ?? []
    guard addresses.count <= 64, addresses.allSatisfy({ $0.count <= 512 }) else {
      throw NodeRefusal.invalid("admitterAddrs", "must hold at most 64 addresses of at most 512 characters")
    }
    guard let presented = state.governance.hardware.presented else { throw noHardware }
    let candidate = TeeCandidate(
      device: state.governance.secrets.credential.bound,
      image: presented == .mock || state.tdx == nil ? nil : state.tdx?.image())
    let peers = state.links.outgoing
    let now = exchange.now
    return .outside {
      let logs = peers.compactMap { peer in
        peer.store?.withState { $0.admit(candidate, to: group, at: now) }
      }
      return { state, exchange in
        for (id, entries) in logs { state.take(entries, of: id, at: exchange.now) }
        state.settle(at: exchange.now)
        let identity = state.governance.identity
        let tree = (try? state.governance.home(of: group))?.log.tree
        let joined = state.contexts.all.filter { $0.isJoined && tree?.groups[$0.groupId] != nil }
        return .flat([
          "status": tree == nil ? "pending" : "admitted", "group_id": .string(group),
          "namespace_id": .string(tree?.id ?? group), "public_key": .string(identity.key),
          "account": .string(identity.account), "admitted": .bool(tree != nil),
          "auto_follow_enabled": .bool(tree != nil),
          "contexts_joined": JSONValue(joined.count),
        ])
      }
    }
  }
}

/// What stands behind the nonce in a quote's report data (50 §2.3).
struct AttestedData: Sendable {
  var application: [UInt8]?
  var nodeKey: [UInt8]?
  var transportKey: [UInt8]?

  private static let zeros = [UInt8](repeating: 0, count: 32)

  var suffix: [UInt8] {
    var inner = application
    if let nodeKey { inner = Self.hash("key-binding", application, nodeKey) }
    if let transportKey { return Self.hash("transport-key", inner, transportKey) }
    return inner ?? Self.zeros
  }

  private static func hash(_ name: String, _ inner: [UInt8]?, _ key: [UInt8]) -> [UInt8] {
    SHA256.hash(Array("calimero.tee-attest.\(name).v1".utf8) + (inner ?? zeros) + key)
  }
}

/// An attested node that asks to be let in.
struct TeeCandidate: Sendable {
  let device: BoundDevice
  /// nil for a mock quote.
  let image: Measurements?
}

extension TeeAdmissionPolicy {
  /// Whether what a node measured is enough.
  func admits(_ candidate: TeeCandidate) -> Bool {
    guard let image = candidate.image else { return acceptMock }
    // Releases are checked by whoever verifies quotes; a node of a test runs one of its TestPKI's.
    if signedRelease != nil { return true }
    let registers = zip(Self.lists, [image.mrtd] + image.rtmr)
    return registers.allSatisfy { list, value in
      let allowed = measurements[list] ?? []
      return allowed.isEmpty || allowed.contains { $0.lowercased() == Hex.encode(value) }
    }
  }
}

extension NodeState {
  fileprivate mutating func admit(_ candidate: TeeCandidate, to group: String, at now: Date) -> (
    String, [LogEntry]
  )? {
    guard let tree = (try? governance.home(of: group))?.log.tree, let policy = tree.teePolicy,
      policy.admits(candidate)
    else { return nil }
    let op = GovernanceOp.teeAdmitted(candidate.device.account, candidate.device)
    guard
      (try? governance.write(op, in: tree.id, by: governance.identity.account, at: now.unixMilliseconds))
        != nil
    else {
      return nil
    }
    settle(at: now)
    return (tree.id, governance.namespaces[tree.id]?.log.entries ?? [])
  }
}
