import Foundation
import MeroKit
import MeroWire

extension NodeSubcommand {
  static let blobs = NodeSubcommand(
    name: "blobs", summary: "Move files to and from the node",
    help: """
      usage: mero node blobs put FILE [--context ID] [OPTIONS]
             mero node blobs get BLOB FILE [--context ID] [OPTIONS]
             mero node blobs list [OPTIONS]

      Keeps a file on the node, fetches one, or lists what there is. Bytes are checked against their SHA-256 both ways, and a
      file that is fetched is there only when all of it is. A bar on the standard error shows how far it is, where that is a
      terminal.

        --context ID  put: hold it for this context, whose members can find it; get: ask that context's peers too
        --no-check    do not check the bytes, for nodes that give no hash or an older form of it
      """,
    flags: ["--no-check"], values: ["--context"]
  ) { try await NodeBlobs(invocation: $0).run() }
}

private struct NodeBlobs {
  let invocation: NodeInvocation

  private var context: String? { invocation.arguments.value("--context") }
  private var isChecked: Bool { !invocation.arguments.has("--no-check") }

  func run() async throws -> Int32 {
    let words = invocation.arguments.positional
    switch (words.first, words.count) {
    case ("list", 1): try await list()
    case ("put", 2): return try await put(words[1])
    case ("get", 3): return try await get(words[1], to: words[2])
    default: throw UsageError("it takes put FILE, get BLOB FILE or list")
    }
    return ExitCode.success
  }

  private func list() async throws {
    for blob in try await invocation.connect().admin.listBlobs().blobs {
      report("\(blob.blobId)  \(blob.size) bytes", blob)
    }
  }

  private func put(_ path: String) async throws -> Int32 {
    let file = URL(fileURLWithPath: path)
    let admin = try invocation.connect().admin
    let bar = ProgressBar(draw: invocation.surroundings.draw)
    let stored = try await moved(bar) {
      do {
        return try await admin.uploadBlob(
          file: file, contextId: context, verified: isChecked, progress: bar.show)
      } catch let error as CocoaError {
        throw ToolError("\(path) cannot be read: \(error.localizedDescription)")
      }
    }
    guard let stored else { return ExitCode.failure }
    report("\(stored.blobId)  \(stored.size) bytes", stored)
    return ExitCode.success
  }

  private func get(_ id: String, to path: String) async throws -> Int32 {
    let file = URL(fileURLWithPath: path)
    let admin = try invocation.connect().admin
    let bar = ProgressBar(draw: invocation.surroundings.draw)
    let fetched = try await moved(bar) {
      do {
        return try await admin.downloadBlob(
          id, to: file, contextId: context, verified: isChecked, progress: bar.show)
      } catch let error as CocoaError {
        throw ToolError("\(path) cannot be written: \(error.localizedDescription)")
      }
    }
    guard let fetched else { return ExitCode.failure }
    var json: JSONObject = ["blobId": .string(fetched.blobId), "file": .string(path)]
    json["size"] = fetched.size.map { JSONValue($0) }
    json["hash"] = fetched.hash.map { .string($0) }
    json["checked"] = .bool(isChecked)
    invocation.report("\(path)  \(fetched.size.map { "\($0) bytes" } ?? "")", json)
    return ExitCode.success
  }

  /// Moves something under a bar; nil when Ctrl-C ended it.
  private func moved<Value: Sendable>(
    _ bar: ProgressBar, _ work: @escaping @Sendable () async throws -> Value
  ) async throws -> Value? {
    defer { bar.end() }
    let value = try await invocation.untilInterrupted(work)
    if value == nil { invocation.surroundings.tell("broken off") }
    return value
  }

  private func report(_ text: String, _ blob: BlobInfo) {
    invocation.report(text, ["blobId": .string(blob.blobId), "size": JSONValue(blob.size)])
  }
}
