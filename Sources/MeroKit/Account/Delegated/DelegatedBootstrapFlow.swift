import Foundation
import MeroWire

/// An account that was let in somewhere.
public struct BootstrapResult: Sendable, Hashable {
  /// The session, at the relay that let the account in. Its executor account is not known.
  public let session: DelegatedSession
  /// Whether the node says that it published the join. Membership comes when nodes apply it.
  public let published: Bool
  /// What the cloud said of the node; nil when the node was given.
  public let resolution: BootstrapResolution?
}

/// The node that an account joins through.
public struct BootstrapResolution: Sendable, Hashable {
  /// The node, as a relay.
  public let relayURL: String
  /// Where the join is posted, which may be elsewhere.
  public let admitURL: String
  /// Whether the node runs members' writes now. If not, an admin has to grant it that later.
  public let writable: Bool
  /// Whether the cloud has not heard of the node lately.
  public let stale: Bool
}

extension DelegatedAccounts {
  /// Joins a namespace by an invitation, without a node (40 §15.4): finds a node that the invitation names, signs the join, and
  /// hands it over.
  ///
  /// Nothing is waited for, tried twice or remembered; ``joinAsAccount(_:namespaceId:invitation:env:onMoved:)`` remembers.
  ///
  /// - Parameters:
  ///   - credential: nil when nobody is signed in.
  ///   - nodeURL: a node to join through, as an operator knows it; the cloud is not asked then.
  /// - Throws: ``BootstrapFailure``, or `CancellationError`.
  public static func bootstrap(
    namespaceId: String, invitation: SignedGroupOpenInvitation, credential: String?, keys: DeviceKeys,
    nodeURL: String? = nil, env: DelegatedEnvironment
  ) async throws -> BootstrapResult {
    guard let credential, !credential.isEmpty else {
      throw BootstrapFailure(step: .noCredential, reason: "there is no credential")
    }
    let certified: DeviceCredential
    do {
      certified = try DeviceCertificates.verify(credential)
    } catch { throw BootstrapFailure(step: .sign, reason: error.description) }
    let session = DelegatedSession(account: certified.account, credential: credential, keys: keys)
    let target: (relay: String, admit: String)
    var resolution: BootstrapResolution?
    if let nodeURL {
      let relay = RelayOrigin.of(nodeURL)
      target = (relay, admitURL(at: relay, namespaceId))
    } else {
      let found = try await resolve(namespaceId, invitation, session, env)
      resolution = found
      target = (found.relayURL, found.admitURL)
    }
    let join: NamespaceOps.SignedJoin
    do {
      let nonce = try env.nonces.next(relay: "join:\(certified.account)")
      join = try NamespaceOps.signMemberJoinOp(
        namespaceId: namespaceId, member: certified.account, invitation: invitation, credential: credential,
        keys: keys, nonce: nonce, joinedAt: env.milliseconds / 1000)
    } catch { throw BootstrapFailure(step: .sign, reason: error.text) }
    let published = try await admit(invitation, join, at: target.admit, env)
    return BootstrapResult(
      session: session.moved(to: target.relay), published: published, resolution: resolution)
  }

  /// Joins a namespace as an account: what its `joinNamespace` runs (40 §15.5).
  ///
  /// - Parameter onMoved: told of the session at the relay that let the account in; it is the session from then on.
  /// - Returns: the namespace.
  /// - Throws: ``BootstrapFailure``; nothing is remembered then, and `onMoved` not called.
  @discardableResult
  public static func joinAsAccount(
    _ session: DelegatedSession, namespaceId: String, invitation: SignedGroupOpenInvitation,
    env: DelegatedEnvironment, onMoved: (DelegatedSession) -> Void
  ) async throws -> String {
    let result = try await bootstrap(
      namespaceId: namespaceId, invitation: invitation, credential: session.credential, keys: session.keys,
      env: env)
    if let relay = result.session.relayUrl {
      rememberRelay(session.account, relayURL: relay, namespaceId: namespaceId, store: env.store)
    }
    onMoved(carryExecutorAccount(from: session, to: result.session))
    return namespaceId
  }

  // MARK: The node

