import Foundation
import MeroHTTP
import MeroWire
import Testing

@testable import MeroKit
@testable import MeroKitTestSupport

@Suite("Making contexts, governing and founding through a relay")
struct RelayGroupTests {
  private func application(_ rig: MemberRig) -> String { rig.node.installApplication(.keyValue) }

  /// A refusal that was made here, in place of the relay.
  private func refusedHere(
    _ operation: () async throws -> Void, says word: String = "no nonce was spent"
  ) async -> Bool {
    guard
      case .intentRefused(let reason, let retryable, let status)? = await failure(operation) as? AccountError
    else { return false }
    return reason.contains(word) && reason.contains("no nonce was spent") && !retryable && status == 403
  }

  @Test("40 §19 #67, #70: a relay that may make no contexts gets no warrant, and another try changes nothing")
  func relayMayNotCreate() async throws {
    let rig = try await MemberRig()
    rig.node.setRelay(hasGrant: false)
    #expect(
      await refusedHere {
        try await rig.relay.createContext(groupId: rig.namespace, applicationId: application(rig))
      })
    #expect(rig.asked == ["GET \(MemberRig.creations)"])
    #expect(rig.node.log[0].path.hasSuffix("?author=\(rig.author.account)"))
    #expect(try rig.nextNonce() == 1)
  }

  @Test(
    "40 §19 #68: an author that may make no contexts is told so here; without a word about it the relay decides"
  )
  func authorMayNotCreate() async throws {
    let rig = try await MemberRig()
    let application = application(rig)
    #expect(
      await refusedHere(
        { try await rig.relay.createContext(groupId: rig.namespace, applicationId: application) },
        says: "CAN_CREATE_CONTEXT"))
    #expect(rig.posts(MemberRig.creations).isEmpty)
    #expect(try rig.nextNonce() == 1)

    try await rig.owner.setMemberCapabilities(
      rig.namespace, account: rig.author.account, request: SetMemberCapabilitiesRequest(capabilities: 5))
    rig.node.replaceAnswer(
      "GET \(MemberRig.creations)", status: 200,
      json: [
        "data": [
          "executorAccount": .string(rig.node.account), "executorKey": .string(rig.node.signingKey),
          "canCreateOnBehalf": true,
        ]
      ])
    let made = try await rig.relay.createContext(
      groupId: rig.namespace, applicationId: application, name: "general")
    #expect(made.groupId == rig.namespace)
    #expect(made.seed == String(repeating: "07", count: 32))
    #expect(try await rig.owner.getContext(made.contextId).name == "general")
    let post = try #require(rig.posts(MemberRig.creations).last)
    #expect(post.json?.objectValue?.keys == ["authorProof", "initArgs", "warrant"])
    #expect(post.headers["authorization"] == nil)
    let warrant = try RelayWriteTests.warrant(post, .creation)
    #expect(warrant.nonce == 2)
    #expect(warrant.serviceName == nil)
    #expect(Hex.encode(warrant.build) == application)

    let seed = String(repeating: "a5", count: 32)
    let other = try await rig.relay.createContext(
      groupId: rig.namespace, applicationId: application, serviceName: "", seed: seed, nonce: 0)
    #expect(other.seed == seed)
    let spent = try RelayWriteTests.warrant(try #require(rig.posts(MemberRig.creations).last), .creation)
    #expect(spent.nonce == 0)
    #expect(spent.serviceName == "")
    #expect(try rig.nextNonce() == 3)
  }

  @Test("40 §19 #69: a relay that may not act gets no op, and no number is drawn")
  func relayMayNotGovern() async throws {
    let rig = try await MemberRig()
    rig.node.setRelay(hasGrant: false)
    let op = try GovernanceOps.groupMetadataSet(name: "general")
    #expect(await refusedHere { try await rig.relay.govern(groupId: rig.namespace, op: op) })
    #expect(rig.asked == ["GET \(MemberRig.governance)"])
    let sequence = "\(rig.node.url.absoluteString)|governance|\(rig.namespace)"
    #expect(try rig.nonces.next(relay: sequence) == 1)
  }

  @Test(
    "an op is published under the group's own numbers, which begin at the clock, and answers the group it made"
  )
  func governs() async throws {
    let rig = try await MemberRig()
    try await rig.owner.updateMemberRole(
      rig.namespace, account: rig.author.account, request: UpdateMemberRoleRequest(role: "Admin"))
    let relay = rig.relay
    let renamed = try GovernanceOps.groupMetadataSet(name: "team")
    #expect(try await relay.govern(groupId: rig.namespace.uppercased(), op: renamed) == rig.namespace)
    let subgroup = try GovernanceOps.subgroupCreation(
      parentId: rig.namespace, restricted: true, admin: rig.author.account)
    #expect(try await relay.govern(groupId: rig.namespace, op: subgroup.op) == subgroup.groupId)
    let warrants = try rig.posts(MemberRig.governance).map { try RelayWriteTests.warrant($0, .governance) }
    #expect(warrants.map(\.nonce) == [1_790_000_000_000, 1_790_000_000_001])
    #expect(warrants.map(\.plane) == [0, 1])
    #expect(try rig.nextNonce() == 1)
  }

  @Test("of governance a spent warrant is known by other words too")
  func spentGovernance() async throws {
    let rig = try await MemberRig()
    let reason = "this warrant has already been spent"
    rig.node.failNext("POST \(MemberRig.governance)", status: 403, json: ["error": .string(reason)])
    let op = try GovernanceOps.groupMetadataSet(name: "team")
    await #expect(throws: AccountError.intentRefused(reason: reason, retryable: true, status: 403)) {
      try await rig.relay.govern(groupId: rig.namespace, op: op)
    }
  }

  @Test(
    "40 §19 #71: founding posts the birth unasked, then the application, then the capabilities, all in one place"
  )
  func founds() async throws {
    let rig = try await MemberRig()
    let salt = String(repeating: "5c", count: 32)
    let application = FoundingApplication(
      applicationId: application(rig), package: FakePackage.keyValue.name,
      version: FakePackage.keyValue.version)
    let founded = try await rig.relay.foundNamespace(
      executor: executor(rig), salt: salt, defaultCapabilities: 231, application: application)
    let id = NamespaceTree.id(founder: rig.author.account, salt: salt)
    #expect(founded.namespaceId == id)
    #expect(founded.salt == salt)
    #expect(!founded.teeEnabled)
    #expect(founded.teeError != nil)
    #expect(founded.applicationSet == true)
    #expect(founded.applicationError == nil)
    #expect(founded.defaultCapabilitiesSet == true)

    #expect(rig.node.log.map(\.method) == ["POST", "GET", "POST", "GET", "POST"])
    #expect(Set(rig.node.log.map(\.path)) == ["/admin-api/groups/\(id)/governance-intents"])
    let posts = rig.posts(MemberRig.governance)
    #expect(posts.map { $0.json?["op"]?.stringValue?.prefix(2) } == ["09", "07", "06"])
    #expect(posts.allSatisfy { $0.json?.objectValue?.keys == ["authorProof", "op", "warrant"] })
    let warrants = try posts.map { try RelayWriteTests.warrant($0, .governance) }
    #expect(warrants.map(\.plane) == [1, 0, 0])
    #expect(warrants.allSatisfy { Hex.encode($0.subject) == id })
    #expect(warrants[0].nonce > 1_600_000_000_000)
    #expect(warrants[0].nonce < warrants[1].nonce)
    #expect(warrants[1].nonce < warrants[2].nonce)
    #expect(try await rig.owner.getDefaultCapabilities(id) == 231)
  }

  @Test("a namespace is founded alone when nothing else is asked for, under a salt that is drawn")
  func foundsAlone() async throws {
    let rig = try await MemberRig()
    let founded = try await rig.relay.foundNamespace(executor: executor(rig))
    #expect(founded.salt == String(repeating: "07", count: 32))
    #expect(founded.applicationSet == nil)
    #expect(founded.defaultCapabilitiesSet == nil)
    #expect(rig.node.log.count == 1)
  }

  @Test("40 §19 #72: what cannot be asked for is found before anything is sent")
  func refusesInput() async throws {
    let rig = try await MemberRig()
    let relay = rig.relay
    let good = executor(rig)
    let error = await failure { _ = try await relay.foundNamespace(executor: good, defaultCapabilities: 743) }
    guard case .invalidInput(let text)? = error as? AccountError else {
      return #expect(Bool(false), "\(String(describing: error))")
    }
    #expect(text.contains("CAN_AUTHOR_ON_BEHALF"))
    let unnamed = FoundingApplication(applicationId: good.executorKey, package: "", version: "1.0.0")
    for operation: @Sendable () async throws -> FoundedNamespace in [
      { try await relay.foundNamespace(executor: good, defaultCapabilities: 512) },
      { try await relay.foundNamespace(executor: good, salt: "5c") },
      { try await relay.foundNamespace(executor: good, application: unnamed) },
      {
        try await relay.foundNamespace(
          executor: RelayExecutor(executorAccount: good.executorAccount, executorKey: "x"))
      },
    ] {
      let error = await failure { _ = try await operation() }
      guard case .invalidInput? = error as? AccountError else {
        return #expect(Bool(false), "\(String(describing: error))")
      }
    }
    let other = await failure {
      _ = try await rig.client(executor: good.executorKey).foundNamespace(executor: good)
    }
    guard case .protocolViolation? = other as? AccountError else {
      return #expect(Bool(false), "\(String(describing: other))")
    }
    #expect(rig.node.log.isEmpty)
  }

  @Test("40 §19 #73: a namespace whose application was refused is founded all the same")
  func refusedApplication() async throws {
    let rig = try await MemberRig()
    let unknown = FoundingApplication(
      applicationId: String(repeating: "88", count: 32), package: "com.example.nowhere", version: "1.0.0")
    let founded = try await rig.relay.foundNamespace(
      executor: executor(rig), defaultCapabilities: 231, application: unknown)
    #expect(founded.applicationSet == false)
    #expect(founded.applicationError?.isEmpty == false)
    #expect(founded.defaultCapabilitiesSet == true)
    #expect(founded.defaultCapabilitiesError == nil)
  }

  @Test("40 §19 #74: a salt founds one namespace")
  func foundsOnce() async throws {
    let rig = try await MemberRig()
    let founded = try await rig.relay.foundNamespace(executor: executor(rig))
    let again = await failure {
      _ = try await rig.relay.foundNamespace(executor: executor(rig), salt: founded.salt)
    }
    #expect(again?.plainStatus == 409)
  }

  private func executor(_ rig: MemberRig) -> RelayExecutor {
    RelayExecutor(executorAccount: rig.node.account, executorKey: rig.node.signingKey.uppercased())
  }
}
