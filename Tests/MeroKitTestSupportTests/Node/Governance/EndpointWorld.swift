import Foundation
import MeroHTTP
import MeroWire
import Testing

@testable import MeroKitTestSupport

/// A node in which something is there for every endpoint, and a good request for each.
struct EndpointWorld {
  struct Request {
    var path: String
    var json: JSONValue?
    var bytes: Data?
    var sender = NodeRig.Sender.owner
  }

  let pair: NodePair
  var rig: NodeRig { pair.alice }
  let device: TestDevice
  let namespace: String
  let group: String
  let context: String
  let application: String
  let blob: String

  static let package = FakePackage.keyValue
  static let pki = TestPKI(seed: 11, now: Date(timeIntervalSince1970: 1_790_000_000))

  init() async throws {
    let clock = FakeClock()
    let node = FakeNode(url: "http://localhost:2528", tdx: Self.pki, clock: clock.clock, seed: 1)
    let other = FakeNode(url: "http://localhost:2529", clock: clock.clock, seed: 2)
    pair = NodePair(clock, node, other)
    device = try TestDevice()
    node.setRelay()
    application = node.installApplication(Self.package)
    namespace = node.makeNamespace(of: Self.package)
    context = node.makeContext(of: Self.package, in: namespace)
    blob = node.addBlob(Data("hello".utf8))
    group = try await pair.alice.makeGroup(in: namespace)
    node.placeBundle(Self.package, at: "/apps/kv.mpk")
    let rows: JSONValue = [["identity": .string(device.account), "role": "Admin"]]
    _ = try await rig.post("/groups/\(namespace)/members", ["members": rows])
  }

  /// A request of this row that has to go well.
  func request(_ row: String) async throws -> Request {
    var request = Request(path: String(row.split(separator: " ")[1]))
    request.json = try await body(row)
    try await prepare(row, &request)
    for (name, value) in [
      "group_id": namespace, "namespace_id": namespace, "context_id": context, "application_id": application,
      "account": device.account, "blob_id": blob, "device_id": rig.node.device, "package": Self.package.name,
      "name": "main", "author_device_key": NodeRig.anId,
    ] {
      request.path = request.path.replacingOccurrences(of: "{\(name)}", with: value)
    }
    return request
  }

  private static func ids(_ ids: String...) -> JSONValue { .array(ids.map { .string($0) }) }

  private static let simple: [String: JSONValue] = [
    "PUT /admin-api/groups/{group_id}/settings/default-capabilities": ["defaultCapabilities": 231],
    "PUT /admin-api/groups/{group_id}/members/{account}/role": ["role": "Member"],
    "PUT /admin-api/groups/{group_id}/members/{account}/capabilities": ["capabilities": 1],
    "PUT /admin-api/groups/{group_id}/members/{account}/auto-follow": [
      "autoFollowContexts": true, "autoFollowSubgroups": false,
    ],
    "PUT /admin-api/groups/{group_id}/metadata": ["name": "a", "data": ["k": "v"]],
    "PUT /admin-api/groups/{group_id}/members/{account}/metadata": ["name": "a"],
    "PUT /admin-api/groups/{group_id}/contexts/{context_id}/metadata": ["name": "a"],
    "POST /admin-api/account/sign-with-root": ["domain": "mdma.account-link", "payload": "00"],
    "PUT /admin-api/account/devices/{device_id}/label": ["label": "phone"],
    "POST /admin-api/groups/{group_id}/accounts/{account}/seal": ["plaintext": "00"],
    "POST /admin-api/tee/attest": ["nonce": .string(NodeRig.anId), "bindNodeKey": true],
    "POST /admin-api/tee/registration-attest": ["nonce": .string(NodeRig.anId)],
    "PUT /admin-api/groups/{group_id}/settings/tee-admission-policy": [
      "signedRelease": ["allowedProfiles": ["locked-read-only"]]
    ],
    "PUT /admin-api/groups/{group_id}/settings/tee-authoring-policy": ["allowedMrtd": ["ab"]],
    "PUT /admin-api/groups/{group_id}/settings/subgroup-visibility": ["subgroupVisibility": "restricted"],
    "POST /admin-api/contexts/{context_id}/resync": ["force": true],
    "POST /admin-api/install-dev-application": ["path": "/apps/kv.mpk"],
    "POST /admin-api/install-application": [
      "package": .string(package.name), "version": .string(package.version),
    ],
    "POST /admin-api/contexts/{context_id}/query": ["method": "get_value", "argsJson": ["key": "k"]],
  ]

