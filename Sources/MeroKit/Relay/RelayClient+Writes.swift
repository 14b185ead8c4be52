import Foundation
import MeroWire

/// What a write did.
public struct IntentResult: Sendable, Hashable {
  /// The context's state hash after it, 64 hex; nil when the relay did not say.
  public let rootHash: String?
  /// What the method returned; nil for nothing.
  public let returns: JSONValue?

  /// A result of these parts.
  public init(rootHash: String?, returns: JSONValue?) {
    self.rootHash = rootHash
    self.returns = returns
  }
}

extension RelayClient {
  /// What the relay says about writing in a context.
  ///
  /// - Throws: ``MeroError/http(_:)`` with 404 when the relay can be no warrant's executor there: the context is not known,
  ///   or its group names no release yet.
  public func describe(contextId: String) async throws -> IntentDescription {
    IntentDescription(try await requests.data(.get, "contexts/\(Self.inPath(contextId))/intents"))
  }

  /// Runs a method as the account.
  ///
  /// A method that refuses commits nothing. The number drawn for it is skipped, which costs nothing.
  ///
  /// - Throws: ``AccountError/intentRefused(reason:retryable:status:)`` when the relay refuses the warrant;
  ///   ``MeroError/rpc(_:)`` when the method does; ``AccountError/invalidInput(_:)`` for arguments with a number that the
  ///   relay would change.
  @discardableResult
  public func execute(
    contextId: String, method: String, argsJson: JSONValue = [:]
  ) async throws -> IntentResult {
    _ = try Warrants.intentHash(method: method, arguments: argsJson)
    let context = try HexField.text(AccountID.hex(contextId), "contextId")
    // For every write: an upgrade changes the release, and a warrant is good for one (40 §10.1).
    let description = try await describe(contextId: contextId)
    let executor = try executor(account: description.executorAccount, key: description.executorKey)
    guard let release = try? HexField.text(description.releaseBytecodeId, "releaseBytecodeId") else {
      throw AccountError.protocolViolation("the relay does not say which release it runs in the context")
    }
    let warrant = try warrant(by: executor, nonce: { try nonces.next(relay: relayURL) }) { terms in
      try Warrants.signWarrant(
        Warrants.Write(
          context: context, releaseBytecodeId: release, releaseVersion: description.releaseVersion,
          method: method, arguments: argsJson, terms: terms), keys: keys)
    }
    let data = try await requests.data(
      .post, "contexts/\(Self.inPath(contextId))/intents",
      body: [
        "method": .string(method), "argsJson": argsJson, "warrant": .string(warrant),
        "authorProof": .string(authorProof),
      ])
    return IntentResult(rootHash: data["rootHash"]?.stringValue, returns: Self.returned(in: data))
  }

  /// Runs a method that only reads, under the session at the relay: nothing is signed, and no number is spent.
  ///
  /// - Returns: what the method returned; nil for nothing.
  /// - Throws: ``MeroError/http(_:)`` with 409 when the method is not declared read-only; with 401 without a session.
  public func query(
    contextId: String, method: String, argsJson: JSONValue = [:]
  ) async throws -> JSONValue? {
    try await query(contextId: contextId, method: method, argsJson: argsJson, bearer: await bearer())
  }

  func query(
    contextId: String, method: String, argsJson: JSONValue, bearer: String?
  ) async throws -> JSONValue? {
    Self.returned(
      in: try await requests.data(
        .post, "contexts/\(Self.inPath(contextId))/query",
        body: ["method": .string(method), "argsJson": argsJson], bearer: bearer, as: .session))
  }

  /// Which numbers of this device's warrants a context has seen. No released node answers it: expect 404.
  public func warrantNonce(contextId: String) async throws -> WarrantNonceState {
    try await requests.data(
      .post, "contexts/\(Self.inPath(contextId))/warrant-nonce", body: ["authorProof": .string(authorProof)],
      bearer: await bearer(), as: .session
    ).read(WarrantNonceState.self)
  }

  private static func returned(in data: JSONValue) -> JSONValue? {
    guard let value = data["returns"], !value.isNull else { return nil }
    return value
  }
}
