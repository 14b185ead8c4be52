import MeroHTTP

/// Presence, on a node or over a relay.
public enum TransportPresence: Sendable {
  /// On a node, as one of its own users.
  case node(EphemeralClient)
  /// Over a relay, as an account.
  case relay(RelayPresenceClient)
}

/// One surface over a node and over a relay: what an app codes against when it does not care which of the two is there
/// (40 §11.1).
///
/// ```swift
/// guard let client = try DelegatedAccounts.buildDelegatedClient(session, env: env) else { return }
/// let items: [String] = try await client.rpc.execute(contextId: context, method: "list")
/// let mine = try await client.admin.getContexts()
/// ```
public final class MeroTransportClient: Sendable {
  /// What it goes over.
  public let kind: TransportKind
  /// The methods of contracts.
  public let rpc: any ExecuteTransport
  /// The event stream; always the same one.
  public let events: SseConnection
  /// Presence.
  public let presence: TransportPresence?
  /// Whether events come. Without it ``events`` is quiet: it asks nobody and fails with nothing, until the client is closed.
  public let canSubscribe: Bool
  /// The relay's client, when it goes over one.
  public let relay: RelayClient?
  private let nodeAdmin: AdminApi

  /// The admin API. A relay answers an account with what the account's own groups reach.
  public var admin: AdminApi { get async throws { nodeAdmin } }

  /// A client over a node.
  public init(node: Mero) async {
    kind = .node
    rpc = node.rpc
    nodeAdmin = node.admin
    events = await node.sse
    presence = .node(await node.ephemeral)
    canSubscribe = true
    relay = nil
  }

  /// A client over a relay.
  package init(
    relay: RelayClient, rpc: any ExecuteTransport, admin: AdminApi, events: SseConnection,
    presence: RelayPresenceClient, canSubscribe: Bool
  ) {
    kind = .relay
    self.rpc = rpc
    nodeAdmin = admin
    self.events = events
    self.presence = .relay(presence)
    self.canSubscribe = canSubscribe
    self.relay = relay
  }

  /// Ends the event streams and stops repeating presence.
  public func close() async {
    if case .relay(let presence)? = presence { await presence.close() }
    await events.close()
  }
}
