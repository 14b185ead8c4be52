import Foundation
import MeroCrypto
import MeroWire

extension Warrants {
  /// Permission to run one method with one set of arguments in one context (30 §6.2).
  public struct Write: Sendable, Hashable {
    /// The context, 64 hex.
    public var context: String
    /// The release the relay runs there, 64 hex, as it describes itself.
    public var releaseBytecodeId: String
    /// That release's version.
    public var releaseVersion: String
    /// The method.
    public var method: String
    /// Its arguments.
    public var arguments: JSONValue
    /// Who acts for whom.
    public var terms: Terms

    /// A permission of these parts.
    public init(
      context: String, releaseBytecodeId: String, releaseVersion: String, method: String,
      arguments: JSONValue = [:], terms: Terms
    ) {
      self.context = context
      self.releaseBytecodeId = releaseBytecodeId
      self.releaseVersion = releaseVersion
      self.method = method
      self.arguments = arguments
      self.terms = terms
    }
  }

  /// What a write's warrant commits to, 32 bytes: the method and the exact text of the arguments.
  ///
  /// - Throws: ``AccountError/invalidInput(_:)`` for a number that the relay would change; send it as a string.
  public static func intentHash(method: String, arguments: JSONValue) throws(AccountError) -> Data {
    Data(domainHash("calimero.warrant.intent.v1", [Array(method.utf8), try canonical(arguments)]))
  }

  /// What the device signs for a write, 32 bytes.
  public static func warrantPreimage(_ write: Write, keys: DeviceKeys) throws(AccountError) -> Data {
    Data(domainHash(Write.domain, try write.fields(keys).parts))
  }

  /// The warrant without its signature.
  public static func warrantWire(_ write: Write, keys: DeviceKeys) throws(AccountError) -> Data {
    Data(try write.fields(keys).wire.bytes)
  }

  /// Signs a write.
  public static func signWarrant(_ write: Write, keys: DeviceKeys) throws(AccountError) -> Signed {
    try sign(try write.fields(keys), domain: Write.domain, keys: keys)
  }
}

extension Warrants.Write {
  static let domain = "calimero.warrant.v2"

  fileprivate func fields(_ keys: DeviceKeys) throws(AccountError) -> WarrantWriter {
    try Warrants.check(releaseVersion, "releaseVersion")
    let parties = try Warrants.Parties(terms)
    var writer = WarrantWriter()
    writer.fixed(try HexField.id(context, "context"))
    writer.fixed(parties.author)
    writer.fixed(keys.signKey)
    writer.fixed(parties.executor)
    writer.fixed(parties.executorKey)
    writer.fixed(try HexField.id(releaseBytecodeId, "releaseBytecodeId"))
    writer.text(releaseVersion)
    writer.text(method)
    writer.fixed(Array(try Warrants.intentHash(method: method, arguments: arguments)))
    writer.heads(parties.accountHeads)
    writer.heads(parties.governanceFloor)
    writer.number(terms.nonce)
    writer.number(terms.notAfter)
    return writer
  }
}
