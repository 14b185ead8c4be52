import Foundation
import MeroCrypto
import MeroWire
import Testing

@testable import MeroKitTestSupport

@Suite("The account of a fake node")
struct AccountRouteTests {
  @Test("a node says who it is once it takes part in something")
  func identity() async throws {
    let rig = NodeRig()
    #expect(try await rig.get("/identity").status == 404)
    let namespace = rig.node.makeNamespace()
    let identity = try await rig.get("/identity").data
    #expect(identity["accountId"]?.stringValue == rig.node.account)
    #expect(identity["publicKey"]?.stringValue == rig.node.signingKey)
    #expect(identity["holdsAccountRoot"] == true)
    #expect(identity["accountNamespaceId"]?.stringValue == namespace)
  }

  /// Pairs bob as a device of alice's account and answers what completing was answered.
  func pair(_ pair: NodePair, _ change: (inout JSONObject) -> Void = { _ in }) async throws -> NodeRig.Answer
  {
    let identity = try await pair.alice.get("/identity").data
    let offer = try await pair.bob.post(
      "/account/pair-init",
      [
        "accountRootPublicKey": identity["accountRootPublicKey"] ?? .null,
        "accountNamespace": identity["accountNamespaceId"] ?? .null,
      ]
    ).data
    #expect(offer["accountId"] == identity["accountId"])
    var request: JSONObject = [:]
    for name in ["deviceId", "kemPublicKey", "signPublicKey", "statement", "confirmationCode"] {
      request[name] = offer[name]
    }
    change(&request)
    return try await pair.alice.post("/account/pair-complete", .object(request))
  }

