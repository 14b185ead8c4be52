import Foundation
import MeroCrypto
import MeroHTTP
import MeroWire

extension AdminApi {
  /// Reads a blob into memory.
  ///
  /// - Parameters:
  ///   - contextId: asks that context's peers too: the only way to a blob that another node holds.
  ///   - verified: checks the bytes against the SHA-256 that the node gives for them.
  /// - Throws: ``MeroError``, with 404 when there is no such blob, or `CancellationError`.
  public func downloadBlob(
    _ blobId: String, contextId: String? = nil, verified: Bool = false, progress: BlobProgress.Handler? = nil
  ) async throws -> Data {
    var data = Data()
    try await download(blobId, contextId, verified, progress) { data.append($0) }
    return data
  }

  /// Reads a blob into a file, which is there only when all of it is: an older one is replaced in one step, and nothing is
  /// left of a download that fails.
  ///
  /// - Parameters:
  ///   - file: where to; its folder must exist.
  ///   - contextId: asks that context's peers too: the only way to a blob that another node holds.
  ///   - verified: checks the bytes against the SHA-256 that the node gives for them.
  /// - Returns: what the node said of the blob.
  /// - Throws: ``MeroError``, with 404 when there is no such blob; `CancellationError`; or what the file system says of a
  ///   file that cannot be written.
  @discardableResult
  public func downloadBlob(
    _ blobId: String, to file: URL, contextId: String? = nil, verified: Bool = false,
    progress: BlobProgress.Handler? = nil
  ) async throws -> GetBlobInfoResponseData {
    let replacement = try ReplacementFile(for: file)
    defer { replacement.discard() }
    let info = try await download(blobId, contextId, verified, progress) { try replacement.write($0) }
    try replacement.commit()
    return info
  }

  /// Reads a blob piece by piece.
  @discardableResult
  private func download(
    _ blobId: String, _ contextId: String?, _ verified: Bool, _ progress: BlobProgress.Handler?,
    _ take: (Data) throws -> Void
  ) async throws -> GetBlobInfoResponseData {
    let path: AdminPath = "blobs/\(blobId)"
    let request = try path.request(
      .get, query: [("context_id", contextId)],
      timeout: contextId == nil ? http.timeout : Self.blobSearchTimeout, idleTimeout: Self.blobIdleTimeout)
    let response = try await http.open(request)
    let info = GetBlobInfoResponseData(blobId: blobId, headers: response.headers)
    // What was packed on the way has another length than what is unpacked here.
    let size = response.headers["content-encoding"] == nil ? info.size : nil
    var hasher = SHA256.Hasher()
    var count: UInt64 = 0
    var pieces = response.body.makeAsyncIterator()
    while let piece = try await next(&pieces) {
      count += UInt64(piece.count)
      guard count <= UInt64(Self.blobLimit) else { throw MeroError.decoding("the blob is larger than 1 GiB") }
      if verified { hasher.update(piece) }
      try take(piece)
      progress?(BlobProgress(completed: Int64(count), total: size.flatMap(Int64.init(exactly:))))
    }
    try Task.checkCancellation()
    if let size, size != count {
      throw MeroError.network("the node sent \(count) bytes of a blob of \(size)")
    }
    if verified { try check(hasher.finalize(), info.hash) }
    if count == 0 { progress?(BlobProgress(completed: 0, total: 0)) }
    return info
  }

  /// The next piece of a body, whose failures are those of this client.
  private func next(_ pieces: inout HTTPBody.AsyncIterator) async throws -> Data? {
    do { return try await pieces.next() } catch {
      if error is CancellationError || Task.isCancelled { throw CancellationError() }
      throw MeroError(error)
    }
  }

  private func check(_ hash: [UInt8], _ given: String?) throws {
    guard let given else {
      throw MeroError.decoding("the node gives no hash to check the blob against")
    }
    guard Hex.encode(hash) == given.lowercased() else {
      throw MeroError.decoding("the blob's bytes do not have the hash that the node gives for them")
    }
  }
}
