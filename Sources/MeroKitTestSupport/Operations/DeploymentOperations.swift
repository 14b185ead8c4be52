import Foundation
import MeroWire

// Deployments: which version of a package new apps start with (70 §2.21).

extension ClusterState {
  static let deploymentHandlers: [String: Handler] = [
    "deployment_list": { state, _, x in try state.listDeployments(x) },
    "deployment_create": { state, _, x in try state.deploy(x) },
    "deployment_get": { state, _, x in try state.getDeployment(x) },
    "deployment_update": { state, _, x in try state.updateDeployment(x) },
    "deployment_delete": { state, _, x in try state.deleteDeployment(x) },
  ]

  private func listDeployments(_ x: Exchange) throws -> Outcome {
    let caller = try caller(x)
    _ = try x.fields()
    let org = x.query["org"]
    let visible = deployments.values.filter { deployment in
      (org == nil || deployment.org == org) && mayKnow(deployment.org, caller)
    }
    return try list("deployments", visible, x, for: caller, by: \.id, isBefore: >) { describe($0, at: x.now) }
  }

  private func getDeployment(_ x: Exchange) throws -> Outcome {
    let caller = try caller(x)
    let deployment = try deployment(x, for: caller)
    _ = try x.fields()
    return .answer(200, describe(deployment, at: x.now))
  }

  private func deploy(_ x: Exchange) throws -> Outcome {
    let caller = try caller(x)
    let found = try x.peek("org").map { try org($0, for: caller) }
    if let (org, role) = found { try requireDeployer(org, role, to: "deploy packages") }
    let fields = try x.fields()
    guard let (org, _) = found else { throw Refusal.notFound("organization") }
    let (name, number) = (fields["package"]?.stringValue ?? "", fields["version"]?.stringValue ?? "")
    let terms = try DeploymentTerms(fields)
    guard let package = published[name], package.publisher == org.id,
      let version = versions[VersionRecord.id(name, number)]
    else { throw Refusal.notFound("version the organization published") }
    guard !version.isYanked else { throw Refusal.invalidArgument("version", "was yanked") }
    // Whether the key was used comes before the state: a repeat finds its own deployment there.
    return try once(x, caller) {
      try requireFile(terms.siteBlob, of: org)
      guard deployment(of: name) == nil else {
        throw Refusal(409, "ALREADY_EXISTS", "\(name) is deployed; its deployment can be changed")
      }
      try requireConfirmation(x, by: caller)
      let id = ids.id("dep", at: x.now)
      let facts: JSONValue = [
        "package": .string(name), "version": .string(number), "orgId": .string(org.id),
        "codeHash": .string(version.codeHash), "signerKey": .string(version.signerKey),
      ]
      let decision =
        package.isApproved
        ? nil
        : open(
          .approveDeployment, about: id, "deployment of \(name) \(number) by \(org.name)", payload: facts,
          at: x.now)
      let made = DeploymentRecord(
        id: id, package: name, version: number, org: org.id, decision: decision,
        autoUpgrade: terms.autoUpgrade ?? false, redirectUris: terms.redirectUris ?? [],
        siteBlob: terms.siteBlob, createdAt: x.now)
      deployments.insert(made)
      moveApps(along: made, x)
      return (201, describe(made, at: x.now))
    }
  }

  private func updateDeployment(_ x: Exchange) throws -> Outcome {
    let caller = try caller(x)
    let (deployment, org, role) = try ownDeployment(x, for: caller)
    try requireDeployer(org, role, to: "change the deployment")
    let fields = try x.fields()
    let terms = try DeploymentTerms(fields)
    try requireFile(terms.siteBlob, of: org)
    let wanted = try fields["state"]?.stringValue.map(Self.wanted)
    let version = try fields["version"]?.stringValue.map { number -> VersionRecord in
      guard let found = versions[VersionRecord.id(deployment.package, number)] else {
        throw Refusal.notFound("version")
      }
      return found
    }
    guard deployment.isApproved(at: x.now) else {
      throw Refusal(409, "CONFLICT", "operators have not approved the deployment")
    }
    if let version, version.isYanked {
      throw Refusal(409, "CONFLICT", "\(deployment.package) \(version.manifest.version) was yanked")
    }
    try requireConfirmation(x, by: caller)
    deployment.version = version?.manifest.version ?? deployment.version
    deployment.wanted = wanted ?? deployment.wanted
    deployment.autoUpgrade = terms.autoUpgrade ?? deployment.autoUpgrade
    deployment.redirectUris = terms.redirectUris ?? deployment.redirectUris
    deployment.siteBlob = terms.siteBlob ?? deployment.siteBlob
    deployment.updatedAt = x.now
    moveApps(along: deployment, x)
    return .answer(200, describe(deployment, at: x.now))
  }

