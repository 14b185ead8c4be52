import Foundation
import LocalCluster
import MeroHTTP
import MeroKit
import MeroKitTestSupport
import MeroWire

/// The part of `mero demo` about accounts without a node: two people, their wallets, two relays and the cloud's directory, on
/// free ports. Each step checks what it tells.
struct AccountChapter {
  let narrator: Narrator
  private let services = LocalAccounts(ports: .any)
  private let package = FakePackage.keyValue

  init(narrator: Narrator) { self.narrator = narrator }

  func run() async throws {
    do {
      try await tell()
    } catch {
      await services.stop()
      throw error
    }
    await services.stop()
  }

  private func tell() async throws {
    let config = try await serve()
    let ada = try await signIn("ada", config)
    let grace = try await signIn("grace", config)
    let founded = try await found(ada)
    let context = try await create(ada, in: founded)
    let moved = try await invite(ada, grace, to: founded)
    let grace2 = Person(name: grace.name, signIn: grace.signIn, session: moved)
    let clients = try await write(ada, grace2, context)
    try await presence(clients, ada, context)
    try await loseRelay(ada, clients, context)
    for client in clients { await client.close() }
  }

  /// Somebody who has signed in.
  fileprivate struct Person {
    let name: String
    let signIn: CloudSignIn
    let session: DelegatedSession
    var env: DelegatedEnvironment { signIn.delegatedEnvironment }
  }
}

// MARK: - Signing in

extension AccountChapter {
  private func serve() async throws -> CloudConfig {
    try await narrator.step("accounts") {
      try await services.start()
      guard let manager = await services.managerURL, let wallet = await services.walletURL else {
        throw StepError("the directory or the wallet is not served")
      }
      let urls = await services.relayURLs.map(\.absoluteString)
      return (
        CloudConfig(
          walletURL: wallet.absoluteString, cloudBaseURL: manager.absoluteString, audience: .cli,
          releaseMirrorURL: manager.absoluteString),
        .init(
          text: "two relays, the cloud's directory, a wallet and a registry listen",
          fields: ["relays": .array(urls.map { .string($0) })])
      )
    }
  }

  private func signIn(_ name: String, _ config: CloudConfig) async throws -> Person {
    try await narrator.step("\(name) signs in") {
      let signIn = CloudSignIn(
        config: config, keyStore: .memory(), sessionStore: .memory(), nonces: MemoryWarrantNonceStore(),
        accountStore: .memory())
      let page = try await signIn.beginEnrolment(callback: .scheme("demo"))
      let answer = try await Self.approve(page, as: name)
      try await signIn.completeEnrolment(callbackURL: answer)
      guard let session = await signIn.delegatedSession(), session.relayUrl != nil else {
        throw StepError("the sign-in brought no session, or no relay")
      }
      guard
        case .learned = await DelegatedAccounts.attemptRelayNodeKey(
          session.relayUrl ?? "", env: signIn.delegatedEnvironment)
      else { throw StepError("the relay did not prove its key") }
      return (
        Person(name: name, signIn: signIn, session: session),
        .init(
          text: "the wallet certified this device's keys, the cloud named a relay, the relay proved its key",
          fields: ["account": .string(session.account)])
      )
    }
  }

  /// Does what a person does in a browser: enters a name and approves.
  private static func approve(_ page: URL, as name: String) async throws -> URL {
    guard let url = URL(string: page.absoluteString + "&name=\(name)&answer=approve") else {
      throw StepError("the wallet's page has no address")
    }
    let response = try await URLSessionTransport().send(HTTPRequest(.get, url, timeout: 30))
    guard response.status == 303, let answer = response.headers["location"].flatMap(URL.init(string:)) else {
      throw StepError("the wallet answered \(response.status)")
    }
    return answer
  }
}

// MARK: - A namespace

extension AccountChapter {
  private func found(_ ada: Person) async throws -> FoundedDelegatedNamespace {
    try await narrator.step("founding") {
      guard let registry = await services.registryURL?.absoluteString else {
        throw StepError("the registry is not served")
      }
      let app = try await ApplicationRegistry.resolve(registryURL: registry, package: package.name)
      let founded = try await DelegatedAccounts.foundDelegatedNamespace(
        ada.session, defaultCapabilities: DelegatedAccounts.defaultNamespaceCapabilities,
        application: FoundingApplication(
          applicationId: app.applicationId, package: package.name, version: app.version), env: ada.env)
      guard founded.teeEnabled, founded.haEnabled else {
        throw StepError("the namespace is not hosted: \(founded.haError ?? "no reason")")
      }
      return (
        founded,
        .init(
          text: "ada founded a namespace through her relay; the cloud has the second relay serve it too",
          fields: ["namespace": .string(founded.namespaceId)])
      )
    }
  }

  private func create(_ ada: Person, in founded: FoundedDelegatedNamespace) async throws -> String {
    try await narrator.step("account ctx") {
      let id = try await DelegatedAccounts.createDelegatedContext(
        ada.session,
        CreateDelegatedContextRequest(
          namespaceId: founded.namespaceId,
          applicationId: ApplicationRegistry.applicationId(
            package: package.name, signerId: FakeNode.packageSigner), name: "shared"),
        env: ada.env)
      return (
        id, .init(text: "a warrant that ada's device signed made a context", fields: ["context": .string(id)])
      )
    }
  }

