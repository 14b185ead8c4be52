import Foundation
import MeroHTTP
import MeroKit
import MeroWire
import Testing

@Suite("Requests of the admin API")
struct AdminRequestTests {
  @Test("20 §1.3: what is not said is left out, since nodes refuse what they do not know")
  func minimalRequests() throws {
    func check(_ request: some Encodable, _ text: String) throws {
      #expect(try JSONValue(encoding: request) == json(text))
    }
    try check(
      CreateContextRequest(applicationId: "a", groupId: "g"),
      #"{"applicationId":"a","groupId":"g","initializationParams":[]}"#)
    try check(CreateNamespaceRequest(applicationId: "a"), #"{"applicationId":"a"}"#)
    try check(CreateGroupRequest(applicationId: "a"), #"{"applicationId":"a"}"#)
    try check(CreateNamespaceInvitationRequest(), "{}")
    try check(ChangeNamespaceAdminRequest(newAdmin: "a"), #"{"newAdmin":"a"}"#)
    try check(TransferOwnershipRequest(newOwner: "a"), #"{"newOwner":"a"}"#)
    try check(RootGuardedOpRequest(), "{}")
    try check(SetMetadataRequest(), #"{"data":{}}"#)
    try check(ResyncContextRequest(), #"{"force":false}"#)
    try check(
      UpgradeGroupRequest(targetApplicationId: "a"),
      #"{"targetApplicationId":"a","cascade":false,"forceCodeOnly":false}"#)
    try check(RevokeAccountDeviceRequest(deviceId: "d"), #"{"deviceId":"d"}"#)
    try check(RelinkDeviceRequest(), #"{"applications":[]}"#)
    try check(RescopeDeviceRequest(scope: .all), #"{"scope":"all"}"#)
    try check(
      AccountPairInitRequest(accountRootPublicKey: "r"), #"{"accountRootPublicKey":"r","namespaces":[]}"#)
    try check(SetTeeAuthoringPolicyRequest(allowedMrtd: []), #"{"allowedMrtd":[]}"#)
    try check(FleetJoinRequest(groupId: "g"), #"{"groupId":"g","admitterAddrs":[]}"#)
    try check(GroupMemberInput(identity: "a"), #"{"identity":"a","role":"Member"}"#)
    try check(QueryContextRequest(method: "get"), #"{"method":"get","argsJson":{}}"#)
  }

  @Test("20 §6.11: flags of an attestation that are false are left out, since older nodes refuse them")
  func attestFlags() throws {
    #expect(try JSONValue(encoding: TeeAttestRequest(nonce: "00")) == ["nonce": "00"])
    let all = TeeAttestRequest(
      nonce: "00", bindNodeKey: true, bindTransportKey: true, includeCollateral: true)
    let written = try JSONValue(encoding: all)
    #expect(written["bindNodeKey"] == true)
    #expect(try written.decode(TeeAttestRequest.self) == all)
    #expect(try json(#"{"nonce":"00"}"#).decode(TeeAttestRequest.self) == TeeAttestRequest(nonce: "00"))
  }

  @Test("20 §6.9: withdrawn presence is written as null")
  func presenceState() throws {
    var request = PresenceIntentRequest(state: "ff", seq: 1, sentAtMs: 2, signature: "s", authorProof: "p")
    #expect(try JSONValue(encoding: request)["state"] == "ff")
    request.state = nil
    #expect(try JSONValue(encoding: request).text.contains(#""state":null"#))
  }

  @Test("a device's scope is read as it is written")
  func deviceScope() throws {
    for scope in [DeviceScope.all, .only(["a"])] {
      #expect(try JSONValue(encoding: scope).decode(DeviceScope.self) == scope)
    }
    for text in [#""some""#, "{}", "1", #"{"only":"a"}"#] {
      #expect(throws: (any Error).self) { try json(text).decode(DeviceScope.self) }
    }
  }

  @Test("20 §5.5: a group's visibility is always sent, and open unless it is said")
  func visibility() async throws {
    func sent(_ request: CreateGroupInNamespaceRequest?) async throws -> JSONValue? {
      let transport = RecordingTransport { _ in .json(#"{"data":{"groupId":"g"}}"#) }
      try await AdminApi(transport).createGroupInNamespace("n", request: request)
      guard case .data(let body)? = await transport.sent.first?.body else { return nil }
      return try JSONValue(parsing: body)
    }
    #expect(try await sent(nil) == ["visibility": "open"])
    #expect(
      try await sent(CreateGroupInNamespaceRequest(groupName: "x")) == [
        "groupName": "x", "visibility": "open",
      ])
    #expect(
      try await sent(CreateGroupInNamespaceRequest(visibility: .restricted)) == ["visibility": "restricted"])
  }

  @Test(
    "calls whose request may be nil send an empty object, and ending a TEE authority without a proof sends none"
  )
  func nilRequests() async throws {
    let transport = RecordingTransport { _ in .json(#"{"data":{"invitations":[]}}"#) }
    let api = try AdminApi(transport)
    _ = try await api.createNamespaceInvitation("n", request: nil)
    _ = try await api.createGroupInvitation("g", request: nil)
    try await api.ownerDeleteGroup("g", request: nil)
    try await api.disableTeeAuthoringPolicy("n", request: nil)
    try await api.disableTeeAuthoringPolicy("n", request: RootGuardedOpRequest())
    let bodies = await transport.sent.map(\.body)
    let empty = HTTPRequestBody.data(Data("{}".utf8))
    #expect(bodies == [empty, empty, empty, nil, nil])
  }

  @Test("20 §1.1: joins wait 65 seconds, a search for a blob 60, and everything else the client's time")
  func timeouts() async throws {
    let transport = RecordingTransport { request in
      request.url.path.contains("/blobs/") ? HTTPResponse(status: 200) : .json(#"{"data":null}"#)
    }
    let api = try AdminApi(transport)
    let invitation = Invitations.invitation
    _ = try? await api.joinNamespace("n", request: JoinNamespaceRequest(invitation: invitation))
    _ = try? await api.admitJoin("n", request: AdmitJoinRequest(invitation: invitation, signedOp: "00"))
    _ = try? await api.joinGroup(JoinGroupRequest(invitation: invitation))
    _ = try await api.getBlob("b", contextId: "c")
    _ = try await api.getBlobInfo("b", contextId: "c")
    _ = try await api.getBlob("b")
    _ = try await api.getBlobInfo("b")
    try await api.syncContext("c")
    #expect(await transport.sent.map(\.timeout) == [65, 65, 10, 60, 60, 10, 10, 10])
  }

  @Test("an id that is empty or only dots is refused, and nothing is sent", arguments: ["", ".", ".."])
  func foldedIds(_ id: String) async throws {
    let transport = RecordingTransport { _ in .json("{}") }
    let api = try AdminApi(transport)
    await #expect(throws: MeroError.self) { try await api.deleteGroup(id) }
    await #expect(throws: MeroError.self) { try await api.syncContext(id) }
    await #expect(throws: MeroError.self) { try await api.getMemberMetadata("g", account: id) }
    #expect(await transport.sent.isEmpty)
  }

  @Test("a write is sent once, whatever becomes of it, and a read three times")
  func retries() async throws {
    let transport = RecordingTransport { _ in .json("{}", status: 503) }
    let api = try AdminApi(transport)
    await #expect(throws: MeroError.self) { try await api.syncGroup("g") }
    await #expect(throws: MeroError.self) { try await api.listNamespaces() }
    #expect(await transport.lines == ["POST groups/g/sync"] + [String](repeating: "GET namespaces", count: 3))
  }

  @Test("the second names of calls and types are the same calls and types")
  func secondNames() async throws {
    let transport = RecordingTransport { _ in .json(#"{"members":[]}"#) }
    let api = try AdminApi(transport)
    _ = try await api.listMemberDevices("g")
    _ = try? await api.accountPairInit(AccountPairInitRequest(accountRootPublicKey: "r"))
    _ = try? await api.accountPairComplete(
      AccountPairCompleteRequest(
        deviceId: "d", kemPublicKey: "x", signPublicKey: "k", statement: "s", confirmationCode: "c"))
    _ = try? await api.relinkDevice("d", request: RelinkDeviceRequest())
    _ = try? await api.rescopeDevice("d", request: RescopeDeviceRequest(scope: .all))
    _ = try? await api.labelDevice("d", request: LabelDeviceRequest(label: "l"))
    _ = try? await api.revokeDevice("n", request: RevokeDeviceRequest(deviceId: "d"))
    #expect(
      await transport.lines == [
        "GET groups/g/member-devices", "POST account/pair-init", "POST account/pair-complete",
        "POST account/devices/d/relink", "PUT account/devices/d/scope", "PUT account/devices/d/label",
        "POST namespaces/n/account/revoke",
      ])
  }
}
