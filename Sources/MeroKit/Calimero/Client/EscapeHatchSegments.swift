import MeroWire

/// The same routes, their paths given as segments, which the client encodes (70 §2.24).
extension CalimeroClient {
  /// Reads a route given as segments.
  public func get(_ segments: [String], query: [String: String] = [:]) async throws -> JSONValue {
    try await get(RawRequest.path(segments), query: query)
  }

  /// Posts JSON to a route given as segments.
  public func post(
    _ segments: [String], query: [String: String] = [:], body: JSONValue? = nil, retrySafe: Bool = false
  ) async throws -> JSONValue {
    try await post(RawRequest.path(segments), query: query, body: body, retrySafe: retrySafe)
  }

  /// Puts JSON to a route given as segments.
  public func put(
    _ segments: [String], query: [String: String] = [:], body: JSONValue? = nil, retrySafe: Bool = false
  ) async throws -> JSONValue {
    try await put(RawRequest.path(segments), query: query, body: body, retrySafe: retrySafe)
  }

  /// Patches a route given as segments.
  public func patch(
    _ segments: [String], query: [String: String] = [:], body: JSONValue? = nil, retrySafe: Bool = false
  ) async throws -> JSONValue {
    try await patch(RawRequest.path(segments), query: query, body: body, retrySafe: retrySafe)
  }

  /// Deletes a route given as segments.
  @discardableResult
  public func delete(
    _ segments: [String], query: [String: String] = [:], body: JSONValue? = nil, retrySafe: Bool = false
  ) async throws -> JSONValue {
    try await delete(RawRequest.path(segments), query: query, body: body, retrySafe: retrySafe)
  }

  /// Posts JSON to a route given as segments that a person has to confirm.
  ///
  /// - Parameter passkey: who confirms; the client's provider when nil.
  public func postConfirmed(
    _ segments: [String], query: [String: String] = [:], body: JSONValue? = nil,
    passkey: (any PasskeyProvider)? = nil, retrySafe: Bool = false
  ) async throws -> JSONValue {
    try await postConfirmed(
      RawRequest.path(segments), query: query, body: body, passkey: passkey, retrySafe: retrySafe)
  }

  /// Posts JSON to a route given as segments that an operator has to sign.
  ///
  /// - Parameter operatorSigner: who signs; the client's signer when nil.
  public func postSigned(
    _ segments: [String], query: [String: String] = [:], body: JSONValue? = nil,
    operatorSigner: (any OperatorSigner)? = nil, retrySafe: Bool = false
  ) async throws -> JSONValue {
    try await postSigned(
      RawRequest.path(segments), query: query, body: body, operatorSigner: operatorSigner,
      retrySafe: retrySafe)
  }

  /// Reads a route given as segments that answers with server-sent events.
  public func stream(_ segments: [String], query: [String: String] = [:]) -> RawEventStream {
    stream(RawRequest.path(segments), query: query)
  }
}
