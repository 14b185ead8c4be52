import Foundation
import MeroWire

/// A context that a relay made.
public struct CreatedContext: Sendable, Hashable {
  /// Its id, 64 hex.
  public let contextId: String
  /// Its group, 64 hex.
  public let groupId: String
  /// The key the context knows its maker by, 64 hex.
  public let memberPublicKey: String
  /// What its id was made of, 64 hex.
  public let seed: String

  /// A context of these parts.
  public init(contextId: String, groupId: String, memberPublicKey: String, seed: String) {
    self.contextId = contextId
    self.groupId = groupId
    self.memberPublicKey = memberPublicKey
    self.seed = seed
  }
}

extension RelayClient {
  /// What the relay says about making a context in a group.
  ///
  /// - Parameter author: the account that would make it; the answer then says whether it may.
  public func describeCreation(groupId: String, author: String? = nil) async throws -> CreationDescription {
    let group = try HexField.text(groupId, "groupId")
    return CreationDescription(
      try await requests.data(.get, "groups/\(group)/context-intents", query: [("author", author)]))
  }

  /// Makes a context in a group, as the account.
  ///
  /// - Parameters:
  ///   - initArgs: what the application's `init` gets.
  ///   - serviceName: which service of the application; nil for its only one.
  ///   - seed: what the id is made of, 64 hex; random unless given. A seed names one context, for ever.
  ///   - nonce: nil for the next of the relay. A new context has seen none, so that 0 is good too (40 §7).
  /// - Throws: ``AccountError/intentRefused(reason:retryable:status:)`` when the relay or the account may not.
  @discardableResult
  public func createContext(
    groupId: String, applicationId: String, initArgs: JSONValue = [:], serviceName: String? = nil,
    name: String? = nil, seed: String? = nil, nonce: UInt64? = nil
  ) async throws -> CreatedContext {
    _ = try Warrants.creationInitHash(initArgs)
    let group = try HexField.text(groupId, "groupId")
    let application = try HexField.text(applicationId, "applicationId")
    let seed = try seed.map { try HexField.text($0, "seed") } ?? Hex.encode(random.bytes(32))
    let description = try await describeCreation(groupId: group, author: authorAccount)
    let executor = try executor(account: description.executorAccount, key: description.executorKey)
    guard description.canCreateOnBehalf else {
      throw AccountError.refusedHere("the relay may not make contexts for members of this group")
    }
    guard description.authorMayCreate != false else {
      throw AccountError.refusedHere(
        "the account may not make contexts in this group: it lacks CAN_CREATE_CONTEXT")
    }
    let warrant = try warrant(by: executor, nonce: { try nonce ?? nonces.next(relay: relayURL) }) { terms in
      try Warrants.signCreationWarrant(
        Warrants.Creation(
          group: group, seed: seed, applicationId: application, serviceName: serviceName, name: name,
          initArguments: initArgs, terms: terms), keys: keys)
    }
    let data = try await requests.data(
      .post, "groups/\(group)/context-intents",
      body: ["warrant": .string(warrant), "authorProof": .string(authorProof), "initArgs": initArgs])
    let made = try data.read(CreateContextIntentResponseData.self)
    return CreatedContext(
      contextId: made.contextId, groupId: made.groupId, memberPublicKey: made.memberPublicKey, seed: seed)
  }
}

extension AccountError {
  /// What is known to be refused before anything is signed. Its text speaks of nonces, and yet another try changes nothing.
  static func refusedHere(_ reason: String) -> AccountError {
    .intentRefused(
      reason: reason + " (nothing was sent, and no nonce was spent)", retryable: false, status: 403)
  }
}
