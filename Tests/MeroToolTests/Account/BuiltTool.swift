import Foundation
import MeroHTTP
import Testing

/// The `mero` executable that was built along with the tests.
enum BuiltTool {
  private final class Mark {}

  static func url() throws -> URL {
    #if os(macOS)
      let folder = Bundle(for: Mark.self).bundleURL.deletingLastPathComponent()
    #else
      let folder = Bundle.main.bundleURL
    #endif
    let url = folder.appendingPathComponent("mero")
    try #require(FileManager.default.isExecutableFile(atPath: url.path), "there is no \(url.path)")
    return url
  }
}

/// A process of the built tool.
final class ToolProcess: Sendable {
  enum End: Sendable, Hashable {
    case exited(Int32)
    case signalled(Int32)
  }

  private let process: Locked<Process>
  private let ends: AsyncStream<End>
  let identifier: Int32

  /// - Parameter remarks: takes what it writes about its work.
  init(_ words: [String], remarks: FileHandle = .nullDevice) throws {
    let process = Process()
    process.executableURL = try BuiltTool.url()
    process.arguments = words
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = FileHandle.nullDevice
    process.standardError = remarks
    let (ends, ended) = AsyncStream.makeStream(of: End.self)
    process.terminationHandler = { process in
      ended.yield(
        process.terminationReason == .uncaughtSignal
          ? .signalled(process.terminationStatus) : .exited(process.terminationStatus))
      ended.finish()
    }
    try process.run()
    self.ends = ends
    identifier = process.processIdentifier
    self.process = Locked(process)
  }

  var isRunning: Bool { process.withLock { $0.isRunning } }

  /// Ends it at once, wherever it is.
  func kill() { if isRunning { _ = Foundation.kill(identifier, SIGKILL) } }

  func end() async -> End? {
    for await end in ends { return end }
    return nil
  }
}
