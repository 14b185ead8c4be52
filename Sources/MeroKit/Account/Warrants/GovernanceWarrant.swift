import Foundation
import MeroCrypto
import MeroWire

extension Warrants {
  /// Where an op is published: on the group it is about, or on that group's namespace (30 §9).
  public enum Plane: UInt8, Sendable, Hashable {
    /// On the group.
    case group = 0
    /// On the namespace.
    case root = 1
  }

  /// An op of governance in the form a relay may publish for a member (30 §9). ``GovernanceOps`` makes them.
  public struct GovernanceOp: Sendable, Hashable {
    /// Where it is published.
    public let kind: Plane
    /// The op.
    public let bytes: Data

    init(_ kind: Plane, _ bytes: [UInt8]) {
      self.kind = kind
      self.bytes = Data(bytes)
    }

    /// An op of these bytes.
    public init(kind: Plane, bytes: Data) {
      self.kind = kind
      self.bytes = bytes
    }
  }

  /// Permission to publish one op in one scope (30 §6.4).
  public struct Governance: Sendable, Hashable {
    /// Where the op is published: the group, or the namespace; 64 hex.
    public var scope: String
    /// The op.
    public var op: GovernanceOp
    /// Who acts for whom.
    public var terms: Terms

    /// A permission of these parts.
    public init(scope: String, op: GovernanceOp, terms: Terms) {
      self.scope = scope
      self.op = op
      self.terms = terms
    }
  }

  /// What a governance warrant commits to, 32 bytes. The plane is part of it, so that consent to one is none to the other.
  public static func governanceOpHash(_ op: GovernanceOp) -> Data {
    Data(domainHash("calimero.governance-warrant.op.v1", [[op.kind.rawValue], Array(op.bytes)]))
  }

  /// What the device signs for an op, 32 bytes.
  public static func governancePreimage(
    _ governance: Governance, keys: DeviceKeys
  ) throws(AccountError) -> Data {
    Data(domainHash(Governance.domain, try governance.fields(keys).parts))
  }

  /// Signs an op.
  public static func signGovernanceWarrant(
    _ governance: Governance, keys: DeviceKeys
  ) throws(AccountError) -> Signed {
    try sign(try governance.fields(keys), domain: Governance.domain, keys: keys)
  }
}

extension Warrants.Governance {
  static let domain = "calimero.governance-warrant.v1"

  fileprivate func fields(_ keys: DeviceKeys) throws(AccountError) -> WarrantWriter {
    let parties = try Warrants.Parties(terms)
    var writer = WarrantWriter()
    writer.fixed(try HexField.id(scope, "scope"))
    writer.byte(op.kind.rawValue)
    writer.fixed(parties.author)
    writer.fixed(keys.signKey)
    writer.fixed(parties.executor)
    writer.fixed(parties.executorKey)
    writer.fixed(Array(Warrants.governanceOpHash(op)))
    writer.heads(parties.accountHeads)
    writer.heads(parties.governanceFloor)
    writer.number(terms.nonce)
    writer.number(terms.notAfter)
    return writer
  }
}