  private func deleteDeployment(_ x: Exchange) throws -> Outcome {
    let caller = try caller(x)
    let (deployment, _, role) = try ownDeployment(x, for: caller)
    guard role.strength >= OrgRole.admin.strength else { throw Refusal.forbidden("delete the deployment") }
    _ = try x.fields()
    guard !apps.values.contains(where: { $0.package.name == deployment.package }) else {
      throw Refusal(409, "CONFLICT", "apps use the deployment")
    }
    try requireConfirmation(x, by: caller)
    // Nobody is to decide on what is gone.
    if let decision = deployment.decision, decision.state(at: x.now) == .pending {
      decision.close(.expired, at: x.now)
    }
    deployments.remove(deployment.id)
    return .answer(204, nil)
  }

  /// A deployment the caller may look at: its organization's members may, and the operators, who decide on it.
  private func deployment(_ x: Exchange, for caller: Caller) throws -> DeploymentRecord {
    guard let deployment = deployments[x.path["deployment"] ?? ""],
      isOperator(caller.account) || mayKnow(deployment.org, caller)
    else { throw Refusal.notFound("deployment") }
    return deployment
  }

  private func ownDeployment(
    _ x: Exchange, for caller: Caller
  ) throws -> (DeploymentRecord, OrgRecord, OrgRole) {
    let deployment = try deployment(x, for: caller)
    guard let org = orgs[deployment.org], let role = org.role(of: caller.account.id) else {
      throw Refusal.forbidden("change another organization's deployment")
    }
    if org.isSuspended { throw Refusal.suspended("organization") }
    return (deployment, org, role)
  }

  /// An archive was uploaded before it is deployed, and files are uploaded to apps.
  private func requireFile(_ hash: String?, of org: OrgRecord) throws(Refusal) {
    guard let hash else { return }
    guard org.apps.keys.contains(where: { blobs[BlobRecord.id(hash, in: $0)] != nil }) else {
      throw .invalidArgument("siteBlob", "is no file of an app of the organization")
    }
  }

  /// `pending` is the operators' to end and nobody's to choose.
  private static func wanted(_ word: String) throws -> DeploymentRecord.State {
    guard let state = DeploymentRecord.State(rawValue: word), state != .pending else {
      throw Refusal.invalidArgument("state", "can be live, paused or retired")
    }
    return state
  }

  private func describe(_ deployment: DeploymentRecord, at now: Int64) -> JSONValue {
    var answer: JSONObject = [
      "deploymentId": .string(deployment.id), "package": .string(deployment.package),
      "version": .string(deployment.version), "orgId": .string(deployment.org),
      "state": .string(deployment.state(at: now).rawValue), "autoUpgrade": .bool(deployment.autoUpgrade),
      "redirectUris": .array(deployment.redirectUris.map { .string($0) }),
      "createdAt": JSONValue(deployment.createdAt),
    ]
    // Nobody hosts it, so there is no `siteUrl` (decision 26).
    answer["siteBlob"] = deployment.siteBlob.map { .string($0) }
    answer["decisionId"] = deployment.decision.map { .string($0.id) }
    answer["updatedAt"] = deployment.updatedAt.map { JSONValue($0) }
    return .object(answer)
  }
}

/// The part of a deployment's body that is checked in itself.
private struct DeploymentTerms {
  let autoUpgrade: Bool?
  let redirectUris: [String]?
  let siteBlob: String?

  init(_ fields: JSONObject) throws(Refusal) {
    autoUpgrade = fields["autoUpgrade"]?.boolValue
    redirectUris = fields["redirectUris"]?.arrayValue?.compactMap(\.stringValue)
    siteBlob = fields["siteBlob"]?.stringValue
    for uri in redirectUris ?? [] {
      guard let parsed = URL(string: uri), parsed.scheme?.isEmpty == false, parsed.fragment == nil else {
        throw .invalidArgument("redirectUris", "has what is no absolute URI without a fragment: \(uri)")
      }
    }
    guard siteBlob.map({ $0.utf8.count == 64 && (try? Hex.decode($0)).map(Hex.encode) == $0 }) ?? true else {
      throw .invalidArgument("siteBlob", "is not the SHA-256 of a file")
    }
  }
}
