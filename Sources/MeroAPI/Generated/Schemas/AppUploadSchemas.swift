// Generated from openapi/openapi.json by scripts/generate-openapi.sh; not edited by hand.

extension Components.Schemas {
  /// An upload in parts.
  public struct Upload: Codable, Sendable, Hashable {
    /// The upload's id.
    public var uploadId: String
    /// Bytes of the whole file.
    public var size: UInt64
    /// Bytes of each part but the last.
    public var partSize: UInt64
    /// How many parts.
    public var parts: Int32
    /// Indexes of the parts that are there, ascending.
    public var received: [Int32]
    /// Unix milliseconds after which the parts are dropped.
    public var expiresAt: Int64

    /// Creates one from its fields.
    public init(
      uploadId: String,
      size: UInt64,
      partSize: UInt64,
      parts: Int32,
      received: [Int32],
      expiresAt: Int64
    ) {
      self.uploadId = uploadId
      self.size = size
      self.partSize = partSize
      self.parts = parts
      self.received = received
      self.expiresAt = expiresAt
    }
  }
}