  /// Answers grace's session at the relay that let her in.
  private func invite(
    _ ada: Person, _ grace: Person, to founded: FoundedDelegatedNamespace
  ) async throws -> DelegatedSession {
    try await narrator.step("invite link") {
      guard let client = try DelegatedAccounts.buildDelegatedClient(ada.session, env: ada.env) else {
        throw StepError("ada has no relay")
      }
      let admin = DelegatedAccounts.createAccountAdmin(
        session: ada.session, read: try await client.admin, env: ada.env)
      guard
        let invitation = try await admin.createNamespaceInvitation(founded.namespaceId, request: nil)
          .invitation
      else { throw StepError("no invitation was made") }
      await client.close()
      let link = InviteLink.url(slug: package.name, token: InviteCodec.encode(invitation))
      guard let token = InviteLink.token(fromPasted: link, expectedSlug: package.name),
        let json = InviteCodec.decode(token)?.objectValue
      else { throw StepError("the link does not lead back to the invitation") }
      let received = try SignedGroupOpenInvitation(json: json)
      let moved = Locked<DelegatedSession?>(nil)
      try await DelegatedAccounts.joinAsAccount(
        grace.session, namespaceId: founded.namespaceId, invitation: received, env: grace.env
      ) { session in moved.withLock { $0 = session } }
      guard let session = moved.withLock({ $0 }), let relay = session.relayUrl,
        case .learned = await DelegatedAccounts.attemptRelayNodeKey(relay, env: grace.env)
      else { throw StepError("grace has no relay after the join") }
      await grace.signIn.adopt(session)
      return (
        session,
        .init(
          text: "a link of \(link.utf8.count) characters invited grace, who joined at the second relay",
          fields: ["relay": .string(relay)])
      )
    }
  }
}

// MARK: - Together

extension AccountChapter {
  private func write(_ ada: Person, _ grace: Person, _ context: String) async throws -> [MeroTransportClient]
  {
    try await narrator.step("both write") {
      let clients = try [ada, grace].map { person in
        guard let client = try DelegatedAccounts.buildDelegatedClient(person.session, env: person.env) else {
          throw StepError("\(person.name) has no relay")
        }
        return client
      }
      try await Self.set(clients[0], context, "ada", "hello")
      try await Self.expect(clients[1], context, "ada", "hello")
      try await Self.set(clients[1], context, "grace", "hello back")
      try await Self.expect(clients[0], context, "grace", "hello back")
      return (clients, .init(text: "each reads at her own relay what the other wrote at the other one"))
    }
  }

  private func presence(_ clients: [MeroTransportClient], _ ada: Person, _ context: String) async throws {
    struct Typing: Codable, Sendable { let typing: Bool }
    try await narrator.step("presence") {
      guard case .relay(let adas)? = clients[0].presence, case .relay(let graces)? = clients[1].presence
      else {
        throw StepError("a client over a relay has no presence")
      }
      let seen = graces.subscribe(contextId: context, as: Typing.self)
      try await adas.set(contextId: context, state: Typing(typing: true))
      for try await entry in seen where entry.state?.typing == true {
        guard entry.account == ada.session.account else { throw StepError("it names another account") }
        break
      }
      await adas.close()
      return ((), .init(text: "grace sees that ada is typing; her own relay checked ada's signature"))
    }
  }

  private func loseRelay(_ ada: Person, _ clients: [MeroTransportClient], _ context: String) async throws {
    try await narrator.step("relay lost") {
      guard let relay = ada.session.relayUrl else { throw StepError("ada has no relay") }
      await services.stopRelay(0, losesKeys: true)
      do {
        try await Self.set(clients[0], context, "lost", "1")
        throw StepError("a write went through a relay that is gone")
      } catch is MeroError {}
      try await services.startRelay(0)
      guard case .learned = await DelegatedAccounts.attemptRelayNodeKey(relay, env: ada.env, fresh: true),
        let again = try DelegatedAccounts.buildDelegatedClient(ada.session, env: ada.env)
      else { throw StepError("the relay did not prove its new key") }
      try await Self.set(again, context, "lost", "2")
      try await Self.expect(clients[1], context, "lost", "2")
      await again.close()
      let spent = services.relays.flatMap(\.nonces).filter(\.isSpent).map {
        "\($0.device) \($0.subject) \($0.value)"
      }
      guard Set(spent).count == spent.count else { throw StepError("a nonce was used twice") }
      return (
        (),
        .init(
          text:
            "a relay went away and came back with another key: proven anew, written once, no number used twice",
          fields: ["warrants": JSONValue(spent.count)])
      )
    }
  }

  private static func set(
    _ client: MeroTransportClient, _ context: String, _ key: String, _ value: String
  ) async throws {
    let _: JSONValue = try await client.rpc.execute(
      contextId: context, method: "set_value", argsJson: ["key": .string(key), "value": .string(value)])
  }

  /// Waits until what was written at one relay has come to the other.
  private static func expect(
    _ client: MeroTransportClient, _ context: String, _ key: String, _ value: String
  ) async throws {
    for _ in 0..<200 {
      let found: String? = try? await client.rpc.execute(
        contextId: context, method: "get_value", argsJson: ["key": .string(key)])
      if found == value { return }
      try await Task.sleep(nanoseconds: 25_000_000)
    }
    throw StepError("\(key) was not seen at the other relay")
  }
}
