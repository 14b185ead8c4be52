import Foundation
import MeroHTTP
import MeroKit
import MeroWire
import Testing

@Suite("Answers of nodes of different ages")
struct AdminAnswerTests {
  @Test("20 §1.3: what is flat on newer nodes is also read out of an envelope")
  func envelopes() async throws {
    for (open, close) in [("", ""), (#"{"data":"#, "}")] {
      func api(_ text: String) throws -> AdminApi { try .answering(open + text + close) }
      #expect(try await api(#"{"packages":["a"]}"#).listPackages().packages == ["a"])
      #expect(try await api(#"{"versions":["1"]}"#).listPackageVersions("a").versions == ["1"])
      #expect(try await api(#"{"subgroups":[{"groupId":"g"}]}"#).listSubgroups("g").map(\.groupId) == ["g"])
      #expect(
        try await api(#"{"reparented":true}"#).reparentGroup(
          "g", request: ReparentGroupRequest(newParentId: "p")
        )
        .reparented)
      #expect(try await api(#"{"enabled":false}"#).getTeeAdmissionPolicy("n").mode == .replica)
      #expect(
        try await api(#"{"published":true}"#).admitJoin(
          "n", request: AdmitJoinRequest(invitation: Invitations.invitation, signedOp: "00")
        ).published)
      for list in [#"{"contexts":[{"id":"c","executors":[]}]}"#, #"[{"contextId":"c","executors":[]}]"#] {
        let contexts = try await api(list).getContextsWithExecutorsForApplication("a")
        #expect(contexts == [ContextWithExecutors(contextId: "c", executors: [])])
      }
    }
  }

  @Test("20 §1.3: a value that must be there and is not is an error, and a nullable one is nil")
  func absentValues() async throws {
    for text in [#"{"data":null}"#, "{}", ""] {
      await #expect(throws: MeroError.self) { try await AdminApi.answering(text).getNamespace("n") }
      #expect(try await AdminApi.answering(text).getGroupMetadata("g") == nil)
      #expect(try await AdminApi.answering(text).getContextGroup("c") == nil)
      #expect(try await AdminApi.answering(text).getGroupUpgradeStatus("g") == nil)
    }
    #expect(try await AdminApi.answering("null").getMemberMetadata("g", account: "a") == nil)
  }

  @Test("20 §5.7: members that are not a list are an error, not an empty listing")
  func membersMissing() async throws {
    for text in [#"{"selfIdentity":"a"}"#, #"{"members":{}}"#, #"{"members":null}"#] {
      await #expect(throws: MeroError.self) { try await AdminApi.answering(text).listGroupMembers("g") }
    }
  }

  @Test("20 §1.3: calls that return nothing take any body within 2xx")
  func nothing() async throws {
    for text in ["", "{}", "null", #"{"data":null}"#, "ok"] {
      try await AdminApi.answering(text).setDefaultCapabilities(
        "g", request: SetDefaultCapabilitiesRequest(defaultCapabilities: 4))
      try await AdminApi.answering(text).leaveContext("c")
      try await AdminApi.answering(text).syncContext()
    }
  }

  @Test("20 §1.3: an empty answer to a resync means that it has begun")
  func emptyResync() async throws {
    let answer = try await AdminApi.answering("").resyncContext("c1", force: true)
    #expect(answer == ResyncContextResponseData(contextId: "c1", resyncStarted: true))
  }

  @Test("20 §5.5: a join of an old node names the namespace as a group")
  func oldJoin() async throws {
    let api = try AdminApi.answering(#"{"data":{"groupId":"n1","memberIdentity":"k","memberAccount":"a"}}"#)
    let joined = try await api.joinNamespace(
      "n1", request: JoinNamespaceRequest(invitation: Invitations.invitation))
    #expect(joined.namespaceId == "n1")
  }

  @Test("20 §6.4: a group of an old node that names no namespace is its own, and has no counter")
  func oldGroup() async throws {
    for namespace in ["", #","namespaceId":"""#, #","namespaceId":null"#] {
      let api = try AdminApi.answering(
        #"""
        {"data":{"groupId":"g1","appKey":"b","targetApplicationId":"a","memberCount":1,"contextCount":0,
         "defaultCapabilities":4,"subgroupVisibility":"someday","groupStateHash":"h"\#(namespace)}}
        """#)
      let group = try await api.getGroupInfo("g1")
      #expect(group.namespaceId == "g1")
      #expect(group.ownerOpCounter == 0)
      #expect(try await api.getSubgroupVisibility("g1") == "someday")
      #expect(try await api.getDefaultCapabilities("g1") == 4)
    }
  }

  @Test("20 §1.2: a number beyond what a double holds comes through, and one beyond 64 bits is an error")
  func exactNumbers() async throws {
    let exact = try AdminApi.answering(#"{"data":{"sizeInBytes":9007199254740993}}"#)
    #expect(try await exact.getContextStorage("c").sizeInBytes == 9_007_199_254_740_993)
    for number in ["18446744073709551616", "-1", "1.5"] {
      await #expect(throws: MeroError.self) {
        try await AdminApi.answering(#"{"data":{"sizeInBytes":\#(number)}}"#).getContextStorage("c")
      }
    }
  }

  @Test("20 §4.1: a refusal keeps its status, its sentence and what a method said, and may be no JSON at all")
  func refusals() async throws {
    func error(_ text: String, _ status: Int) async -> MeroError? {
      do {
        _ = try await AdminApi.answering(text, status: status).queryContext(
          "c", request: QueryContextRequest(method: "get"))
        return nil
      } catch { return error as? MeroError }
    }
    let method = await error(#"{"error":"no note","type":"FunctionCallError","data":"panicked"}"#, 400)
    #expect(method?.httpStatus == 400)
    #expect(method?.refusal == ErrorRefusal(message: "no note", type: "FunctionCallError", data: "panicked"))
    #expect(await error(#"{"error":{"message":"proxy"}}"#, 502)?.refusal?.message == "proxy")
    for text in ["Failed to install", "<html></html>", ""] {
      #expect(await error(text, 500)?.httpStatus == 500)
    }
  }

  @Test("a blob whose size a node does not know has none, not zero")
  func unknownSize() async throws {
    let api = try AdminApi(
      RecordingTransport { _ in HTTPResponse(status: 200, headers: ["x-blob-source": "moon"]) })
    let info = try await api.getBlobInfo("b1")
    #expect(info == GetBlobInfoResponseData(blobId: "b1", source: "moon"))
  }

  @Test("words are kept as they come, and written as they are")
  func openWords() throws {
    let word: MemberRole = try JSONValue("Wizard").decode()
    #expect(word == "Wizard" && word != .admin)
    #expect(try JSONValue(encoding: word) == "Wizard")
    #expect("\(word)" == "Wizard")
    #expect(MemberRole.relayTee.rawValue == "RelayTee")
    #expect(GroupUpgradeState.inProgress == "in_progress")
    #expect(MigrationFailure.noMigrationPath == "no_migration_path")
    #expect(NetworkWord.isPublic == "public")
  }
}
