import MeroHTTP
import MeroWire

/// Runs the methods of contracts through a relay: by a query where that may do, and by a warrant (40 §11.2).
///
/// A query goes first because it signs nothing, spends no number and publishes nothing. A relay answers 409 when a method is
/// not declared read-only, and that is kept; whatever else a query fails with, the warrant is the answer.
struct RelayExecution: ExecuteTransport {
  let relay: RelayClient
  /// What is known of methods; nil when there is no session to query under, and every call is a warrant.
  let methods: KnownMethods?

  func executeWithMetadata<T: Decodable>(
    contextId: String, method: String, argsJson: [String: JSONValue]
  ) async throws -> ExecuteResult<T> {
    let arguments = JSONValue.object(
      JSONObject(argsJson.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }))
    if let methods, let read = try await query(contextId, method, arguments, methods) {
      return ExecuteResult(returns: try read.read(T.self), transport: .relay)
    }
    let result = try await relay.execute(contextId: contextId, method: method, argsJson: arguments)
    return ExecuteResult(
      returns: try (result.returns ?? .null).read(T.self), transport: .relay, rootHash: result.rootHash)
  }

  /// What a query answers; nil when it is no answer.
  private func query(
    _ contextId: String, _ method: String, _ arguments: JSONValue, _ methods: KnownMethods
  ) async throws -> JSONValue? {
    let name = KnownMethods.Name(
      relay: relay.relayURL, contextId: RelayClient.inPath(contextId), method: method)
    guard !methods.isWrite(name), let bearer = await relay.bearer() else { return nil }
    do {
      return try await relay.query(
        contextId: contextId, method: method, argsJson: arguments, bearer: bearer) ?? .null
    } catch MeroError.http(let refusal) where refusal.status == 409 {
      methods.noteWrite(name)
      return nil
    } catch is CancellationError {
      throw CancellationError()
    } catch { return nil }
  }
}

/// Which methods write. That one reads need not be kept: it is queried as one that is not known.
///
/// There is one for the process, because clients are rebuilt whenever a session changes, and what a method does stays what it
/// is.
package final class KnownMethods: Sendable {
  package static let ofProcess = KnownMethods()

  struct Name: Sendable, Hashable {
    let relay: String
    let contextId: String
    let method: String
  }

  private let writes = Locked<Set<Name>>([])

  package init() {}

  func isWrite(_ name: Name) -> Bool { writes.withLock { $0.contains(name) } }

  func noteWrite(_ name: Name) { writes.withLock { _ = $0.insert(name) } }

  /// Forgets everything: for tests.
  package func forgetAll() { writes.withLock { $0 = [] } }
}
