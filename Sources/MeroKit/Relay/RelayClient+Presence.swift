import MeroWire

extension RelayClient {
  /// Signs one statement of presence and posts it (30 §15). ``RelayPresenceClient`` numbers and repeats them.
  ///
  /// - Parameters:
  ///   - state: the slice; nil retracts it.
  ///   - seq: higher than that of the device's last statement in the context, or nothing changes.
  ///   - sentAtMs: Unix milliseconds.
  /// - Throws: ``AccountError/intentRefused(reason:retryable:status:)`` for a statement that is refused, ``MeroError/http(_:)``
  ///   with 413 for a slice of more than 16,384 bytes, with 429 when it comes too soon. It is sent once.
  public func presenceIntent(contextId: String, state: [UInt8]?, seq: UInt64, sentAtMs: UInt64) async throws {
    let intent = try PresenceStatement.signedIntent(
      contextId: AccountID.hex(contextId), state: state, seq: seq, sentAtMs: sentAtMs, keys: keys,
      authorProof: authorProof)
    _ = try await requests.send(
      .post, "contexts/\(Self.inPath(contextId))/presence-intents", body: intent.json, retries: 0)
  }
}

extension AdminApi {
  /// Signs one statement of presence and posts it to a relay, over this connection.
  ///
  /// - Parameters:
  ///   - state: the slice; nil retracts it.
  ///   - seq: higher than that of the device's last statement in the context, or nothing changes.
  ///   - sentAtMs: Unix milliseconds.
  ///   - authorProof: what the account's root certified about the device, hex.
  public func postPresenceIntent(
    _ contextId: String, state: [UInt8]?, seq: UInt64, sentAtMs: UInt64, keys: DeviceKeys, authorProof: String
  ) async throws {
    let intent = try PresenceStatement.signedIntent(
      contextId: AccountID.hex(contextId), state: state, seq: seq, sentAtMs: sentAtMs, keys: keys,
      authorProof: authorProof)
    try await run(.post, "contexts/\(contextId)/presence-intents", .json(intent.json.data()))
  }
}
