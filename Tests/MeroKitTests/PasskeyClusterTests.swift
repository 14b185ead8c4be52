import Foundation
import MeroHTTP
import MeroKitTestSupport
import Testing

@testable import MeroKit

@Suite("Passkeys against a cluster")
struct PasskeyClusterTests {
  @Test(
    "sign-up and sign-in with either algorithm", arguments: [SoftPasskey.Algorithm.es256, .ed25519])
  func ceremonies(algorithm: SoftPasskey.Algorithm) async throws {
    let rig = SessionRig()
    let passkey = SoftPasskey(algorithm: algorithm)
    let account = try await rig.client().signUp(passkey, name: "ada", displayName: " Ada ")
    #expect(account.name == "ada")
    #expect(try await rig.client(nodes: [2]).signIn(passkey) == account)
    #expect(try await rig.client().signIn(passkey, name: "ada") == account)
    #expect(rig.cloud.violations.isEmpty)
    #expect(rig.cloud.unfitRequests == [])
  }

  @Test(
    "names that no cluster takes are not sent",
    arguments: ["", "a", "Ada", ".ada", "a b", String(repeating: "a", count: 33), "äda"])
  func badNames(name: String) async {
    let rig = SessionRig()
    await #expect {
      try await rig.client().signUp(SoftPasskey(), name: name)
    } throws: {
      if case CalimeroError.invalidInput = $0 { true } else { false }
    }
    #expect(rig.cloud.log.outer.isEmpty)
  }

  @Test("a taken name is the cluster's refusal")
  func takenName() async throws {
    let rig = SessionRig()
    try await rig.client().signUp(SoftPasskey(), name: "ada")
    await #expect {
      try await rig.client().signUp(SoftPasskey(), name: "ada")
    } throws: {
      ($0 as? CalimeroError)?.code == .nameTaken
    }
  }

  @Test("a finish whose answer is lost is asked for again, and signs in once")
  func lostFinish() async throws {
    let rig = SessionRig()
    rig.cloud.nodes[0].loseAnswer(operation: "auth_signup_finish")
    let client = rig.client()
    try await client.signUp(SoftPasskey(), name: "ada")
    #expect(rig.cloud.log.requests("auth_signup_finish").map(\.status) == [nil, 201])
    _ = try await client.orgs.list()
  }

  @Test("a ceremony that ran out of time is begun again once, when no person sees it")
  func beginsAgain() async throws {
    let rig = SessionRig()
    let passkey = DawdlingPasskey(rig, asksPerson: false, times: 1)
    try await rig.client().signUp(passkey, name: "ada")
    #expect(rig.cloud.log.requests("auth_signup_begin").count == 2)
    await #expect {
      try await rig.client().signIn(
        DawdlingPasskey(rig, asksPerson: false, times: 2, passkey.inner))
    } throws: {
      ($0 as? CalimeroError)?.code == .ceremonyExpired
    }
    #expect(rig.cloud.log.requests("auth_signin_begin").count == 2)
  }

  @Test("a person is not shown a second sheet without a tap")
  func noSecondSheet() async throws {
    let rig = SessionRig()
    await #expect {
      try await rig.client().signUp(DawdlingPasskey(rig, asksPerson: true, times: 1), name: "ada")
    } throws: {
      ($0 as? CalimeroError)?.code == .ceremonyExpired
    }
    #expect(rig.cloud.log.requests("auth_signup_begin").count == 1)
  }
}

/// A passkey that lets five minutes pass before it answers.
private actor DawdlingPasskey: OriginlessPasskey {
  nonisolated let asksPerson: Bool
  nonisolated let inner: SoftPasskey
  private let rig: SessionRig
  private var times: Int

  init(_ rig: SessionRig, asksPerson: Bool, times: Int, _ inner: SoftPasskey = SoftPasskey()) {
    self.rig = rig
    self.asksPerson = asksPerson
    self.times = times
    self.inner = inner
  }

  func create(_ options: PasskeyCreationOptions) async throws -> RegistrationCredential {
    try await create(options, at: nil)
  }

  func get(_ options: PasskeyRequestOptions) async throws -> AssertionCredential {
    try await get(options, at: nil)
  }

  func create(_ options: PasskeyCreationOptions, at node: URL?) async throws
    -> RegistrationCredential
  {
    dawdle()
    return try await inner.create(options, at: node)
  }

  func get(_ options: PasskeyRequestOptions, at node: URL?) async throws -> AssertionCredential {
    dawdle()
    return try await inner.get(options, at: node)
  }

  private func dawdle() {
    guard times > 0 else { return }
    times -= 1
    rig.clock.jump(by: 301)
  }
}
