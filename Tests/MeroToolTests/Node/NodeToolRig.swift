import Foundation
import LocalCluster
import MeroHTTP
import MeroKitTestSupport
import MeroWire
import Testing

@testable import mero

/// Runs `mero node` against a node behind a real listener, with a folder of its own, and keeps what is written.
final class NodeToolRig: Sendable {
  static let password = "correct horse battery"

  let local = LocalNode(port: 0)
  let url: URL
  let folder: URL
  private let lines = Locked<[String]>([])
  private let remarks = Locked<[String]>([])
  private let drawn = Locked("")
  /// Told each remark as it is made.
  private let listener = Locked<(@Sendable (String) -> Void)?>(nil)

  init() async throws {
    local.node.awaitOwner()
    url = try await local.start()
    folder = FileManager.default.temporaryDirectory.appendingPathComponent("mero-node-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  }

  func close() async {
    await local.stop()
    try? FileManager.default.removeItem(at: folder)
  }

  var session: String { folder.appendingPathComponent("data/session.json").path }

  /// Everything that was written to either stream so far.
  var everything: String {
    (lines.withLock { $0 } + remarks.withLock { $0 }).joined(separator: "\n") + drawn.withLock { $0 }
  }

  func file(_ name: String, _ content: some Sequence<UInt8>) throws -> String {
    let file = folder.appendingPathComponent(name)
    try Data(content).write(to: file)
    return file.path
  }

  func surroundings(
    input: String = "", ask: (@Sendable (String) throws -> String)? = nil,
    transport: (any HTTPTransport)? = nil,
    interrupted: @escaping @Sendable () async -> Void = { await NodeToolRig.forever() }
  ) -> ToolSurroundings {
    var surroundings = ToolSurroundings()
    if let transport { surroundings.transport = transport }
    surroundings.environment = ["XDG_DATA_HOME": folder.path, "HOME": folder.path]
    surroundings.print = { [self] line in lines.withLock { $0.append(line) } }
    surroundings.tell = { [self] line in
      remarks.withLock { $0.append(line) }
      listener.withLock { $0 }?(line)
    }
    surroundings.draw = { [self] text in drawn.withLock { $0 += text } }
    surroundings.input = { Data(input.utf8) }
    surroundings.inputLine = { Data(input.utf8.prefix { $0 != 10 }) }
    surroundings.askSecret = ask
    surroundings.interrupted = interrupted
    return surroundings
  }

  /// Runs a subcommand with this rig's node and session.
  func run(_ words: String..., input: String = "") async -> ToolResult {
    await run(words + ["--node", url.absoluteString, "--session", session], in: surroundings(input: input))
  }

  func run(_ words: [String], in surroundings: ToolSurroundings) async -> ToolResult {
    let (before, told) = (lines.withLock { $0.count }, remarks.withLock { $0.count })
    let status = await NodeCommand.run(words, in: surroundings)
    return ToolResult(
      status: status, lines: lines.withLock { Array($0[before...]) },
      remarks: remarks.withLock { Array($0[told...]) })
  }

  @discardableResult
  func logIn() async -> ToolResult { await run("login", "--user", "ada", input: Self.password + "\n") }

  /// What is drawn of bars.
  var bar: String { drawn.withLock { $0 } }

  /// Calls `action` once a remark begins like this.
  func onRemark(_ start: String, _ action: @escaping @Sendable () -> Void) {
    listener.withLock { listener in listener = { if $0.hasPrefix(start) { action() } } }
  }

  static func forever() async {
    let (stream, _) = AsyncStream.makeStream(of: Void.self)
    for await _ in stream {}
  }
}

extension Array {
  fileprivate subscript(safe index: Int) -> Element? { indices.contains(index) ? self[index] : nil }
}

/// Gives each test a rig and takes it down.
func withNodeTool(_ test: (NodeToolRig) async throws -> Void) async throws {
  let rig = try await NodeToolRig()
  do { try await test(rig) } catch {
    await rig.close()
    throw error
  }
  await rig.close()
}
