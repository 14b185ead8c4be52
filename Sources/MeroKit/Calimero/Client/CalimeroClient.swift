import Foundation
import MeroAPI

/// A client of a Calimero 1.0 cluster, the confidential cloud.
///
/// It verifies that a node runs what it should, seals every request to it, keeps the session, and goes on at the next
/// node when one fails. Make one and share it: it is safe to use from any task.
///
/// ```swift
/// let client = CalimeroClient(CalimeroClientOptions(
///   baseUrl: "http://127.0.0.1:2501", nodes: ["http://127.0.0.1:2502"], policy: .development))
/// try await client.signUp(SoftPasskey(), name: "ada")
/// let org = try await client.orgs.create(name: "Acme").orgId
/// let app = try await client.apps.create(name: "chat", package: "com.calimero.chat", org: org).appId
/// _ = try await client.call(app, "send_message", ["message": "hi"])
/// let page = try await client.view(app, "get_messages")
/// for try await event in client.events(app) { print(event.kind) }
/// ```
///
/// Everything it throws is a ``CalimeroError``.
public final class CalimeroClient: Sendable {
  /// The SDK's version.
  public static let version = "1.0.0-rc.10"
  /// What nodes are told about the client software unless an option replaces it.
  static let agent = "merokit/\(version)"

  let core: ClientCore

  /// A client with these options. Nothing is sent, and nothing can fail, before its first use.
  public init(_ options: CalimeroClientOptions) {
    core = ClientCore(options)
  }

  /// The generated client over the same transport: every operation answers with everything the API document says may
  /// come back, refusals included. It throws only what has no answer. A node that asks for a passkey or an operator's
  /// signature is answered with the client's own provider, if one is set.
  public var api: Client { Client(transport: core) }

  /// Who confirms requests that need a person (412), where the call names nobody; nil asks nobody.
  public func useStepUp(_ passkey: (any PasskeyProvider)?) async {
    await core.settings.use(passkey: passkey)
  }

  /// Who signs requests that need an operator (428), where the call names nobody; nil asks nobody.
  public func useOperatorSigner(_ signer: (any OperatorSigner)?) async {
    await core.settings.use(operatorSigner: signer)
  }

  /// Uses an API key from now on, or the session again with nil. A key wins over a session. A text that cannot be a key
  /// throws ``CalimeroError/invalidInput(_:)`` from the next request.
  public func useApiKey(_ key: String?) async {
    await core.settings.use(apiKey: key)
  }

  /// What one needs to know about the cluster before anyone is signed in: its limits, its relying party, its version.
  public func info() async throws -> Components.Schemas.ClusterInfo {
    let request = APIRequest(
      operation: .publicInfo, method: .get, path: "/info", headers: ["accept": "application/json"])
    let response = try await core.engine.perform(request, plan: RequestPlan(request))
    return try response.decoded(for: request)
  }

  /// Ends the client: requests and transfers that are under way throw ``CalimeroError/cancelled`` at once, event
  /// streams end, presence is taken back, and the keys of every sealed session are dropped. The stored session stays.
  ///
  /// Whatever is asked of it afterwards throws ``CalimeroError/invalidInput(_:)`` and is not sent: make another client.
  /// It returns when presence was taken back and a refresh of the session that was under way has ended.
  public func close() async { await core.close() }
}
