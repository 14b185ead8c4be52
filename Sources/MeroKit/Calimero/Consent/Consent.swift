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
        codeChallenge: challenge, apps: apps.isEmpty ? nil : apps, label: core.deviceLabel)
      return try ConsentFlow(created, redirectUri: redirectUri, secrets: secrets)
    }
  }

  /// Ends a sign-in through the consent page: the client is signed in afterwards, with what the person granted.
  ///
  /// A flow is good once, and is finished by one call at a time: another one is told that it is over. When no node
  /// could be reached it may be finished again, within the minute that its code lives.
  ///
  /// - Parameters:
  ///   - flow: what ``beginConsent(package:scopes:apps:redirectUri:)`` gave, perhaps in an earlier run of the app.
  ///   - callback: the address that the browser came back with.
  /// - Returns: who is signed in.
  /// - Throws: ``CalimeroError``: `consent` when the person said no, when the callback is none or another flow's, and
  ///   when the flow's time is over.
  @discardableResult
  public func finishConsent(_ flow: ConsentFlow, callback: URL) async throws -> CalimeroAccount {
    // Spent before anything is asked: a second call must not trade the same code while the first is on its way.
    guard await core.settings.spend(consent: flow.requestId) else { throw CalimeroError.consent(.expired) }
    let answer: ConsentCallback
    do throws(ConsentFailure) {
      answer = try ConsentCallback(callback, of: flow)
    } catch {
      // A callback that is none may be anybody's, and the right one may still come.
      if error == .badCallback { await core.settings.reopen(consent: flow.requestId) }
      throw CalimeroError.consent(error)
    }
    switch answer {
    case .code(let code): return try await trade(code, of: flow)
    case .denied: throw CalimeroError.consent(.denied)
    case .neither: throw CalimeroError.consent(.badCallback)
    }
  }

  private func trade(_ code: String, of flow: ConsentFlow) async throws -> CalimeroAccount {
    do {
      return try await SignIn(core).exchange(flow, code: code)
    } catch CalimeroError.api(let refusal) where [401, 404, 410].contains(refusal.status) {
      guard refusal.code == .consentExpired else { throw CalimeroError.api(refusal) }
      throw CalimeroError.consent(.expired)
    } catch {
      await core.settings.reopen(consent: flow.requestId)
      throw error
    }
  }
}
