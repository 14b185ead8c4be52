import Foundation
import MeroKit

/// The README's quick start with an account, word for word: `QuickStartTests` compares the two and runs this one.
func accountQuickStart(browser: any WebAuthenticating) async throws {
  // quick start begins
  let registry = "http://127.0.0.1:2547"
  let config = CloudConfig(
    walletURL: "http://127.0.0.1:2546/account-enroll", cloudBaseURL: "http://127.0.0.1:2545")

  // This one forgets everything in the end; an app takes CloudSignIn.keychain(config: config).
  let signIn = CloudSignIn(
    config: config, keyStore: .memory(), sessionStore: .memory(), nonces: MemoryWarrantNonceStore(),
    accountStore: .memory())

  // The wallet certifies this device's keys, which stay here, and leads back to notes://enrol.
  try await signIn.enrol(using: browser, callback: .scheme("notes"))

  guard let session = await signIn.delegatedSession(), let relay = session.relayUrl else { return }
  let env = signIn.delegatedEnvironment

  // The relay proves what it runs.
  guard case .learned = await DelegatedAccounts.attemptRelayNodeKey(relay, env: env),
    let client = try DelegatedAccounts.buildDelegatedClient(session, env: env)
  else { return }

  // Founding and inviting look as they do on a node.
  let package = "com.calimero.key-value"
  let app = try await ApplicationRegistry.resolve(registryURL: registry, package: package)
  let admin = DelegatedAccounts.createAccountAdmin(
    session: session, read: try await client.admin,
    app: AdminAppConfig(packageName: package, registryURL: registry), env: env)
  let team = try await admin.createNamespace(
    CreateNamespaceRequest(applicationId: app.applicationId, name: "Team")
  ).namespaceId
  let notes = try await admin.createContext(
    CreateContextRequest(applicationId: app.applicationId, groupId: team)
  ).contextId

  // A write is a warrant that this device signs and the relay runs; a read is asked for.
  let _: JSONValue = try await client.rpc.execute(
    contextId: notes, method: "set_value", argsJson: ["key": "milk", "value": "2 l"])
  let milk: String = try await client.rpc.execute(
    contextId: notes, method: "get_value", argsJson: ["key": "milk"])
  print(milk)

  // An invitation is good for one account. It goes by a link.
  guard let invitation = try await admin.createNamespaceInvitation(team, request: nil).invitation else {
    return
  }
  print(InviteLink.url(slug: package, token: InviteCodec.encode(invitation)))
  await client.close()
  // quick start ends
}
