import MeroWire

/// Presence on a node: who is there, who is typing, where a cursor is (10 §5).
///
/// Each author has one slot in a context, and each write replaces all of it. One writes one's own slot and reads everyone's.
/// A node goes on telling others what was written, every 2.5 seconds, for as long as it runs, and there is no way to take it
/// back; so a state that no longer holds is to be overwritten with one that says so.
///
/// ```swift
/// struct Typing: Codable, Sendable { let typing: Bool }
///
/// let ephemeral = await mero.ephemeral
/// try await ephemeral.set(contextId: contextId, state: Typing(typing: true))
/// for try await entry in ephemeral.subscribe(contextId: contextId, as: Typing.self) {
///   typing[entry.author] = entry.state?.typing
/// }
/// ```
public struct EphemeralClient: Sendable {
  private let rpc: RpcClient
  private let sse: SseConnection

  package init(rpc: RpcClient, sse: SseConnection) {
    self.rpc = rpc
    self.sse = sse
  }

  /// Writes the node's own slot in a context, as JSON.
  ///
  /// - Throws: ``MeroError/rpc(_:)`` with the node's type and data: `SliceTooLarge` for more than 16,384 bytes,
  ///   `Unauthorized` for a caller who is no member, `NoOwnedIdentity` for a node that is not in the context. Any other
  ///   ``MeroError`` and `CancellationError`, as of every call.
  public func set<State: Codable & Sendable>(contextId: String, state: State) async throws {
    try await set(contextId: contextId, state: state, codec: JSONCodec())
  }

  /// Writes the node's own slot in a context, in another encoding.
  ///
  /// - Throws: as ``set(contextId:state:)``, and what the codec throws.
  public func set<C: Codec>(contextId: String, state: C.Value, codec: C) async throws {
    let bytes = try codec.encode(state)
    // How much is too much is the node's to say.
    _ = try await rpc.call(
      "set_ephemeral", ["contextId": .string(contextId), "state": JSONValue(bytes: bytes)])
  }

  /// Everyone's slots in a context, read as JSON: what is known already, then every change.
  ///
  /// One's own writes come back too. Slots that hold something else are passed over. The subscription ends with the stream, as
  /// that of ``SseConnection/events(contextIds:groupIds:)`` does.
  ///
  /// - Returns: a stream that ends when the connection is closed, and throws ``MeroError`` when the node ends the session or
  ///   refuses the permission.
  public func subscribe<State: Codable & Sendable>(
    contextId: String, as type: State.Type
  ) -> AsyncThrowingStream<EphemeralEntry<State>, any Error> {
    subscribe(contextId: contextId, codec: JSONCodec<State>())
  }

  /// Everyone's slots in a context, read in another encoding; otherwise as ``subscribe(contextId:as:)``.
  public func subscribe<C: Codec>(
    contextId: String, as type: C.Value.Type = C.Value.self, codec: C
  ) -> AsyncThrowingStream<EphemeralEntry<C.Value>, any Error> {
    sse.stream(of: SseTopic.list(contextIds: [contextId], groupIds: []), replaysPresence: true) {
      EphemeralEntry($0, codec: codec)
    }
  }
}
