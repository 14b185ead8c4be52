import Foundation
import MeroHTTP
import Testing

/// `mero local --data`, served by a process of the built tool on ports that were free.
final class KeptToolProcess: Sendable {
  let nodes: [String]
  private let process: Locked<Process>
  private let ends: AsyncStream<Void>

  /// Returns when the cluster is served.
  init(data: String, nodes count: Int = 2) async throws {
    let process = Process()
    process.executableURL = try BuiltTool.url()
    process.arguments = [
      "local", "--data", data, "--nodes", "\(count)", "--port", "0", "--control-port", "0", "--no-node",
      "--no-accounts",
    ]
    let output = Pipe()
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = output
    process.standardError = FileHandle.standardError
    let (ends, ended) = AsyncStream.makeStream(of: Void.self)
    process.terminationHandler = { _ in ended.finish() }
    try process.run()
    self.ends = ends
    let reader = output.fileHandleForReading
    let text = await withCheckedContinuation { continuation in
      // Reading blocks, so it has a thread of its own.
      Thread.detachNewThread {
        var text = Data()
        while text.range(of: Data("Ctrl-C".utf8)) == nil {
          let more = reader.availableData
          if more.isEmpty { break }
          text.append(more)
        }
        continuation.resume(returning: String(decoding: text, as: UTF8.self))
      }
    }
    nodes = text.split(separator: "\n").filter { $0.hasPrefix("node ") }
      .compactMap { $0.split(separator: " ").last.map(String.init) }
    self.process = Locked(process)
    guard nodes.count == count, text.contains("data ") else {
      process.terminate()
      throw Unserved(output: text)
    }
  }

  struct Unserved: Error { let output: String }

  /// A test that fails must not leave it behind.
  deinit {
    process.withLock { if $0.isRunning { _ = Foundation.kill($0.processIdentifier, SIGKILL) } }
  }

  /// Ends it at once, wherever it is, and returns when it has ended.
  func kill() async {
    process.withLock { _ = Foundation.kill($0.processIdentifier, SIGKILL) }
    for await _ in ends {}
  }
}
