import Foundation
import MeroCrypto
import MeroWire

extension Warrants {
  /// Permission to make one context in one group (30 §6.3).
  public struct Creation: Sendable, Hashable {
    /// The group, 64 hex.
    public var group: String
    /// What the context's id is made of, 64 hex. A seed names one context, for ever.
    public var seed: String
    /// The application, 64 hex.
    public var applicationId: String
    /// Which service of the application; nil for its only one. An empty name is another thing than none.
    public var serviceName: String?
    /// The context's name.
    public var name: String?
    /// What the application's `init` gets.
    public var initArguments: JSONValue
    /// Who acts for whom.
    public var terms: Terms

    /// A permission of these parts.
    public init(
      group: String, seed: String, applicationId: String, serviceName: String? = nil, name: String? = nil,
      initArguments: JSONValue = [:], terms: Terms
    ) {
      self.group = group
      self.seed = seed
      self.applicationId = applicationId
      self.serviceName = serviceName
      self.name = name
      self.initArguments = initArguments
      self.terms = terms
    }
  }

  /// What a creation's warrant commits to, 32 bytes: the exact text of the arguments.
  ///
  /// - Throws: ``AccountError/invalidInput(_:)`` for a number that the relay would change; send it as a string.
  public static func creationInitHash(_ arguments: JSONValue) throws(AccountError) -> Data {
    Data(domainHash("calimero.context-creation.init.v1", [try canonical(arguments)]))
  }

  /// What the device signs for a creation, 32 bytes.
  public static func creationPreimage(_ creation: Creation, keys: DeviceKeys) throws(AccountError) -> Data {
    Data(domainHash(Creation.domain, try creation.fields(keys).parts))
  }

  /// Signs a creation.
  public static func signCreationWarrant(
    _ creation: Creation, keys: DeviceKeys
  ) throws(AccountError) -> Signed {
    try sign(try creation.fields(keys), domain: Creation.domain, keys: keys)
  }
}

extension Warrants.Creation {
  static let domain = "calimero.context-creation-warrant.v1"

  fileprivate func fields(_ keys: DeviceKeys) throws(AccountError) -> WarrantWriter {
    if let serviceName { try Warrants.check(serviceName, "serviceName") }
    if let name { try Warrants.check(name, "name") }
    let parties = try Warrants.Parties(terms)
    var writer = WarrantWriter()
    writer.fixed(try HexField.id(group, "group"))
    writer.fixed(try HexField.id(seed, "seed"))
    writer.fixed(parties.author)
    writer.fixed(keys.signKey)
    writer.fixed(parties.executor)
    writer.fixed(parties.executorKey)
    writer.fixed(try HexField.id(applicationId, "applicationId"))
    writer.label(serviceName)
    writer.label(name)
    writer.fixed(Array(try Warrants.creationInitHash(initArguments)))
    writer.heads(parties.accountHeads)
    writer.heads(parties.governanceFloor)
    writer.number(terms.nonce)
    writer.number(terms.notAfter)
    return writer
  }
}
