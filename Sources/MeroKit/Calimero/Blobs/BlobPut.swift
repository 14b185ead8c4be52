import Foundation
import MeroAPI

/// One file on its way up (70 §2.18): in one request when it is small enough, else in parts.
struct BlobPut: Sendable {
  /// How many parts are on their way at a time.
  private static let width = 3

  let requests: BlobRequests
  let source: UploadSource.Measured
  let contentType: String?
  let name: String?
  let progress: BlobMeter

  func run(oneRequest limit: Int) async throws -> Components.Schemas.Blob {
    let blob = try await source.size <= UInt64(limit) ? putWhole() : putInParts()
    guard blob.blobId == source.hash, blob.size == source.size else {
      throw CalimeroError.integrity(
        "the node stored \(blob.blobId) of \(blob.size) bytes and was sent \(source.hash)")
    }
    progress.tell(source.size, of: source.size)
    return blob
  }

  private func putWhole() async throws -> Components.Schemas.Blob {
    let bytes = try source.read(0..<source.size)
    return try await requests.send(
      Operations.AppBlobPut.Input(
        path: .init(app: requests.app), query: .init(name: name, sha256: source.hash),
        body: .binary(bytes, contentType: contentType ?? "application/octet-stream")),
      carrying: bytes.count)
  }

  // MARK: In parts

  private func putInParts() async throws -> Components.Schemas.Blob {
    // The same hash names the upload that an interrupted put of the same file left behind.
    let upload: Components.Schemas.Upload = try await requests.send(
      Operations.AppUploadBegin.Input(
        path: .init(app: requests.app),
        body: .json(
          .init(size: source.size, sha256: source.hash, contentType: contentType, name: name))))
    let parts = try BlobParts(upload, of: source.size)
    try await send(parts.missing, parts)
    do {
      return try await finish(parts)
    } catch CalimeroError.api(let refusal) where refusal.code == .uploadIncomplete {
      try await send(try parts.missing(in: refusal), parts)
      return try await finish(parts)
    }
  }

  /// Sends parts, a few at a time. The first failure ends the others.
  private func send(_ indexes: [Int], _ parts: BlobParts) async throws {
    var done = source.size - indexes.reduce(0) { $0 + UInt64(parts.range($1).count) }
    progress.tell(done, of: source.size)
    try await withThrowingTaskGroup(of: Int.self) { group in
      var waiting = indexes.makeIterator()
      func begin() {
        if let index = waiting.next() { group.addTask { try await send(part: index, parts) } }
      }
      for _ in 0..<Self.width { begin() }
      while let index = try await group.next() {
        done += UInt64(parts.range(index).count)
        progress.tell(done, of: source.size)
        begin()
      }
    }
  }

  private func send(part index: Int, _ parts: BlobParts) async throws -> Int {
    let bytes = try source.read(parts.range(index))
    let _: Components.Schemas.Upload = try await requests.send(
      Operations.AppUploadPart.Input(
        path: .init(app: requests.app, upload: parts.upload, index: Int32(index)),
        body: .binary(bytes, contentType: "application/octet-stream")),
      carrying: bytes.count)
    return index
  }

  private func finish(_ parts: BlobParts) async throws -> Components.Schemas.Blob {
    try await requests.send(
      Operations.AppUploadFinish.Input(path: .init(app: requests.app, upload: parts.upload)))
  }
}
