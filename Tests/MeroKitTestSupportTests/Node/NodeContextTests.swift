import Foundation
import MeroHTTP
import MeroKitTestSupport
import MeroWire
import Testing

@Suite("Contexts and applications of a fake node")
struct NodeContextTests {
  // MARK: Applications

  @Test("an application is installed by its coordinates, once, and listed with its versions")
  func install() async throws {
    let rig = NodeRig()
    let body: JSONValue = ["package": "com.calimero.probe", "version": "1.0.0"]
    let first = try await rig.send(.post, "/admin-api/install-application", json: body)
    let id = try #require(first.data["applicationId"]?.stringValue)
    #expect(try await rig.send(.post, "/admin-api/install-application", json: body).data == first.data)
    let missing = try await rig.send(
      .post, "/admin-api/install-application", json: ["package": "com.calimero.probe", "version": "9.9.9"])
    #expect(missing.status == 404)
    rig.node.installApplication(FakePackage("com.calimero.probe", version: "1.1.0") { _ in })
    let versions = try await rig.send(.get, "/admin-api/applications/\(id)/versions").data
    #expect(versions.arrayValue?.map { $0["version"] } == ["1.0.0", "1.1.0"])
    let application = try await rig.send(.get, "/admin-api/applications/\(id)").data["application"]
    #expect(application?["version"] == "1.1.0")
    #expect(application?["blob"]?["bytecode"] == versions[1]?["blobId"])
    #expect(application?["signer_id"]?.stringValue != nil)
    #expect(try await rig.send(.get, "/admin-api/applications").data["apps"]?.arrayValue?.count == 3)
    #expect(try await rig.send(.get, "/admin-api/applications/\(NodeRig.anId)").status == 404)
  }

  @Test("a development build comes from the node's disk, inside the directory it may come from")
  func developmentBuilds() async throws {
    let rig = NodeRig()
    rig.node.placeBundle(.probe, at: "/srv/dev/probe.mpk")
    func install(_ path: String) async throws -> Int {
      try await rig.send(.post, "/admin-api/install-dev-application", json: ["path": .string(path)]).status
    }
    #expect(try await install("/srv/dev/probe.mpk") == 200)
    #expect(try await install("/srv/dev/../dev/probe.mpk") == 400)
    #expect(try await install("/srv/dev/probe.wasm") == 400)
    rig.node.confineDevelopmentBuilds(to: "/srv/other")
    #expect(try await install("/srv/dev/probe.mpk") == 403)
  }

