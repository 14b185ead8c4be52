// Generated from openapi/openapi.json by scripts/generate-openapi.sh; not edited by hand.

extension Components.Schemas {
  /// A file in an app's sealed storage.
  public struct Blob: Codable, Sendable, Hashable {
    /// SHA-256 of its bytes, lower-case hex.
    public var blobId: String
    /// Bytes.
    public var size: UInt64
    /// Its media type.
    public var contentType: String
    /// A file name.
    public var name: String?
    /// Unix milliseconds.
    public var createdAt: Int64
    /// The account that put it.
    public var createdBy: String?

    /// Creates one from its fields.
    public init(
      blobId: String,
      size: UInt64,
      contentType: String,
      name: String? = nil,
      createdAt: Int64,
      createdBy: String? = nil
    ) {
      self.blobId = blobId
      self.size = size
      self.contentType = contentType
      self.name = name
      self.createdAt = createdAt
      self.createdBy = createdBy
    }
  }

  /// A page of files.
  public struct BlobList: Codable, Sendable, Hashable {
    /// Newest first.
    public var blobs: [Blob]
    /// Pass it as cursor for the next page.
    public var nextCursor: String?

    /// Creates one from its fields.
    public init(blobs: [Blob], nextCursor: String? = nil) {
      self.blobs = blobs
      self.nextCursor = nextCursor
    }
  }
}
