import Foundation
import MeroCrypto
import MeroHTTP
import MeroWire

extension AdminApi {
  /// Keeps bytes on the node.
  ///
  /// - Parameters:
  ///   - contextId: holds them for this context, whose members can find them; without, only this node can.
  ///   - verified: has the node check them against their SHA-256.
  /// - Throws: ``MeroError``, with 500 for more than 1 GiB, or `CancellationError`.
  @discardableResult
  public func uploadBlob(
    _ data: Data, contextId: String? = nil, verified: Bool = false, progress: BlobProgress.Handler? = nil
  ) async throws -> BlobInfo {
    try await uploadBlob(
      .bytes(data), size: Int64(data.count), hash: verified ? SHA256.hash(data) : nil, contextId, progress)
  }

  /// Keeps a file's bytes on the node. A large file is read piece by piece as it is sent.
  ///
  /// ```swift
  /// let blob = try await mero.admin.uploadBlob(file: photo, contextId: context) { step in
  ///   print(step.completed, "of", step.total ?? 0)
  /// }
  /// ```
  ///
  /// - Parameters:
  ///   - contextId: holds them for this context, whose members can find them; without, only this node can.
  ///   - verified: has the node check them against their SHA-256, for which the file is read once more.
  /// - Throws: ``MeroError``, `CancellationError`, or what the file system says of a file that cannot be read.
  @discardableResult
  public func uploadBlob(
    file: URL, contextId: String? = nil, verified: Bool = false, progress: BlobProgress.Handler? = nil
  ) async throws -> BlobInfo {
    let size = try FileManager.default.attributesOfItem(atPath: file.path)[.size] as? NSNumber
    return try await uploadBlob(
      .file(file), size: size?.int64Value ?? 0, hash: verified ? BlobHash.of(file) : nil, contextId, progress)
  }

  private func uploadBlob(
    _ body: NodeRequest.Body, size: Int64, hash: [UInt8]?, _ contextId: String?,
    _ progress: BlobProgress.Handler?
  ) async throws -> BlobInfo {
    let path: AdminPath = "blobs"
    var request = try path.request(
      .put, body, query: [("hash", hash.map { Hex.encode($0) }), ("context_id", contextId)],
      idleTimeout: Self.blobIdleTimeout)
    // A transport may know nothing of what is on its way, or begin anew with a renewed session.
    let last = Locked<Int64>(-1)
    if let progress {
      request.onSent = { sent, _ in
        last.withLock { $0 = sent }
        progress(BlobProgress(completed: sent, total: size))
      }
    }
    let blob = try await http.value(request, BlobInfo.self)
    if last.withLock({ $0 }) != size { progress?(BlobProgress(completed: size, total: size)) }
    return blob
  }
}