  @Test("packages are flat, or in an envelope from an old node")
  func packages() async throws {
    let rig = NodeRig()
    let expected: JSONValue = ["packages": ["com.calimero.chat", "com.calimero.key-value"]]
    #expect(try await rig.send(.get, "/admin-api/packages").json == expected)
    let versions = try await rig.send(.get, "/admin-api/packages/com.calimero.chat/versions").json
    #expect(versions == ["versions": ["1.4.0"]])
    #expect(
      try await rig.send(.get, "/admin-api/packages/com%2Enone/latest").json
        == ["applicationId": .null, "version": .null])
    rig.node.setOld(true)
    #expect(try await rig.send(.get, "/admin-api/packages").data == expected)
  }

  @Test("the methods of an application are in its ABI; a service it does not have is 400")
  func abi() async throws {
    let rig = NodeRig()
    let id = rig.node.installApplication(.keyValue)
    let abi = try await rig.send(.get, "/admin-api/applications/\(id)/abi").data
    #expect(abi["schema_version"] == "wasm-abi/1")
    #expect(abi["methods"]?.arrayValue?.contains { $0["name"] == "get_value" } == true)
    #expect(try await rig.send(.get, "/admin-api/applications/\(id)/abi?service_name=x").status == 400)
  }

  // MARK: Making contexts

  private func create(_ rig: NodeRig, _ more: JSONObject = [:], package: FakePackage = .keyValue) async throws
    -> NodeRig.Answer
  {
    let group = rig.node.makeNamespace(of: package)
    var body: JSONObject = [
      "applicationId": .string(rig.node.installApplication(package)), "groupId": .string(group),
      "initializationParams": [],
    ]
    for (name, value) in more { body[name] = value }
    return try await rig.send(.post, "/admin-api/contexts", json: .object(body))
  }

  @Test("a context is made in a group, initialised, and listed with its name and group")
  func create() async throws {
    let rig = NodeRig()
    let made = try await create(rig, ["name": "Notes"])
    #expect(made.status == 200, "\(made.text)")
    let id = try #require(made.data["contextId"]?.stringValue)
    let group = try #require(made.data["groupId"]?.stringValue)
    #expect(made.data["memberPublicKey"] == .string(rig.node.signingKey))
    #expect(made.data["groupCreated"] == false)
    let context = try await rig.send(.get, "/admin-api/contexts/\(id)").data
    #expect(context["id"] == .string(id))
    #expect(context["applicationVersion"] == "0.2.0")
    #expect(context["name"] == "Notes")
    #expect(context["contextStateHash"]?.stringValue?.allSatisfy { $0 == "0" } == false)
    #expect(context["groupId"] == nil)
    let listed = try await rig.send(.get, "/admin-api/contexts").data["contexts"]
    #expect(listed?[0]?["groupId"] == .string(group))
    #expect(try await rig.send(.get, "/admin-api/contexts/\(id)/group").data == .string(group))
    #expect(try await rig.send(.get, "/admin-api/contexts/\(NodeRig.anId)").status == 404)
  }

  @Test("the same seed is the same context, and once only")
  func seeds() async throws {
    let rig = NodeRig()
    let seed: JSONObject = ["contextSeed": .string(NodeRig.anId)]
    let id = try await create(rig, seed).data["contextId"]
    #expect(id?.stringValue != nil)
    #expect(try await create(rig, seed).status == 409)
    #expect(try await create(NodeRig(seed: 8), seed).data["contextId"] == id)
  }

  @Test("an identity secret decides which key takes part")
  func identitySecrets() async throws {
    let rig = NodeRig()
    let made = try await create(rig, ["identitySecret": .string(NodeRig.anId)])
    let key = try #require(made.data["memberPublicKey"])
    #expect(key != .string(rig.node.signingKey))
    let id = try #require(made.data["contextId"]?.stringValue)
    let owned = try await rig.send(.get, "/admin-api/contexts/\(id)/identities-owned").data
    #expect(owned == ["identities": [key], "identitiesOf": "node"])
  }

  @Test("init that refuses is 400 with its words; a missing application, group or field is refused too")
  func refusedCreation() async throws {
    let rig = NodeRig()
    let strict = FakePackage("com.example.strict", version: "1.0.0") {
      $0.initialize { context, args in
        guard let owner = args["owner"] else { throw FakePackage.Failure("there must be an owner") }
        context["owner"] = owner
      }
      $0.view("owner") { context, _ in context["owner"] ?? .null }
    }
    let refused = try await create(rig, package: strict)
    #expect(refused.status == 400)
    #expect(refused.error == "there must be an owner")
    let arguments = JSONValue.array(Array(#"{"owner":"ada"}"#.utf8).map { JSONValue($0) })
    let made = try await create(rig, ["initializationParams": arguments], package: strict)
    let id = try #require(made.data["contextId"]?.stringValue)
    #expect(try await rig.execute("owner", in: id)["result"]?["output"] == "ada")
    #expect(try await create(rig, ["applicationId": .string(NodeRig.anId)]).status == 404)
    #expect(try await create(rig, ["groupId": .string(NodeRig.anId)]).status == 404)
    #expect(try await create(rig, ["initializationParams": "text"]).status == 400)
    #expect(try await create(rig, ["requester": "me"]).status == 400)
  }

  @Test("lists are cut into pages, and limits clamped")
  func paging() async throws {
    let rig = NodeRig()
    let group = rig.node.makeNamespace(of: .keyValue)
    let ids = (0..<103).map { _ in rig.node.makeContext(of: .keyValue, in: group) }
    func list(_ query: String) async throws -> [String?]? {
      try await rig.send(.get, "/admin-api/contexts\(query)").data["contexts"]?.arrayValue?.map {
        $0["id"]?.stringValue
      }
    }
    #expect(try await list("") == Array(ids.prefix(100)))
    #expect(try await list("?limit=1000000") == ids)
    #expect(try await list("?offset=100&limit=2") == Array(ids[100..<102]))
    #expect(try await rig.send(.get, "/admin-api/contexts?limit=-1").status == 400)
  }

  @Test("listings by application, with executors in snake case and flat")
  func byApplication() async throws {
    let rig = NodeRig()
    let context = rig.node.makeContext(of: .keyValue)
    _ = rig.node.makeContext(of: .chat)
    let application = rig.node.installApplication(.keyValue)
    let found = try await rig.send(.get, "/admin-api/contexts/for-application/\(application)").data[
      "contexts"]
    #expect(found?.arrayValue?.map { $0["id"] } == [.string(context)])
    let executors = try await rig.send(
      .get, "/admin-api/contexts/with-executors/for-application/\(application)"
    ).json["contexts"]
    #expect(executors?[0]?["application_id"] == .string(application))
    #expect(executors?[0]?["executors"] == [.string(rig.node.signingKey)])
  }

  @Test("leaving is this node's own affair and joining takes it back")
  func leaveAndJoin() async throws {
    let rig = NodeRig()
    let context = rig.node.makeContext(of: .keyValue)
    let path = "/admin-api/contexts/\(context)"
    let member: JSONValue = ["contextId": .string(context), "memberPublicKey": .string(rig.node.signingKey)]
    #expect(try await rig.send(.post, path + "/leave", json: [:]).data == member)
    #expect(try await rig.send(.get, path + "/identities-owned").data["identities"] == [])
    #expect(try await rig.send(.post, path + "/join", json: [:]).data == member)
    #expect(try await rig.send(.post, path + "/join", json: [:]).data == member)
    #expect(
      try await rig.send(.get, path + "/identities").data["identities"] == [.string(rig.node.signingKey)])
  }

  @Test("deleting is false for what the node does not hold")
  func delete() async throws {
    let rig = NodeRig()
    let context = rig.node.makeContext(of: .keyValue)
    #expect(try await rig.send(.delete, "/admin-api/contexts/\(context)").data == ["isDeleted": true])
    #expect(try await rig.send(.delete, "/admin-api/contexts/\(context)").data == ["isDeleted": false])
    #expect(try await rig.send(.get, "/admin-api/contexts/\(context)/storage").data == ["sizeInBytes": 0])
  }

  @Test("a resync needs force where there is something to lose")
  func resync() async throws {
    let rig = NodeRig()
    let context = rig.node.makeContext(of: .keyValue)
    let path = "/admin-api/contexts/\(context)/resync"
    #expect(try await rig.send(.post, path, json: [:]).status == 409)
    #expect(
      try await rig.send(.post, path, json: ["force": true]).json
        == ["contextId": .string(context), "resyncStarted": true])
    #expect(try await rig.send(.post, path).status == 400)
  }

  @Test("a context switches to the newest build of an application, and its followers are told")
  func updateApplication() async throws {
    let rig = NodeRig()
    let context = rig.node.makeContext(of: .probe)
    let application = rig.node.installApplication(
      FakePackage("com.calimero.probe", version: "1.1.0") { $0.view("new") { _, _ in "yes" } })
    let stream = try await rig.follow()
    _ = try await rig.subscribe(try await stream.connect(), contexts: [context])
    let answer = try await rig.send(
      .post, "/admin-api/contexts/\(context)/application",
      json: ["applicationId": .string(application), "executorPublicKey": .string(rig.node.signingKey)])
    #expect(answer.json == ["data": .null])
    let event = try await stream.event()
    #expect(event?["type"] == "AppVersionChanged")
    #expect(event?["data"] == ["fromVersion": "1.0.0", "toVersion": "1.1.0"])
    #expect(try await rig.execute("new", in: context)["result"]?["output"] == "yes")
  }

  // MARK: Accounts

  @Test("a query is an account's: 401 for the owner, 403 for a stranger, and lists show a stranger nothing")
  func strangers() async throws {
    let rig = NodeRig()
    let context = rig.node.makeContext(of: .keyValue)
    let body: JSONValue = ["method": "len", "argsJson": [:]]
    let path = "/admin-api/contexts/\(context)/query"
    #expect(try await rig.send(.post, path, json: body).status == 401)
    let session = rig.node.makeAccountSession(account: NodeRig.anId, device: NodeRig.anId)
    let stranger = NodeRig.Sender.bearer(session.accessToken)
    #expect(try await rig.send(.post, path, json: body, as: stranger).status == 403)
    #expect(try await rig.send(.get, "/admin-api/contexts", as: stranger).data == ["contexts": []])
    #expect(try await rig.send(.get, "/admin-api/contexts/\(context)/group", as: stranger).status == 404)
    #expect(try await rig.send(.get, "/admin-api/contexts/\(context)", as: stranger).status == 403)
    #expect(try await rig.send(.post, "/jsonrpc", json: [:], as: stranger).status == 403)
  }

  @Test("a member's query reads; a write is 409, and what the method says against it 400 with its type")
  func queries() async throws {
    let rig = NodeRig()
    let context = rig.node.makeContext(of: .keyValue)
    // The node's own account is a member wherever it founded.
    let session = rig.node.makeAccountSession(account: rig.node.account, device: rig.node.device)
    func query(_ method: String, _ arguments: JSONValue = [:]) async throws -> NodeRig.Answer {
      try await rig.send(
        .post, "/admin-api/contexts/\(context)/query",
        json: ["method": .string(method), "argsJson": arguments], as: .bearer(session.accessToken))
    }
    #expect(try await query("len").data == ["returns": 0])
    #expect(try await query("set_value", ["key": "a", "value": "b"]).status == 409)
    let failed = try await query("get_result", ["key": "a"])
    #expect(failed.status == 400)
    #expect(failed.json["type"] == "FunctionCallError")
    #expect(failed.json["data"] == "key not found: a")
    #expect(try await query("unknown").json["type"] == "FunctionCallError")
    #expect(try await query("").status == 400)
    rig.node.setInitialised(false, context: context)
    #expect(try await query("len").status == 503)
    let plain = try await rig.send(
      .post, "/admin-api/contexts/\(context)/query", json: ["method": "len"], as: .bearer(session.accessToken)
    )
    #expect(plain.status == 422)
    #expect(plain.json == .null)
  }
}
