import Foundation
import MeroCrypto
import MeroKit
import MeroKitTestSupport
import MeroWire
import Testing

extension TypedCall {
  /// Who the node is, and what its account's root does.
  static let identity: [TypedCall] = [
    TypedCall("GET", "/identity") { turn in
      let identity = try await turn.send { try await $0.getNodeIdentity() }
      #expect(identity.accountId == turn.node.account)
      #expect(identity.deviceId == turn.node.device)
      #expect(identity.publicKey == turn.node.signingKey)
      #expect(identity.holdsAccountRoot)
      #expect(identity.deviceCertified)
      #expect(identity.accountNamespaceId == turn.namespace)
      #expect(identity.accountRootPublicKey?.count == 64)
      #expect(identity.deviceAgreementKey?.count == 64)
      #expect(identity.revokedFrom == nil)
    },
    TypedCall("POST", "/account/pair-init") { turn in
      let request = AccountPairInitRequest(
        accountRootPublicKey: NodeRig.anId, namespaces: [NodeRig.anId], accountNamespace: NodeRig.anId)
      let body: JSONValue = [
        "accountRootPublicKey": .string(NodeRig.anId), "namespaces": [.string(NodeRig.anId)],
        "accountNamespace": .string(NodeRig.anId),
      ]
      let offer = try await turn.send(body: body) { try await $0.initAccountPairing(request) }
      #expect(offer.signPublicKey == turn.node.signingKey)
      let parts = [offer.accountId, offer.deviceId, offer.kemPublicKey, offer.signPublicKey]
      let message = domainHash("calimero.device.pairing.v1", try parts.map { try Hex.decode($0) })
      let key = try Ed25519.PublicKey(bytes: Hex.decode(offer.signPublicKey))
      #expect(key.isValid(try Hex.decode(offer.statement), for: message))
      #expect(offer.confirmationCode.split(separator: "-").map(\.count) == [4, 4, 4, 4])
    },
    TypedCall("POST", "/account/pair-complete") { turn in
      let request = AccountPairCompleteRequest(
        deviceId: try turn.text("deviceId"), kemPublicKey: try turn.text("kemPublicKey"),
        signPublicKey: try turn.text("signPublicKey"), statement: try turn.text("statement"),
        confirmationCode: try turn.text("confirmationCode"), applications: [turn.application])
      var body = try #require(turn.good.json?.objectValue)
      body["applications"] = [.string(turn.application)]
      let answer = try await turn.send(body: .object(body)) { try await $0.completeAccountPairing(request) }
      #expect(answer.accountId == turn.node.account)
      #expect(answer.deviceId == request.deviceId)
      #expect(answer.keyDelivered)
      #expect(answer.confirmationCode == request.confirmationCode)
      #expect(!answer.credential.isEmpty)
      let bob = turn.world.pair.bob.node
      #expect(bob.account == turn.node.account)
      #expect(bob.device == answer.deviceId)
    },
    TypedCall("POST", "/account/sign-with-root") { turn in
      let answer = try await turn.send {
        try await $0.signWithAccountRoot(
          AccountSignWithRootRequest(domain: "mdma.account-link", payload: "00"))
      }
      #expect(answer.accountId == turn.node.account)
      #expect(try await turn.read("/identity")["accountRootPublicKey"] == .string(answer.rootPublicKey))
      let key = try Ed25519.PublicKey(bytes: Hex.decode(answer.rootPublicKey))
      let signature = try #require(Data(base64Encoded: answer.signature))
      #expect(key.isValid(signature, for: Array("mdma.account-link".utf8) + [0]))
    },
    TypedCall("POST", "/groups/{group_id}/accounts/{account}/seal") { turn in
      let envelope = try await turn.send {
        try await $0.sealToAccount(
          turn.namespace, account: turn.account, request: SealToAccountRequest(plaintext: "00"))
      }
      #expect(try turn.world.open(envelope.ephemeralPublicKey, envelope.nonce, envelope.ciphertext) == [0])
      #expect(envelope.accountRootEpoch == 0)
    },
  ]

