import Foundation
import MeroHTTP
import MeroWire

/// The cloud's directory in memory: which relays serve an account, which nodes serve a namespace, and hosting (40 §18.2).
///
/// ```swift
/// let manager = FakeManager()
/// manager.setRelays([.relay("https://relay.test", executorAccount: relay)], of: wallet.account)
/// let cloud = CloudClient(
///   baseURL: manager.url, routingCredential: credential, transport: manager.transport)
/// ```
///
/// It verifies every proof with readers of its own, so that what passes here is well signed.
public final class FakeManager: FakeHost {
  /// Serves the signed releases.
  public let mirror: FakeReleaseMirror
  let clock: MeroClock
  let random: MeroRandom
  let state = Locked(State())
  private let door: FakeDoor

  struct State {
    var relays: [String: [Row]] = [:]
    var routings: [String: Routing] = [:]
    var billing: [String: Billing] = [:]
    var challenges: [String: Challenge] = [:]
    var claimNonces: Set<String> = []
    var hosted: [String] = []
    var hostingNode: Row?
    var assignment: (@Sendable (String) -> [Row])?
    var directory: (@Sendable (String) -> [Row])?
    var violations: [String] = []
  }

  struct Routing {
    var nodes: [Row] = []
    var servable = false
    var writable = false
  }

  /// Who pays for an account's hosting.
  struct Billing {
    var linkedUsers = 1
    var pending: String?
    var refusal: String?
  }

  struct Challenge {
    /// The path below which it is good.
    let subject: String
    let expiresAtMs: Int64
  }

  /// A manager that knows nobody.
  ///
  /// - Parameter mirror: serves the signed releases at the same address.
  public init(
    url: String = "https://manager.test", mirror: FakeReleaseMirror = FakeReleaseMirror(),
    clock: MeroClock = .system, seed: UInt64? = nil
  ) {
    door = FakeDoor(url)
    self.mirror = mirror
    self.clock = clock
    random = .chosen(by: seed)
  }

  /// Where it is reached, as an app is told.
  public var url: String { door.url.absoluteString }
  /// Where it is reached.
  public var hostURL: URL { door.url }

  /// Answers a request. Throws `TransportError` when the connection is to be dropped.
  public func handle(_ request: HTTPRequest) async throws -> HTTPResponse {
    try await door.answer(request) { arrived in
      if arrived.path.hasPrefix("/api/tee/node-releases/") { return try await self.mirror.handle(request) }
      return try self.serve(arrived)
    }
  }

  // MARK: What it knows

  /// The relays of an account, in the order they are listed.
  public func setRelays(_ rows: [Row], of account: String) { state.withLock { $0.relays[account] = rows } }

  /// The nodes of a namespace, in the order they are listed.
  public func setRouting(
    _ namespaceId: String, nodes: [Row], servable: Bool = true, writable: Bool = true
  ) {
    state.withLock {
      $0.routings[namespaceId] = Routing(nodes: nodes, servable: servable, writable: writable)
    }
  }

  /// How many logins are linked to an account; with none or several, nobody can be billed. One, unless it is set.
  public func setLinkedUsers(_ count: Int, of account: String) {
    state.withLock { $0.billing[account, default: Billing()].linkedUsers = count }
  }

  /// A namespace of the account that waits to be hosted, which keeps others from it.
  public func setPendingHosting(_ namespaceId: String?, of account: String) {
    state.withLock { $0.billing[account, default: Billing()].pending = namespaceId }
  }

  /// Refuses to host with this code, such as `unknown_relay`; nil hosts again.
  public func refuseHosting(_ code: String?, of account: String) {
    state.withLock { $0.billing[account, default: Billing()].refusal = code }
  }

  /// The node that every namespace is served by from when it is hosted.
  public func hostWith(_ node: Row?) { state.withLock { $0.hostingNode = node } }

  /// Answers for every account that no rows were set for: which relays it has. nil for none.
  public func assign(_ relays: (@Sendable (_ account: String) -> [Row])?) {
    state.withLock { $0.assignment = relays }
  }

  /// Answers for every namespace that no nodes were set for: which ones serve it. nil for none.
  public func look(up nodes: (@Sendable (_ namespaceId: String) -> [Row])?) {
    state.withLock { $0.directory = nodes }
  }

  // MARK: What happened

  /// The namespaces it has agreed to host, in order.
  public var hosted: [String] { state.withLock { $0.hosted } }

  /// What a client did that none may, such as sending a token.
  public var violations: [String] { state.withLock { $0.violations } }

  /// What arrived so far, in order.
  public var log: [FakeRequest] { door.log }

  /// Forgets the log, to look only at what comes next.
  public func clearLog() { door.clearLog() }

  /// Fails every request whose path has `path` in it, or every request; nil works again.
  public func fail(_ outage: FakeOutage?, at path: String = "") { door.fail(outage, at: path) }

  var milliseconds: Int64 { Int64((clock.now().timeIntervalSince1970 * 1000).rounded()) }
}

extension FakeManager {
  /// A row of one of its lists, as it is sent: a test may leave out a member, or put nonsense in.
  public struct Row: Sendable, Hashable {
    /// What is sent.
    public var json: JSONObject

    /// A row of these members.
    public init(_ json: JSONObject) { self.json = json }

    /// A relay of an account.
    public static func relay(
      _ relayURL: String?, executorAccount: String? = nil, fresh: Bool = true, assigned: Bool = false,
      peerId: String = "peer"
    ) -> Row {
      Row([
        "peer_id": .string(peerId), "relay_url": .text(relayURL), "fresh": .bool(fresh),
        "executor_account": .text(executorAccount), "assigned": .bool(assigned),
      ])
    }

    /// A node of a namespace.
    public static func node(
      account: String?, relayURL: String?, admitURL: String? = nil, fresh: Bool = true, canAdmit: Bool = true,
      canExecute: Bool = true, status: String = "active", teeRole: String? = "RelayTee",
      peerId: String = "peer"
    ) -> Row {
      Row([
        "peer_id": .string(peerId), "account": .text(account), "relay_url": .text(relayURL),
        "admit_url": .text(admitURL), "status": .string(status), "fresh": .bool(fresh),
        "can_admit": .bool(canAdmit), "authorship_ready": .bool(canExecute), "tee_role": .text(teeRole),
        "can_execute": .bool(canExecute),
      ])
    }

    /// The row with another member, or without one.
    public func with(_ name: String, _ value: JSONValue?) -> Row {
      var row = self
      row.json[name] = value
      return row
    }
  }
}

extension JSONValue {
  /// A text, or null.
  fileprivate static func text(_ text: String?) -> JSONValue { text.map { .string($0) } ?? .null }
}
