// The examples of the page on presence, as they are written there: with nothing imported but the package.
import MeroKit

enum PresencePage {
  struct Typing: Codable, Sendable { let typing: Bool }

  struct RawCodec: Codec {
    func encode(_ value: [UInt8]) throws -> [UInt8] { value }
    func decode(_ bytes: [UInt8]) throws -> [UInt8] { bytes }
  }

  /// Runs the page's first example until `isDone`, and answers who is typing.
  static func readAndWrite(
    _ mero: Mero, _ contextId: String, until isDone: ([String: Bool]) -> Bool
  ) async throws -> [String: Bool] {
    var typing: [String: Bool] = [:]

    let ephemeral = await mero.ephemeral

    // Write your slot (JSON-RPC `set_ephemeral`).
    try await ephemeral.set(contextId: contextId, state: Typing(typing: true))

    // Read everyone's.
    for try await entry in ephemeral.subscribe(contextId: contextId, as: Typing.self) {
      if entry.removed {
        typing[entry.author] = nil
      } else {
        typing[entry.author] = entry.state?.typing
      }
      if isDone(typing) { break }
    }
    return typing
  }

  static func writeRaw(_ mero: Mero, _ contextId: String) async throws {
    let ephemeral = await mero.ephemeral
    try await ephemeral.set(contextId: contextId, state: [1, 2, 3], codec: RawCodec())
  }

  static func seed(_ mero: Mero, _ contextId: String) async -> [ContextEvent] {
    await mero.sse.presenceSeed(contextId)
  }
}
