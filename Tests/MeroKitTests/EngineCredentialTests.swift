import Foundation
import MeroAPI
import MeroHTTP
import MeroKitTestSupport
import MeroWire
import Testing

@testable import MeroKit

@Suite("Credentials and challenges on a request's way")
struct EngineCredentialTests {
  @Test("a revoked token is the node's refusal once, and from then on nobody is signed in")
  func revoked() async throws {
    let rig = EngineRig()
    let (client, _, _) = try await rig.member()
    rig.cloud.revokeSessions(of: "ada")
    #expect(await calimeroError { _ = try await client.orgs.list() }?.code == .tokenRevoked)
    #expect(await calimeroError { _ = try await client.orgs.list() } == .signedOut(.revoked))
  }

  @Test("a token a node calls expired is renewed once, and the request goes out again as the same try")
  func expired() async throws {
    let rig = EngineRig()
    let (client, _, _) = try await rig.member()
    rig.cloud.nodes[0].answer(401, "TOKEN_EXPIRED", operation: "org_list")
    #expect(try await client.orgs.list().orgs.count == 1)
    #expect(rig.cloud.log.requests("org_list").map(\.attempt) == [1, 1])
    #expect(rig.cloud.log.requests("auth_refresh").count == 1)
    rig.cloud.nodes[0].answer(401, "TOKEN_EXPIRED", times: 2, operation: "org_list")
    #expect(await calimeroError { _ = try await client.orgs.list() }?.code == .tokenExpired)
  }

  @Test("an unsafe request of a session that its node has not heard of goes to the node that issued it")
  func youngSession() async throws {
    let rig = EngineRig()
    rig.cloud.setSessionLag(milliseconds: 5000)
    let client = rig.client()
    try await client.signUp(SoftPasskey(), name: "ada")
    rig.cloud.nodes[0].down()
    _ = try await client.info()
    rig.cloud.nodes[0].up()
    rig.cloud.clearLog()
    _ = try await client.orgs.create(name: "Acme")
    #expect(rig.cloud.log.requests("org_create").map(\.node) == [1, 0])
  }

  @Test(
    "70 §2.27 #12: a token a second old at a node that has not heard of it signs nobody out",
    arguments: ["org_list", "org_create"])
  func youngToken(operation: String) async throws {
    let rig = EngineRig()
    rig.cloud.setSessionLag(milliseconds: 5000)
    let store = MemorySessionStore()
    let client = rig.client { $0.sessionStore = store }
    let account = try await client.signUp(SoftPasskey(), name: "ada")
    let kept = try #require(await store.load())
    var changes = client.authChanges.makeAsyncIterator()
    #expect(await changes.next() == .signedIn(account))
    // The client goes on with a node that did not issue the token.
    rig.cloud.nodes[0].down()
    _ = try await client.info()
    rig.cloud.nodes[0].up()
    await rig.clock.advance(by: 1)
    rig.cloud.clearLog()
    if operation == "org_list" {
      #expect(try await client.orgs.list().orgs.isEmpty)
    } else {
      #expect(try await client.orgs.create(name: "Acme").name == "Acme")
    }
    let tries = rig.cloud.log.requests(operation)
    #expect(tries.first?.node == 1)
    #expect(tries.dropLast().allSatisfy { $0.status == 401 })
    #expect(tries.last?.node == 0)
    #expect(tries.last?.status == (operation == "org_list" ? 200 : 201))
    #expect(rig.cloud.log.requests("auth_refresh").isEmpty)
    #expect(await store.load() == kept)
    #expect(await client.isSignedIn)
    await client.close()
    #expect(await changes.next() == nil)
  }

  @Test("a challenge for another request is not signed")
  func wrongChallenge() async throws {
    let rig = EngineRig()
    let passkey = SoftPasskey()
    let client = rig.client()
    try await client.signUp(passkey, name: "ada")
    let org = try await client.orgs.create(name: "Acme").orgId
    await client.useStepUp(passkey)
    rig.cloud.nodes[0].answer(
      412, "CONFIRM_REQUIRED", operation: "org_delete",
      details: [
        "confirmId": "crq_1", "action": "org_delete", "expiresAt": 1_890_000_000_000,
        "nonce": .string(String(repeating: "00", count: 32)),
        "options": [
          "challenge": "AAAA", "rpId": "localhost", "userVerification": "required", "allowCredentials": [],
          "timeout": 60000,
        ],
      ])
    rig.cloud.clearLog()
    let error = await calimeroError { try await client.orgs.delete(org: org) }
    #expect(error == .confirm(.mismatch))
    #expect(rig.cloud.log.requests("org_delete").count == 1)
  }

