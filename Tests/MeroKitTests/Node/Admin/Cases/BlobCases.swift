import Foundation
import MeroKit

/// SHA-256 of the bytes that are uploaded.
private let contentHash = "26a66b061e8f48f39927c312f25293959729eee95978e2892d49d3512a5cc092"

extension AdminCase {
  static let blobs: [AdminCase] = [
    .row(
      "PUT /admin-api/blobs", query: { [("hash", contentHash), ("context_id", $0.context)] },
      sends: .bytes(Data([0, 1, 255])), answers: #"{"blob_id":"b1","size":18446744073709551615}"#,
      gives: BlobInfo(blobId: "b1", size: .max)
    ) { api, ids in
      try await api.uploadBlob(
        UploadBlobRequest(data: Data([0, 1, 255]), hash: contentHash, contextId: ids.context))
    },
    .row(
      "GET /admin-api/blobs", answers: #"{"blobs":[{"blob_id":"b1","size":3}]}"#,
      gives: ListBlobsResponseData(blobs: [BlobInfo(blobId: "b1", size: 3)])
    ) { api, _ in try await api.listBlobs() },
    .row(
      "GET /admin-api/blobs/{blob_id}", query: { [("context_id", $0.context)] }, answers: "not { JSON",
      headers: ["content-type": "text/plain"], gives: Data("not { JSON".utf8)
    ) { api, ids in try await api.getBlob(ids.blob, contextId: ids.context) },
    .row(
      "HEAD /admin-api/blobs/{blob_id}", query: { [("context_id", $0.context)] }, answers: "",
      headers: [
        "Content-Length": "18446744073709551615", "X-Blob-ID": "b1", "X-Blob-Hash": "h1",
        "X-Blob-MIME-Type": "image/png", "X-Blob-Source": "peer",
      ],
      gives: GetBlobInfoResponseData(
        blobId: "b1", size: .max, hash: "h1", mimeType: "image/png", source: .peer)
    ) { api, ids in try await api.getBlobInfo(ids.blob, contextId: ids.context) },
    .row(
      "DELETE /admin-api/blobs/{blob_id}", answers: #"{"blob_id":"b1","deleted":true}"#,
      gives: DeleteBlobResponseData(blobId: "b1", deleted: true)
    ) { api, ids in try await api.deleteBlob(ids.blob) },
  ]
}