  private static func resolve(
    _ namespaceId: String, _ invitation: SignedGroupOpenInvitation, _ session: DelegatedSession,
    _ env: DelegatedEnvironment
  ) async throws -> BootstrapResolution {
    let routing: CloudNamespaceRouting
    do {
      routing = try await cloud(session, env).getNamespaceRouting(namespaceId)
    } catch is CancellationError {
      throw CancellationError()
    } catch { throw BootstrapFailure(step: .admittersLookup, reason: error.text) }
    return try BootstrapChoice(routing: routing, admitters: invitation.invitation.admitters).resolution {
      admitURL(at: $0, namespaceId)
    }
  }

  private static func admitURL(at relay: String, _ namespaceId: String) -> String {
    "\(relay)/admin-api/namespaces/\(NodePath.segment(namespaceId))/admit"
  }

  // MARK: The join

  private static let admitPatience: TimeInterval = 65

  /// Posts the join in the open and without a session: its signature is all it needs, and the node can carry it or decline.
  private static func admit(
    _ invitation: SignedGroupOpenInvitation, _ join: NamespaceOps.SignedJoin, at address: String,
    _ env: DelegatedEnvironment
  ) async throws -> Bool {
    guard let url = URL(string: address), url.host != nil else {
      throw BootstrapFailure(step: .admit, reason: "the node has no usable address")
    }
    let body: JSONValue = ["invitation": .object(invitation.json), "signedOp": .string(join.text)]
    let http = NodeHTTP(
      baseURL: url, transport: env.transport, timeout: admitPatience, clock: env.clock, random: env.random)
    do {
      let response = try await http.send(
        NodeRequest(
          .post, url.absoluteString, body: .json(body.data()), headers: ["accept": "application/json"],
          timeout: admitPatience))
      let answer = try? response.json()
      return (answer?["data"] ?? answer)?["published"]?.boolValue == true
    } catch let error as MeroError {
      let reason = error.refusal?.message.map { Excerpt.of($0, upTo: 500) } ?? error.description
      throw BootstrapFailure(step: .admit, reason: reason, status: error.httpStatus)
    }
  }
}

/// Chooses the node to join through (40 §15.4, 2).
struct BootstrapChoice {
  let routing: CloudNamespaceRouting
  let admitters: [String]

  /// - Parameter admitURL: where a relay takes joins unless the cloud says otherwise.
  func resolution(admitURL: (String) -> String) throws(BootstrapFailure) -> BootstrapResolution {
    guard !routing.nodes.isEmpty else {
      throw BootstrapFailure(step: .noNodes, reason: "the cloud lists no node of the namespace")
    }
    // The list is signed; an address that stands beside it is not, and never takes its place.
    let named = routing.nodes.filter { node in
      admitters.isEmpty
        || node.account.map { account in admitters.contains { Self.areSame($0, account) } } == true
    }
    guard !named.isEmpty else {
      throw BootstrapFailure(step: .notInvited, reason: "none of the nodes is named by the invitation")
    }
    // What heartbeats say is advice: a node that seems away may well admit, and checks everything itself.
    let admitting = named.filter(\.canAdmit)
    let candidates = (admitting.isEmpty ? named : admitting).compactMap { node in
      node.relayUrl.map { (node: node, relay: RelayOrigin.of($0)) }
    }
    guard
      let chosen = candidates.first(where: { $0.node.canExecute }) ?? candidates.first(where: {
        $0.node.fresh
      })
        ?? candidates.first
    else { throw BootstrapFailure(step: .noRelayURL, reason: "no node that may admit has an address") }
    return BootstrapResolution(
      relayURL: chosen.relay, admitURL: chosen.node.admitUrl ?? admitURL(chosen.relay),
      writable: chosen.node.canExecute,
      stale: !chosen.node.fresh || admitting.isEmpty || !routing.servable)
  }

  private static func areSame(_ one: String, _ other: String) -> Bool { plain(one) == plain(other) }

  private static func plain(_ account: String) -> String {
    let text = account.trimmingCharacters(in: .whitespacesAndNewlines).lowercased()
    return text.hasPrefix("0x") ? String(text.dropFirst(2)) : text
  }
}
