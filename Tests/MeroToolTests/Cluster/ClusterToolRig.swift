import Foundation
import LocalCluster
import MeroHTTP
import MeroKitTestSupport
import MeroWire
import Testing

@testable import mero

/// Runs the tool's commands for a cluster, for several people with a folder each, against nodes behind real listeners.
final class ClusterToolRig: Sendable {
  let local: LocalCluster
  let urls: [String]
  let folder: URL

  var cloud: FakeCloud { local.cloud }

  init(_ cloud: FakeCloud) async throws {
    cloud.register(.probe)
    local = LocalCluster(ports: cloud.nodes.map { _ in 0 }, cloud: cloud)
    try await local.start()
    urls = await local.nodeURLs.map(\.absoluteString)
    folder = FileManager.default.temporaryDirectory.appendingPathComponent(
      "mero-cluster-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  }

  func close() async {
    await local.stop()
    try? FileManager.default.removeItem(at: folder)
  }

  func person(_ name: String) -> ClusterPerson { ClusterPerson(name, self) }

  /// Somebody who has an account, an organization and an app of this package in it.
  func owner(of package: String = "com.calimero.chat") async throws -> (
    person: ClusterPerson, org: String, app: String
  ) {
    let ada = person("ada")
    try await ada.signUp()
    let org = try #require(try await ada.run("orgs", "create", "Acme", "--json").json()["orgId"]?.stringValue)
    let made = await ada.run("apps", "create", "general", "--package", package, "--org", org, "--json")
    return (ada, org, try #require(try made.json()["appId"]?.stringValue, "\(made.told)"))
  }
}

/// Somebody at a command line: runs subcommands, and keeps what they write.
final class ClusterPerson: Sendable {
  let name: String
  let folder: URL
  /// The options that name the nodes.
  let nodes: [String]
  private let written = Locked<[String]>([])
  private let drawn = Locked("")
  /// Told each line and each remark as it is written.
  private let listener = Locked<(@Sendable (String) -> Void)?>(nil)

  init(_ name: String, _ rig: ClusterToolRig) {
    self.name = name
    folder = rig.folder.appendingPathComponent(name)
    nodes = rig.urls.flatMap { ["--node", $0] }
  }

  private var data: URL { folder.appendingPathComponent("network.calimero.merokit") }
  var session: URL { data.appendingPathComponent("cluster-session.json") }
  var passkeys: URL { data.appendingPathComponent("passkeys.json") }

  /// Everything that was written to either stream so far.
  var everything: String { written.withLock { $0 }.joined(separator: "\n") + drawn.withLock { $0 } }
  /// What is drawn of bars.
  var bar: String { drawn.withLock { $0 } }

  @discardableResult
  func run(
    _ words: String..., input: String = "", environment: [String: String] = [:],
    interrupted: @escaping @Sendable () async -> Void = { await NodeToolRig.forever() }
  ) async -> ToolResult {
    await run(words + nodes, input: input, environment: environment, interrupted: interrupted)
  }

  /// Runs exactly these words.
  func run(
    _ words: [String], input: String = "", environment: [String: String] = [:],
    transport: (any HTTPTransport)? = nil,
    interrupted: @escaping @Sendable () async -> Void = { await NodeToolRig.forever() }
  ) async -> ToolResult {
    var surroundings = ToolSurroundings()
    if let transport { surroundings.transport = transport }
    surroundings.environment = ["XDG_DATA_HOME": folder.path, "HOME": folder.path].merging(environment) { $1 }
    // Of this run alone: one may run while another waits.
    let (printed, told) = (Locked<[String]>([]), Locked<[String]>([]))
    surroundings.print = { [self] line in
      printed.withLock { $0.append(line) }
      wrote(line)
    }
    surroundings.tell = { [self] line in
      told.withLock { $0.append(line) }
      wrote(line)
    }
    let bytes = Locked(Data())
    surroundings.write = { data in bytes.withLock { $0 += data } }
    surroundings.draw = { [self] text in drawn.withLock { $0 += text } }
    surroundings.input = { Data(input.utf8) }
    surroundings.inputLine = { Data(input.utf8.prefix { $0 != 10 }) }
    surroundings.askSecret = nil
    surroundings.interrupted = interrupted
    let command = ClusterSubcommand.all.first { $0.name == words.first }
    let status = await command?.run(Array(words.dropFirst()), in: surroundings)
    return ToolResult(
      status: status ?? -1, lines: printed.withLock { $0 }, remarks: told.withLock { $0 },
      bytes: bytes.withLock { $0 })
  }

  private func wrote(_ line: String) {
    written.withLock { $0.append(line) }
    listener.withLock { $0 }?(line)
  }

  func signUp() async throws {
    let result = await run("signup", name)
    try #require(result.status == ExitCode.success, "\(result.told)")
  }

  /// The lines and remarks from now on that begin like this.
  func lines(_ start: String) -> AsyncStream<String> {
    let (stream, continuation) = AsyncStream.makeStream(of: String.self)
    listener.withLock { listener in
      listener = { if $0.hasPrefix(start) { continuation.yield($0) } }
    }
    return stream
  }

  func file(_ name: String, _ content: some Sequence<UInt8>) throws -> String {
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let file = folder.appendingPathComponent(name)
    try Data(content).write(to: file)
    return file.path
  }

  static func mode(_ path: String) throws -> Int? {
    (try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? NSNumber)?.intValue
  }
}

extension AsyncStream where Element == String {
  func first() async -> String? {
    for await line in self { return line }
    return nil
  }
}

/// Gives each test a rig and takes it down. What the cluster answered has to fit its description.
func withClusterTool(
  _ cloud: FakeCloud = FakeCloud(), _ test: (ClusterToolRig) async throws -> Void
) async throws {
  let rig = try await ClusterToolRig(cloud)
  do { try await test(rig) } catch {
    await rig.close()
    throw error
  }
  await rig.close()
  #expect(cloud.violations.isEmpty)
  #expect(cloud.unfitRequests == [])
}
