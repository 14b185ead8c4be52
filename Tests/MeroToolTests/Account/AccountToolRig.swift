import Foundation
import LocalCluster
import MeroHTTP
import MeroWire
import Testing

@testable import mero

/// Runs `mero account` for several people, each with a folder of their own, against relays, a directory, a wallet's page and a
/// registry behind real listeners.
final class AccountToolRig: Sendable {
  let services = LocalAccounts(ports: .any)
  let folder: URL
  /// The options that name the servers.
  let servers: [String]

  init() async throws {
    try await services.start()
    folder = FileManager.default.temporaryDirectory.appendingPathComponent(
      "mero-account-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    servers = [
      "--cloud", try #require(await services.managerURL).absoluteString,
      "--wallet", try #require(await services.walletURL).absoluteString,
      "--registry", try #require(await services.registryURL).absoluteString,
    ]
  }

  func close() async {
    await services.stop()
    try? FileManager.default.removeItem(at: folder)
  }

  /// - Parameter folder: where the account is kept; nil for a folder of the person's own.
  func person(_ name: String, folder: URL? = nil) -> AccountPerson { AccountPerson(name, self, folder) }
}

/// Somebody at a command line: runs subcommands, and keeps what they write.
final class AccountPerson: Sendable {
  let name: String
  let folder: URL
  let options: [String]
  private let lines = Locked<[String]>([])
  private let remarks = Locked<[String]>([])
  /// Told each line and each remark as it is written.
  private let listener = Locked<(@Sendable (String) -> Void)?>(nil)

  init(_ name: String, _ rig: AccountToolRig, _ folder: URL? = nil) {
    self.name = name
    self.folder = folder ?? rig.folder.appendingPathComponent(name)
    options = rig.servers + ["--data", self.folder.path]
  }

  /// Everything that was written to either stream so far.
  var everything: String { (lines.withLock { $0 } + remarks.withLock { $0 }).joined(separator: "\n") }

  @discardableResult
  func run(
    _ words: String..., input: String = "",
    interrupted: @escaping @Sendable () async -> Void = { await NodeToolRig.forever() }
  ) async -> ToolResult {
    await run(words + options, input: input, interrupted: interrupted)
  }

  func run(
    _ words: [String], input: String = "",
    interrupted: @escaping @Sendable () async -> Void = { await NodeToolRig.forever() }
  ) async -> ToolResult {
    var surroundings = ToolSurroundings()
    surroundings.environment = ["XDG_DATA_HOME": folder.path, "HOME": folder.path]
    // Of this run alone: one may run while another waits.
    let (printed, told) = (Locked<[String]>([]), Locked<[String]>([]))
    surroundings.print = { [self] line in
      printed.withLock { $0.append(line) }
      lines.withLock { $0.append(line) }
      listener.withLock { $0 }?(line)
    }
    surroundings.tell = { [self] line in
      told.withLock { $0.append(line) }
      remarks.withLock { $0.append(line) }
      listener.withLock { $0 }?(line)
    }
    surroundings.input = { Data(input.utf8) }
    surroundings.askSecret = nil
    surroundings.interrupted = interrupted
    let status = await AccountCommand.run(words, in: surroundings)
    return ToolResult(status: status, lines: printed.withLock { $0 }, remarks: told.withLock { $0 })
  }

  /// The first line or remark from now on that begins like this.
  func written(_ start: String) -> AsyncStream<String> {
    let (stream, continuation) = AsyncStream.makeStream(of: String.self)
    listener.withLock { listener in
      listener = { if $0.hasPrefix(start) { continuation.yield($0) } }
    }
    return stream
  }

  func signIn() async throws { try #require(await run("sign-in", "--as", name).status == ExitCode.success) }

  /// Founds a namespace with a context in it.
  func foundWithContext() async throws -> (namespace: String, context: String) {
    let founded = await run("found", "--package", "com.calimero.key-value", "--name", "Team")
    try #require(founded.status == ExitCode.success, "\(founded.told)")
    let made = await run("create-context", founded.text, "--name", "notes")
    try #require(made.status == ExitCode.success, "\(made.told)")
    return (founded.text, made.text)
  }
}

/// Gives each test a rig and takes it down.
func withAccountTool(_ test: (AccountToolRig) async throws -> Void) async throws {
  let rig = try await AccountToolRig()
  do { try await test(rig) } catch {
    await rig.close()
    throw error
  }
  await rig.close()
}
