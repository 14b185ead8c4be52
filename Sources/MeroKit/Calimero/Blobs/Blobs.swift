import Foundation
import MeroAPI
import MeroHTTP

extension CalimeroClient {
  /// The files of an app: its sealed storage.
  ///
  /// ```swift
  /// let files = client.blobs(app)
  /// let photo = try await files.put(file: url, contentType: "image/jpeg", name: "cat.jpg") { step in
  ///   print(step.completed, "of", step.total ?? 0)
  /// }
  /// try await files.download(photo.blobId, to: copy)
  /// ```
  public func blobs(_ app: String) -> Blobs { Blobs(client: self, app: app) }

  /// The files in an app's sealed storage (70 §2.18); ``CalimeroClient/blobs(_:)`` makes it.
  ///
  /// A file's id is the SHA-256 of its bytes, so whatever is read as a whole is checked against the id it was asked by.
  /// Everything throws ``CalimeroError`` and nothing else; a file of this machine that cannot be read or written is
  /// ``CalimeroError/invalidInput(_:)``.
  public struct Blobs: Sendable {
    let client: CalimeroClient
    /// The app whose files they are.
    public let app: String

    // MARK: Up

    /// Stores bytes. What the app holds already is stored once, under the name and type it came with first.
    ///
    /// - Parameters:
    ///   - contentType: what the bytes are, for listings; `application/octet-stream` when nil.
    ///   - name: a file name, at most 255 characters.
    ///   - progress: told as parts are through.
    @discardableResult
    public func put(
      _ bytes: Data, contentType: String? = nil, name: String? = nil, progress: BlobProgress.Handler? = nil
    ) async throws -> Components.Schemas.Blob {
      try await put(.bytes(bytes), contentType, name, progress)
    }

    /// Stores a file. One that is too large for a single request goes in parts, three at a time, and is never in memory
    /// as a whole; after an interruption the same file, put again, goes on where it was.
    ///
    /// The file is read twice: for its hash, and to be sent.
    ///
    /// - Parameters:
    ///   - contentType: what the bytes are, for listings; `application/octet-stream` when nil.
    ///   - name: a file name, at most 255 characters.
    ///   - progress: told as parts are through.
    @discardableResult
    public func put(
      file: URL, contentType: String? = nil, name: String? = nil, progress: BlobProgress.Handler? = nil
    ) async throws -> Components.Schemas.Blob {
      try await put(.file(file), contentType, name, progress)
    }

    private func put(
      _ source: UploadSource, _ contentType: String?, _ name: String?, _ progress: BlobProgress.Handler?
    ) async throws -> Components.Schemas.Blob {
      try await CalimeroError.translating {
        // One piece of work, however many requests: closing the client ends it also between two of them.
        try await client.core.runs.run {
          try await BlobPut(
            requests: BlobRequests(core: client.core, app: app), source: try source.measured(),
            contentType: contentType, name: name, progress: BlobMeter(progress)
          ).run(oneRequest: oneRequestLimit())
        }
      }
    }

    /// The most bytes for a single request: what the cluster says, asked once.
    private func oneRequestLimit() async throws -> Int {
      let settings = client.core.settings
      if await settings.fileLimit == nil {
        do {
          await settings.saw(fileLimit: try await client.info().limits.blobBytes)
        } catch CalimeroError.cancelled {
          throw CalimeroError.cancelled
        } catch {
          // Whatever keeps the cluster from saying it will be met again, and thrown then.
        }
      }
      let limit = await settings.fileLimit ?? UInt64(BlobLimit.oneRequest)
      return Int(min(limit, UInt64(BlobLimit.sealed)))
    }

    // MARK: Down

    /// Reads a file, or a range of it, into memory. A whole file is checked against its id.
    ///
    /// - Parameter range: the bytes wanted, from 0; those after the file's end are left out. nil for all.
    /// - Throws: ``CalimeroError/integrity(_:)`` when the bytes are not the file's; `decoding` for more than 256 MiB,
    ///   which ``download(_:to:progress:)`` and ``stream(_:range:)`` are for.
    public func get(_ id: String, range: Range<UInt64>? = nil) async throws -> Data {
      var whole = Data()
      for try await piece in stream(id, range: range) {
        guard piece.count <= AnswerLimit.bytes - whole.count else {
          throw CalimeroError.decoding(
            .tooLarge(limit: AnswerLimit.bytes, operation: APIOperation.appBlobGet.id))
        }
        whole.append(piece)
      }
      return whole
    }

    /// A file, or a range of it, as it comes. It goes on at another node when the connection is lost.
    ///
    /// The pieces are given out before all is there, so a whole file that turns out not to be the one asked for throws
    /// ``CalimeroError/integrity(_:)`` at its end.
    ///
    /// - Parameter range: the bytes wanted, from 0; nil for all.
    public func stream(_ id: String, range: Range<UInt64>? = nil) -> BlobStream {
      BlobStream(requests: BlobRequests(core: client.core, app: app), id: id, range: range)
    }

    /// Reads a file into a file of this machine, which is there only when all of it is and its hash was checked: an
    /// older one is replaced in one step, and nothing is left of a download that fails.
    ///
    /// - Parameters:
    ///   - file: where to; its folder must exist.
    ///   - progress: told as bytes come.
    /// - Throws: ``CalimeroError/integrity(_:)`` when the bytes are not the file's.
    public func download(_ id: String, to file: URL, progress: BlobProgress.Handler? = nil) async throws {
      try await CalimeroError.translating {
        let replacement = try ReplacementFile(for: file)
        defer { replacement.discard() }
        let meter = BlobMeter(progress)
        var reader = try BlobReader(
          requests: BlobRequests(core: client.core, app: app), id: id, range: nil)
        while let piece = try await reader.next() {
          try replacement.write(piece)
          meter.tell(reader.count, of: reader.total)
        }
        meter.tell(reader.count, of: reader.count)
        try Task.checkCancellation()
        try replacement.commit()
      }
    }

    // MARK: What there is

    /// The app's files, newest first, asked for page by page as they are read.
    public func list() -> Pages<Components.Schemas.Blob> { client.apps.blobAll(app: app) }

    /// Deletes a file. Deleting what is not there succeeds.
    public func delete(_ id: String) async throws { try await client.apps.blobDelete(app: app, blob: id) }
  }
}

/// Sizes of files and their parts, in bytes.
enum BlobLimit {
  /// A file put in one request, where the cluster does not say.
  static let oneRequest = 32 << 20
  /// The most that fits into one sealed request beside its head.
  static let sealed = AnswerLimit.request - (128 << 10)
}
