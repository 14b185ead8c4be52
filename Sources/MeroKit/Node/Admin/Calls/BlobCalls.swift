import Foundation
import MeroHTTP

// Blobs in memory. Files and progress are in `Node/Blobs`.
extension AdminApi {
  /// A blob may be this large.
  static let blobLimit = 1 << 30
  /// A node searches its peers for about half of it, and then fetches the blob; given up earlier it would look as if there
  /// were none.
  static let blobSearchTimeout: TimeInterval = 60
  /// Seconds without a byte of a transfer.
  static let blobIdleTimeout: TimeInterval = 60

  /// Keeps bytes on the node. Held for a context, its members can find them; otherwise only this node can.
  @discardableResult
  public func uploadBlob(_ request: UploadBlobRequest) async throws -> BlobInfo {
    let path: AdminPath = "blobs"
    var upload = try path.request(
      .put, .bytes(request.data), query: [("hash", request.hash), ("context_id", request.contextId)],
      timeout: .infinity)
    upload.headers = ["content-type": "application/octet-stream"]
    return try await http.value(upload, BlobInfo.self)
  }

  /// The blobs the node holds.
  public func listBlobs() async throws -> ListBlobsResponseData { try await get("blobs") }

  /// A blob's bytes.
  ///
  /// - Parameter contextId: asks that context's peers too: the only way to a blob that another node holds.
  public func getBlob(_ blobId: String, contextId: String?) async throws -> Data {
    let path: AdminPath = "blobs/\(blobId)"
    let response = try await http.open(
      path.request(
        .get, query: [("context_id", contextId)],
        timeout: contextId == nil ? http.timeout : Self.blobSearchTimeout, idleTimeout: Self.blobIdleTimeout))
    do { return try await response.body.collect(upTo: Self.blobLimit) } catch {
      if error is CancellationError || Task.isCancelled { throw CancellationError() }
      throw MeroError(error)
    }
  }

  /// What the node knows about a blob, without sending it.
  ///
  /// - Parameter contextId: asks that context's peers too. A peer's answer has only a size, and nobody has checked it.
  public func getBlobInfo(_ blobId: String, contextId: String?) async throws -> GetBlobInfoResponseData {
    let path: AdminPath = "blobs/\(blobId)"
    let response = try await http.send(
      path.request(
        .head, query: [("context_id", contextId)],
        timeout: contextId == nil ? nil : Self.blobSearchTimeout))
    return GetBlobInfoResponseData(blobId: blobId, headers: response.headers)
  }

  /// Deletes a blob from the node.
  ///
  /// - Throws: ``MeroError/http(_:)`` with 403 when an installed application needs it, 404 when there is none.
  @discardableResult
  public func deleteBlob(_ blobId: String) async throws -> DeleteBlobResponseData {
    try await call(.delete, "blobs/\(blobId)", nil, .flat)
  }
}

extension GetBlobInfoResponseData {
  /// What the head of an answer says about the blob that was asked for.
  package init(blobId: String, headers: HTTPHeaders) {
    self.init(
      blobId: headers["x-blob-id"] ?? blobId, size: headers["content-length"].flatMap { UInt64($0) },
      hash: headers["x-blob-hash"], mimeType: headers["x-blob-mime-type"],
      source: headers["x-blob-source"].map(BlobSource.init(rawValue:)))
  }
}