  private func body(_ row: String) async throws -> JSONValue? {
    if let simple = Self.simple[row] { return simple }
    let (relay, text) = (rig.node, JSONValue.string)
    switch row {
    case "POST /admin-api/contexts":
      return ["applicationId": text(application), "groupId": text(namespace), "initializationParams": []]
    case "POST /admin-api/contexts/{context_id}/application":
      return ["applicationId": text(application), "executorPublicKey": text(relay.signingKey)]
    case "POST /admin-api/contexts/{context_id}/intents":
      let release = try await rig.get("/contexts/\(context)/intents").data["releaseBytecodeId"]?.stringValue
      return try device.write(
        "set_value", ["key": "k", "value": "v"], in: context, release: try #require(release), by: relay)
    case "POST /admin-api/contexts/{context_id}/presence-intents":
      return try device.presence([1], in: context, sequence: 1, sentAt: 1_790_000_000_000)
    case "POST /admin-api/groups/{group_id}/context-intents":
      return try device.creation(in: namespace, of: application, by: relay)
    case "POST /admin-api/groups/{group_id}/governance-intents":
      return try device.governance([10, 0], scope: namespace, plane: 0, by: relay)
    case "POST /admin-api/account/pair-init":
      return ["accountRootPublicKey": text(NodeRig.anId), "namespaces": Self.ids(NodeRig.anId)]
    case "PUT /admin-api/account/devices/{device_id}/scope": return ["scope": "all"]
    case "POST /admin-api/namespaces/{namespace_id}/account/link-device":
      return ["credential": device.proof, "scope": device.proof]
    case "POST /admin-api/namespaces", "POST /admin-api/groups": return ["applicationId": text(application)]
    case "POST /admin-api/namespaces/{namespace_id}/admin": return ["newAdmin": text(device.account)]
    case "POST /admin-api/groups/{group_id}/reparent": return ["newParentId": text(namespace)]
    case "POST /admin-api/groups/{group_id}/transfer-ownership": return ["newOwner": text(device.account)]
    case "POST /admin-api/groups/{group_id}/issue-ownership-proof":
      var claim = try #require(Self.claim.objectValue)
      claim["contextId"] = text(context)
      return .object(claim)
    case "POST /admin-api/groups/{group_id}/issue-namespace-ownership-proof": return Self.claim
    case "POST /admin-api/groups/{group_id}/members":
      return ["members": [["identity": text(NodeRig.anId), "role": "ReadOnly"]]]
    case "POST /admin-api/groups/{group_id}/members/remove": return ["members": Self.ids(device.account)]
    case "POST /admin-api/groups/{group_id}/upgrade": return ["targetApplicationId": text(application)]
    case "POST /admin-api/tee/fleet-join": return ["groupId": text(namespace)]
    case "POST /admin-api/namespaces/{namespace_id}/admit":
      let invitation = try await rig.invite(to: namespace)
      return ["invitation": invitation, "signedOp": try TestDevice(0x21).join(namespace, invitation)]
    case _ where row.hasPrefix("POST /admin-api/alias/create/"):
      let kind = String(row.split(separator: "/").last ?? "")
      return ["alias": "main", "\(kind)Id": text(NodeRig.anId)]
    case _
    where row.hasPrefix("POST ") || row.hasPrefix("DELETE /admin-api/groups/{group_id}")
      || row.hasPrefix("DELETE /admin-api/namespaces"):
      return row.hasSuffix("tee-authoring-policy") ? nil : [:]
    default: return nil
    }
  }

  private static let claim: JSONValue = [
    "audience": "a", "subject": "s", "nonce": .string(String(repeating: "00", count: 16)),
    "expiresAtMs": 1_790_000_100_000,
  ]

  /// Where more has to be there than a body.
  private func prepare(_ row: String, _ request: inout Request) async throws {
    switch row {
    case "POST /admin-api/contexts/{context_id}/query":
      let session = rig.node.makeAccountSession(account: device.account, device: NodeRig.anId)
      request.sender = .bearer(session.accessToken)
    case "PUT /admin-api/blobs": request.bytes = Data("other".utf8)
    case "DELETE /admin-api/blobs/{blob_id}": request.json = nil
    case "DELETE /admin-api/groups/{group_id}", "POST /admin-api/groups/{group_id}/owner-delete",
      "POST /admin-api/groups/{group_id}/reparent":
      request.path = request.path.replacingOccurrences(of: "{group_id}", with: group)
    case "POST /admin-api/groups/{group_id}/join-via-inheritance":
      request.path = request.path.replacingOccurrences(of: "{group_id}", with: group)
    case "POST /admin-api/groups/{group_id}/leave":
      let row: JSONValue = ["identity": .string(device.account), "role": "Admin"]
      _ = try await rig.post("/groups/\(group)/members", ["members": [row]])
      _ = try await rig.post("/groups/\(group)/transfer-ownership", ["newOwner": .string(device.account)])
      request.path = request.path.replacingOccurrences(of: "{group_id}", with: group)
    case "POST /admin-api/namespaces/{namespace_id}/leave":
      _ = try await rig.send(.delete, "/admin-api/groups/\(group)", json: [:])
      _ = try await rig.post("/groups/\(namespace)/transfer-ownership", ["newOwner": .string(device.account)])
    case "POST /admin-api/groups/{group_id}/upgrade", "POST /admin-api/groups/{group_id}/upgrade/retry":
      let next = FakePackage(Self.package.name, version: "9.0.0") { _ in }
      request.json = row.hasSuffix("/retry") ? [:] : request.json
      _ = rig.node.installApplication(next)
      guard row.hasSuffix("/retry") else { return }
      rig.node.failMigrations(contexts: 1)
      _ = try await rig.post("/groups/\(namespace)/upgrade", ["targetApplicationId": .string(application)])
    case "POST /admin-api/account/pair-complete": request.json = try await pairing()
    case "POST /admin-api/namespaces/{namespace_id}/account/revoke":
      _ = try await rig.post(
        "/namespaces/\(namespace)/account/link-device", ["credential": device.proof, "scope": device.proof])
      let pairing = try await rig.post("/account/pair-complete", try await self.pairing())
      request.json = ["deviceId": pairing.data["deviceId"] ?? .null]
    case "POST /admin-api/groups/{group_id}/accounts/{account}/seal":
      _ = try await rig.post(
        "/namespaces/\(namespace)/account/link-device", ["credential": device.proof, "scope": device.proof])
    case "PUT /admin-api/account/devices/{device_id}/scope":
      let pairing = try await rig.post("/account/pair-complete", try await self.pairing())
      let id = try #require(pairing.data["deviceId"]?.stringValue)
      request.path = request.path.replacingOccurrences(of: "{device_id}", with: id)
    case "POST /admin-api/namespaces/{namespace_id}/join", "POST /admin-api/groups/join":
      let theirs = pair.bob.node.makeNamespace()
      request.json = ["invitation": try await pair.bob.invite(to: theirs)]
      request.path = request.path.replacingOccurrences(of: "{namespace_id}", with: theirs)
    default: break
    }
  }

  /// What the node with the account's root is given to take bob's node in.
  func pairing() async throws -> JSONValue {
    let identity = try await rig.get("/identity").data
    let offer = try await pair.bob.post(
      "/account/pair-init",
      [
        "accountRootPublicKey": identity["accountRootPublicKey"] ?? .null,
        "accountNamespace": .string(namespace),
      ]
    ).data
    let names = ["deviceId", "kemPublicKey", "signPublicKey", "statement", "confirmationCode"]
    return .object(JSONObject(names.map { ($0, offer[$0] ?? .null) }))
  }
}
