import Foundation
import MeroHTTP
import MeroKit

/// A subcommand's arguments with the account and the servers they name.
struct AccountInvocation: ToolInvocation {
  static let standardCloud = "http://127.0.0.1:2545"
  static let standardWallet = "http://127.0.0.1:2546/account-enroll"
  static let standardRegistry = "http://127.0.0.1:2547"

  let arguments: Arguments
  let surroundings: ToolSurroundings
  let wallet: URL
  let registry: URL
  let folder: AccountFolder
  let signIn: CloudSignIn

  var env: DelegatedEnvironment { signIn.delegatedEnvironment }

  init(_ arguments: Arguments, _ surroundings: ToolSurroundings) throws {
    func address(_ option: String, _ standard: String) throws -> URL {
      let typed = arguments.value(option) ?? standard
      let url = try TypedAddress.url(typed, whose: "with \(option) an")
      // One word may be a host of a network at home, and is a mistake more often.
      let host = url.host ?? ""
      guard typed.contains("://") || host.contains(".") || Loopback.isLoopback(host: host) else {
        throw UsageError("\(option) takes an address like https://cloud.example, not “\(typed)”")
      }
      guard url.scheme == "https" || Loopback.isLoopback(host: url.host ?? "") else {
        throw UsageError("\(option) takes an https address, or an http address of this machine")
      }
      return url
    }
    self.arguments = arguments
    self.surroundings = surroundings
    let cloud = try address("--cloud", Self.standardCloud)
    wallet = try address("--wallet", Self.standardWallet)
    registry = try address("--registry", Self.standardRegistry)
    let data = arguments.value("--data")
    guard data?.isEmpty != true else { throw UsageError("--data takes a folder") }
    folder =
      data.map { AccountFolder(url: URL(fileURLWithPath: $0)) } ?? .standard(surroundings.environment)
    // A directory on this machine serves releases itself.
    let mirror =
      Loopback.isLoopback(host: cloud.host ?? "")
      ? cloud.absoluteString : DelegatedEnvironment.defaultReleaseMirrorURL
    signIn = CloudSignIn(
      config: CloudConfig(
        walletURL: wallet.absoluteString, cloudBaseURL: cloud.absoluteString, audience: .cli,
        clientName: "mero account", releaseMirrorURL: mirror),
      keyStore: folder.keys, sessionStore: folder.session, tokenStore: folder.tokens, nonces: folder.nonces,
      accountStore: folder.relays, transport: surroundings.transport)
  }

  /// The account, at the relay that its session names.
  func session() async throws -> DelegatedSession {
    if let session = await signIn.delegatedSession() { return session }
    // A file that is damaged looks like none to those who want a session only.
    _ = try folder.keys.load()
    guard try folder.session.load() != nil else {
      throw ToolError("nobody is signed in; begin with mero account sign-in")
    }
    throw ToolError("the session in \(folder.url.path) is of other keys than those beside it; sign in again")
  }

  /// The account, at the relay that serves a namespace, or a group of one.
  func session(forGroup group: String) async throws -> DelegatedSession {
    let session = try await session()
    let namespace =
      DelegatedAccounts.namespaceOfGroup(session, groupId: group, store: env.store) ?? group.lowercased()
    let map = DelegatedAccounts.readRelayMap(session.account, store: env.store)
    return map.namespaces[namespace].map { session.moved(to: $0) } ?? session
  }

  /// The account, at the relay that serves a context.
  func session(forContext context: String) async throws -> DelegatedSession {
    let session = try await session()
    let relay = DelegatedAccounts.relayForContext(
      session.account, contextId: context, store: env.store)
    return relay.map { session.moved(to: $0) } ?? session
  }

  /// The client of an account at its relay, which has proven itself now or before. A relay that has not is told nothing.
  func client(_ session: DelegatedSession) async throws -> MeroTransportClient {
    guard let relay = session.relayUrl, !relay.isEmpty else {
      throw ToolError(
        "the account has no relay: mero account whoami --refresh asks the cloud for one, and who joins a namespace by "
          + "an invitation gets one")
    }
    try await prove(relay)
    guard let client = try DelegatedAccounts.buildDelegatedClient(session, env: env) else {
      throw ToolError("the account has no relay yet")
    }
    return client
  }

  /// Makes sure that a relay has proven its key.
  ///
  /// - Parameter fresh: whether to ask it although it did before.
  func prove(_ relay: String, fresh: Bool = false) async throws {
    switch await DelegatedAccounts.attemptRelayNodeKey(relay, env: env, fresh: fresh) {
    case .learned: break
    case .unavailable(let error):
      throw ToolError("the relay \(relay) cannot be asked for its proof now: \(error)")
    case .refused(let error): throw ToolError("the relay \(relay) does not prove what it runs: \(error)")
    }
  }

  /// Does work with the account's admin at a relay.
  func withAdmin<Value>(
    _ session: DelegatedSession, app: AdminAppConfig = AdminAppConfig(),
    _ work: (AccountAdmin, AdminApi) async throws -> Value
  ) async throws -> Value {
    let client = try await client(session)
    let result: Result<Value, any Error>
    do {
      let read = try await client.admin
      result = .success(
        try await work(
          DelegatedAccounts.createAccountAdmin(session: session, read: read, app: app, env: env), read))
    } catch { result = .failure(error) }
    await client.close()
    return try result.get()
  }
}
