import Foundation
import LocalCluster
import MeroHTTP
import MeroKit
import MeroKitTestSupport
import Testing

/// The quick start is the first code a newcomer runs: it must be what the README says, and it must work on the ports
/// that `mero local` serves.
@Suite("The README's quick start", .timeLimit(.minutes(5)))
struct QuickStartTests {
  private static let root = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

  /// A part of the README between two marks, the file it is compiled in, and its first lines.
  struct Example: Sendable {
    let mark: String
    let file: String
    let imports: String

    static let all = [
      Example(mark: "quick start", file: "QuickStart", imports: "import MeroKit"),
      Example(
        mark: "quick start with a node", file: "NodeQuickStart", imports: "import Foundation\nimport MeroKit"),
      Example(
        mark: "quick start with an account", file: "AccountQuickStart",
        imports: "import Foundation\nimport MeroKit"),
      Example(
        mark: "quick start with an invitation", file: "InvitationQuickStart", imports: "import MeroKit"),
      Example(
        mark: "quick start with an app", file: "AppQuickStart", imports: "import Foundation\nimport MeroKit"),
      Example(
        mark: "quick start with consent", file: "ConsentQuickStart",
        imports: "import Foundation\nimport MeroKit"),
    ]
  }

  @Test("the README shows the code that the test compiles", arguments: Example.all)
  func readmeShowsThisCode(_ example: Example) throws {
    let readme = try String(contentsOf: Self.root.appendingPathComponent("README.md"), encoding: .utf8)
    let shown = try #require(
      readme.between(
        "<!-- \(example.mark): compiled and run by QuickStartTests -->", "<!-- end of \(example.mark) -->"))
    let source = try String(
      contentsOf: Self.root.appendingPathComponent("Tests/LocalClusterTests/\(example.file).swift"),
      encoding: .utf8)
    let compiled = try #require(source.between("  // quick start begins\n", "  // quick start ends\n"))
    let unindented = compiled.components(separatedBy: "\n")
      .map { $0.hasPrefix("  ") ? String($0.dropFirst(2)) : $0 }.joined(separator: "\n")
    #expect(shown == "\n```swift\n\(example.imports)\n\n\(unindented)```\n")
  }

  @Test("70 §2.27 #1: the README's example, unchanged, runs against a cluster on ports 2501 to 2503")
  func quickStartRuns() async throws {
    let cluster = LocalCluster(ports: [2501, 2502, 2503])
    do {
      try await cluster.start()
    } catch ListenerError.portTaken(let port) {
      Issue.record("port \(port) is taken, perhaps by “mero local”; end it and run the tests again")
      return
    }
    do {
      try await withDeadline(60, clock: .system) { try await quickStart() }
    } catch {
      await cluster.stop()
      throw error
    }
    await cluster.stop()
    #expect(cluster.cloud.violations.isEmpty)
    #expect(cluster.cloud.unfitRequests == [])
  }

  @Test(
    "70 §2.27 #22: the README's examples of an app and of consent, unchanged, run against a cluster on sockets"
  )
  func appQuickStartRuns() async throws {
    let cluster = LocalCluster(ports: [0, 0])
    try await cluster.start()
    do {
      let urls = await cluster.nodeURLs.map(\.absoluteString)
      func makeClient() -> CalimeroClient {
        CalimeroClient(
          CalimeroClientOptions(baseUrl: urls[0], nodes: Array(urls.dropFirst()), policy: .development))
      }
      let (client, passkey) = (makeClient(), SoftPasskey())
      try await client.signUp(passkey, name: "grace")
      let org = try await client.orgs.create(name: "Compilers").orgId
      let app = try await client.apps.create(name: "standup", package: "com.calimero.chat", org: org).appId
      let guest = makeClient()
      cluster.cloud.setRedirectUris(["notes://consent"], of: "com.calimero.chat")
      try await withDeadline(60, clock: .system) {
        try await appQuickStart(client: client, app: app, passkey: passkey, baseUrl: urls[0])
        try await consentQuickStart(client: guest) { try await ConsentVisitor(name: "grace").visit($0) }
      }
      #expect(try await guest.auth.sessionGet().scopes == ["apps:read", "apps:view"])
    } catch {
      await cluster.stop()
      throw error
    }
    await cluster.stop()
    #expect(cluster.cloud.violations.isEmpty)
    #expect(cluster.cloud.unfitRequests == [])
  }

  @Test("the README's example with a node, unchanged, runs against one on port 2528")
  func nodeQuickStartRuns() async throws {
    let local = LocalNode(port: 2528)
    local.node.awaitOwner()
    _ = local.node.makeContext(of: .chat)
    do {
      try await local.start()
    } catch ListenerError.portTaken(let port) {
      Issue.record("port \(port) is taken, perhaps by “mero local”; end it and run the tests again")
      return
    }
    do {
      try await withDeadline(60, clock: .system) { try await nodeQuickStart() }
    } catch {
      await local.stop()
      throw error
    }
    await local.stop()
    #expect(local.node.logoutCalls == 1)
  }

  @Test("the README's example with an account, unchanged, runs against what mero local serves for accounts")
  func accountQuickStartRuns() async throws {
    let accounts = LocalAccounts()
    do {
      try await accounts.start()
    } catch ListenerError.portTaken(let port) {
      Issue.record("port \(port) is taken, perhaps by “mero local”; end it and run the tests again")
      return
    }
    do {
      try await withDeadline(60, clock: .system) {
        try await accountQuickStart(browser: LocalPerson())
      }
    } catch {
      await accounts.stop()
      throw error
    }
    await accounts.stop()
    #expect(accounts.manager.hosted.count == 1)
    #expect(accounts.relays[0].reusedNonces.isEmpty)
    #expect(accounts.manager.violations.isEmpty)
  }

  @Test("the README's way from a link into a namespace, unchanged, ends at the relay that lets one in")
  func invitationQuickStartRuns() async throws {
    let accounts = LocalAccounts(ports: .any)
    try await accounts.start()
    do {
      let (ada, grace) = (try await signIn("ada", accounts), try await signIn("grace", accounts))
      let package = FakePackage.keyValue
      let app = try await ApplicationRegistry.resolve(
        registryURL: try #require(await accounts.registryURL).absoluteString, package: package.name)
      let founded = try await ada.foundNamespace(
        application: FoundingApplication(
          applicationId: app.applicationId, package: package.name, version: package.version))
      let invitation = try await ada.createNamespaceInvitation(founded.namespaceId)
      try await invitationQuickStart(
        signIn: grace, link: InviteLink.url(slug: package.name, token: InviteCodec.encode(invitation)))
      // The session is taken over by a task of its own.
      let joined = await accounts.relayURLs[1].absoluteString
      while await grace.delegatedSession()?.relayUrl != joined {
        try await Task.sleep(nanoseconds: 1_000_000)
      }
      // A link to another app leaves everything as it is.
      let other = try await signIn("carol", accounts)
      try await invitationQuickStart(
        signIn: other, link: InviteLink.url(slug: "com.example.other", token: InviteCodec.encode(invitation)))
      #expect(await other.delegatedSession()?.relayUrl != joined)
    } catch {
      await accounts.stop()
      throw error
    }
    await accounts.stop()
  }

  /// Somebody whose device the wallet of this machine has certified.
  private func signIn(_ name: String, _ accounts: LocalAccounts) async throws -> CloudSignIn {
    let config = CloudConfig(
      walletURL: try #require(await accounts.walletURL).absoluteString,
      cloudBaseURL: try #require(await accounts.managerURL).absoluteString)
    let signIn = CloudSignIn(
      config: config, keyStore: .memory(), sessionStore: .memory(), nonces: MemoryWarrantNonceStore(),
      accountStore: .memory())
    let page = try await signIn.beginEnrolment(callback: .scheme("notes"))
    try await signIn.completeEnrolment(callbackURL: try accounts.wallets.wallet(of: name).approve(page))
    return signIn
  }
}

/// Enters a name on the page of a local wallet, and approves.
private struct LocalPerson: WebAuthenticating {
  func authenticate(url: URL, callback: CloudCallback) async throws -> URL {
    let approved = try #require(URL(string: "\(url.absoluteString)&name=ada&answer=approve"))
    let answer = try await URLSessionTransport().send(HTTPRequest(.get, approved))
    return try #require(answer.headers["location"].flatMap(URL.init(string:)))
  }
}

extension String {
  /// What stands between the first occurrence of `start` and the next one of `end`.
  fileprivate func between(_ start: String, _ end: String) -> String? {
    guard let from = range(of: start), let to = range(of: end, range: from.upperBound..<endIndex) else {
      return nil
    }
    return String(self[from.upperBound..<to.lowerBound])
  }
}
