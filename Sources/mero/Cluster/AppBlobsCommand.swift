import Foundation
import MeroAPI
import MeroKit
import MeroWire

extension ClusterSubcommand {
  static let blobs = ClusterSubcommand(
    name: "blobs", summary: "Move files to and from an app's sealed storage",
    help: """
      usage: mero blobs put APP FILE [--name NAME] [--type TYPE] [OPTIONS]
             mero blobs get APP BLOB FILE [OPTIONS]
             mero blobs list APP [OPTIONS]
             mero blobs delete APP BLOB [OPTIONS]

      Keeps a file with an app, fetches one, lists or deletes them. A blob's name is the SHA-256 of its bytes, which is checked
      both ways. A large file goes in parts; put again after an interruption, it goes on where it was. A file that is fetched
      is there only when all of it is; - for FILE writes it to the standard output as it comes. Bytes that are there already
      keep the name and the type that they have. A bar on the standard error shows how far it is, where that is a terminal.

        --name NAME  what the file is called there (as it is called here)
        --type TYPE  what it is, such as image/png (application/octet-stream)
      """,
    values: ["--name", "--type"]
  ) { try await AppBlobsCommand(invocation: $0).run() }
}

private struct AppBlobsCommand {
  let invocation: ClusterInvocation

  func run() async throws -> Int32 {
    let words = invocation.arguments.positional
    switch (words.first, words.count) {
    case ("put", 3): return try await put(words[2], in: words[1])
    case ("get", 4): return try await get(words[2], of: words[1], to: words[3])
    case ("list", 2): for try await blob in files(words[1]).list() { show(blob) }
    case ("delete", 3):
      try await files(words[1]).delete(words[2])
      invocation.report("deleted", ["blobId": .string(words[2]), "deleted": true])
    default: throw invocation.misuse("it takes put APP FILE, get APP BLOB FILE, list APP or delete APP BLOB")
    }
    return ExitCode.success
  }

  private func files(_ app: String) -> CalimeroClient.Blobs { invocation.client.blobs(app) }

  private func put(_ path: String, in app: String) async throws -> Int32 {
    let file = URL(fileURLWithPath: path)
    // Before a node is asked anything. A folder can be opened, and not be read.
    do { _ = try FileHandle(forReadingFrom: file).read(upToCount: 1) } catch {
      throw ToolError("\(path) cannot be read: \(invocation.reason(error, path))")
    }
    let type = invocation.arguments.value("--type")
    let name = invocation.arguments.value("--name") ?? file.lastPathComponent
    let blob = try await moved(orElse: "broken off; put again goes on where it was") { bar in
      try await files(app).put(file: file, contentType: type, name: name, progress: bar.show)
    }
    guard let blob else { return ExitCode.interrupted }
    if blob.name != name || type.map({ $0 != blob.contentType }) ?? false {
      invocation.surroundings.tell("these bytes were there already, and keep their name and type")
    }
    show(blob)
    return ExitCode.success
  }

  private func get(_ id: String, of app: String, to path: String) async throws -> Int32 {
    if path == "-" { return try await write(id, of: app) }
    var isFolder: ObjCBool = false
    if FileManager.default.fileExists(atPath: path, isDirectory: &isFolder), isFolder.boolValue {
      throw ToolError("\(path) is a folder; name the file that is to be made in it")
    }
    let done: Bool? = try await moved(orElse: "broken off; nothing was made") { bar in
      try await files(app).download(id, to: URL(fileURLWithPath: path), progress: bar.show)
      return true
    }
    guard done != nil else { return ExitCode.interrupted }
    invocation.report(path, ["blobId": .string(id), "file": .string(path)])
    return ExitCode.success
  }

  /// Writes a file to the standard output, a piece at a time.
  private func write(_ id: String, of app: String) async throws -> Int32 {
    let pieces = files(app).stream(id)
    let done: Bool? = try await invocation.untilInterrupted {
      for try await piece in pieces { try invocation.surroundings.write(piece) }
      return true
    }
    return done == nil ? ExitCode.interrupted : ExitCode.success
  }

  /// Moves something under a bar; nil when Ctrl-C ended it.
  private func moved<Value: Sendable>(
    orElse brokenOff: String, _ work: @escaping @Sendable (ProgressBar) async throws -> Value
  ) async throws -> Value? {
    let bar = ProgressBar(draw: invocation.surroundings.draw)
    defer { bar.end() }
    let value = try await invocation.untilInterrupted { try await work(bar) }
    if value == nil { invocation.surroundings.tell(brokenOff) }
    return value
  }

  private func show(_ blob: Components.Schemas.Blob) {
    let name = blob.name.map { "  \($0)" } ?? ""
    invocation.report(
      "\(blob.blobId)  \(blob.size) bytes  \(blob.contentType)\(name)", (try? blob.jsonObject()) ?? [:])
  }
}
