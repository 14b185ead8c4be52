import MeroHTTP
import MeroWire

/// JSON-RPC with one node (10 §3).
public struct RpcClient: ExecuteTransport {
  private let http: NodeHTTP

  /// Calls over a connection.
  public init(http: NodeHTTP) { self.http = http }

  /// Runs a method of a context's contract, as the node's own identity in it.
  ///
  /// - Throws: ``MeroError`` or `CancellationError`. A call is sent once: without an answer it may have run.
  public func executeWithMetadata<T: Decodable>(
    contextId: String, method: String, argsJson: [String: JSONValue]
  ) async throws -> ExecuteResult<T> {
    // A dictionary has no order of its own; a request that is sent twice should have the same bytes.
    let arguments = JSONObject(argsJson.sorted { $0.key < $1.key }.map { ($0.key, $0.value) })
    let result = try await call(
      "execute", ["contextId": .string(contextId), "method": .string(method), "argsJson": .object(arguments)])
    let output = result.objectValue?["output"] ?? result
    return ExecuteResult(returns: try output.read(T.self), transport: .node)
  }

  /// Runs a method. `executorPublicKey` has no effect: a node executes as its own identity.
  @available(*, deprecated, message: "a node executes as its own identity; leave executorPublicKey out")
  public func execute<T: Decodable>(
    contextId: String, method: String, argsJson: [String: JSONValue] = [:], executorPublicKey: String?
  ) async throws -> T {
    try await execute(contextId: contextId, method: method, argsJson: argsJson)
  }

  /// How far a context has come in catching up with its peers.
  public func syncStatus(_ contextId: String) async throws -> ContextSyncStatus {
    try await call("sync_status", ["contextId": .string(contextId)]).read(ContextSyncStatus.self)
  }

  /// Calls a method of the node itself and answers its `result`.
  ///
  /// - Throws: ``MeroError`` or `CancellationError`.
  package func call(_ method: String, _ parameters: JSONValue) async throws -> JSONValue {
    let body: JSONValue = ["jsonrpc": "2.0", "id": 1, "method": .string(method), "params": parameters]
    let answer = try await http.send(NodeRequest(.post, "/jsonrpc", body: .json(body.data()))).json()
    if let error = answer["error"], !error.isNull { throw MeroError.rpc(RpcError(error)) }
    guard let result = answer["result"] else { throw MeroError.emptyResponse("a result") }
    return result
  }
}
