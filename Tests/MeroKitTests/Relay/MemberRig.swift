import Foundation
import MeroHTTP
import MeroKitTestSupport
import MeroWire
import Testing

@testable import MeroKit

/// An account with one device, as a wallet would have made it.
struct RelayAuthor {
  let keys: DeviceKeys
  let credential: String
  let account: String

  init(_ byte: UInt8 = 0x6D) throws {
    let root = Data(repeating: byte ^ 0xFF, count: 32)
    keys = try DeviceKeys(
      signSecret: Data(repeating: byte, count: 32), kemSecret: Data(repeating: 0x3A, count: 32))
    let draft = try DeviceCertificates.certify(
      rootSeed: root, device: String(repeating: "00", count: 32), signPublicKey: keys.signPublicKey,
      kemPublicKey: keys.kemPublicKey)
    account = try DeviceCertificates.parse(draft).account
    let device = try DeviceCertificates.mintDeviceId(
      account: account, nonce: String(repeating: "7e", count: 16))
    credential = try DeviceCertificates.certify(
      rootSeed: root, device: device, signPublicKey: keys.signPublicKey, kemPublicKey: keys.kemPublicKey)
  }

  func session(relay: String?, executor: String? = nil) -> DelegatedSession {
    DelegatedSession(
      account: account, credential: credential, keys: keys, relayUrl: relay, executorAccount: executor)
  }
}

/// A node as a relay on a clock of its own, an account that is a member there, and a client of it.
struct MemberRig {
  static let intents = "/admin-api/contexts/{context_id}/intents"
  static let query = "/admin-api/contexts/{context_id}/query"
  static let creations = "/admin-api/groups/{group_id}/context-intents"
  static let governance = "/admin-api/groups/{group_id}/governance-intents"
  static let presence = "/admin-api/contexts/{context_id}/presence-intents"

  let clock: FakeClock
  let node: FakeNode
  let author: RelayAuthor
  let nonces = MemoryWarrantNonceStore()
  let store = DelegatedAccountStore.memory()
  let methods = KnownMethods()
  let namespace: String
  let context: String

  /// - Parameter autoAdvance: longer than the waits between tries, and shorter than a request's limit.
  init(url: String = "http://localhost:2528", autoAdvance: TimeInterval = 0) async throws {
    clock = FakeClock(autoAdvance: autoAdvance)
    node = FakeNode(url: url, clock: clock.clock, seed: 7)
    node.setRelay()
    namespace = node.makeNamespace(of: .keyValue)
    context = node.makeContext(of: .keyValue, in: namespace)
    author = try RelayAuthor()
    _ = try await owner.addGroupMembers(
      namespace,
      request: AddGroupMembersRequest(members: [GroupMemberInput(identity: author.account, role: "Member")]))
    node.clearLog()
  }

  /// The admin API as the node's owner.
  var owner: AdminApi {
    let tokens = MemoryTokenStore(.sample(node.accessToken, node.refreshToken))
    return Mero(
      config: MeroConfig(baseURL: node.url, tokenStore: tokens, clock: clock.clock), transport: node.transport
    ).admin
  }

  var relay: RelayClient { client() }

  func client(
    over transport: (any HTTPTransport)? = nil, executor: String? = nil, clock: FakeClock? = nil
  ) -> RelayClient {
    RelayClient(
      relayURL: node.url.absoluteString + "/", authorAccount: author.account.uppercased(),
      authorProof: author.credential, keys: author.keys, nonces: nonces, executorAccount: executor,
      transport: transport ?? node.transport, clock: (clock ?? self.clock).clock, random: .halfway)
  }

  func environment(over transport: (any HTTPTransport)? = nil) -> DelegatedEnvironment {
    DelegatedEnvironment(
      store: store, nonces: nonces, transport: transport ?? node.transport, clock: clock.clock,
      random: .halfway)
  }

  /// A client whose relay is known by its key, with a session there.
  func pinned(methods: KnownMethods? = nil) throws -> MeroTransportClient {
    try DelegatedAccounts.pinRelayNodeKey(
      node.url.absoluteString, nodeKey: node.signingKey, store: store)
    let device = try DeviceCertificates.parse(author.credential).device
    let token = node.makeAccountSession(account: author.account, device: device).accessToken
    let way = RelayWay(
      transport: { _, env in env.transport }, session: { _, _, _, _, _ in GivenTokens([token]) })
    return try #require(
      try DelegatedAccounts.buildDelegatedClient(
        author.session(relay: node.url.absoluteString), env: environment(), way: way,
        methods: methods ?? self.methods))
  }

  /// The first number that was not drawn yet; it is drawn by asking.
  func nextNonce() throws -> UInt64 { try nonces.next(relay: node.url.absoluteString) }

  /// Method and route of every request so far.
  var asked: [String] { node.log.map { "\($0.method) \($0.route ?? $0.path)" } }

  func posts(_ route: String) -> [FakeNode.Request] { node.requests("POST \(route)") }

  /// The waits between tries, without the limits of requests.
  var waits: [TimeInterval] { clock.sleeps.filter { $0 < 10 } }
}

/// Bearers one after the other; the next one when one is dropped, and at last none.
final class GivenTokens: RelayTokens {
  private let tokens: Locked<[String]>
  private let given = Locked<[String]>([])

  init(_ tokens: [String]) { self.tokens = Locked(tokens) }

  var dropped: [String] { given.withLock { $0 } }

  func token() async -> String? { tokens.withLock { $0.first } }

  func dropToken(_ token: String) async {
    given.withLock { $0.append(token) }
    tokens.withLock { if $0.first == token { $0.removeFirst() } }
  }
}

/// Waits until something is so, giving way to whatever makes it so.
func until(_ isSo: () throws -> Bool) async rethrows {
  while try !isSo() { await Task.yield() }
}

extension JSONValue? {
  /// Whether there is none. Compared with nil, a null would be one too.
  var isAbsent: Bool { if case .none = self { true } else { false } }
}

/// What an operation throws.
func failure(_ operation: () async throws -> Void) async -> (any Error)? {
  do {
    try await operation()
    return nil
  } catch { return error }
}

extension Error {
  /// The status of an answer that is thrown as it is.
  var plainStatus: Int? {
    if case .http(let error)? = self as? MeroError { error.status } else { nil }
  }
}
