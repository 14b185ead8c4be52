import MeroWire

extension VectorSuite {
  /// The node protocol of before 1.0: events, presence, answers, retries, JSON-RPC, logins, tokens and discovery.
  static let nodeProtocol = VectorSuite(
    recognises: { $0["format"]?.stringValue == NodeGroup.format },
    run: { value, name, _, run in
      do {
        let file = try VectorObject(value, path: name)
        _ = try file.text("format")
        file.prose("about")
        for group in NodeGroup.all { await group.check(file, &run) }
        await run.check("nothing unknown in the file") { try file.finish() }
      } catch {
        await run.check(name) { throw error }
      }
    })
}

/// A group of the file, and how the client of a node is compared with it.
struct NodeGroup: Sendable {
  static let format = "merokit-node-protocol-vectors/1"

  let name: String
  let check: @Sendable (_ file: VectorObject, _ run: inout ConformanceRun) async -> Void

  static let all = [
    frames, subscriptions, streamAnswers, presenceSeed, answers, retries, addresses, rpc, permissions,
    loginAddresses, callbacks, adoptions, tokens, capabilities, discovery, tokenStore,
  ]
}
