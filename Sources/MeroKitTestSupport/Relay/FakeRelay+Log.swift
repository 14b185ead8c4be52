import Foundation
import MeroHTTP
import MeroWire

/// What a relay has seen.
extension FakeRelay {
  /// A request that the relay served: in the open, or out of an envelope.
  public struct Request: Sendable, Hashable {
    /// The method.
    public let method: String
    /// The path below the relay's URL, with its query.
    public let path: String
    /// The header fields.
    public let headers: HTTPHeaders
    /// The body; empty where it is larger than a megabyte.
    public let body: Data
    /// Whether it came in an envelope.
    public let isSealed: Bool
    /// The status it was answered with; nil while it runs, and when the connection was dropped.
    public internal(set) var status: Int?

    /// Method and path, as a test compares them.
    public var line: String { "\(method) \(path)" }
    /// The body as JSON.
    public var json: JSONValue? { try? JSONValue(parsing: body) }
    /// The token it was sent with.
    public var bearer: String? { NodeExchange.bearer(in: headers) }
  }

  /// A warrant that came, with the number that it is good once by.
  public struct Nonce: Sendable, Hashable {
    /// The number.
    public let value: UInt64
    /// The key of the device that signed, 64 hex.
    public let device: String
    /// The author's account, 64 hex.
    public let account: String
    /// The context, the group or the namespace it is for.
    public let subject: String
    /// Whether what it permits was done; the number is gone then.
    public let isSpent: Bool
  }

  /// What the relay served so far, in order.
  public var log: [Request] { state.withLock { $0.log } }
  /// Forgets the log, to look only at what comes next.
  public func clearLog() { state.withLock { $0.log = [] } }
  /// How many handshakes were tried.
  public var handshakes: Int { state.withLock { $0.handshakes } }
  /// How many envelopes came, good ones or not.
  public var envelopes: Int { state.withLock { $0.envelopes } }

  /// Every warrant that came with a good signature, in order. One that is sent again in the same bytes is here twice, if the
  /// relay looked at it twice.
  public var nonces: [Nonce] {
    node.store.withState { state in
      state.governance.delegation.presented.map {
        Nonce(
          value: $0.nonce, device: $0.device, account: $0.account, subject: $0.subject, isSpent: $0.isSpent)
      }
    }
  }

  /// Numbers that one device signed more than once: what a client must never do.
  public var reusedNonces: [UInt64] {
    let used = Dictionary(grouping: nonces) { [$0.device, String($0.value)] }
    return used.values.filter { $0.count > 1 }.map { $0[0].value }.sorted()
  }

  /// Logins of accounts so far, as the devices signed them.
  public var logins: [Login] {
    node.store.withState { state in
      state.auth.logins.map { login in
        Login(
          nodeKey: Hex.encode(login.node), deviceKey: Hex.encode(login.deviceKey),
          sessionKey: Hex.encode(login.sessionKey), audience: Self.audience(login.audience),
          issuedAt: login.issuedAt, expiresAt: login.expiresAt)
      }
    }
  }

  /// A login that was let in.
  public struct Login: Sendable, Hashable {
    /// The node that it is for, 64 hex.
    public let nodeKey: String
    /// The device that signed it, 64 hex.
    public let deviceKey: String
    /// The key of the session, 64 hex.
    public let sessionKey: String
    /// The app, as nodes spell it: an origin, an identifier, or `cli`.
    public let audience: String
    /// Unix seconds.
    public let issuedAt: UInt64
    /// Unix seconds.
    public let expiresAt: UInt64
  }

  private static func audience(_ signed: [UInt8]) -> String {
    signed == [2] ? "cli" : String(decoding: signed.dropFirst(), as: UTF8.self)
  }
}