  @Test("a challenge without a provider is confirm(.required), and nothing more is sent")
  func noProvider() async throws {
    let rig = EngineRig()
    let (client, _, org) = try await rig.member()
    rig.cloud.nodes[0].answer(
      412, "CONFIRM_REQUIRED", operation: "org_delete", details: ["action": "org_delete"])
    let error = await calimeroError { try await client.orgs.delete(org: org) }
    #expect(error == .confirm(.required(action: "org_delete")))
    #expect(rig.cloud.log.requests("org_delete").count == 1)
  }

  @Test("a name is trimmed before it is sent, and refused when it has no or too many characters")
  func names() async throws {
    let rig = EngineRig()
    let (client, _, _) = try await rig.member()
    #expect(try await client.orgs.create(name: "  Globex \n").name == "Globex")
    rig.cloud.clearLog()
    for name in ["", "   ", String(repeating: "n", count: 81), "a\u{7}b"] {
      guard case .invalidInput = await calimeroError({ _ = try await client.orgs.create(name: name) }) else {
        Issue.record("sent \(name.debugDescription)")
        return
      }
    }
    #expect(rig.cloud.log.inner.isEmpty)
  }

  @Test(
    "70 §2.2: a job's and a timer's method is refused before it is sent unless its name has 1 to 128 characters",
    arguments: ["", String(repeating: "m", count: 129)])
  func methodNames(name: String) async throws {
    let rig = EngineRig()
    let (client, app, _) = try await rig.member()
    let requests: [() async throws -> Void] = [
      { _ = try await client.apps.jobCreate(app: app, method: name, args: [:]) },
      { _ = try await client.apps.timerCreate(app: app, method: name, schedule: .init(everyMs: 60_000)) },
      { _ = try await client.apps.call(app: app, method: name, args: [:]) },
      { _ = try await client.apps.view(app: app, method: name, args: [:]) },
    ]
    for request in requests {
      #expect(await calimeroError(request) == .invalidInput("a method's name has 1 to 128 characters."))
    }
    #expect(rig.cloud.log.inner.isEmpty)
  }

  @Test("a job and a timer may call a method whose name has 128 characters")
  func longMethodName() async throws {
    let rig = EngineRig()
    let name = String(repeating: "m", count: 128)
    rig.cloud.register(FakePackage("com.example.long", version: "1.0.0") { $0.call(name) { _, _ in .null } })
    let (client, app, _) = try await rig.member(package: "com.example.long")
    #expect(try await client.apps.jobCreate(app: app, method: name, args: [:]).method == name)
    let timer = try await client.apps.timerCreate(app: app, method: name, schedule: .init(everyMs: 60_000))
    #expect(timer.method == name)
  }

  @Test("the generated call counts for what a later view has to show")
  func generatedCall() async throws {
    let rig = EngineRig()
    let (client, app, _) = try await rig.member()
    _ = try await client.apps.call(app: app, method: "send_message", args: ["message": "hi"])
    rig.cloud.nodes[1].lag(changes: 1)
    rig.cloud.nodes[0].down()
    let page = try await client.view(app, "get_messages")
    #expect(page["messages"]?.arrayValue?.count == 1)
    #expect(rig.cloud.log.requests("app_view").map(\.node) == [1, 2])
  }

  @Test("the cluster's clock is learnt from a session and from info")
  func nodeTime() async throws {
    let rig = EngineRig()
    let late = rig.clock.clock
    let client = rig.client {
      $0.clock = MeroClock(
        now: { late.now().addingTimeInterval(-3600) }, uptime: late.uptime, sleep: late.sleep)
    }
    #expect(await client.core.settings.nodeTimeOffset == 0)
    try await client.signUp(SoftPasskey(), name: "ada")
    #expect(abs(await client.core.settings.nodeTimeOffset - 3600) < 0.01)
    let other = rig.client()
    _ = try await other.info()
    #expect(abs(await other.core.settings.nodeTimeOffset) < 0.01)
  }

  @Test("a closed client has no sealed session left and opens no other")
  func close() async throws {
    let rig = EngineRig(nodes: 1)
    let client = rig.client()
    _ = try await client.info()
    #expect(await client.nodeStates()[0].hasSession)
    await client.close()
    #expect(await !client.nodeStates()[0].hasSession)
    await #expect(throws: CalimeroError.closed) { try await client.info() }
    #expect(await rig.cloud.nodes[0].handshakeCount == 1)
  }
}