  /// The devices of an account.
  static let devices: [TypedCall] = [
    TypedCall("GET", "/account/devices") { turn in
      _ = try await turn.rig.put("/account/devices/\(turn.node.device)/label", ["label": "desk"])
      let devices = try await turn.send { try await $0.listAccountDevices() }
      let expected = AccountDeviceEntry(
        deviceId: turn.node.device, signingKey: turn.node.signingKey, isSelf: true, revoked: false,
        applications: [], namespaces: [turn.namespace], label: "desk")
      #expect(devices == [expected])
    },
    TypedCall("GET", "/account/applications") { turn in
      let applications = try await turn.send { try await $0.listAccountApplications() }
      let expected = AccountApplicationEntry(applicationId: turn.application, namespaces: [turn.namespace])
      #expect(applications == [expected])
    },
    TypedCall("POST", "/account/devices/{device_id}/relink") { turn in
      let chat = try await turn.otherApplication()
      let device = try await turn.pairDevice(for: [chat])
      turn.path = "/admin-api/account/devices/\(device)/relink"
      let answer = try await turn.send(body: ["applications": [.string(turn.application)]]) {
        try await $0.relinkAccountDevice(
          device, request: RelinkDeviceRequest(applications: [turn.application]))
      }
      #expect(answer.accountId == turn.node.account)
      #expect(answer.deviceId == device)
      #expect(Set(answer.applications) == [chat, turn.application])
      #expect(answer.linkedIn == [LinkedNamespace(namespaceId: turn.namespace, keyDelivered: true)])
      #expect(answer.skipped == [])
      let again = try await turn.send(body: ["applications": []]) {
        try await $0.relinkAccountDevice(device, request: RelinkDeviceRequest())
      }
      #expect(again.linkedIn == [])
      #expect(again.skipped == [SkippedNamespace(namespaceId: turn.namespace, reason: .alreadyBound)])
    },
    TypedCall("PUT", "/account/devices/{device_id}/scope") { turn in
      let chat = try await turn.otherApplication()
      let device = try #require(turn.path.split(separator: "/").dropLast().last.map(String.init))
      let answer = try await turn.send(body: ["scope": ["only": [.string(chat)]]]) {
        try await $0.rescopeAccountDevice(device, request: RescopeDeviceRequest(scope: .only([chat])))
      }
      #expect(answer.deviceId == device)
      #expect(answer.applications == [chat])
      #expect(answer.descoped == [DescopedNamespace(namespaceId: turn.namespace, keyRotated: true)])
      #expect(answer.skipped == [SkippedNamespace(namespaceId: turn.namespace, reason: .outOfScope)])
      #expect(try await turn.device(device)["namespaces"] == [])
      let wide = try await turn.send(body: ["scope": "all"]) {
        try await $0.rescopeAccountDevice(device, request: RescopeDeviceRequest(scope: .all))
      }
      #expect(wide.applications == [])
      #expect(wide.linkedIn == [LinkedNamespace(namespaceId: turn.namespace, keyDelivered: true)])
    },
    TypedCall("PUT", "/account/devices/{device_id}/label") { turn in
      let answer = try await turn.send {
        try await $0.labelAccountDevice(turn.node.device, request: LabelDeviceRequest(label: "phone"))
      }
      let expected = LabelDeviceResponseData(
        accountId: turn.node.account, deviceId: turn.node.device, label: "phone", labelEpoch: 1)
      #expect(answer == expected)
      #expect(try await turn.device(turn.node.device)["label"] == "phone")
    },
    TypedCall("POST", "/namespaces/{namespace_id}/account/revoke") { turn in
      let device = try turn.text("deviceId")
      let answer = try await turn.send {
        try await $0.revokeAccountDevice(
          turn.namespace, request: RevokeAccountDeviceRequest(deviceId: device))
      }
      let expected = RevokeAccountDeviceResponseData(
        accountId: turn.node.account, deviceId: device, keyRotated: true,
        revokedIn: [DescopedNamespace(namespaceId: turn.namespace, keyRotated: true)])
      #expect(answer == expected)
      #expect(try await turn.device(device)["revoked"] == true)
    },
    TypedCall("POST", "/namespaces/{namespace_id}/account/link-device") { turn in
      let request = LinkAccountDeviceRequest(
        credential: try turn.text("credential"), scope: try turn.text("scope"))
      for alreadyBound in [false, true] {
        let answer = try await turn.send {
          try await $0.linkAccountDevice(turn.namespace, request: request)
        }
        let expected = LinkAccountDeviceResponseData(
          accountId: turn.account, deviceId: turn.world.deviceId, alreadyBound: alreadyBound)
        #expect(answer == expected)
      }
    },
  ]
}

extension TypedTurn {
  /// Makes bob's node a device of this node's account, for some applications, and answers its id.
  fileprivate func pairDevice(for applications: [String]) async throws -> String {
    var offer = try #require(try await world.pairing().objectValue)
    offer["applications"] = .array(applications.map { .string($0) })
    let answer = try await rig.post("/account/pair-complete", .object(offer))
    return try #require(answer.data["deviceId"]?.stringValue)
  }

  /// A device of the account as the node lists it.
  fileprivate func device(_ id: String) async throws -> JSONValue {
    let devices = try await rig.get("/account/devices").json["devices"]?.arrayValue
    return try #require(devices?.first { $0["deviceId"] == .string(id) })
  }
}