  @Test("pairing makes the other node a device of the account, with its namespaces")
  func pairing() async throws {
    let pair = NodePair()
    let namespace = pair.alice.node.makeNamespace()
    let answer = try await self.pair(pair) { request in
      let code = request["confirmationCode"]?.stringValue ?? ""
      request["confirmationCode"] = .string(code.lowercased().replacingOccurrences(of: "-", with: " "))
    }
    #expect(answer.status == 200)
    #expect(answer.data["keyDelivered"] == true)
    let credential = try DeviceCredential(
      hex: try #require(answer.data["credential"]?.stringValue), field: "credential")
    #expect(credential.bound.account == pair.alice.node.account)
    #expect(pair.bob.node.account == pair.alice.node.account)
    #expect(try await pair.bob.namespaces() == [namespace])
    #expect(try await pair.bob.get("/identity").data["holdsAccountRoot"] == false)
    let devices = try await pair.alice.get("/account/devices").json["devices"]?.arrayValue
    #expect(devices?.count == 2)
    #expect(devices?.allSatisfy { $0["namespaces"] == [.string(namespace)] } == true)
  }

  @Test("a wrong code or statement is 400, and only the holder of the root completes")
  func pairingRefusals() async throws {
    let pair = NodePair()
    _ = pair.alice.node.makeNamespace()
    let code = try await self.pair(pair) { $0["confirmationCode"] = "AAAA-AAAA-AAAA-AAAA" }
    #expect(code.status == 400)
    let statement = try await self.pair(pair) {
      $0["statement"] = .string(String(repeating: "0", count: 128))
    }
    #expect(statement.status == 400)
    #expect(try await self.pair(pair).status == 200)
    let offer: JSONValue = [
      "deviceId": .string(NodeRig.anId), "kemPublicKey": .string(NodeRig.anId),
      "signPublicKey": .string(NodeRig.anId), "statement": .string(String(repeating: "0", count: 128)),
      "confirmationCode": "x",
    ]
    #expect(try await pair.bob.post("/account/pair-complete", offer).status == 403)
  }

  @Test("a device is scoped, named and revoked; the node's own is not revoked")
  func devices() async throws {
    let pair = NodePair()
    let namespace = pair.alice.node.makeNamespace(of: .keyValue)
    let id = try #require(try await self.pair(pair).data["deviceId"]?.stringValue)
    let path = "/account/devices/\(id)"
    #expect(try await pair.alice.put("\(path)/label", ["label": "  phone "]).data["labelEpoch"] == 1)
    #expect(try await pair.alice.put("\(path)/label", ["label": "tablet"]).status == 429)
    await pair.clock.advance(by: 10)
    #expect(try await pair.alice.put("\(path)/label", ["label": "tablet"]).data["label"] == "tablet")
    #expect(try await pair.alice.put("\(path)/label", ["label": " "]).status == 400)

    #expect(try await pair.alice.put("\(path)/scope", ["scope": ["only": []]]).status == 400)
    let chat = JSONValue.string(pair.alice.node.installApplication(.chat))
    let scoped = try await pair.alice.put("\(path)/scope", ["scope": ["only": [chat]]]).data
    #expect(scoped["descoped"]?[0]?["namespaceId"]?.stringValue == namespace)
    #expect(scoped["skipped"]?[0]?["reason"] == "outOfScope")
    let all = try await pair.alice.put("\(path)/scope", ["scope": "all"]).data
    #expect(all["linkedIn"]?[0]?["namespaceId"]?.stringValue == namespace)
    #expect(try await pair.alice.post("\(path)/relink").data["skipped"]?[0]?["reason"] == "alreadyBound")

    let revoke = "/namespaces/\(namespace)/account/revoke"
    #expect(try await pair.alice.post(revoke, ["deviceId": .string(pair.alice.node.device)]).status == 403)
    #expect(try await pair.alice.post(revoke, ["deviceId": .string(NodeRig.anId)]).status == 404)
    let revoked = try await pair.alice.post(revoke, ["deviceId": .string(id)]).data
    #expect(revoked["revokedIn"]?[0]?["namespaceId"]?.stringValue == namespace)
    let devices = try await pair.alice.get("/groups/\(namespace)/member-devices").json["members"]?[0]?[
      "devices"]
    #expect(devices?.arrayValue?.count == 1)
  }

  @Test("a device that its own root certifies is linked once")
  func linksDevices() async throws {
    let rig = NodeRig()
    let namespace = rig.node.makeNamespace()
    let root = try Ed25519.PrivateKey(seed: [UInt8](repeating: 0x5C, count: 32))
    let key = try Ed25519.PrivateKey(seed: [UInt8](repeating: 0x6D, count: 32))
    let credential = NodeSecrets.certify(
      root: root, signingKey: key.publicKey.bytes, deliveryKey: [UInt8](repeating: 0x3A, count: 32),
      nonce: [UInt8](repeating: 0xA1, count: 16))
    let request: JSONValue = ["credential": .string(credential.hex), "scope": .string(credential.hex)]
    let path = "/namespaces/\(namespace)/account/link-device"
    #expect(try await rig.post(path, request).status == 403)
    let row: JSONValue = ["identity": .string(credential.bound.account), "role": "Member"]
    _ = try await rig.post("/groups/\(namespace)/members", ["members": [row]])
    #expect(try await rig.post(path, request).data["alreadyBound"] == false)
    #expect(try await rig.post(path, request).data["alreadyBound"] == true)
  }

  @Test("a credential is made and read as core pins it (30 §5.1)")
  func credentialVector() throws {
    let root = try Ed25519.PrivateKey(seed: [UInt8](repeating: 0x5C, count: 32))
    let key = try Ed25519.PrivateKey(seed: [UInt8](repeating: 0x6D, count: 32))
    let credential = NodeSecrets.certify(
      root: root, signingKey: key.publicKey.bytes, deliveryKey: [UInt8](repeating: 0x3A, count: 32),
      nonce: [UInt8](repeating: 0xA1, count: 16))
    #expect(credential.bound.account == "ca999783990fd7f4ea0c192135f78c17ac77745bf580b2ed20fea455a8133845")
    #expect(credential.bound.id == "a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1044305da225179a277d6d96e07ff21ea")
    #expect(credential.bytes.count == 237)
    let pinned =
      "4ba6c450e21f28d01b03c2fcb10a5c188a388ef6298fcb1ec23d381b7acc8f3386f08d81672c9089d2ad7bf0ff180ccad61163baa852a021c6773e625aed8a00"
    var published = credential
    published.signature = try Hex.decode(pinned)
    #expect(throws: Never.self) { try published.check("x") }
    #expect(try DeviceCredential(hex: credential.hex, field: "x") == credential)
  }

  @Test("an invitation is hashed and signed as core pins it (30 §11)")
  func invitationVector() throws {
    var invitation = GroupInvitation(
      inviterKey: "8b237d788e8eaaef550c6d125823fa45f1fd5fc29b2c88bdf871119471fc1312",
      groupId: String(repeating: "42", count: 32), expiresAt: 1_790_086_400,
      salt: [UInt8](repeating: 7, count: 32), role: .member,
      admitters: [String(repeating: "0a", count: 32), String(repeating: "0b", count: 32)])
    #expect(invitation.body.count == 173)
    #expect(
      invitation.identity == "0739d4d206f6dc3359ea7510766139b908a5b58e4d53552c62da72cea5c4af72")
    invitation.signature =
      "a9945492839aa130892dc8056fd1a4c882792a0c1426a68f6bd90fac7218ebb2086b505e2f9cbdeb4b7dd1c60199cd8d589a1c14a0c8721bbb1331a20f0a7309"
    #expect(throws: Never.self) { try invitation.checkSignature() }
    #expect(try GroupInvitation(invitation.json) == invitation)
    invitation.expiresAt += 1
    #expect(throws: NodeRefusal.self) { try invitation.checkSignature() }
  }

