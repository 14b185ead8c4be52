import Foundation
import MeroCrypto
import MeroWire
import Testing

@testable import MeroKitTestSupport

@Suite("A fake node as a relay")
struct DelegationTests {
  let rig: NodeRig
  let device: TestDevice
  let namespace: String
  let context: String

  init() async throws {
    rig = NodeRig()
    device = try TestDevice()
    rig.node.setRelay()
    namespace = rig.node.makeNamespace(of: .keyValue)
    context = rig.node.makeContext(of: .keyValue, in: namespace)
    let row: JSONValue = ["identity": .string(device.account), "role": "Member"]
    _ = try await rig.post("/groups/\(namespace)/members", ["members": [row]])
  }

  func release() async throws -> String {
    try #require(
      try await rig.get("/contexts/\(context)/intents", as: .nobody).data["releaseBytecodeId"]?.stringValue)
  }

  func perform(_ request: JSONValue) async throws -> NodeRig.Answer {
    try await rig.post("/contexts/\(context)/intents", request, as: .nobody)
  }

  func govern(_ scope: String, _ request: JSONValue) async throws -> NodeRig.Answer {
    try await rig.post("/groups/\(scope)/governance-intents", request, as: .nobody)
  }

  @Test("a member's warrant is run as the member, once")
  func performs() async throws {
    let request = try device.write(
      "set_value", ["key": "k", "value": "v"], in: context, release: try await release(), by: rig.node)
    let answer = try await perform(request)
    #expect(answer.status == 200)
    #expect(answer.data["rootHash"] == .string(try #require(await stateHash())))
    let again = try await perform(request)
    #expect(again.status == 403)
    #expect(again.error?.contains("nonce") == true)
    let older = try device.write(
      "set_value", ["key": "k", "value": "w"], in: context, release: try await release(), by: rig.node,
      nonce: 200)
    #expect(try await perform(older).status == 200)
    let tooOld = try device.write(
      "set_value", ["key": "k", "value": "x"], in: context, release: try await release(), by: rig.node,
      nonce: 136)
    #expect(try await perform(tooOld).status == 403)
    let inWindow = try device.write(
      "set_value", ["key": "k", "value": "y"], in: context, release: try await release(), by: rig.node,
      nonce: 137)
    #expect(try await perform(inWindow).status == 200)
  }

  func stateHash() async -> String? {
    try? await rig.get("/contexts/\(context)").data["contextStateHash"]?.stringValue
  }

  @Test("a warrant for something else is refused, and only a spent nonce is said to be one")
  func refuses() async throws {
    let release = try await release()
    let good = try device.write(
      "set_value", ["key": "k", "value": "v"], in: context, release: release, by: rig.node)
    var other = try #require(good.objectValue)
    other["argsJson"] = ["key": "k", "value": "x"]
    let expired = try device.write(
      "set_value", in: context, release: release, by: rig.node, notAfter: 1_789_999_999)
    let elsewhere = try device.write("set_value", in: NodeRig.anId, release: release, by: rig.node)
    let unpinned = try device.write("set_value", in: context, release: NodeRig.anId, by: rig.node)
    let stranger = try TestDevice(0x11).write("set_value", in: context, release: release, by: rig.node)
    for request in [.object(other), expired, elsewhere, unpinned, stranger] {
      let answer = try await perform(request)
      #expect(answer.status == 403)
      #expect(answer.error?.lowercased().contains("nonce") == false)
    }
    var broken = try #require(good.objectValue)
    broken["warrant"] = "00"
    #expect(try await perform(.object(broken)).status == 400)
    broken["warrant"] = good["warrant"]
    broken["authorProof"] = try TestDevice(0x11).proof
    #expect(try await perform(.object(broken)).status == 400)
  }

  @Test("a relay without a grant says so beforehand, and refuses")
  func withoutGrant() async throws {
    rig.node.setRelay(hasGrant: false)
    let info = try await rig.get("/contexts/\(context)/intents", as: .nobody).data
    #expect(info["canAuthorOnBehalf"] == false)
    #expect(info["grantedOnGroupId"] == nil)
    let request = try device.write("set_value", in: context, release: try await release(), by: rig.node)
    #expect(try await perform(request).status == 403)
    let grant = "/groups/\(namespace)/members/\(rig.node.account)/capabilities"
    #expect(try await rig.put(grant, ["capabilities": 512]).status == 200)
    #expect(try await rig.get("/contexts/\(context)/intents", as: .nobody).data["canAuthorOnBehalf"] == true)
  }

  @Test("without delegated access the routes need a session that may")
  func withoutDelegatedAccess() async throws {
    rig.node.setRelay(delegatedAccess: false)
    #expect(try await rig.get("/contexts/\(context)/intents", as: .nobody).status == 401)
    #expect(try await rig.get("/groups/\(namespace)/governance-intents", as: .nobody).status == 401)
    #expect(try await rig.get("/contexts/\(context)/intents").status == 200)
    #expect(try await rig.get("/contexts/\(NodeRig.anId)/intents").status == 404)
    #expect(try await rig.get("/groups/\(NodeRig.anId)/context-intents").status == 404)
  }

  @Test("a context is created by who may, as the warrant says")
  func creates() async throws {
    let application = NodeApplications.id(of: FakePackage.keyValue.name)
    let path = "/groups/\(namespace)/context-intents"
    let hint = try await rig.get("\(path)?author=\(device.account)", as: .nobody).data
    #expect(hint["authorMayCreate"] == false)
    let request = try device.creation(in: namespace, of: application, by: rig.node)
    #expect(try await rig.post(path, request, as: .nobody).status == 403)
    _ = try await rig.put("/groups/\(namespace)/members/\(device.account)/capabilities", ["capabilities": 5])
    let answer = try await rig.post(path, request, as: .nobody)
    #expect(answer.data["groupId"]?.stringValue == namespace)
    let id = try #require(answer.data["contextId"]?.stringValue)
    #expect(try await rig.get("/contexts/\(id)").data["name"] == "general")
    let other = try device.creation(in: namespace, of: NodeRig.anId, by: rig.node, nonce: 2)
    #expect(try await rig.post(path, other, as: .nobody).status == 409)
  }

  @Test("a creation's warrant is good once, also when what it made was deleted")
  func createsOnce() async throws {
    let application = NodeApplications.id(of: FakePackage.keyValue.name)
    let path = "/groups/\(namespace)/context-intents"
    _ = try await rig.put("/groups/\(namespace)/members/\(device.account)/capabilities", ["capabilities": 5])
    let request = try device.creation(in: namespace, of: application, by: rig.node)
    let id = try #require(try await rig.post(path, request, as: .nobody).data["contextId"]?.stringValue)
    #expect(try await rig.post(path, request, as: .nobody).status == 409)
    #expect(try await rig.send(.delete, "/admin-api/contexts/\(id)").data == ["isDeleted": true])
    let replayed = try await rig.post(path, request, as: .nobody)
    #expect(replayed.status == 403)
    #expect(replayed.text.contains("nonce"))
  }

  @Test("an account founds a namespace, names its application and makes groups")
  func founds() async throws {
    let salt = [UInt8](repeating: 0x5C, count: 32)
    let id = NamespaceTree.id(founder: device.account, salt: Hex.encode(salt))
    let op = [9] + credentialed(salt)
    let answer = try await govern(id, try device.governance(op, scope: id, plane: 1, by: rig.node))
    #expect(answer.data["groupId"]?.stringValue == id)
    #expect(answer.data["teeEnabled"] == false)
    #expect(
      try await govern(id, try device.governance(op, scope: id, plane: 1, by: rig.node, nonce: 2)).status
        == 409)

    var target = BorshWriter()
    target.u8(7)
    target.fixed([UInt8](repeating: 0, count: 32))
    target.fixed(try Hex.decode(NodeApplications.id(of: FakePackage.keyValue.name)))
    target.string(FakePackage.keyValue.name)
    target.string(FakePackage.keyValue.version)
    let set = try device.governance(target.bytes, scope: id, plane: 0, by: rig.node, nonce: 3)
    #expect(try await govern(id, set).status == 200)
    #expect(
      try await rig.get("/namespaces/\(id)").data["appVersion"]?.stringValue == FakePackage.keyValue.version)
    let again = try device.governance(target.bytes, scope: id, plane: 0, by: rig.node, nonce: 4)
    #expect(try await govern(id, again).status == 403)

    let group = NamespaceTree.subgroupId(
      admin: device.account, parent: id, isOpen: true, salt: Hex.encode(salt))
    let create = [0] + (try Hex.decode(group)) + (try Hex.decode(id)) + [0] + credential.account + salt
    let made = try await govern(
      id, try device.governance(create, scope: id, plane: 1, by: rig.node, nonce: 5))
    #expect(made.data["groupId"]?.stringValue == group)
    #expect(try await rig.members(of: group)[device.account] == "Admin")
  }

  private var credential: DeviceCredential { device.credential }

  private func credentialed(_ salt: [UInt8]) -> [UInt8] { credential.account + credential.bytes + salt }

  @Test("rights are the author's, the plane counts, and authorship is nobody's to delegate")
  func governs() async throws {
    func mask(_ value: UInt32) -> [UInt8] {
      var writer = BorshWriter()
      writer.u8(6)
      writer.u32(value)
      return writer.bytes
    }
    let op = mask(231)
    #expect(
      Hex.encode(DelegatedOp.hash(op, plane: 0))
        == "0bc00f5f7627b34a104b6aa059887c2cf30f59f468711462176f35592fcf95fd")
    #expect(
      try await govern(namespace, try device.governance(op, scope: namespace, plane: 0, by: rig.node)).status
        == 403)
    _ = try await rig.put("/groups/\(namespace)/members/\(device.account)/role", ["role": "Admin"])
    let good = try device.governance(op, scope: namespace, plane: 0, by: rig.node)
    #expect(try await govern(namespace, good).data["groupId"]?.stringValue == namespace)
    #expect(try await rig.get("/groups/\(namespace)").data["defaultCapabilities"] == 231)
    #expect(try await govern(namespace, good).status == 403)
    let forbidden = try device.governance(mask(512), scope: namespace, plane: 0, by: rig.node, nonce: 2)
    #expect(try await govern(namespace, forbidden).status == 403)
    let undelegable = try device.governance([14], scope: namespace, plane: 0, by: rig.node, nonce: 3)
    #expect(try await govern(namespace, undelegable).status == 403)
    let wrongScope = try device.governance(op, scope: NodeRig.anId, plane: 0, by: rig.node, nonce: 4)
    #expect(try await govern(NodeRig.anId, wrongScope).status == 403)
  }

  @Test("a direct member who joins an Open group is told it is one")
  func joinsOpen() async throws {
    let group = try await rig.makeGroup(in: namespace, ["visibility": "open"])
    let op = [7] + credential.account + (try Hex.decode(group)) + credential.bytes
    let first = try await govern(
      namespace, try device.governance(op, scope: namespace, plane: 1, by: rig.node))
    #expect(first.data["groupId"]?.stringValue == group)
    let second = try await govern(
      namespace, try device.governance(op, scope: namespace, plane: 1, by: rig.node, nonce: 2))
    #expect(second.status == 409)
    #expect(second.error?.contains("signer \(device.account) is a direct member") == true)
  }

  @Test("signed presence is passed on, an old number changes nothing, and a stale one is 400")
  func presence() async throws {
    let path = "/contexts/\(context)/presence-intents"
    let now: UInt64 = 1_790_000_000_000
    func send(_ slice: [UInt8]?, _ sequence: UInt64, _ sentAt: UInt64) async throws -> NodeRig.Answer {
      try await rig.post(
        path, try device.presence(slice, in: context, sequence: sequence, sentAt: sentAt), as: .nobody)
    }
    let first = try await send([1], 10, now)
    #expect(first.status == 204)
    #expect(first.bytes.isEmpty)
    let key = Hex.encode(device.key.publicKey.bytes)
    #expect(rig.node.presence(in: context) == [key: [1]])
    #expect(try await send([2], 10, now).status == 204)
    #expect(rig.node.presence(in: context) == [key: [1]])
    #expect(try await send([2], 11, now).status == 429)
    await rig.clock.advance(by: 1)
    #expect(try await send([2], 11, now - 7_000).status == 400)
    #expect(try await send([UInt8](repeating: 0, count: 16_385), 11, now).status == 413)
    #expect(try await send(nil, 12, now).status == 204)
    #expect(rig.node.presence(in: context).isEmpty)
    var missing = try #require(try device.presence([1], in: context, sequence: 20, sentAt: now).objectValue)
    missing["state"] = nil
    #expect(try await rig.post(path, .object(missing), as: .nobody).status == 400)
    let stranger = try TestDevice(0x11).presence([1], in: context, sequence: 1, sentAt: now)
    #expect(try await rig.post(path, stranger, as: .nobody).status == 403)
  }

  @Test("a joiner without a node is admitted on what it signed")
  func admits() async throws {
    let newcomer = try TestDevice(0x21)
    let invitation = try await rig.invite(to: namespace)
    let path = "/namespaces/\(namespace)/admit"
    let request: JSONValue = ["invitation": invitation, "signedOp": try newcomer.join(namespace, invitation)]
    #expect(try await rig.post(path, request, as: .nobody).data == ["published": true])
    #expect(try await rig.members(of: namespace)[newcomer.account] == "Member")
    let elsewhere: JSONValue = [
      "invitation": invitation, "signedOp": try newcomer.join(NodeRig.anId, invitation),
    ]
    #expect(try await rig.post(path, elsewhere, as: .nobody).status == 400)
    let other = try await rig.invite(to: namespace, ["admitters": [.string(NodeRig.anId)]])
    let strange: JSONValue = ["invitation": other, "signedOp": try newcomer.join(namespace, other)]
    #expect(try await rig.post(path, strange, as: .nobody).status == 403)
    await rig.clock.advance(by: 86_401)
    let late = try await rig.post(path, request, as: .nobody)
    #expect(late.status == 403)
    #expect(late.error?.hasPrefix("invitation rejected:") == true)
  }

  @Test("core's own warrant decodes and verifies (30 §6.2)")
  func warrantVector() throws {
    func many(_ byte: String) -> String { String(repeating: byte, count: 32) }
    let text =
      many("11") + many("22") + "ea4a6c63e29c520abef5507b132ec5f9954776aebebe7b92421eea691446d22c"
      + many("33")
      + many("77") + many("44") + "05000000312e302e3003000000736574"
      + "dc066cc8524c74dc21714174009df536376e3151f5b92f0a676defde599dbae5" + "01000000" + many("55")
      + "01000000"
      + many("66") + "2a0000000000000000f1536500000000"
      + "e42f753e1a30657fe036b0c0a07030f3f6d92ea56749921c5a6ae07eb966cb501ed439f7a8007dfce0ccb6b5a8b94bdda9f48db9c84f181e9fbaa0d208726b02"
    let bytes = try Hex.decode(text)
    #expect(bytes.count == 392)
    let warrant = try Warrant(bytes, .write)
    #expect(warrant.method == "set")
    #expect(warrant.nonce == 42)
    var changed = bytes
    changed[300] ^= 1
    #expect(throws: NodeRefusal.self) { try Warrant(changed, .write) }
  }
}
