// Generated from openapi/openapi.json by scripts/generate-openapi.sh; not edited by hand.

extension Components.Schemas {
  /// What an organization may use.
  public struct Quota: Codable, Sendable, Hashable {
    /// The organization.
    public var orgId: String
    /// Apps at most.
    public var apps: Int32
    /// Members at most.
    public var members: Int32
    /// Bytes in sealed storage at most.
    public var storageBytes: UInt64
    /// Calls a day at most.
    public var callsPerDay: UInt64
    /// Bytes in use.
    public var usedStorageBytes: UInt64?
    /// Calls today.
    public var usedCalls: UInt64?

    /// Creates one from its fields.
    public init(
      orgId: String,
      apps: Int32,
      members: Int32,
      storageBytes: UInt64,
      callsPerDay: UInt64,
      usedStorageBytes: UInt64? = nil,
      usedCalls: UInt64? = nil
    ) {
      self.orgId = orgId
      self.apps = apps
      self.members = members
      self.storageBytes = storageBytes
      self.callsPerDay = callsPerDay
      self.usedStorageBytes = usedStorageBytes
      self.usedCalls = usedCalls
    }
  }
}