  @Test("what is sealed to an account is opened with its root, and by nobody else")
  func seals() async throws {
    let rig = NodeRig()
    let namespace = rig.node.makeNamespace()
    let path = "/groups/\(namespace)/accounts/\(rig.node.account)/seal"
    let envelope = try await rig.post(path, ["plaintext": "736563726574"]).data
    #expect(envelope["accountRootEpoch"] == 0)
    let root = try #require(rig.node.store.withState { $0.governance.secrets.root })
    // The scalar of an Ed25519 key is the front half of the hash of its seed.
    let scalar = try X25519.PrivateKey(bytes: SHA512.hash(root.seed).prefix(32).map { $0 })
    let ephemeral = try Hex.decode(try #require(envelope["ephemeralPublicKey"]?.stringValue))
    let key = HKDFSHA256.derive(
      ikm: try scalar.sharedSecret(with: ephemeral), salt: ephemeral + root.publicKey.bytes,
      info: SealedToAccount.domain, count: AESGCM.keySize)
    let opened = try AESGCM(key: key).open(
      try Hex.decode(try #require(envelope["ciphertext"]?.stringValue)),
      nonce: try Hex.decode(try #require(envelope["nonce"]?.stringValue)), authenticating: [UInt8]())
    #expect(opened == Array("secret".utf8))
    let large = JSONValue.string(String(repeating: "00", count: 65_537))
    #expect(try await rig.post(path, ["plaintext": large]).status == 413)
    #expect(
      try await rig.post("/groups/\(namespace)/accounts/\(NodeRig.anId)/seal", ["plaintext": "00"]).status
        == 404)
  }

  @Test("an Ed25519 key's other form is the one X25519 has for the same secret")
  func montgomery() throws {
    for byte: UInt8 in [1, 2, 77, 255] {
      let key = try Ed25519.PrivateKey(seed: [UInt8](repeating: byte, count: 32))
      let scalar = try X25519.PrivateKey(bytes: SHA512.hash(key.seed).prefix(32).map { $0 })
      #expect(MontgomeryPoint.u(ofEdwards: key.publicKey.bytes) == scalar.publicKey)
    }
    #expect(MontgomeryPoint.u(ofEdwards: [1] + [UInt8](repeating: 0, count: 31)) == nil)
  }

  @Test("the root signs under a closed set of domains")
  func signsWithRoot() async throws {
    let rig = NodeRig()
    let answer = try await rig.post(
      "/account/sign-with-root", ["domain": "mdma.account-link", "payload": "0102"]
    ).data
    let key = try Ed25519.PublicKey(bytes: try Hex.decode(try #require(answer["rootPublicKey"]?.stringValue)))
    let signature = try #require(Data(base64Encoded: answer["signature"]?.stringValue ?? ""))
    #expect(key.isValid(signature, for: Array("mdma.account-link".utf8) + [1, 2]))
    let unknown = try await rig.post("/account/sign-with-root", ["domain": "mdma.other", "payload": "01"])
    #expect(unknown.status == 400)
    #expect(unknown.error?.contains("mdma.account-recovery") == true)
  }
}
