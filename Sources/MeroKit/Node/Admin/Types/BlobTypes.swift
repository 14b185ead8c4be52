import Foundation

/// A blob a node holds.
public struct BlobInfo: Codable, Sendable, Hashable {
  /// 64 hex; not the hash of its bytes.
  public var blobId: String
  /// Bytes.
  public var size: UInt64

  /// Creates one from its fields.
  public init(blobId: String, size: UInt64) {
    self.blobId = blobId
    self.size = size
  }

  private enum CodingKeys: String, CodingKey {
    case blobId = "blob_id"
    case size
  }
}

/// The blobs a node holds.
public struct ListBlobsResponseData: Codable, Sendable, Hashable {
  /// Whole blobs, not their parts.
  public var blobs: [BlobInfo]

  /// Creates one from its fields.
  public init(blobs: [BlobInfo]) {
    self.blobs = blobs
  }
}

/// Whether a blob was deleted.
public struct DeleteBlobResponseData: Codable, Sendable, Hashable {
  /// 64 hex.
  public var blobId: String
  /// True when it was.
  public var deleted: Bool

  /// Creates one from its fields.
  public init(blobId: String, deleted: Bool) {
    self.blobId = blobId
    self.deleted = deleted
  }

  private enum CodingKeys: String, CodingKey {
    case blobId = "blob_id"
    case deleted
  }
}

/// Bytes to keep on a node.
public struct UploadBlobRequest: Sendable, Hashable {
  /// The bytes, at most 1 GiB.
  public var data: Data
  /// SHA-256 of the bytes, 64 hex, which the node checks.
  public var hash: String?
  /// The context to hold it for, 64 hex. Its members can find the blob; without one, only this node can.
  public var contextId: String?

  /// Creates the request.
  public init(data: Data, hash: String? = nil, contextId: String? = nil) {
    self.data = data
    self.hash = hash
    self.contextId = contextId
  }
}

/// What a node knows about a blob without sending it.
public struct GetBlobInfoResponseData: Codable, Sendable, Hashable {
  /// 64 hex.
  public var blobId: String
  /// Bytes; nil when the blob exists and its size is not known.
  public var size: UInt64?
  /// SHA-256 of its bytes, 64 hex; nil from a peer.
  public var hash: String?
  /// What its bytes look like.
  public var mimeType: String?
  /// Where it is; nil when the node did not say.
  public var source: BlobSource?

  /// Creates one from its fields.
  public init(
    blobId: String, size: UInt64? = nil, hash: String? = nil, mimeType: String? = nil,
    source: BlobSource? = nil
  ) {
    self.blobId = blobId
    self.size = size
    self.hash = hash
    self.mimeType = mimeType
    self.source = source
  }
}
