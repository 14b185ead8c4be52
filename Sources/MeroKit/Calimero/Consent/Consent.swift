import Foundation
import MeroAPI
import MeroCrypto
import MeroWire

extension CalimeroClient {
  /// Begins a sign-in through the cluster's consent page, for an app that cannot use passkeys of the cluster itself.
  ///
  /// ```swift
  /// let flow = try await client.beginConsent(
  ///   package: "com.example.notes", scopes: ["apps:read", "apps:call"], redirectUri: "notes://consent")
  /// // Open flow.url in the system browser. When it comes back to notes://consent?…:
  /// try await client.finishConsent(flow, callback: url)
  /// ```
  ///
  /// - Parameters:
  ///   - package: the package that asks.
  ///   - scopes: what it asks for; the person may leave some out.
  ///   - apps: the apps it asks for; empty lets the person choose.
  ///   - redirectUri: where the page sends its answer: one that the package's deployment lists.
  /// - Throws: ``CalimeroError``.
  public func beginConsent(
    package: String, scopes: [String], apps: [String] = [], redirectUri: String
  ) async throws -> ConsentFlow {
    try await CalimeroError.translating {
      let secrets = ConsentSecrets(core.options.random)
      let challenge = Base64URL.encode(SHA256.hash(Array(secrets.codeVerifier.utf8)))
      let created = try await consent.requestCreate(
        package: package, scopes: scopes, redirectUri: redirectUri, state: secrets.state,
        codeChallenge: challenge, apps: apps.isEmpty ? nil : apps, label: core.options.deviceLabel)
      return try ConsentFlow(created, redirectUri: redirectUri, secrets: secrets)
    }
  }

  /// Ends a sign-in through the consent page: the client is signed in afterwards, with what the person granted.
  ///
  /// A flow is good once. When no node could be reached it may be finished again, within the minute that its code lives.
  ///
  /// - Parameters:
  ///   - flow: what ``beginConsent(package:scopes:apps:redirectUri:)`` gave, perhaps in an earlier run of the app.
  ///   - callback: the address that the browser came back with.
  /// - Returns: who is signed in.
  /// - Throws: ``CalimeroError``: `consent` when the person said no, when the callback is none or another flow's, and when
  ///   the flow's time is over.
  @discardableResult
  public func finishConsent(_ flow: ConsentFlow, callback: URL) async throws -> CalimeroAccount {
    guard await core.settings.isOpen(consent: flow.requestId) else { throw CalimeroError.consent(.expired) }
    let code: String
    do throws(ConsentFailure) {
      guard case .code(let granted) = try ConsentCallback(callback, of: flow) else { throw .denied }
      code = granted
    } catch {
      // A callback that is none may be anybody's, and the right one may still come.
      if error != .badCallback { await core.settings.spend(consent: flow.requestId) }
      throw CalimeroError.consent(error)
    }
    do {
      let account = try await SignIn(core).exchange(flow, code: code)
      await core.settings.spend(consent: flow.requestId)
      return account
    } catch CalimeroError.api(let refusal) where [401, 404, 410].contains(refusal.status) {
      await core.settings.spend(consent: flow.requestId)
      guard refusal.code == .consentExpired else { throw CalimeroError.api(refusal) }
      throw CalimeroError.consent(.expired)
    }
  }
}
